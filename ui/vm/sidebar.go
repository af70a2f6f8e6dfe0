package vm

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"

	"signalbox/notify"
)

// SideKind is the form of a row of the sidebar.
type SideKind string

// The rows of the sidebar.
const (
	SideAll        SideKind = "all" // every connection, no session
	SideConnection SideKind = "connection"
	SideSession    SideKind = "session"
	SideMore       SideKind = "more" // ended sessions that are folded away
)

// SideRow is a row of the sidebar.
type SideRow struct {
	Kind     SideKind
	Ref      notify.SessionRef
	Label    string
	Title    Msg // for rows of our own
	Color    string
	Line     string // the connection's label, from which a line without a colour of its own has one
	Presence notify.Presence
	Heard    Msg // how long ago a connection was heard of that is not there; zero: never, or it is there
	State    Msg // what it does, where Need does not say so
	Waiting  int
	Unread   int
	Need     notify.Need
	Active   bool
	Ended    bool
	Closed   bool
	Chips    []string // project, branch or worktree
	Last     bool     // the last stop of its line
	Old      Msg      // which list of the connection is old; zero: none
}

// needed reports whether the owner has something to do in a session.
func (r SideRow) needed() bool { return r.Waiting > 0 || r.Need != "" }

// OldLists says which lists of a connection are old: the last load failed, and is tried again.
type OldLists struct{ Sessions, Actions bool }

// oldWord names what is old. The actions show it themselves, in their menu.
func oldWord(o OldLists) Msg {
	if o.Sessions {
		return M("side.old")
	}
	return Msg{}
}

// SideTip says what the numbers of a row are: waiting and unread.
func (r SideRow) SideTip() (waiting, unread Msg) {
	if r.Waiting > 0 {
		waiting = MN("side.tip_waiting", r.Waiting)
	}
	if r.Unread > 0 {
		unread = MN("side.tip_unread", r.Unread)
	}
	return waiting, unread
}

// Sidebar lists the connections in the order of creation, each with its sessions, the one that began last first: what
// happens in a session marks it, and moves none. Ended ones are there only while something is left in them.
func Sidebar(s *Snapshot) []SideRow { return SidebarOf(s, &Memory{}, "") }

// SidebarOf is the sidebar of a front end: a connection may be chosen in place of a session, and what m hides is not
// counted (D3).
func SidebarOf(s *Snapshot, m *Memory, chosen string) []SideRow {
	hidden := hiddenUnread(s, m)
	rows := []SideRow{{Kind: SideAll, Title: M("side.overview"), Waiting: s.Attention.Waiting, Unread: max(s.Attention.Unread-hidden[notify.SessionRef{}], 0),
		Active: s.Focus.Session == "" && chosen == ""}}
	for _, c := range s.Connections {
		if c.Revoked && c.Counts.Pending == 0 && !c.Open {
			continue
		}
		ref := notify.SessionRef{Connection: c.ID}
		rows = append(rows, SideRow{Kind: SideConnection, Ref: ref, Label: OrID(c.Label, c.ID), Active: chosen == c.ID,
			Color: c.Color, Line: OrID(c.Label, c.ID), Presence: c.Presence, Heard: HeardOf(c, s.At), Waiting: c.Counts.Waiting, Unread: max(c.Counts.Unread-hidden[ref], 0), Closed: !c.Open, Old: oldWord(s.Old[c.ID])})
		if !c.Open {
			continue
		}
		list := slices.Clone(s.Sessions[c.ID])
		slices.SortStableFunc(list, func(a, b notify.SessionView) int {
			return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.ID, b.ID))
		})
		for _, v := range list {
			active := s.Focus == v.Ref() && chosen == ""
			if v.Ended && v.Waiting == 0 && v.Unread == 0 && v.Needs == "" && !active {
				continue
			}
			label := WithoutAgent(SessionLabel(v.Session, OrID(c.Label, c.ID)), OrID(c.Label, c.ID)) // it stands above
			rows = append(rows, SideRow{Kind: SideSession, Ref: v.Ref(), Label: label, Color: c.Color, Line: OrID(c.Label, c.ID),
				State: StateOf(v), Waiting: v.Waiting, Unread: max(v.Unread-hidden[v.Ref()], 0), Need: v.Needs, Active: active, Ended: v.Ended, Chips: chipsBeside(label, v.URL)})
		}
		rows[len(rows)-1].Last = true
	}
	return rows
}

// hiddenUnread counts the unread items that are hidden before the center knows: by session, by connection, and of all.
func hiddenUnread(s *Snapshot, m *Memory) map[notify.SessionRef]int {
	n := map[notify.SessionRef]int{}
	seen := map[string]bool{}
	for _, r := range slices.Concat(s.Active(), s.Elsewhere) {
		if r.Read || seen[r.ID] || !m.Dismissals.Hides(r) || !notify.PlaceOf(r, s.At).Front() {
			continue
		}
		seen[r.ID] = true
		n[notify.SessionRef{}]++
		n[notify.SessionRef{Connection: r.Connection}]++
		if r.Session != "" {
			n[r.Ref()]++
		}
	}
	return n
}

// KeepOrder puts the sessions of rows in the order that they have in shown, for as long as the owner points at them or
// moves among them by keys: nothing may move away from there. New ones come last in their connection; but one that begins to
// need the owner has its place of rows at once.
func KeepOrder(rows, shown []SideRow) []SideRow {
	at := make(map[notify.SessionRef]int, len(shown))
	for i, r := range shown {
		at[r.Ref] = i + 1
	}
	order := make(map[notify.SessionRef]int, len(rows))
	for i, r := range rows {
		order[r.Ref] = i
	}
	begins := func(r SideRow) bool { return r.needed() && (at[r.Ref] == 0 || !shown[at[r.Ref]-1].needed()) }
	rows = slices.Clone(rows)
	for i := 0; i < len(rows); i++ {
		end := i
		for end < len(rows) && rows[end].Kind == SideSession {
			end++
		}
		if end == i {
			continue
		}
		list := slices.DeleteFunc(slices.Clone(rows[i:end]), begins)
		slices.SortStableFunc(list, func(a, b SideRow) int {
			x, y := at[a.Ref], at[b.Ref]
			if x == 0 || y == 0 {
				return cmp.Compare(y, x) // what is new is behind
			}
			return cmp.Compare(x, y)
		})
		for _, r := range rows[i:end] {
			if !begins(r) {
				continue
			}
			below := slices.IndexFunc(list, func(o SideRow) bool { return order[o.Ref] > order[r.Ref] || at[o.Ref] == 0 && !o.needed() })
			if below < 0 {
				below = len(list)
			}
			list = slices.Insert(list, below, r)
		}
		for j := range list {
			list[j].Last = j == len(list)-1
		}
		copy(rows[i:end], list)
		i = end - 1
	}
	return rows
}

// WorkChips names the project and the worktree or branch of a session, where its address is that of a
// directory: file:///home/me/shop/.claude/worktrees/fix-login#main gives shop, fix-login, main, as does
// file:///home/me/wt/fix-login?project=shop#main.
func WorkChips(address string) []string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return nil
	}
	dir := path.Clean(strings.ReplaceAll(u.Path, `\`, "/"))
	var chips []string
	parts := strings.Split(strings.Trim(dir, "/"), "/")
	if project := u.Query().Get("project"); project != "" {
		chips = append(chips, project, path.Base(dir))
	} else if i := slices.IndexFunc(parts, func(p string) bool { return p == "worktrees" || p == ".worktrees" }); i > 0 && i+1 < len(parts) {
		project := parts[i-1]
		if strings.HasPrefix(project, ".") && i > 1 {
			project = parts[i-2]
		}
		chips = append(chips, project, parts[i+1])
	} else if base := path.Base(dir); base != "/" && base != "." {
		chips = append(chips, base)
	}
	if u.Fragment != "" {
		chips = append(chips, u.Fragment)
	}
	return chips
}
