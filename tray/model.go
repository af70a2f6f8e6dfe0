package tray

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"signalbox/assets"
	"signalbox/notify"
)

// Sizes of the menu.
const (
	Slots       = 6 // items that have lines of their own
	SlotOptions = 3 // answers offered under an item
	maxLine     = 72
	maxName     = 20 // of a connection or a session
)

// Verb is what a line of the menu does.
type Verb string

// The verbs.
const (
	ShowWindow   Verb = "show"
	ShowItem     Verb = "show_item" // of ID
	Dismiss      Verb = "dismiss"   // ID at Revision
	SetAside     Verb = "set_aside" // ID
	Answer       Verb = "answer"    // ID at Revision with Option
	DismissAll   Verb = "dismiss_all"
	Quiet        Verb = "quiet" // until Until; zero: off
	ShowHistory  Verb = "history"
	ShowSettings Verb = "settings"
	Quit         Verb = "quit"
)

// Command is what a click asks for. It carries what the line showed, so that it can do nothing to
// anything else: not to a newer revision, not to another item.
type Command struct {
	Verb Verb
	Seen
	Option string
	Until  time.Time
	Items  []Seen // of DismissAll
}

// Seen is an item as the menu showed it.
type Seen struct {
	ID string
	// Expect is the revision that was shown, or its token (L7).
	Expect notify.Expectation
}

// Input is what the menu is made of.
type Input struct {
	// Items are the pending records, in any order; the classifier and the order of the rules choose
	// among them (P5, P6).
	Items []*notify.Record
	// Counts is the badge; the icon and the tooltip say nothing else than it does (P5).
	Counts notify.Counts
	// Connections by id: their labels, and whether what they left may be dismissed (D7).
	Connections map[string]*notify.Connection
	// Sessions are the names of those that items belong to, as the windows have them; one without is not named.
	Sessions   map[notify.SessionRef]string
	Rules      notify.Rules
	QuietUntil time.Time // zero: not quiet
	// Problem is what is wrong with the program itself, in plain words; empty: nothing.
	Problem string
	Offline bool // the center cannot be reached
	Now     time.Time
	Words   Words
}

// Line is one line of the menu. A hidden line keeps its place.
type Line struct {
	Title   string
	Visible bool
	Enabled bool
	Checked bool
	Command Command
}

// Slot is the lines of one item. Those of the first item stand under it; those of the others are in a menu of its own
// each, so that many that wait make no long menu.
type Slot struct {
	Item    Line
	Detail  Line // what is asked, where the title does not say it; opens the item
	Options [SlotOptions]Line
	Read    Line // opens what cannot be answered from a menu, or what has a menu of its own
	Dismiss Line // or set aside
}

// Menu is everything that the tray shows. It has the same lines whatever is active.
type Menu struct {
	Icon    string // a state of assets.TrayStates
	Tooltip string

	Head  Line // what there is, or what is wrong; opens the window
	Slots [Slots]Slot
	More  Line // how many are not shown; opens the window

	Open       Line
	QuietMenu  Line    // holds the lines of Quiet
	Quiet      [4]Line // 30 min, 1 h, until tomorrow, for good
	QuietOff   Line    // while it is quiet
	DismissAll Line
	History    Line
	Settings   Line
	Quit       Line
}

// Model makes the menu: what needs the owner first, longest waiting on top, then the newest (P4).
func Model(in Input) Menu {
	w := in.Words.orEnglish()
	items := front(in)
	m := Menu{Icon: icon(in, items)}
	quiet := in.QuietUntil.After(in.Now)

	shown := min(len(items), Slots)
	for i, r := range items[:shown] {
		own := w
		if i > 0 {
			own.Indent = "" // they are in a menu of their own
		}
		m.Slots[i] = slot(in, own, r)
		if read := &m.Slots[i].Read; i > 0 && !read.Visible {
			*read = line(w.Read, m.Slots[i].Item.Command)
		}
	}
	// The items are bounded, the badge is not: the two must not contradict each other.
	if rest := max(len(items), in.Counts.Unread) - shown; rest > 0 {
		m.More = Line{Title: fmt.Sprintf(w.More, rest), Visible: true, Enabled: true, Command: Command{Verb: ShowWindow}}
	}

	m.Head = line(head(in, w, len(items)), Command{Verb: ShowWindow})
	m.Tooltip = "Signalbox: " + m.Head.Title
	forever := notify.Endless(in.QuietUntil)
	switch {
	case forever:
		m.Tooltip += " · " + w.QuietForGood
	case quiet:
		m.Tooltip += " · " + fmt.Sprintf(w.QuietUntil, clock(in.QuietUntil, in.Now))
	}

	m.Open = line(w.Open, Command{Verb: ShowWindow})
	titles := map[string]string{notify.Quiet30: w.Quiet30, notify.Quiet60: w.Quiet60, notify.QuietTomorrow: w.QuietTomorrow, notify.QuietForever: w.QuietForever}
	choices := notify.QuietChoices(in.Now)
	for i, q := range choices[1:] {
		m.Quiet[i] = line(titles[q.Name], Command{Verb: Quiet, Until: q.Until})
	}
	m.QuietMenu = line(w.Quiet, Command{})
	off := &m.QuietOff
	switch {
	case forever:
		*off = line(w.QuietOffForever, Command{Verb: Quiet})
	case quiet:
		*off = line(fmt.Sprintf(w.QuietOffUntil, clock(in.QuietUntil, in.Now)), Command{Verb: Quiet})
	}
	m.DismissAll = dismissAll(in, w, items)

	m.History = line(w.History, Command{Verb: ShowHistory})
	m.Settings = line(w.Settings, Command{Verb: ShowSettings})
	m.Quit = line(w.Quit, Command{Verb: Quit})
	return m
}

// dismissAll is the line that dismisses what the menu was made of, and says what it leaves (I7).
func dismissAll(in Input, w Words, items []*notify.Record) Line {
	var all []Seen
	left, waiting := 0, 0
	for _, r := range items {
		switch {
		case notify.CanDismiss(r, in.Connections[r.Connection], in.Rules, in.Now):
			all = append(all, seen(r))
		case r.Waiting():
			waiting++
			fallthrough
		default:
			left++
		}
	}
	if len(all) == 0 {
		return Line{}
	}
	l := line(fmt.Sprintf(w.DismissAll, len(all)), Command{Verb: DismissAll, Items: all})
	switch {
	case left > 0 && left == waiting:
		l.Title = fmt.Sprintf(w.DismissAllWait, len(all), left)
	case left > 0:
		l.Title = fmt.Sprintf(w.DismissAllBut, len(all), left)
	}
	return l
}

func line(title string, c Command) Line {
	return Line{Title: title, Visible: true, Enabled: true, Command: c}
}

func seen(r *notify.Record) Seen {
	return Seen{r.ID, r.Seen()}
}

// icon chooses from the fixed set: what is wrong outweighs what waits, that outweighs the count.
func icon(in Input, items []*notify.Record) string {
	switch {
	case in.Offline:
		return assets.TrayOffline
	case in.Problem != "":
		return assets.TrayError
	case in.Counts.Waiting > 0:
		return assets.TrayWaiting
	case in.QuietUntil.After(in.Now):
		return assets.TrayMuted
	case in.Counts.Failed > 0 || serious(items):
		return assets.TrayError
	}
	return assets.TrayCount(in.Counts.Unread)
}

// front chooses and orders what the menu may show: what the badge counts, which is what open connections have.
func front(in Input) []*notify.Record {
	var items []*notify.Record
	for _, r := range in.Items {
		if c := in.Connections[r.Connection]; (c == nil || c.Open) && notify.PlaceOf(r, in.Now).Front() {
			items = append(items, r)
		}
	}
	// What was set aside comes last on the rail, for it is scrolled there; a menu has few lines, and what waits
	// for an answer must not fall off them.
	rank := func(r *notify.Record) int {
		switch {
		case r.Waiting() && !r.SetAsideAt(in.Now):
			return 0
		case r.Waiting():
			return 1
		}
		return 2
	}
	slices.SortFunc(items, func(a, b *notify.Record) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), notify.Order(a, b, in.Now))
	})
	return items
}

// serious reports an unread error among the active items.
func serious(active []*notify.Record) bool {
	for _, r := range active {
		if !r.Read && (r.Severity == notify.SeverityError || r.Severity == notify.SeverityCritical) {
			return true
		}
	}
	return false
}

func head(in Input, w Words, active int) string {
	switch {
	case in.Offline:
		return w.Offline
	case in.Problem != "":
		return cut(in.Problem, maxLine)
	case in.Counts.Waiting == 0 && in.Counts.Unread == 0 && active == 0:
		return w.Nothing
	case in.Counts.Waiting == 0 && in.Counts.Unread == 0:
		return fmt.Sprintf(w.Active, active)
	case in.Counts.Waiting == 0:
		return fmt.Sprintf(w.Unread, in.Counts.Unread)
	case in.Counts.Unread <= in.Counts.Waiting:
		return fmt.Sprintf(w.Waiting, in.Counts.Waiting)
	}
	return fmt.Sprintf(w.WaitingUnread, in.Counts.Waiting, in.Counts.Unread)
}

// slot makes the lines of one item.
func slot(in Input, w Words, r *notify.Record) Slot {
	with := func(v Verb) Command { return Command{Verb: v, Seen: seen(r)} }

	from := r.Connection
	if c := in.Connections[r.Connection]; c != nil && c.Label != "" {
		from = c.Label
	}
	name := strings.TrimPrefix(in.Sessions[r.Ref()], from+" · ")
	from = cut(from, maxName)
	if name != "" {
		from += " › " + cut(name, maxName)
	}
	s := Slot{}
	if r.Waiting() {
		if r.SetAsideAt(in.Now) {
			from += " · " + w.Aside
		}
		from += " · " + age(in.Now.Sub(r.CreatedAt), w)
		title, detail, whole := asked(r, from)
		s.Item = line(title, with(ShowItem))
		if detail != "" {
			s.Detail = line(w.Indent+detail, with(ShowItem))
		}
		s.Dismiss = line(w.Indent+w.SetAside, with(SetAside))
		s.Dismiss.Visible = !r.SetAsideAt(in.Now)
		options, all := quickOptions(r, whole)
		if in.Offline {
			options = nil
		}
		for i, o := range options {
			c := with(Answer)
			c.Option = o.ID
			s.Options[i] = line(w.Indent+"▸ "+cut(o.Label, maxLine-10), c)
		}
		if !all {
			s.Read = line(w.Indent+w.Read, with(ShowItem))
		}
		return s
	}
	if notify.CanDismiss(r, in.Connections[r.Connection], in.Rules, in.Now) {
		s.Dismiss = line(w.Indent+w.Dismiss, with(Dismiss))
	}
	s.Item = line(fit(mark(r), oneLine(r.Title), from), with(ShowItem))
	return s
}

// mark says the kind and weight by a sign, because a menu has no colours.
func mark(r *notify.Record) string {
	switch {
	case r.Waiting():
		return "? "
	case r.Severity == notify.SeverityCritical:
		return "‼ "
	case r.Severity == notify.SeverityError:
		return "✖ "
	case r.Severity == notify.SeverityWarning:
		return "⚠ "
	case r.Severity == notify.SeveritySuccess:
		return "✔ "
	case r.Kind == notify.KindProgress:
		return progress(r) + " "
	}
	return "• "
}

func progress(r *notify.Record) string {
	if r.Progress == nil || r.Progress.Total == nil || *r.Progress.Total <= 0 {
		return "…"
	}
	return fmt.Sprintf("%d %%", int(100*min(1, max(0, r.Progress.Current / *r.Progress.Total))+0.5)) // as the window rounds
}

// age is how long something waits, in the largest unit that says it.
func age(d time.Duration, w Words) string {
	switch {
	case d < time.Minute:
		return w.JustNow
	case d < time.Hour:
		return fmt.Sprintf(w.Minutes, int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf(w.Hours, int(d.Hours()))
	}
	return fmt.Sprintf(w.Days, int(d.Hours()/24))
}

func clock(at, now time.Time) string {
	at = at.In(now.Location())
	if at.YearDay() != now.YearDay() || at.Year() != now.Year() {
		return at.Format("Mon 15:04")
	}
	return at.Format("15:04")
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// cut shortens s to n characters of one line.
func cut(s string, n int) string {
	s = oneLine(s)
	if utf8.RuneCountInString(s) > n {
		r := []rune(s)
		s = strings.TrimSpace(string(r[:n-1])) + "…"
	}
	return s
}
