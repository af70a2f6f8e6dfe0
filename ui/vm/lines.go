package vm

import (
	"slices"
	"strings"
	"time"

	"signalbox/notify"
)

// Jump is the line of an item of another session, and leads to it.
type Jump struct {
	Ref            notify.SessionRef
	ID             string // of the item; empty: it is not known
	Chip           ChipView
	Session, Title string
	// Code is what is asked permission for, in one line, Text the first line of a question; empty: the title says it.
	Code, Text string
	Clock      Msg  // how long it has been waiting; zero: it does not wait
	Deadline   Msg  // how long until it times out; zero: never
	Ending     bool // that is less than a minute
	Aside      Msg  // since when it is set aside; zero: it is not
	Sign       Sign
	Age        Msg
	New        bool // it, or what the line stands for, was not read
	Unread     int  // of a line that stands for what is not read in a session, its item the newest of that; 0: for its item alone
}

// jumpOf is the line of r, with the start of what it asks.
func jumpOf(s *Snapshot, m *Memory, r *notify.Record) *Jump {
	ref := r.Ref()
	j := &Jump{Ref: ref, ID: r.ID, Chip: *s.ChipOf(r.Connection), Session: WithoutAgent(s.SessionTitle(ref), s.ConnectionLabel(ref.Connection)), Title: r.Title,
		Sign: SignOf(r), Age: Ago(s.At, r.Activity()), New: !r.Read}
	if !r.Waiting() {
		return j
	}
	j.Clock, j.Age = Clock(s.At.Sub(r.CreatedAt)), Msg{}
	if !r.InteractionDeadline.IsZero() {
		j.Deadline, j.Ending = Clock(r.InteractionDeadline.Sub(s.At)), ending(r, s.At)
	}
	if r.SetAsideAt(s.At) {
		j.Aside = AsideWord(r, s.At)
	}
	d := m.Digests.of(r)
	switch {
	case r.Interaction.Plans():
	case d.code != "":
		if code := oneLine(d.code); !strings.HasSuffix(" "+r.Title, " "+code) {
			j.Code = code // its title does not say it, or not to its end
		}
	case d.prompt != "":
		j.Text = firstLine(d.prompt)
	default:
		j.Text = firstLine(d.text)
	}
	if said := strings.TrimSuffix(j.Text, " …"); strings.HasPrefix(bareQuestion(r.Title), bareQuestion(said)) {
		j.Text = ""
	}
	return j
}

// oneLine is a command in one line, with a mark where its lines end.
func oneLine(code string) string {
	var lines []string
	for l := range strings.SplitSeq(code, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, " ⏎ ")
}

// firstLine is the first line of a text that says something, and an ellipsis where more follows.
func firstLine(s string) string {
	line, rest, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if line = strings.TrimSpace(line); strings.TrimSpace(rest) != "" && !strings.HasSuffix(line, "…") {
		line += " …"
	}
	return line
}

// calls reports whether r calls for the owner from whatever session it is in: it waits, here or in its terminal, or is a
// failure that is not read. A turn that failed need not be an error: a limit that was reached is none.
func calls(r *notify.Record) bool {
	failed := r.Severity == notify.SeverityError || r.Severity == notify.SeverityCritical || r.Event != nil && r.Event.Type == notify.EventTurnFailed
	return r.Asks() || failed && !r.Read
}

// lineRank puts what waits in a terminal behind what waits here, before the rest.
func lineRank(r *notify.Record, now time.Time) int {
	switch {
	case r.Waiting() && !r.SetAsideAt(now):
		return 0
	case InTerminal(r):
		return 1
	}
	return 2
}

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
func (f RailFilter) quietSession(s *Snapshot, own, others []*notify.Record) (quiet bool, name string) {
	if !f.open() || f.Connection != "" || s.Focus.Session == "" || len(own) > 0 {
		return false, ""
	}
	if len(ofSessions(others)) > 0 {
		return false, ""
	}
	return true, WithoutAgent(s.SessionTitle(s.Focus), s.ConnectionLabel(s.Focus.Connection))
}

// unread has a line for each session that holds something unread which has no line of its own, where no session is
// chosen: what a number at the left counts can be found from the rail.
func (f RailFilter) unread(s *Snapshot, m *Memory, lines []*notify.Record) (out []*Jump) {
	if f.Connection == "" && s.Focus.Session != "" {
		return nil
	}
	said, newest := hiddenUnread(s, m), map[notify.SessionRef]*notify.Record{}
	for _, r := range lines {
		if !r.Read {
			said[r.Ref()]++
		}
	}
	for _, r := range slices.Concat(s.Rail.Session, s.Elsewhere) {
		if was := newest[r.Ref()]; !r.Read && !m.Dismissals.Hides(r) && notify.PlaceOf(r, s.At).Front() && !calls(r) &&
			(was == nil || r.Activity().After(was.Activity())) {
			newest[r.Ref()] = r
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
			j := &Jump{Ref: v.Ref(), Chip: *s.ChipOf(c.ID), Session: name, Title: name, Sign: Sign{Tone: ToneInfo}, New: true, Unread: n}
			if r := newest[v.Ref()]; r != nil {
				j.ID, j.Title = r.ID, r.Title
			}
			out = append(out, j)
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
