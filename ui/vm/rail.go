package vm

import (
	"slices"
	"time"

	"signalbox/notify"
)

// Snapshot is what one refresh read from the center. Its values are shared and never modified.
type Snapshot struct {
	Rail        notify.Rail
	Elsewhere   []*notify.Record // interactions that wait in sessions other than the active one
	Kept        []*notify.Record // muted and snoozed items, which the rail leaves out
	Connections []notify.ConnectionView
	Sessions    map[string][]notify.SessionView // by connection
	Focus       notify.SessionRef
	Attention   notify.Attention
	Settings    notify.Settings
	Old         map[string]OldLists // connections whose lists are old
	At          time.Time
}

// Active are the records that the rail presents, in no order.
func (s *Snapshot) Active() []*notify.Record {
	return slices.Concat(s.Rail.Application, s.Rail.Session, s.Kept)
}

// ConnectionLabel is the label of a connection, its id when it is gone.
func (s *Snapshot) ConnectionLabel(id string) string {
	for _, c := range s.Connections {
		if c.ID == id {
			return orID(c.Label, c.ID)
		}
	}
	return id
}

// SessionTitle names a session for people.
func (s *Snapshot) SessionTitle(ref notify.SessionRef) string {
	for _, v := range s.Sessions[ref.Connection] {
		if v.ID == ref.Session {
			return SessionLabel(v.Session, s.ConnectionLabel(ref.Connection))
		}
	}
	return NamelessSession(s.ConnectionLabel(ref.Connection), ref.Session)
}

// ChipOf is the chip of a connection.
func (s *Snapshot) ChipOf(id string) *ChipView {
	for _, c := range s.Connections {
		if c.ID == id {
			return &ChipView{Label: orID(c.Label, c.ID), Color: c.Color}
		}
	}
	return &ChipView{Label: id}
}

// Memory is what the front end itself remembers.
type Memory struct {
	Dismissals Dismissals
	Revisions  Revisions
	Digests    Digests
}

// RowKind is the form of a row of the rail.
type RowKind string

// The rows.
const (
	RowHead  RowKind = "head"  // starts a section
	RowCard  RowKind = "card"  // an item
	RowJump  RowKind = "jump"  // something waits in another session
	RowEmpty RowKind = "empty" // nothing to show, and why
)

// Row is a row of the rail.
type Row struct {
	Kind  RowKind
	ID    string // stable: selection and scroll position are kept by it
	Head  Msg
	Count int
	Clear int // of a head: how many the rail could dismiss at once; 0: no button
	Card  *Card
	Jump  *Jump
	Empty *Empty
}

// Jump leads to a session where something waits.
type Jump struct {
	Ref            notify.SessionRef
	Chip           ChipView
	Session, Title string
	Clock          string
	Aside          Msg // since when all of it is set aside; zero: some of it is not
	Count          int
}

// Empty says that there is nothing, and why, and what can be done about it.
type Empty struct {
	Icon   string
	Title  Msg
	Text   Msg
	Action Msg // zero: nothing to do
	Do     string
}

// RailFilter narrows the rail.
type RailFilter struct {
	Place notify.Place // zero: all but muted and snoozed
	Text  string       // words, each at the start of a word
}

// Zero reports whether nothing is narrowed.
func (f RailFilter) Zero() bool { return f.Place == front && f.Text == "" }

// Tab is one place of the rail with what is in it.
type Tab struct {
	Place  notify.Place
	Label  Msg
	Name   string // a tag or a panel; empty: Label names the place
	Count  int
	Unread int
	Chosen bool
	Urgent bool
}

// RailView is the rail, ready to be drawn.
type RailView struct {
	Rows  []Row
	Tabs  []Tab
	Shown []*notify.Record // the records behind the cards, in their order
	// Left is how many of them clearing would leave waiting (I7).
	Clearable, Left int
}

// Rail lays out what the center presents: what waits first, longest on top; then by latest activity
// (P6). What is hidden by the dismissal cache is not there (D3).
func Rail(s *Snapshot, m *Memory, f RailFilter) RailView {
	var v RailView
	active := s.Active()
	var records []*notify.Record
	counts := map[notify.Place]*Tab{}
	for _, r := range active {
		p := notify.PlaceOf(r, s.At)
		if p.Kind == notify.PlaceNone || m.Dismissals.Hides(r) {
			continue
		}
		t := counts[p]
		if t == nil {
			t = &Tab{Place: p}
			counts[p] = t
		}
		t.Count++
		if !r.Read {
			t.Unread++
		}
		if f.Place == front && !p.Front() || f.Place != front && f.Place != p {
			continue
		}
		if !MatchText(r, f.Text) {
			continue
		}
		records = append(records, r)
	}
	v.Tabs = tabs(counts, f.Place)
	order(records, s.At)

	var waiting, terminal, aside, rest []*notify.Record
	for _, r := range records {
		switch {
		case r.SetAsideAt(s.At):
			aside = append(aside, r)
		case r.Waiting():
			waiting = append(waiting, r)
		case InTerminal(r):
			terminal = append(terminal, r)
		default:
			rest = append(rest, r)
		}
		if Dismissible(r, s.At) {
			v.Clearable++
		} else if r.Waiting() {
			v.Left++
		}
	}
	jumps := jumpsOf(s, f)
	if len(waiting) > 0 {
		v.head("head.waiting", M("head.waiting"), len(waiting))
		v.cards(s, m, waiting)
	}
	if len(jumps) > 0 {
		n := 0
		for _, j := range jumps {
			n += j.Count
		}
		v.head("head.elsewhere", M("head.elsewhere"), n)
		for _, j := range jumps {
			v.Rows = append(v.Rows, Row{Kind: RowJump, ID: "jump:" + j.Ref.Connection + "/" + j.Ref.Session, Jump: &j})
		}
	}
	if len(terminal) > 0 {
		v.head("head.terminal", M("head.terminal"), len(terminal))
		v.cards(s, m, terminal)
	}
	if len(aside) > 0 {
		v.head("head.aside", M("head.aside"), len(aside))
		v.cards(s, m, aside)
	}
	if len(rest) > 0 {
		head := M("head.latest")
		if f.Place != front && !f.Place.Front() {
			head = placeLabel(f.Place)
		}
		v.head("head.latest", head, len(rest))
		if v.Clearable > 1 {
			v.Rows[len(v.Rows)-1].Clear = v.Clearable
		}
		v.cards(s, m, rest)
	}
	v.Shown = slices.Concat(waiting, terminal, aside, rest) // in the order of the cards
	if len(records) == 0 {
		e := emptyOf(s, f, len(active) > 0)
		if len(jumps) > 0 && f.Zero() {
			return v
		}
		v.Rows = append(v.Rows, Row{Kind: RowEmpty, ID: "empty", Empty: &e})
	}
	return v
}

func (v *RailView) head(id string, label Msg, n int) {
	v.Rows = append(v.Rows, Row{Kind: RowHead, ID: id, Head: label, Count: n})
}

func (v *RailView) cards(s *Snapshot, m *Memory, records []*notify.Record) {
	for _, r := range records {
		c := Context{Now: s.At, Digests: &m.Digests}
		if r.Scope == notify.ScopeApplication {
			c.Chip = s.ChipOf(r.Connection)
		}
		c.Mark, c.HasMark = m.Revisions.MarkOf(r)
		card := CardOf(r, c)
		card.Asked = AskedBy(s, r)
		v.Rows = append(v.Rows, Row{Kind: RowCard, ID: r.ID, Card: &card})
	}
}

// order sorts for the rail, as the center does (P6).
func order(records []*notify.Record, now time.Time) {
	slices.SortStableFunc(records, func(a, b *notify.Record) int { return notify.Order(a, b, now) })
}

func jumpsOf(s *Snapshot, f RailFilter) []Jump {
	if f.Place != front && f.Place.Kind != notify.PlaceWaiting || f.Text != "" {
		return nil
	}
	var out []Jump
	at := map[notify.SessionRef]int{}
	list := slices.Clone(s.Elsewhere)
	order(list, s.At)
	for _, r := range list {
		ref := notify.SessionRef{Connection: r.Connection, Session: r.Session}
		if !r.Waiting() || ref == s.Focus || r.Session == "" || r.Silent {
			continue
		}
		if i, ok := at[ref]; ok {
			out[i].Count++
			continue
		}
		at[ref] = len(out)
		var aside Msg // those that are come last: with the first, all of them are
		if r.SetAsideAt(s.At) {
			aside = AsideWord(r, s.At)
		}
		out = append(out, Jump{Aside: aside, Ref: ref, Chip: *s.ChipOf(r.Connection), Session: WithoutAgent(s.SessionTitle(ref), s.ConnectionLabel(ref.Connection)), Title: r.Title,
			Clock: Clock(s.At.Sub(waitingSince(r))), Count: 1})
	}
	return out
}

// AskedBy lists the sessions that ask the same as r, when several do. Only the producer's own key says that
// two requests are the same: equal text never does (A10).
func AskedBy(s *Snapshot, r *notify.Record) []Asked {
	if r.DedupKey == "" || !r.Waiting() {
		return nil
	}
	var out []Asked
	for _, o := range append(s.Active(), s.Elsewhere...) {
		if o.Connection != r.Connection || o.DedupKey != r.DedupKey || o.Kind != notify.KindInteraction {
			continue
		}
		if slices.ContainsFunc(out, func(a Asked) bool { return a.ID == o.ID }) {
			continue
		}
		a := Asked{ID: o.ID, Session: s.SessionTitle(notify.SessionRef{Connection: o.Connection, Session: o.Session}), Result: M("status.pending")}
		if o.Outcome != nil {
			a.Result = OutcomeWord(o.Outcome.Kind)
		}
		out = append(out, a)
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

func emptyOf(s *Snapshot, f RailFilter, some bool) Empty {
	switch {
	case len(s.Connections) == 0:
		return Empty{Icon: "connection", Title: M("empty.first.title"), Text: M("empty.first.text"), Action: M("empty.first.action"), Do: "connect"}
	case !f.Zero() && some:
		return Empty{Icon: "filter", Title: M("empty.filtered.title"), Text: M("empty.filtered.text"), Action: M("empty.filtered.action"), Do: "unfilter"}
	}
	// The rail shows one session; the others say at the left that they need the owner (P1).
	if a := s.Attention; a.Waiting+a.Reply+a.Failed+a.Confirm > 0 {
		return Empty{Icon: "session", Title: M("empty.elsewhere.title"), Text: M("empty.elsewhere.text"), Action: M("empty.clear.action"), Do: "history"}
	}
	return Empty{Icon: "check", Title: M("empty.clear.title"), Text: M("empty.clear.text"), Action: M("empty.clear.action"), Do: "history"}
}
