package vm

import (
	"cmp"
	"slices"
	"time"

	"signalbox/notify"
)

// RowKind is the form of a row of the rail.
type RowKind string

// The rows.
const (
	RowHead  RowKind = "head"  // starts a section
	RowCard  RowKind = "card"  // an item
	RowJump  RowKind = "jump"  // something in another session: it leads there
	RowFold  RowKind = "fold"  // the older plain items of one sender
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
	Fold  *Fold
	Empty *Empty
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
	// Connection narrows to the items of one connection; its sessions are lines. Empty: all.
	Connection string
}

// Zero reports whether nothing is narrowed.
func (f RailFilter) Zero() bool { return f == RailFilter{} }

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
	// Left is how many of them clearing would leave waiting (I7), Running how many go on and stay.
	Clearable, Left, Running int
	Own                      string // what comes first of the active session: what waits longest, else the newest; empty: nothing
}

// Rail lays out what the center presents: what the active session asks first, then what else waits, longest on top; then
// by latest activity (P6), what the active session tells before the rest. What is hidden by the dismissal cache is not there (D3).
func Rail(s *Snapshot, m *Memory, f RailFilter) RailView {
	var v RailView
	var records, lines, called []*notify.Record // called: what has a line wherever it is not narrowed away
	counts := map[notify.Place]*Tab{}
	count := func(p notify.Place, r *notify.Record) {
		t := counts[p]
		if t == nil {
			t = &Tab{Place: p}
			counts[p] = t
		}
		t.Count++
		if !r.Read {
			t.Unread++
		}
	}
	shown := func(p notify.Place, r *notify.Record) bool {
		return (f.Place == front && p.Front() || f.Place != front && f.Place == p) && MatchText(r, f.Text)
	}
	active, elsewhere := f.split(s)
	for _, r := range active {
		p := notify.PlaceOf(r, s.At)
		if p.Kind == notify.PlaceNone || m.Dismissals.Hides(r) {
			continue
		}
		count(p, r)
		if shown(p, r) {
			records = append(records, r)
		}
	}
	for _, r := range elsewhere {
		p := notify.PlaceOf(r, s.At)
		if p.Kind == notify.PlaceNone || m.Dismissals.Hides(r) {
			continue
		}
		calls := p.Front() && calls(r)
		if calls {
			count(p, r)
			called = append(called, r)
		}
		if shown(p, r) && (calls || f.Text != "") {
			lines = append(lines, r)
		}
	}
	v.Tabs = tabs(counts, f.Place)
	unread := f.unread(s, m, called)
	for _, j := range unread { // in which place what they stand for is, is not known here
		v.Tabs[0].Count += j.Unread
		v.Tabs[0].Unread += j.Unread
	}
	order(records, s.At)
	order(lines, s.At)
	slices.SortStableFunc(lines, func(a, b *notify.Record) int { return cmp.Compare(lineRank(a, s.At), lineRank(b, s.At)) })

	var own, waiting, terminal, aside, news, rest []*notify.Record
	for _, r := range records {
		switch {
		case r.SetAsideAt(s.At):
			aside = append(aside, r)
		case r.Scope == notify.ScopeSession && notify.PlaceOf(r, s.At).Kind == notify.PlaceWaiting:
			own = append(own, r)
		case r.Waiting():
			waiting = append(waiting, r)
		case InTerminal(r):
			terminal = append(terminal, r)
		case r.Scope == notify.ScopeSession && notify.PlaceOf(r, s.At).Front():
			news = append(news, r)
		default:
			rest = append(rest, r)
		}
		switch {
		case !Dismissible(r, s.At):
			if r.Waiting() {
				v.Left++
			}
		case Running(r):
			v.Running++
		default:
			v.Clearable++
		}
	}
	if mine := slices.Concat(own, ofSessions(terminal), ofSessions(aside), news); len(mine) > 0 {
		v.Own = mine[0].ID
	}
	if quiet, name := f.quietSession(s, own, slices.Concat(terminal, aside)); quiet {
		v.head("head.nothing", MA("head.nothing", name), 0)
	}
	section := func(id string, label Msg, list []*notify.Record) {
		if len(list) > 0 {
			v.head(id, label, len(list))
			v.cards(s, m, list)
		}
	}
	section("head.own", M("head.own"), own)
	section("head.waiting", M("head.waiting"), waiting)
	section("head.terminal", M("head.terminal"), terminal)
	switch {
	case len(news) == 0:
	case len(v.Rows) > 0 && v.Rows[len(v.Rows)-1].ID == "head.nothing": // which names the session
		v.cards(s, m, news)
	default:
		section("head.news", M("head.news"), news)
	}
	if !f.open() {
		unread = nil
	}
	if len(lines)+len(unread) > 0 {
		v.head("head.elsewhere", f.elsewhereLabel(s), len(lines)+len(unread))
		for _, r := range lines {
			v.Rows = append(v.Rows, Row{Kind: RowJump, ID: "jump:" + r.ID, Jump: jumpOf(s, m, r)})
		}
		for _, j := range unread {
			v.Rows = append(v.Rows, Row{Kind: RowJump, ID: "jump:session:" + j.Ref.Connection + "/" + j.Ref.Session, Jump: j})
		}
	}
	section("head.aside", M("head.aside"), aside)
	if len(rest) > 0 {
		head := M("head.latest")
		if f.Place != front && !f.Place.Front() {
			head = placeLabel(f.Place)
		}
		v.head("head.latest", head, len(rest))
		if f.Text == "" {
			v.folded(s, m, rest)
		} else {
			v.cards(s, m, rest)
		}
	}
	v.offerClear()
	v.Shown = slices.Concat(own, waiting, terminal, news, aside, rest) // in the order of the cards
	if len(v.Rows) == 0 || len(v.Rows) == 1 && v.Rows[0].ID == "head.nothing" {
		e := emptyOf(s, m, f)
		v.Rows = append(v.Rows, Row{Kind: RowEmpty, ID: "empty", Empty: &e})
	}
	return v
}

// split tells the items that have cards from those that have lines. Of a chosen connection, every session has lines.
func (f RailFilter) split(s *Snapshot) (cards, lines []*notify.Record) {
	cards, lines = s.Active(), s.Elsewhere
	if f.Connection == "" {
		return cards, lines
	}
	other := func(r *notify.Record) bool { return r.Connection != f.Connection }
	cards = slices.DeleteFunc(slices.Concat(s.Rail.Application, s.Kept), other)
	lines = slices.DeleteFunc(slices.Concat(s.Rail.Session, s.Elsewhere), other)
	return cards, lines
}

// Running reports whether r is work that goes on: clearing leaves it, for it says how far the work is.
func Running(r *notify.Record) bool {
	if r.Kind != notify.KindProgress || r.Status != notify.Pending {
		return false
	}
	m := MeterOf(r.Progress)
	return m == nil || !m.Known || m.Fraction < 1
}

func (v *RailView) head(id string, label Msg, n int) {
	v.Rows = append(v.Rows, Row{Kind: RowHead, ID: id, Head: label, Count: n})
}

// ofSessions are those that belong to a session.
func ofSessions(list []*notify.Record) []*notify.Record {
	return slices.DeleteFunc(slices.Clone(list), func(r *notify.Record) bool { return r.Scope != notify.ScopeSession })
}

// offerClear has the head of what can be dismissed offer that for all: of the newest, or else of what the session tells.
func (v *RailView) offerClear() {
	if v.Clearable < 2 {
		return
	}
	for _, id := range []string{"head.latest", "head.news", "head.nothing"} {
		if i := slices.IndexFunc(v.Rows, func(r Row) bool { return r.ID == id }); i >= 0 {
			v.Rows[i].Clear = v.Clearable
			return
		}
	}
}

func (v *RailView) cards(s *Snapshot, m *Memory, records []*notify.Record) {
	for _, r := range records {
		c := Context{Now: s.At, Digests: &m.Digests}
		if r.Scope == notify.ScopeApplication {
			c.Chip = s.ChipOf(r.Connection)
		}
		c.Mark, c.HasMark = m.Revisions.MarkOf(r)
		card := CardOf(r, c)
		card.Asked, card.Armed = AskedBy(s, r), m.Armed.Of(r)
		v.Rows = append(v.Rows, Row{Kind: RowCard, ID: r.ID, Card: &card})
	}
}

// order sorts for the rail, as the center does (P6).
func order(records []*notify.Record, now time.Time) {
	slices.SortStableFunc(records, func(a, b *notify.Record) int { return notify.Order(a, b, now) })
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
		a := Asked{ID: o.ID, Session: s.SessionTitle(o.Ref()), Result: M("status.waiting")}
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

func emptyOf(s *Snapshot, m *Memory, f RailFilter) Empty {
	left := leftOf(s, m, f.Connection)
	everything := func(text Msg) Empty {
		e := Empty{Icon: "check", Title: M("empty.done.title"), Text: text, Action: M("empty.filtered.action"), Do: "unfilter"}
		if left > 0 { // a number at the left says that not all is done
			e.Icon, e.Title = "session", M("empty.elsewhere.title")
		}
		return e
	}
	switch {
	case len(s.Connections) == 0:
		return Empty{Icon: "connection", Title: M("empty.first.title"), Text: M("empty.first.text"), Action: M("empty.first.action"), Do: "connect"}
	case f.Text != "" && s.Searched != f.Text:
		return Empty{Icon: "clock", Title: M("empty.searching")}
	case f.Text != "":
		return Empty{Icon: "search", Title: M("empty.search.title"), Text: M("empty.search.text"), Action: M("empty.search.action"), Do: "search"}
	case f.Place != front:
		return everything(M("empty.done.text"))
	case f.Connection != "" && left > 0:
		return everything(M("empty.unread.text"))
	case f.Connection != "":
		return everything(MA("empty.connection.text", s.ConnectionLabel(f.Connection)))
	}
	// The rail shows one session; the others say at the left that they need the owner (P1).
	a := s.Attention
	if a.Waiting+a.Failed+a.Confirm > 0 {
		return Empty{Icon: "session", Title: M("empty.elsewhere.title"), Text: M("empty.elsewhere.text"), Action: M("empty.clear.action"), Do: "history"}
	}
	if left > 0 {
		return Empty{Icon: "session", Title: M("empty.elsewhere.title"), Text: M("empty.unread.text"), Action: M("empty.clear.action"), Do: "history"}
	}
	text := M("empty.clear.text")
	if a.Reply > 0 {
		text = MN("empty.clear.replies", a.Reply)
	}
	return Empty{Icon: "check", Title: M("empty.clear.title"), Text: text, Action: M("empty.clear.action"), Do: "history"}
}
