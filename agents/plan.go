package agents

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"signalbox/bridge/wire"
)

// Plan is what one call of a hook means. It can be written down as JSON and carried out later, except that nobody
// waits for the answer to Ask then.
type Plan struct {
	Agent string `json:"agent"`
	// Event is the agent's name of the event; empty when the payload named none.
	Event string `json:"event"`
	// Known says that the event has a meaning here; one that has none is noted and nothing else.
	Known bool `json:"known"`
	// Broken says that the payload could not be read to its end.
	Broken bool      `json:"broken,omitzero"`
	At     time.Time `json:"at"`
	// Session is the agent's session; empty: the call belongs to none.
	Session string `json:"session,omitzero"`
	// Hello says that the agent has just come: the connection announces itself.
	Hello bool `json:"hello,omitzero"`
	// Title and State change the session; empty: as they are.
	Title string `json:"title,omitzero"`
	State string `json:"state,omitzero"`
	// URL is where the session works, as the address of its directory with the branch behind a #; empty: as it is.
	URL string `json:"url,omitzero"`
	// Begins says that a turn began: how long it took is told when it ends.
	Begins bool `json:"begins,omitzero"`
	// Prompted is when the session's newest prompt came; zero: not known.
	Prompted time.Time `json:"prompted,omitzero"`
	// StateIfEnded is the state when the evidence ended an item, else none is set.
	StateIfEnded string `json:"state_if_ended,omitzero"`
	// OwnerHere says that the owner acted in the session himself, and so has seen it.
	OwnerHere bool `json:"owner_here,omitzero"`
	// Evidence is what the event proves about items of the session that are there already (A9).
	Evidence []Evidence `json:"evidence,omitempty"`
	// Items are what it publishes, in order.
	Items []Item `json:"items,omitempty"`
	// Ask is the question behind the first item, when the agent takes an answer; nil: it takes none, or is not held.
	Ask *Ask `json:"-"`
	// Output is what the hook prints when nothing was decided; empty: nothing.
	Output string `json:"output,omitzero"`
}

// Ask is a question that the agent is held for.
type Ask struct {
	// Item takes the place of the plan's first item, and can be answered.
	Item Item
	// Decide makes the agent's exact output of an answer; empty output: no decision, the agent asks by itself.
	Decide func(wire.Answer) (string, error)
	// Undecided is what is printed when nobody answered in time; empty: the plan's Output.
	Undecided string
}

// Item is one publication, and how it meets what is there already.
type Item struct {
	Publish wire.Publish `json:"publish"`
	// Recurs says that the agent gave no id of its own for it: another one after the end of the former is a new
	// occurrence, unless it happened before that end.
	Recurs bool `json:"recurs,omitzero"`
	// Adopts is the key of a pending item that this one tells in full: it takes its place.
	Adopts string `json:"adopts,omitzero"`
	// Behind are classes of items that say the same earlier and better: where one is there, nothing is published.
	Behind []Class `json:"behind,omitempty"`
	// Continues says that it belongs to a turn that was told of already: it renews that item and is not announced.
	Continues bool `json:"continues,omitzero"`
}

// Class is the family of an item: the first part of its key.
type Class string

// The classes.
const (
	Permission Class = "permission" // a tool waits for leave
	Question   Class = "question"   // the agent asks
	Planned    Class = "plan"       // a plan waits for approval
	Form       Class = "form"       // a server behind the agent asks for values
	Wanted     Class = "input"      // the agent needs something, and does not say what
	Idle       Class = "idle"       // the agent waits for a prompt
	Turn       Class = "turn"       // how a turn ended
	Retry      Class = "retry"      // the agent tries again by itself
	Past       Class = "history"    // history only
)

// Waiting reports whether items of the class wait for the owner.
func (c Class) Waiting() bool {
	switch c {
	case Permission, Question, Planned, Form, Wanted:
		return true
	}
	return false
}

// ClassOf is the class of a key; empty: not one of ours.
func ClassOf(key string) Class {
	c, _, ok := strings.Cut(key, "/")
	if !ok {
		return ""
	}
	return Class(c)
}

// Data is what our items carry in their data: how they are found again, and how to get back to their agent.
type Data struct {
	Agent    string   `json:"agent"`
	Event    string   `json:"event"`               // the agent's event that it came from
	Turn     string   `json:"turn,omitzero"`       // the agent's id of the turn
	Thread   string   `json:"thread,omitzero"`     // the sub-agent's id; empty: the main one
	Type     string   `json:"agent_type,omitzero"` // the agent's or sub-agent's type
	Tool     string   `json:"tool,omitzero"`       // the agent's name of the tool
	Call     string   `json:"call,omitzero"`       // digest that names one call of the tool
	Request  string   `json:"request,omitzero"`    // the agent's id of the request
	Mode     string   `json:"mode,omitzero"`       // the agent's permission mode
	Failure  string   `json:"failure,omitzero"`    // the agent's kind of failure
	Place    Place    `json:"place,omitzero"`
	Terminal Terminal `json:"terminal,omitzero"`
	// Seconds is how long the turn took; 0: not known, or no end of a turn.
	Seconds float64 `json:"duration_seconds,omitzero"`
}

// DataOf reads the data of an item; ok is false for one that is not ours.
func DataOf(n *wire.Notification) (d Data, ok bool) {
	if len(n.Data) == 0 || json.Unmarshal(n.Data, &d) != nil {
		return Data{}, false
	}
	return d, d.Agent != ""
}

// leftThere ends the occurrence of an item that nobody answered while its agent was held.
const leftThere = "/in-its-terminal"

// LeftThere is the first item where its agent goes on asking in its own place, after it was held for the answer to asked. It
// waits since it was asked, and is told again only where that is not long ago (A13).
func (p *Plan) LeftThere(asked *wire.Notification) wire.Publish {
	pub := p.Items[0].Publish
	if e := asked.Event; e != nil {
		pub.Event = &wire.Event{Type: e.Type, Occurrence: e.Occurrence + leftThere}
	}
	pub.OccurredAt = asked.CreatedAt
	return pub
}

// EndsTurn names the turn whose end the plan tells; ok is false where it tells none. again says that its end had been
// told before, and it went on.
func (p *Plan) EndsTurn() (turn string, again, ok bool) {
	for _, it := range p.Items {
		if e := it.Publish.Event; e != nil && (e.Type == wire.EventTurnFinished || e.Type == wire.EventTurnFailed) {
			return it.Publish.Key, it.Continues, true
		}
	}
	return "", false, false
}

// Took says how long the turn ran whose end the plan tells.
func (p *Plan) Took(d time.Duration) {
	for i := range p.Items {
		pub := &p.Items[i].Publish
		var data Data
		if ClassOf(pub.Key) != Turn || json.Unmarshal(pub.Data, &data) != nil {
			continue
		}
		data.Seconds = d.Round(100 * time.Millisecond).Seconds()
		pub.Data = encode(data)
	}
}

// NeedsKnown reports whether Operations must be told of the session's items.
func (p *Plan) NeedsKnown() bool {
	if p.Session == "" {
		return false
	}
	if len(p.Evidence) > 0 {
		return true
	}
	for _, it := range p.Items {
		if it.Recurs || it.Adopts != "" || len(it.Behind) > 0 || it.Continues {
			return true
		}
	}
	return false
}

// Operations are the changes of the plan, as one batch: what its evidence ends, then what it publishes. known are
// items of the session, newest first, pending and ended. hold says that the agent is held for the answer: the first
// item is then the one of Ask, and asked is its index, -1 where it is not published.
func (p *Plan) Operations(known []wire.Notification, hold bool) (ops []wire.Operation, asked int) {
	asked = -1
	items := p.Items
	if hold && p.Ask != nil && len(items) > 0 {
		items = append([]Item{p.Ask.Item}, items[1:]...)
	}
	own := map[string]bool{}
	for _, it := range items {
		own[it.Publish.Key] = true
		own[it.Adopts] = true
	}
	for _, it := range items {
		i := slices.IndexFunc(known, func(n wire.Notification) bool {
			return n.Key == it.Publish.Key && n.Status == wire.StatusPending && p.sameSession(&n)
		})
		if i >= 0 && ClassOf(it.Publish.Key).Waiting() && otherTurn(&known[i], it.Publish.Data) && !p.At.Before(known[i].CreatedAt.Time) {
			// What proves its end was kept, and is told later: the agent asks for the same in another turn.
			ops = append(ops, wire.Operation{Op: wire.OpResolve, ID: known[i].ID, Reason: "Over: asked for again in another turn (" + p.Event + ")"})
			known = slices.Clone(known)
			known[i].Status = wire.StatusResolved
		}
	}
	for i := range known {
		n := &known[i]
		if n.Status != wire.StatusPending || own[n.Key] || !p.sameSession(n) {
			continue
		}
		if reason := p.ends(n); reason != "" {
			ops = append(ops, wire.Operation{Op: wire.OpResolve, ID: n.ID, Reason: reason})
		}
	}
	for i, it := range items {
		op, ok := p.meet(it, known)
		if !ok {
			continue
		}
		if hold && p.Ask != nil && i == 0 {
			asked = len(ops)
		}
		ops = append(ops, op)
	}
	if n := p.tooLate(known); n != nil {
		ops = append(ops, wire.Operation{Op: wire.OpPublish, Notification: n})
	}
	return ops, asked
}

func (p *Plan) sameSession(n *wire.Notification) bool { return n.Session == p.Session }

// newest is the newest item of a key.
func newest(known []wire.Notification, session, key string) *wire.Notification {
	var found *wire.Notification
	for i := range known {
		n := &known[i]
		if n.Key == key && n.Session == session && (found == nil || n.Occurrence > found.Occurrence) {
			found = n
		}
	}
	return found
}

// meet fits an item to what is there already; ok is false when nothing is to be done.
func (p *Plan) meet(it Item, known []wire.Notification) (op wire.Operation, ok bool) {
	pub := it.Publish
	if p.Session == "" {
		return publish(pub), true
	}
	if it.covered(p, known) {
		return op, false
	}
	if it.Continues {
		return p.goOn(pub, known)
	}
	if n := newest(known, p.Session, it.Adopts); it.Adopts != "" && n != nil && n.Status == wire.StatusPending && n.Event != nil {
		return renew(n, pub), true // told of already: enriched, not announced again
	}
	n := newest(known, p.Session, pub.Key)
	switch {
	case n == nil:
	case n.Status == wire.StatusPending && it.Recurs && pub.Event != nil && (n.Event == nil || strings.HasSuffix(n.Event.Occurrence, leftThere)):
		// It was left to its terminal, and is asked again.
		pub.Event = again(pub.Event, strconv.Itoa(n.Occurrence)+"."+strconv.Itoa(n.Revision+1))
	case n.Status == wire.StatusPending:
		if it.Recurs && pub.Event != nil && n.Event.Type == pub.Event.Type || pub.Event != nil && n.Event != nil && *n.Event == *pub.Event {
			return renew(n, pub), true
		}
		if pub.Event == nil && same(n, pub) {
			return op, false
		}
	case it.Recurs:
		if !n.EndedAt.IsZero() && p.At.Before(n.EndedAt.Time) && !otherTurn(n, pub.Data) {
			return op, false // it happened before the former one ended: a late duplicate (A9)
		}
		if pub.Event != nil {
			pub.Event = again(pub.Event, strconv.Itoa(n.Occurrence+1))
		}
	case n.Event != nil && pub.Event != nil && *n.Event == *pub.Event:
		return op, false // the same occurrence again: reopens nothing (A2, A9)
	}
	return publish(pub), true
}

// otherTurn reports whether an item belongs to a turn that is known not to be that of the new one's data: then the new one
// is no duplicate of it, though the end of the item was told late.
func otherTurn(n *wire.Notification, data json.RawMessage) bool {
	old, ok := DataOf(n)
	var fresh Data
	return ok && json.Unmarshal(data, &fresh) == nil && old.Turn != "" && fresh.Turn != "" && old.Turn != fresh.Turn
}

func publish(pub wire.Publish) wire.Operation {
	return wire.Operation{Op: wire.OpPublish, Notification: &pub}
}

// again is another occurrence of an event that has no id of its own.
func again(e *wire.Event, number string) *wire.Event {
	return &wire.Event{Type: e.Type, Occurrence: e.Occurrence + "#" + number}
}

// renew gives a pending item new content, where it differs, and leaves it the event that was told.
func renew(n *wire.Notification, pub wire.Publish) wire.Operation {
	if same(n, pub) {
		return wire.Operation{Op: wire.OpUpdate, ID: n.ID, Changes: &wire.Changes{}}
	}
	c := &wire.Changes{
		Kind: wire.To(cmp.Or(pub.Kind, wire.KindNotice)), Severity: wire.To(cmp.Or(pub.Severity, wire.SeverityInfo)), Title: wire.To(pub.Title),
		Body: wire.To(pub.Body), Lines: wire.To(pub.Lines), Links: wire.To(pub.Links),
		Actions: wire.To(pub.Actions), Data: wire.To(pub.Data),
	}
	if pub.Interaction != nil {
		c.Interaction = wire.To(*pub.Interaction)
	}
	return wire.Operation{Op: wire.OpUpdate, ID: n.ID, Changes: c}
}

// same reports whether an item says already what is to be published.
func same(n *wire.Notification, pub wire.Publish) bool {
	return n.Title == pub.Title && n.Body == pub.Body && slices.Equal(n.Lines, pub.Lines) && n.Kind == cmp.Or(pub.Kind, wire.KindNotice)
}

// covered reports whether an earlier and better item says the same.
func (it Item) covered(p *Plan, known []wire.Notification) bool {
	if len(it.Behind) == 0 {
		return false
	}
	var mine Data
	_ = json.Unmarshal(it.Publish.Data, &mine)
	for i := range known {
		n := &known[i]
		if !p.sameSession(n) || n.Silent {
			continue
		}
		behind := false
		for _, c := range it.Behind {
			behind = behind || ClassOf(n.Key) == c
		}
		d, ours := DataOf(n)
		if !behind || !ours || d.Thread != mine.Thread {
			continue
		}
		pending := n.Status == wire.StatusPending
		if n.Key == it.Publish.Key {
			// Told of before by the very same key: dismissed means seen.
			if it.Recurs && ClassOf(n.Key) == Idle && n.Status == wire.StatusDismissed && d.Turn == mine.Turn {
				return true
			}
			continue
		}
		switch {
		case pending:
			return true
		case ClassOf(it.Publish.Key).Waiting():
			if (mine.Turn == "" || d.Turn == mine.Turn) && p.stillCovers(n) {
				return true
			}
		case mine.Turn != "" && d.Turn == mine.Turn:
			return true
		case mine.Turn == "" && n.Status == wire.StatusDismissed:
			return true
		case mine.Turn == "" && ClassOf(n.Key).Waiting() && p.At.Sub(n.EndedAt.Time) < late:
			return true
		}
	}
	return false
}

// goOn renews the pending item of a turn that goes on after it was told of as ended; with none, it leaves history.
func (p *Plan) goOn(pub wire.Publish, known []wire.Notification) (wire.Operation, bool) {
	for i := range known {
		n := &known[i]
		if n.Status == wire.StatusPending && p.sameSession(n) && ClassOf(n.Key) == Turn && n.Event != nil && n.Event.Type == wire.EventTurnFinished {
			return renew(n, pub), true
		}
	}
	pub.Key, pub.Event, pub.Silent = string(Past)+"/"+pub.Key, nil, true
	return publish(pub), true
}
