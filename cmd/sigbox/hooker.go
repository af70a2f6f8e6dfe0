package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"signalbox/agents"
	"signalbox/bridge/wire"
	"signalbox/client"
)

// hooker carries out the plans of an agent.
type hooker struct {
	app    *app
	who    who
	center *client.Client
	id     string // of the connection
}

// deliver carries a plan out, after those that could not be before. With hold, it returns the question that was
// published, nil where there is none. What cannot be delivered is kept.
func (h *hooker) deliver(ctx context.Context, p *agents.Plan, hold bool) (*wire.Notification, error) {
	if err := h.find(ctx); err != nil {
		return nil, h.keepIfPassing(p, err)
	}
	drained := h.replay(ctx)
	if !drained && (!hold || p.Ask == nil) {
		err := h.keep(p) // in order
		h.replay(ctx)    // whoever was at it may have looked for the last time before this was kept
		return nil, err
	}
	asked, err := h.do(ctx, p, hold, false)
	if err != nil && asked == nil {
		return nil, h.keepIfPassing(p, err)
	}
	return asked, err // what was asked can be waited for, whatever failed after it
}

// keep keeps a plan for a later call to deliver.
func (h *hooker) keep(p *agents.Plan) error {
	if err := h.app.spool(h.who, p); err != nil {
		return fmt.Errorf("keep it for later: %w", err)
	}
	return nil
}

// keepIfPassing keeps a plan that failed for a reason which may be gone later, and says so with the reason.
func (h *hooker) keepIfPassing(p *agents.Plan, reason error) error {
	if !unreachable(reason) && !passing(reason) {
		return reason
	}
	return errors.Join(h.keep(p), fmt.Errorf("kept for later: %w", reason))
}

// passing says of a refusal that it may be another one later. A token that is void is one: it was rotated, or the connection
// was revoked, and what agents tell meanwhile is not lost when it is set up again.
func passing(err error) bool {
	return client.Code(err) == wire.CodeUnauthorized || client.Passing(err)
}

// find finds the center, once.
func (h *hooker) find(ctx context.Context) error {
	if h.center != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, hookFind)
	defer cancel()
	center, id, err := h.app.as(ctx, h.who)
	if err != nil {
		return err
	}
	h.center, h.id = center, id
	return nil
}

// close gives the connection to the center up: who follows a server has many plans.
func (h *hooker) close() {
	if h.center != nil {
		h.center.Close()
	}
}

// hookTries is how often a plan is made anew because another hook of its session was faster; the last one is told whatever
// came meanwhile.
const hookTries = 5

// knownItems is how many of a session's items a plan is told of: what is pending is among the newest.
const knownItems = 60

// do carries a plan out.
func (h *hooker) do(ctx context.Context, p *agents.Plan, hold, replayed bool) (asked *wire.Notification, err error) {
	if p.Hello {
		// One lifetime for good: hooks come and go, and nothing of theirs ends with them.
		if _, err := h.center.Hello(ctx, h.id, wire.Hello{Lifetime: "hooks"}); err != nil {
			return nil, err
		}
	}
	if p.NeedsKnown() {
		defer h.alone(ctx, p.Session)()
	}
	var known []wire.Notification
	var ops []wire.Operation
	var at int
	left, named := 0, false
	for try := 0; ; try++ {
		if p.NeedsKnown() {
			page, err := h.center.List(ctx, client.Query{Connections: []string{h.id}, Sessions: []string{p.Session}, Limit: knownItems})
			if err != nil {
				return nil, err
			}
			known = page.Notifications
		}
		ops, at = p.Operations(known, hold)
		var batch wire.Batch
		if p.NeedsKnown() && try < hookTries {
			batch.Session = p.Session // what is published hangs on what is there
		}
		ends := 0
		left = 0
		for i := range known {
			batch.ExpectedChange = max(batch.ExpectedChange, known[i].Change)
			if known[i].Status == wire.StatusPending {
				left++
			}
		}
		for i := range ops {
			if ops[i].Op == wire.OpResolve {
				ends++
			}
			if n := ops[i].Notification; n != nil && replayed {
				n.OccurredAt = wire.At(p.At)
			}
		}
		left += len(ops) - 2*ends
		if try == 0 && (p.Title != "" || len(known) == 0) { // the session has its name when something of it is told
			if err := h.session(ctx, p, p.StateAfter(known, ops)); err != nil {
				return nil, err
			}
			named = true
		}
		if len(ops) == 0 {
			break
		}
		batch.Operations = ops
		results, err := h.center.Batch(ctx, h.id, batch)
		if err == nil {
			if at >= 0 && at < len(results) {
				asked = results[at].Notification
			}
			break
		}
		// Another hook of the session was faster: look again.
		switch client.Code(err) {
		case wire.CodeTerminal, wire.CodeNotFound, wire.CodeRevisionConflict, wire.CodeAlreadyAnswered:
			if try < hookTries {
				continue
			}
		}
		return nil, err
	}
	if !named { // what another hook decided meanwhile has been looked at by now
		state, err := h.stateAfter(ctx, p, known, ops)
		if err == nil {
			err = h.session(ctx, p, state)
		}
		if err != nil {
			return asked, err
		}
	}
	if p.State == agents.StateEnded && left <= 0 && p.Session != "" {
		if err := h.center.EndSession(ctx, h.id, p.Session); err != nil && client.Code(err) != wire.CodeNotFound {
			return nil, err
		}
	}
	return asked, nil
}

// stateAfter is what the plan's session does now; empty: what it did.
func (h *hooker) stateAfter(ctx context.Context, p *agents.Plan, known []wire.Notification, ops []wire.Operation) (string, error) {
	state := p.StateAfter(known, ops)
	if state != "" || !p.Resumes(known, ops) {
		return state, nil
	}
	sessions, err := h.center.Sessions(ctx, h.id)
	if slices.ContainsFunc(sessions, func(s wire.Session) bool { return s.ID == p.Session && s.State == agents.StateWaiting }) {
		return agents.StateWorking, nil
	}
	return "", err
}

// session tells what became of the session; an empty state stays as it is.
func (h *hooker) session(ctx context.Context, p *agents.Plan, state string) error {
	if p.Session == "" {
		return nil
	}
	var put wire.SessionPut
	if p.Title != "" {
		put.Title = &p.Title
	}
	if state != "" {
		put.State = &state
	}
	if put.Title == nil && put.State == nil {
		return nil
	}
	if p.URL != "" {
		put.URL = &p.URL
	}
	s, err := h.center.PutSession(ctx, h.id, p.Session, put)
	if err != nil {
		return err
	}
	if p.OwnerHere && s.Sequence > s.SeenSequence {
		_, err = h.center.SeeSession(ctx, h.id, p.Session, s.Sequence)
	}
	return err
}

// await waits for the answer, and returns what the agent is to read; empty: nobody decided.
func (h *hooker) await(p *agents.Plan, asked *wire.Notification, wait time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(h.app.ctx, wait+hookWaits)
	defer cancel()
	go cancelWithParent(ctx, cancel)
	for {
		n, err := h.center.Await(ctx, asked.ID)
		if err != nil {
			return "", h.leave(p, asked, "its hook ended before an answer came")
		}
		switch {
		case n.Outcome != nil && n.Outcome.Kind == wire.OutcomeTimedOut && n.Outcome.Answer == nil:
			return "", h.fallBack(p, asked)
		case n.Outcome == nil || n.Outcome.Answer == nil:
			return "", nil // it ended otherwise: answered in its terminal, cancelled
		}
		out, err := p.Ask.Decide(*n.Outcome.Answer)
		if err == nil {
			return out, h.answered(p, asked, n.Outcome.Answer.Option)
		}
		// It does not fit what the agent takes: the owner sees why, and it waits again (I3).
		if _, rerr := h.center.RejectAnswer(ctx, n.ID, err.Error()); rerr != nil {
			return "", rerr
		}
	}
}

// leave cancels a question that nobody waits for any more.
func (h *hooker) leave(p *agents.Plan, asked *wire.Notification, reason string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(h.app.ctx), hookLeave)
	defer cancel()
	_, err := h.center.Cancel(ctx, asked.ID, wire.Ending{Reason: reason})
	if client.Code(err) == wire.CodeTerminal {
		return nil
	}
	return err
}

// undelivered says that the answer to asked did not reach the agent any more (I9). Its title is that of the center, which
// masked it.
func (h *hooker) undelivered(p *agents.Plan, asked *wire.Notification) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(h.app.ctx), hookBudget)
	defer cancel()
	pub := p.Items[0].Publish
	_, err := h.center.Publish(ctx, h.id, wire.Publish{
		Key: "history/undelivered/" + strings.TrimPrefix(pub.Key, "history/"), Session: pub.Session, Severity: wire.SeverityWarning,
		Title: firstLineOf("Your answer did not arrive: " + asked.Title), Body: "The agent had it answered elsewhere, or was gone.", Data: pub.Data,
	})
	return err
}

// answered tells what the session does after an answer, where that is not work.
func (h *hooker) answered(p *agents.Plan, asked *wire.Notification, option string) error {
	switch option {
	case agents.OptionThere:
		return h.fallBack(p, asked)
	case agents.OptionStop:
		ctx, cancel := context.WithTimeout(h.app.ctx, hookBudget)
		defer cancel()
		return h.says(ctx, p, agents.StateIdle)
	}
	return nil
}

// fallBack says that the agent goes on asking in its own place: the plain item takes over.
func (h *hooker) fallBack(p *agents.Plan, asked *wire.Notification) error {
	ctx, cancel := context.WithTimeout(h.app.ctx, hookBudget)
	defer cancel()
	_, err := h.center.Publish(ctx, h.id, p.LeftThere(asked))
	return errors.Join(err, h.says(ctx, p, agents.StateWaiting))
}

// says tells what the plan's session does.
func (h *hooker) says(ctx context.Context, p *agents.Plan, state string) error {
	if p.Session == "" {
		return nil
	}
	_, err := h.center.PutSession(ctx, h.id, p.Session, wire.SessionPut{State: &state})
	return err
}
