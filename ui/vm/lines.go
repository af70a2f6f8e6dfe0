package vm

import "signalbox/notify"

// open reports whether nothing is narrowed but to a connection: all that there is may be said.
func (f RailFilter) open() bool { return f.Place == front && f.Text == "" }

// elsewhereLabel heads the lines of sessions: "other" is right only beside a session that is chosen.
func (f RailFilter) elsewhereLabel(s *Snapshot) Msg {
	switch {
	case f.Connection != "":
		return M("head.its_sessions")
	case s.Focus.Session == "":
		return M("head.sessions")
	}
	return M("head.elsewhere")
}

// quietSession reports whether a session is chosen in which nothing waits, and names it.
func (f RailFilter) quietSession(s *Snapshot, own, terminal []*notify.Record) (quiet bool, name string) {
	if !f.open() || f.Connection != "" || s.Focus.Session == "" || len(own) > 0 {
		return false, ""
	}
	for _, r := range terminal {
		if r.Scope == notify.ScopeSession {
			return false, ""
		}
	}
	return true, WithoutAgent(s.SessionTitle(s.Focus), s.ConnectionLabel(s.Focus.Connection))
}

// unread has a line for each session that holds something unread which has no line of its own, where no session is
// chosen: what a number at the left counts can be found from the rail.
func (f RailFilter) unread(s *Snapshot, m *Memory, lines []*notify.Record) (out []*Jump) {
	if f.Connection == "" && s.Focus.Session != "" {
		return nil
	}
	said := hiddenUnread(s, m)
	for _, r := range lines {
		if !r.Read {
			said[r.Ref()]++
		}
	}
	for _, c := range s.Connections {
		if !c.Open || f.Connection != "" && c.ID != f.Connection {
			continue
		}
		for _, v := range s.Sessions[c.ID] {
			n := v.Unread - said[v.Ref()]
			if n <= 0 {
				continue
			}
			name := WithoutAgent(s.SessionTitle(v.Ref()), s.ConnectionLabel(c.ID))
			out = append(out, &Jump{Ref: v.Ref(), Chip: *s.ChipOf(c.ID), Session: name, Title: name, Sign: Sign{Tone: ToneInfo}, New: true, Unread: n})
		}
	}
	return out
}

// leftOf is what the numbers at the left still count, of one connection or of all.
func leftOf(s *Snapshot, m *Memory, connection string) int {
	hidden := hiddenUnread(s, m)
	if connection == "" {
		return s.Attention.Waiting + max(s.Attention.Unread-hidden[notify.SessionRef{}], 0)
	}
	if c, ok := s.Connection(connection); ok {
		return c.Counts.Waiting + max(c.Counts.Unread-hidden[notify.SessionRef{Connection: c.ID}], 0)
	}
	return 0
}
