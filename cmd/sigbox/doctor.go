package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"
	"time"

	"signalbox/agents"
	"signalbox/agents/setup"
	"signalbox/bridge/wire"
	"signalbox/client"
)

// doctorCmd checks the whole chain: the data directory, the center, tokens, the agents' configuration, what came from
// each agent and what never did, and what could not be delivered.
type doctorCmd struct {
	Agent []string `help:"Only these agents."`
	Try   bool     `help:"Publish, read and resolve a silent notification."`
}

// check is one finding.
type check struct {
	Name   string `json:"name"`
	Status string `json:"status"` // ok, note, warning, problem
	Detail string `json:"detail"`
}

type checkup struct {
	app    *app
	checks []check
}

func (c *checkup) add(status, name, format string, args ...any) {
	c.checks = append(c.checks, check{name, status, fmt.Sprintf(format, args...)})
}

func (c *doctorCmd) Run(a *app) error {
	d := &checkup{app: a}
	d.dataDir()
	center := d.center()
	if center != nil {
		d.connections(center)
		d.deliveries(center)
		if c.Try {
			d.try(center)
		}
	}
	d.spools()
	for _, ag := range agents.Agents {
		named := func(n string) bool { return strings.EqualFold(n, ag.Name) }
		if len(c.Agent) == 0 || slices.ContainsFunc(c.Agent, named) {
			d.agent(ag, len(c.Agent) > 0)
		}
	}
	bad := 0
	for _, k := range d.checks {
		if k.Status == "problem" {
			bad++
		}
	}
	err := a.result(map[string]any{"checks": d.checks, "problems": bad}, func(w io.Writer) {
		for _, k := range d.checks {
			fmt.Fprintf(w, "%-8s %-22s %s\n", k.Status, k.Name, clean(k.Detail))
		}
	})
	if err == nil && bad > 0 {
		return &exitError{exitRefused, nil}
	}
	return err
}

func (c *checkup) dataDir() {
	dir := c.app.home()
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		c.add("note", "data directory", "%s is not there yet: no center has run", dir)
		return
	case !info.IsDir():
		c.add("problem", "data directory", "%s is no folder", dir)
		return
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		c.add("warning", "data directory", "others can enter %s (mode %o)", dir, info.Mode().Perm())
	default:
		c.add("ok", "data directory", "%s", dir)
	}
	if runtime.GOOS == "windows" {
		return
	}
	private := []string{filepath.Join(dir, wire.BridgeFile)}
	tokens, _ := filepath.Glob(filepath.Join(dir, connectionsDir, "*.json"))
	for _, f := range append(private, tokens...) {
		if info, err := os.Stat(f); err == nil && info.Mode().Perm()&0o077 != 0 {
			c.add("problem", "tokens", "others can read %s (mode %o): chmod 600 it, and rotate its token", f, info.Mode().Perm())
		}
	}
}

// center finds the center and has it prove itself; nil where there is none.
func (c *checkup) center() *client.Client {
	ctx, cancel := context.WithTimeout(c.app.ctx, 5*time.Second)
	defer cancel()
	center, err := c.app.discover(ctx, "")
	if err != nil {
		c.add("problem", "center", "%v. Start Signalbox, or sigbox serve", err)
		return nil
	}
	health, err := center.Health(ctx)
	if err != nil {
		c.add("problem", "center", "%v", err)
		return nil
	}
	c.add("ok", "center", "runs, version %s", health.Version)
	if health.Version != version {
		c.add("note", "versions", "this program is %s, the center %s", version, health.Version)
	}
	if _, err := center.Attention(ctx); err != nil {
		name := "owner token"
		var p *wire.Problem
		if errors.As(err, &p) && p.Code == wire.CodeUnavailable {
			name = "store"
		}
		c.add("problem", name, "%v", err)
		return nil
	}
	c.add("ok", "owner token", "accepted")
	return center
}

func (c *checkup) connections(center *client.Client) {
	list, err := center.Connections(c.app.ctx)
	if err != nil {
		c.add("problem", "connections", "%v", err)
		return
	}
	known := map[string]bool{}
	for _, k := range list {
		known[k.ID] = true
	}
	files, _ := filepath.Glob(filepath.Join(c.app.home(), connectionsDir, "*.json"))
	for _, f := range files {
		var s stored
		if ok, err := readJSON(f, &s); !ok || err != nil || s.Token == "" {
			c.add("problem", "token of "+filepath.Base(f), "the file is damaged: remove it and connect again")
			continue
		}
		own, err := c.app.discover(c.app.ctx, s.Token)
		if err == nil {
			_, err = own.Connection(c.app.ctx, s.ID)
			own.Close()
		}
		switch {
		case err == nil:
			c.add("ok", "connection "+s.ID, "its token is accepted")
		case !known[s.ID]:
			c.add("problem", "connection "+s.ID, "the center does not know it (another data store?): remove %s, and connect again", f)
		default:
			c.add("problem", "connection "+s.ID, "its token is refused (%v): connect again", err)
		}
	}
	c.add("ok", "connections", "%d", len(list))
}

// failures is how far back failed deliveries count.
const failures = 24 * time.Hour

func (c *checkup) deliveries(center *client.Client) {
	list, err := center.Deliveries(c.app.ctx, "", "")
	if err != nil {
		c.add("problem", "deliveries", "%v", err)
		return
	}
	failed := map[string]int{}
	last := map[string]string{}
	for _, d := range list {
		if d.State == wire.DeliveryFailed && c.app.now().Sub(d.At.Time) < failures {
			failed[d.Provider]++
			last[d.Provider] = cmp.Or(last[d.Provider], d.Error)
		}
	}
	if len(failed) == 0 {
		c.add("ok", "deliveries", "%d in the history, none failed lately", len(list))
	}
	for p, n := range failed {
		c.add("warning", "deliveries by "+p, "%d failed within a day, the newest: %s", n, last[p])
	}
}

func (c *checkup) try(center *client.Client) {
	conn, id, err := c.app.as(c.app.ctx, defaultConnection)
	if err == nil {
		var out wire.PublishResult
		out, err = conn.Publish(c.app.ctx, id, wire.Publish{Key: "doctor", Title: "A try by sigbox doctor", Silent: true})
		if err == nil {
			_, err = center.Get(c.app.ctx, out.Notification.ID)
		}
		if err == nil {
			_, err = conn.Resolve(c.app.ctx, out.Notification.ID, wire.Ending{Reason: "tried"})
		}
	}
	if err != nil {
		c.add("problem", "try", "%v", err)
		return
	}
	c.add("ok", "try", "published, read and resolved")
}

func (c *checkup) spools() {
	dirs, _ := os.ReadDir(filepath.Join(c.app.home(), spoolDir))
	for _, d := range dirs {
		if n := len(spooled(filepath.Join(c.app.home(), spoolDir, d.Name()))); n > 0 {
			c.add("warning", "kept calls of "+d.Name(), "%d wait for the center; its next call that reaches it delivers them", n)
		}
	}
}

// agent says how one agent is connected, what came from it and what never did.
func (c *checkup) agent(ag *agents.Agent, asked bool) {
	came := allSeen(c.app, ag.Name)
	hooked := c.hooked(ag.Name)
	if len(hooked) == 0 && len(came) == 0 {
		switch found := c.app.find(ag.Name); {
		case found.Program != "":
			c.add("note", ag.Name, "is installed (%s), not connected: sigbox setup %s", found.Program, ag.Name)
		case found.Folder != "":
			c.add("note", ag.Name, "has its settings in %s, and is not connected: sigbox setup %s", found.Folder, ag.Name)
		case asked:
			c.add("note", ag.Name, "is not connected, and its program was found neither on the path nor in the usual places: sigbox setup %s connects it all the same", ag.Name)
		}
		return
	}
	for file, state := range hooked {
		if state == "" {
			c.add("ok", ag.Name+" hooks", "in %s", file)
		} else {
			c.add("problem", ag.Name+" hooks", "%s: %s", file, state)
		}
	}
	if len(came) == 0 {
		c.add("warning", ag.Name+" events", "none ever came: start a new session of it; some agents want hooks to be trusted first")
		return
	}
	var never, unknown, fields []string
	var last seen
	broken := 0
	for _, e := range hookedEvents(ag) {
		if _, ok := came[e]; !ok {
			never = append(never, e)
		}
	}
	for _, s := range came {
		if !s.Known {
			unknown = append(unknown, s.Event)
		}
		if s.Last.After(last.Last) {
			last = s
		}
		broken += s.Broken
		for _, f := range s.Fields {
			if s.Known {
				fields = append(fields, s.Event+"."+f)
			}
		}
	}
	sort.Strings(fields)
	sort.Strings(unknown)
	c.add("ok", ag.Name+" events", "the last was %s, %s ago", last.Event, ago(c.app.now().Sub(last.Last)))
	if len(never) > 0 {
		c.add("note", ag.Name+" events", "never seen: %s", strings.Join(never, ", "))
	}
	if len(unknown) > 0 {
		c.add("note", ag.Name+" events", "not understood: %s; their shapes are in %s", strings.Join(unknown, ", "), filepath.Join(c.app.home(), seenDir, ag.Name))
	}
	if len(fields) > 0 {
		c.add("note", ag.Name+" fields", "not understood: %s", strings.Join(fields, ", "))
	}
	if broken > 0 {
		c.add("note", ag.Name+" events", "%d payloads could not be read to their end", broken)
	}
}

// hookedEvents are the events that a full setup hooks and that every lively session has sooner or later.
func hookedEvents(ag *agents.Agent) []string {
	switch ag.Name {
	case "claude":
		return []string{"SessionStart", "UserPromptSubmit", "Notification", "PermissionRequest", "PostToolUse", "Stop", "SessionEnd"}
	case "codex":
		return []string{"SessionStart", "UserPromptSubmit", "PermissionRequest", "PostToolUse", "Stop", "agent-turn-complete"}
	case "opencode":
		return []string{"session.created", "session.idle", "permission.asked", "permission.replied"}
	case "gemini":
		return []string{"SessionStart", "BeforeAgent", "AfterAgent", "Notification", "AfterTool"}
	case "cursor":
		return []string{"sessionStart", "beforeSubmitPrompt", "stop"}
	case "copilot":
		return []string{"sessionStart", "userPromptSubmitted", "permissionRequest", "agentStop"}
	case "vscode":
		return []string{"SessionStart", "UserPromptSubmit", "Stop"}
	}
	return ag.Events // Aider has one
}

// hooked are the files of an agent that have our entries, and what is wrong with each; empty: nothing.
func (c *checkup) hooked(agent string) map[string]string {
	out := map[string]string{}
	states, _ := filepath.Glob(filepath.Join(c.app.home(), setupDir, agent+"*.json"))
	for _, f := range states {
		var st state
		if ok, err := readJSON(f, &st); !ok || err != nil || st.Agent != agent {
			continue
		}
		for _, in := range st.Files {
			text, err := os.ReadFile(in.Path)
			switch {
			case err != nil:
				out[in.Path] = "it is gone"
			case !strings.Contains(string(text), "--tag="+setup.Tag):
				out[in.Path] = "our entries are gone: sigbox setup " + agent
			default:
				out[in.Path] = c.missingProgram(in)
			}
		}
	}
	return out
}

// missingProgram says when what the hooks call is not there any more.
func (c *checkup) missingProgram(in installed) string {
	if in.Program == "" || exists(in.Program) {
		return ""
	}
	return "it calls " + in.Program + ", which is not there"
}
