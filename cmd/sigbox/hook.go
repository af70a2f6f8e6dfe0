package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"signalbox/agents"
)

// What a hook may take of its agent's time.
const (
	hookBudget = 800 * time.Millisecond // to deliver
	hookWhole  = 950 * time.Millisecond // what one that doesn't hold its agent is over in, its start included
	hookLeast  = 200 * time.Millisecond // to deliver, where a busy machine took long to start it
	hookFind   = 400 * time.Millisecond // finding the center and having it prove itself
	hookRead   = 400 * time.Millisecond // reading the payload, of an agent that keeps the pipe open
	hookWaits  = 2 * time.Second        // beyond the wait, so that the center's own timeout is seen
	hookLeave  = 300 * time.Millisecond // to tidy up when the agent ends the hook
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
		a.note("hook "+c.Agent, followOpenCode(a, c))
		return nil
	}
	r, err := c.safely(a)
	if r.text != "" {
		if _, werr := fmt.Fprintln(a.stdout, r.text); werr != nil {
			err = errors.Join(err, werr)
			if r.undelivered != nil {
				err = errors.Join(err, r.undelivered())
			}
		}
	}
	a.note("hook "+c.Agent, err)
	return nil
}

// note is one line for a person who looks; never content, and never a failure of the agent's work (S1). nil: nothing.
func (a *app) note(who string, err error) {
	if err != nil {
		fmt.Fprintln(a.stderr, clean("sigbox: "+who+": "+strings.ReplaceAll(err.Error(), "\n", "; ")))
	}
}

// reply is what an agent is to read.
type reply struct {
	text string
	// undelivered, where the text is an answer of the owner, tells him that the agent did not take it.
	undelivered func() error
}

// safely is hook, whatever a payload may set off.
func (c *hookCmd) safely(a *app) (r reply, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			r, err = reply{text: silence(c.Agent)}, fmt.Errorf("a mistake of ours: %v", fault)
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
func (c *hookCmd) hook(a *app) (r reply, err error) {
	began := a.now()
	if agents.Find(c.Agent) == nil {
		return reply{}, fmt.Errorf("no such agent; there are %s", strings.Join(agents.Names(), ", "))
	}
	payload := []byte(c.Payload)
	if len(payload) == 0 && !strings.EqualFold(c.Agent, "aider") {
		payload = readPayload(a.stdin)
	}
	p := c.translate(a, payload, began)
	noteSeen(a, p, payload)
	if !p.Known {
		return reply{text: p.Output}, nil
	}
	limit := hookBudget
	if c.Wait <= 0 || p.Ask == nil {
		age := a.now().Sub(began)
		if a.age != nil {
			age = max(age, a.age())
		}
		limit = budget(age)
	}
	ctx, cancel := context.WithTimeout(a.ctx, limit)
	defer cancel()
	h := &hooker{app: a, who: hookConnection(a, p.Agent)}
	h.timeTurn(p)
	asked, err := h.deliver(ctx, p, c.Wait > 0)
	if asked == nil {
		return reply{text: p.Output}, err
	}
	decision, err := h.await(p, asked, c.Wait)
	if decision == "" {
		return reply{text: cmp.Or(p.Ask.Undecided, p.Output)}, err
	}
	return reply{decision, func() error { return h.undelivered(p, asked) }}, err
}

// budget is what is left of a hook's time when its process is so old.
func budget(age time.Duration) time.Duration {
	return max(hookLeast, min(hookBudget, hookWhole-age))
}

// translate makes the plan of a payload.
func (c *hookCmd) translate(a *app, payload []byte, at time.Time) *agents.Plan {
	cwd := cmp.Or(c.Cwd, agents.Directory(payload), a.workDir())
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
	if id := cmp.Or(a.cli.Connection, a.env("SIGNALBOX_CONNECTION")); id != "" {
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
