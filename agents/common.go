package agents

import (
	"cmp"
	"encoding/json"
	"strconv"
	"time"

	"signalbox/bridge/wire"
)

// encode is JSON of a value that can always be encoded.
func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return b
}

// started plans the start of a session.
func (c *call) started(p *Plan, title string) {
	p.Hello, p.State = true, StateIdle
	p.Title = cmp.Or(oneLine(title, maxTitle), c.name())
	c.prove(p, Started)
}

// prompted plans a new prompt. byOwner says that a person wrote it, and so has seen the session.
func (c *call) prompted(p *Plan, title string, byOwner bool) {
	if c.thread != "" {
		return
	}
	p.Hello, p.State, p.OwnerHere, p.Begins = true, StateWorking, byOwner, true
	p.Title = cmp.Or(oneLine(title, maxTitle), c.name())
	c.prove(p, Prompted)
}

// ended plans the end of a session. byOwner says that the owner ended it himself, and so has seen how it stood.
func (c *call) ended(p *Plan, byOwner bool) {
	p.State = StateEnded
	c.prove(p, Ended)
	if byOwner {
		p.OwnerHere = true
		c.prove(p, Left)
	}
}

// ran plans that a tool ran, failed or was denied.
func (c *call) ran(p *Plan, proof Proof) {
	p.StateIfEnded = StateWorking
	c.prove(p, proof)
}

// finished plans the end of a turn: what the agent said last is what the owner reads. again says that the turn had
// been told of before and went on.
func (c *call) finished(p *Plan, said string, again bool) {
	if c.thread != "" {
		c.threadEnded(p, said)
		return
	}
	p.State = StateIdle
	c.prove(p, Stopped)
	id := c.turnID()
	it := c.item(Turn, id, cmp.Or(sentence(said), "Finished a turn"))
	it.Publish.Severity = wire.SeveritySuccess
	it.Publish.Body = cut(said, maxBody)
	it.told(wire.EventTurnFinished, c.occurrence(id))
	it.Continues = again
	it.Recurs = c.turn == ""
	p.Items = append(p.Items, it)
}

// paused plans the end of a turn that goes on by itself: work in the background is left.
func (c *call) paused(p *Plan, said string, lines []string) {
	p.State = StatePaused
	c.prove(p, Stopped)
	id := c.turnID()
	title := "Paused, background work goes on"
	if s := sentence(said); s != "" {
		title = "Paused: " + s
	}
	it := c.item(Turn, id, title)
	it.Publish.Kind = wire.KindStatus
	it.Publish.Body = cut(said, maxBody)
	it.Publish.Lines = lines
	it.told("session.turn_paused", c.occurrence(id))
	it.Recurs = c.turn == ""
	p.Items = append(p.Items, it)
}

// failed plans the end of a turn with a failure. title says in few words what and why, body what to do about it.
func (c *call) broke(p *Plan, kind, title, body string, severity string) {
	c.failure = oneLine(kind, 80)
	if c.thread != "" {
		p.Items = append(p.Items, c.history(c.unique("failure"), title, body))
		c.prove(p, Thread)
		return
	}
	p.State = StateFailed
	c.prove(p, Broke)
	id := c.turnID()
	it := c.item(Turn, id, title)
	it.Publish.Severity = severity
	it.Publish.Body = cut(body, maxBody)
	it.told(wire.EventTurnFailed, c.occurrence(id))
	it.Recurs = c.turn == ""
	p.Items = append(p.Items, it)
}

// threadEnded plans the end of a sub-agent: history only (A10).
func (c *call) threadEnded(p *Plan, said string) {
	c.prove(p, Thread)
	p.Items = append(p.Items, c.history(c.unique("thread"), "Sub-agent finished: "+cmp.Or(c.typ, c.thread), said))
}

// idles plans that the agent waits for a prompt. It is no event (A1): the end of the turn was.
func (c *call) idles(p *Plan, message string) {
	if c.thread != "" {
		return
	}
	p.State = StateIdle
	it := c.item(Idle, "waiting", "Waits for a prompt")
	it.Publish.Kind = wire.KindStatus
	it.Publish.Body = cut(message, maxBody)
	it.Behind = []Class{Turn, Idle, Permission, Question, Planned, Form, Wanted}
	it.Recurs = true
	p.Items = append(p.Items, it)
}

// waitsThere plans a prompt of which the agent tells no more than that it is there, with title where it has no message. The
// item that tells it in full, earlier or later, is the same one.
func (c *call) waitsThere(p *Plan, class Class, title, message string) {
	p.State = StateWaiting
	it := c.item(class, generic, cmp.Or(sentence(message), title))
	it.Publish.Severity = wire.SeverityWarning
	it.Publish.Body = cut(message, maxBody)
	it.Publish.Lines = []string{inItsTerminal}
	it.told(wire.EventClarificationRequested, c.occurrence(cmp.Or(c.turn, "session"))+"/"+string(class))
	it.Behind = []Class{Permission, Question, Planned, Form}
	it.Recurs = true
	p.Items = append(p.Items, it)
}

// generic is the id of an item whose request is not known.
const generic = "prompt"

// inItsTerminal is said of what cannot be answered from outside.
const inItsTerminal = "Answer it in its terminal."

// turnID is the agent's id of the turn, or a stable name of this end of it, made of the payload itself.
func (c *call) turnID() string {
	if c.turn != "" {
		return c.turn
	}
	return "t-" + digest(c.session, c.event, string(c.Payload))
}

// occurrence is an id of one time that something happened. What has no turn of the agent's is told apart by its
// instant: the same words in another turn are another occurrence, however long ago the former was.
func (c *call) occurrence(id string) string {
	if c.turn != "" {
		return id
	}
	return id + "@" + strconv.FormatInt(c.At.UnixMilli(), 10)
}

// unique is an id of one call of the hook, stable when the very same call comes again.
func (c *call) unique(prefix string) string {
	at := ""
	if len(c.Payload) == 0 {
		at = strconv.FormatInt(c.At.UnixMilli(), 10)
	}
	return prefix + "-" + digest(c.session, c.event, string(c.Payload), at)
}

// seconds is a duration as the bridge has it.
func seconds(d time.Duration) float64 { return d.Seconds() }
