package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"signalbox/agents"
	"signalbox/agents/setup"
	"signalbox/client"
	"signalbox/internal/pattern"
)

// setupCmd connects an agent by its own configuration, and disconnects it.
type setupCmd struct {
	Agent        string         `arg:"" help:"claude, codex, opencode, gemini, cursor, copilot, aider or vscode."`
	Remove       bool           `help:"Take our entries out again, and remember that they are not wanted."`
	DryRun       bool           `help:"Only say what would be done."`
	Project      string         `placeholder:"DIR" help:"Set up this project only." type:"path"`
	Wait         *time.Duration `help:"How long the agent may be held for an answer; 0: never (default: by agent)."`
	SubAgents    bool           `help:"Show also what sub-agents tell (default: history only)."`
	AgentVersion string         `placeholder:"V" help:"Version of the agent (default: asked of it, else the newest)."`
	Program      string         `placeholder:"PATH" help:"Path of sigbox to write (default: this one)." type:"path"`
	Auto         bool           `help:"Do nothing where the owner has opted out."`
}

// setupReport is what was done.
type setupReport struct {
	Agent      string       `json:"agent"`
	Files      []fileReport `json:"files"`
	Connection string       `json:"connection,omitzero"`
	Notes      []string     `json:"notes,omitempty"`
	DryRun     bool         `json:"dry_run,omitzero"`
	OptedOut   bool         `json:"opted_out,omitzero"`
}

// fileReport is what was done to one file.
type fileReport struct {
	Path   string   `json:"path"`
	Did    string   `json:"did"` // written, unchanged, removed, deleted, skipped
	Adds   []string `json:"adds,omitempty"`
	Backup string   `json:"backup,omitzero"`
}

func (c *setupCmd) Run(a *app) error {
	agent := agents.Find(c.Agent)
	if agent == nil {
		return usage("no such agent; there are %s", strings.Join(agents.Names(), ", "))
	}
	s := &setter{app: a, agent: agent.Name, dry: c.DryRun, project: c.Project}
	report := setupReport{Agent: agent.Name, DryRun: c.DryRun}
	if c.Auto && !c.Remove && exists(s.optOut()) {
		report.OptedOut = true
		return a.result(report, func(w io.Writer) { fmt.Fprintln(w, "The owner has opted out of", agent.Label) })
	}
	options, err := c.options(a, agent.Name)
	if err != nil {
		return err
	}
	s.program = options.Program
	targets, ok := setup.Targets(agent.Name, options)
	if !ok || len(targets) == 0 {
		return usage("%s has hooks in projects only: give --project", agent.Label)
	}
	if c.Remove {
		report.Files, err = s.remove(targets)
	} else {
		report.Files, report.Notes, err = s.install(targets)
	}
	if err == nil && !c.DryRun {
		if c.Remove {
			err = writePrivate(s.optOut(), []byte(a.now().UTC().Format(time.RFC3339)+"\n"))
		} else {
			if err = os.Remove(s.optOut()); errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
			report.Connection = s.connect(&report)
		}
	}
	if perr := a.result(report, func(w io.Writer) { printSetup(w, report, agent.Label, c.Remove, err == nil) }); perr != nil {
		return errors.Join(err, perr)
	}
	return err
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (c *setupCmd) options(a *app, agent string) (setup.Options, error) {
	o := setup.Options{Program: c.Program, Project: c.Project, Env: a.env, Wait: setup.DefaultWait(agent), Version: c.AgentVersion, SubAgents: c.SubAgents, Connection: a.cli.Connection}
	if c.Wait != nil {
		o.Wait = *c.Wait
	}
	if home := a.home(); home != client.DataDir(func(string) string { return "" }) {
		abs, err := filepath.Abs(home)
		if err != nil {
			return o, err
		}
		o.DataDir = abs // agents do not hand the environment of this shell on
	}
	if o.Wait < 0 {
		return o, usage("--wait wants a time from 0")
	}
	var err error
	if o.Program == "" {
		if o.Program, err = a.program(); err != nil {
			return o, fmt.Errorf("find this program: %w", err)
		}
	}
	if o.Home = cmp.Or(a.env("HOME"), a.env("USERPROFILE")); o.Home == "" {
		if o.Home, err = os.UserHomeDir(); err != nil {
			return o, err
		}
	}
	if o.Version == "" && agent == "claude" {
		o.Version = askVersion(a.ctx, a.find(agent).Program)
	}
	return o, nil
}

var versionNumber = pattern.Lazy(`\d+\.\d+\.\d+`)

// versionLimit is how long an agent may take to say its version.
const versionLimit = 5 * time.Second

// find looks for an agent on this machine.
func (a *app) find(agent string) setup.Found { return setup.Find(agent, setup.Here(a.env)) }

// askVersion asks an agent's program for its version; empty where it isn't there. No shell is run.
func askVersion(ctx context.Context, path string) string {
	if path == "" {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, versionLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.WaitDelay = time.Second // what it started may keep its output open
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return versionNumber().FindString(string(out))
}

func printSetup(w io.Writer, r setupReport, label string, removed, done bool) {
	for _, f := range r.Files {
		did := f.Did
		if r.DryRun {
			did = cmp.Or(wouldDo[did], did)
		}
		fmt.Fprintf(w, "%-9s %s\n", did, f.Path)
		if r.DryRun {
			for _, line := range diffOf(f.Adds) {
				fmt.Fprintln(w, "  + "+line)
			}
		}
		if f.Backup != "" {
			fmt.Fprintf(w, "          backup in %s\n", f.Backup)
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintln(w, "Note:", n)
	}
	switch {
	case !done: // the error says the rest
	case r.DryRun:
		fmt.Fprintln(w, "Nothing was changed.")
	case removed:
		fmt.Fprintln(w, label, "is disconnected.")
	default:
		fmt.Fprintln(w, label, "is connected. Sessions that run already may have to be started again.")
	}
}

// connect registers the agent's connection, where the center runs.
func (s *setter) connect(r *setupReport) string {
	w := hookConnection(s.app, s.agent)
	ctx, cancel := context.WithTimeout(s.app.ctx, 5*time.Second)
	defer cancel()
	center, id, err := s.app.as(ctx, w)
	if err != nil {
		r.Notes = append(r.Notes, "The center does not run: the connection is registered when the agent first speaks ("+err.Error()+").")
		return ""
	}
	center.Close()
	return id
}
