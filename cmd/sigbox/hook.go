package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"signalbox/agents"
	"signalbox/bridge/wire"
	"signalbox/client"
)

// What a hook may take of its agent's time.
const (
	hookBudget = 800 * time.Millisecond  // all of it, waiting for an answer apart
	hookWhole  = 1500 * time.Millisecond // what it strives to be over in, its start included
	hookLeast  = 200 * time.Millisecond  // to deliver, where a busy machine took long to start it
	hookFind   = 400 * time.Millisecond  // finding the center and having it prove itself
	hookRead   = 400 * time.Millisecond  // reading the payload, of an agent that keeps the pipe open
	hookWaits  = 2 * time.Second         // beyond the wait, so that the center's own timeout is seen
	hookLeave  = 300 * time.Millisecond  // to tidy up when the agent ends the hook
)

// hookCmd is what agents call. It always ends well: with nothing on stdout but a decision of the owner, or what the
// agent must read where there is none.
type hookCmd struct {
	Agent     string        `arg:"" help:"claude, codex, opencode, gemini, cursor, copilot, vscode or aider."`
	Payload   string        `arg:"" optional:"" help:"The event, where the agent gives it as an argument (Codex's notify)."`
	Wait      time.Duration `help:"Hold the agent for an answer, for so long."`
	Event     string        `help:"Name of the event, where the payload has none."`
	Cwd       string        `help:"Directory, where the payload has none."`
	Session   string        `help:"Session, where the payload has none."`
	SubAgents bool          `help:"Show also what sub-agents tell (default: history only)."`
	Server    string        `placeholder:"URL" help:"OpenCode's server: follow its event stream instead of reading one event."`
	Tag       string        `hidden:""`
}

func (c *hookCmd) Run(a *app) error {
	if c.Server != "" {
		return followOpenCode(a, c)
	}
	out, err := c.safely(a)
	if err != nil {
		// One line for a person who looks; never content, and never a failure of the agent's work (S1).
		fmt.Fprintln(a.stderr, "sigbox: hook "+c.Agent+":", err)
	}
	if out != "" {
		fmt.Fprintln(a.stdout, out)
	}
	return nil
}

// safely is hook, whatever a payload may set off.
func (c *hookCmd) safely(a *app) (out string, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = silence(c.Agent), fmt.Errorf("a mistake of ours: %v", r)
		}
	}()
	return c.hook(a)
}

// silence is what an agent must read where nothing is said.
func silence(agent string) string {
	if strings.EqualFold(agent, "cursor") {
		return "{}"
	}
	return ""
}

// hook handles one event and returns what the agent is to read.
func (c *hookCmd) hook(a *app) (out string, err error) {
	began := a.now()
	if agents.Find(c.Agent) == nil {
		return "", fmt.Errorf("no such agent; there are %s", strings.Join(agents.Names(), ", "))
	}
	payload := []byte(c.Payload)
	if len(payload) == 0 && !strings.EqualFold(c.Agent, "aider") {
		payload = readPayload(a.stdin)
	}
	p := c.translate(a, payload, began)
	noteSeen(a, p, payload)
	if !p.Known {
		return p.Output, nil
	}
	ctx, cancel := context.WithTimeout(a.ctx, budget(processAge()))
	defer cancel()
	h := &hooker{app: a, who: hookConnection(a, p.Agent)}
	h.timeTurn(p)
	asked, err := h.deliver(ctx, p, c.Wait > 0)
	if asked == nil {
		return p.Output, err
	}
	decision, err := h.await(p, asked, c.Wait)
	if decision == "" {
		decision = first(p.Ask.Undecided, p.Output)
	}
	return decision, err
}

// budget is what is left of a hook's time when its process is so old.
func budget(age time.Duration) time.Duration {
	return max(hookLeast, min(hookBudget, hookWhole-age))
}

// translate makes the plan of a payload.
func (c *hookCmd) translate(a *app, payload []byte, at time.Time) *agents.Plan {
	cwd := first(c.Cwd, agents.Directory(payload), a.workDir())
	return agents.Translate(agents.Input{
		Agent: c.Agent, Event: c.Event, Payload: payload, At: at, Wait: c.Wait, Session: c.Session, SubAgents: c.SubAgents,
		Place: placeOf(cwd), Terminal: agents.TerminalFrom(a.env, terminalPath()), System: runtime.GOOS,
	})
}

// workDir is the directory that the agent started the hook in.
func (a *app) workDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}

// hookConnection is the connection of an agent's hooks.
func hookConnection(a *app, agent string) who {
	w := who{id: agent, label: agent}
	if ag := agents.Find(agent); ag != nil {
		w.label, w.color = ag.Label, ag.Color
	}
	if id := first(a.cli.Connection, a.env("SIGNALBOX_CONNECTION")); id != "" {
		w.id = id
	}
	return w
}

// readPayload reads standard input up to its end or its limits of size and time. What came until then counts.
func readPayload(r io.Reader) []byte {
	if isTerminal(r) {
		return nil
	}
	type part struct {
		b    []byte
		done bool
	}
	parts := make(chan part)
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		for {
			b := make([]byte, 64<<10)
			n, err := r.Read(b)
			select {
			case parts <- part{b[:n], err != nil}:
			case <-stop:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	timer := time.NewTimer(hookRead)
	defer timer.Stop()
	var all []byte
	for {
		select {
		case p := <-parts:
			// What is beyond the limit is read away: the agent writes to the end.
			if all = append(all, p.b[:min(len(p.b), agents.MaxPayload-len(all))]...); p.done {
				return all
			}
		case <-timer.C:
			return all
		}
	}
}

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
		if unreachable(err) || passing(err) {
			return nil, errors.Join(quiet(h.app.spool(h.who, p)), firstLine(err))
		}
		return nil, err
	}
	drained := h.replay(ctx)
	if !drained && (!hold || p.Ask == nil) {
		err := quiet(h.app.spool(h.who, p)) // in order
		h.replay(ctx)                       // whoever was at it may have looked for the last time before this was kept
		return nil, err
	}
	asked, err := h.do(ctx, p, hold, false)
	if err != nil && (unreachable(err) || passing(err)) {
		return nil, errors.Join(quiet(h.app.spool(h.who, p)), firstLine(err))
	}
	return asked, err
}

// quiet is an error of keeping a call for later.
func quiet(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("keep it for later: %w", err)
}

// firstLine says that the call was kept, and why.
func firstLine(err error) error { return fmt.Errorf("kept for later: %w", err) }

// passing says of a refusal that it may be another one later. A token that is void is one: it was rotated, or the connection
// was revoked, and what agents tell meanwhile is not lost when it is set up again.
func passing(err error) bool {
	var p *wire.Problem
	if !errors.As(err, &p) {
		return false
	}
	return p.Code == wire.CodeUnauthorized || p.Code == wire.CodeRateLimited || p.Code == wire.CodeStorageFull || p.Code == wire.CodeUnavailable || p.Status >= 500
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
		// What is published hangs on what is there: two hooks of one session that start together would both find nothing.
		defer h.alone(ctx, p.Session)()
	}
	var ops []wire.Operation
	var at int
	left := 0
	for try := 0; ; try++ {
		var known []wire.Notification
		if p.NeedsKnown() {
			page, err := h.center.List(ctx, client.Query{Connections: []string{h.id}, Sessions: []string{p.Session}, Limit: knownItems})
			if err != nil {
				return nil, err
			}
			known = page.Notifications
		}
		ops, at = p.Operations(known, hold)
		ends := 0
		left = 0
		for i := range known {
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
		if try == 0 {
			if err := h.session(ctx, p, ends > 0); err != nil {
				return nil, err
			}
		}
		if len(ops) == 0 {
			break
		}
		results, err := h.center.Batch(ctx, h.id, ops...)
		if err == nil {
			if at >= 0 && at < len(results) {
				asked = results[at].Notification
			}
			break
		}
		// Another hook of the session was faster: look again.
		switch client.Code(err) {
		case wire.CodeTerminal, wire.CodeNotFound, wire.CodeRevisionConflict, wire.CodeAlreadyAnswered:
			if try < 3 {
				continue
			}
		}
		return nil, err
	}
	if p.State == agents.StateEnded && left <= 0 && p.Session != "" {
		if err := h.center.EndSession(ctx, h.id, p.Session); err != nil && client.Code(err) != wire.CodeNotFound {
			return nil, err
		}
	}
	return asked, nil
}

// session tells what became of the session.
func (h *hooker) session(ctx context.Context, p *agents.Plan, ended bool) error {
	if p.Session == "" {
		return nil
	}
	var put wire.SessionPut
	if p.Title != "" {
		put.Title = &p.Title
	}
	if state := p.State; state != "" {
		put.State = &state
	} else if state := p.StateIfEnded; state != "" && ended {
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
			return "", h.fallBack(p)
		case n.Outcome == nil || n.Outcome.Answer == nil:
			return "", nil // it ended otherwise: answered in its terminal, cancelled
		}
		out, err := p.Ask.Decide(*n.Outcome.Answer)
		if err == nil {
			return out, nil
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

// undelivered says that an answer did not reach the agent any more (I9).
func (h *hooker) undelivered(p *agents.Plan) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(h.app.ctx), hookBudget)
	defer cancel()
	pub := p.Items[0].Publish
	_, err := h.center.Publish(ctx, h.id, wire.Publish{
		Key: "history/undelivered/" + strings.TrimPrefix(pub.Key, "history/"), Session: pub.Session, Severity: wire.SeverityWarning,
		Title: firstLineOf("Your answer did not arrive: " + pub.Title), Body: "The agent had it answered elsewhere, or was gone.", Data: pub.Data,
	})
	return err
}

// fallBack says that the agent goes on asking in its own place: the plain item takes over, unannounced.
func (h *hooker) fallBack(p *agents.Plan) error {
	if !p.Ask.Fallback || len(p.Items) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(h.app.ctx, hookBudget)
	defer cancel()
	pub := p.Items[0].Publish
	pub.Event = nil // it was told of
	_, err := h.center.Publish(ctx, h.id, pub)
	return err
}
