package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"signalbox/agents"
	"signalbox/agents/setup"
	"signalbox/client"
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
	if perr := a.result(report, func(w io.Writer) { printSetup(w, report, agent.Label, c.Remove) }); perr != nil {
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
	if o.Home = first(a.env("HOME"), a.env("USERPROFILE")); o.Home == "" {
		if o.Home, err = os.UserHomeDir(); err != nil {
			return o, err
		}
	}
	if o.Version == "" && agent == "claude" {
		o.Version = askVersion(a.ctx, "claude")
	}
	return o, nil
}

var versionNumber = regexp.MustCompile(`\d+\.\d+\.\d+`)

// versionLimit is how long an agent may take to say its version.
const versionLimit = 5 * time.Second

// askVersion asks an agent for its version; empty where it isn't there. No shell is run.
func askVersion(ctx context.Context, program string) string {
	path, err := exec.LookPath(program)
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, versionLimit)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return ""
	}
	return versionNumber.FindString(string(out))
}

func printSetup(w io.Writer, r setupReport, label string, removed bool) {
	for _, f := range r.Files {
		fmt.Fprintf(w, "%-9s %s\n", f.Did, f.Path)
		if r.DryRun {
			for _, add := range f.Adds {
				for line := range strings.Lines(strings.Trim(add, "\r\n")) {
					fmt.Fprint(w, "  + ", strings.TrimRight(line, "\r\n"), "\n")
				}
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

// setter changes an agent's files.
type setter struct {
	app     *app
	agent   string
	project string
	dry     bool
}

// installed is what was done to a file, for taking it back.
type installed struct {
	Path    string        `json:"path"`
	Created bool          `json:"created,omitzero"` // there was no such file
	Dirs    []string      `json:"dirs,omitempty"`   // folders that were made for it, outermost first
	Pieces  []setup.Piece `json:"pieces"`
	Backup  string        `json:"backup,omitzero"` // the file as it was
	After   string        `json:"after"`           // digest of the file as it was written
}

// state is what was done for an agent.
type state struct {
	Agent   string      `json:"agent"`
	Project string      `json:"project,omitzero"`
	Files   []installed `json:"files"`
	At      time.Time   `json:"at"`
}

func (s *setter) dir() string { return filepath.Join(s.app.home(), setupDir) }

func (s *setter) name() string {
	if s.project == "" {
		return s.agent
	}
	return s.agent + "-" + digest([]byte(s.project))[:12]
}

func (s *setter) statePath() string { return filepath.Join(s.dir(), s.name()+".json") }
func (s *setter) optOut() string    { return filepath.Join(s.dir(), s.name()+".optout") }

func (s *setter) state() state {
	var st state
	if ok, err := readJSON(s.statePath(), &st); !ok || err != nil {
		return state{Agent: s.agent, Project: s.project}
	}
	return st
}

func (st *state) find(path string) *installed {
	for i := range st.Files {
		if st.Files[i].Path == path {
			return &st.Files[i]
		}
	}
	return nil
}

// install puts our entries into the files. A file that has them already gets them anew.
func (s *setter) install(targets []setup.Target) (reports []fileReport, notes []string, err error) {
	st := s.state()
	st.At = s.app.now().UTC()
	for _, t := range targets {
		path := realPath(t.Path)
		text, rerr := readOrNil(path)
		if rerr != nil {
			return reports, notes, rerr
		}
		clean, _, cerr := s.without(t, st.find(path), text)
		if cerr != nil {
			return reports, notes, fmt.Errorf("%s: %w", t.Path, cerr)
		}
		edit, aerr := t.Add(clean)
		if errors.Is(aerr, setup.ErrNotOurs) && len(targets) > 1 {
			reports = append(reports, fileReport{Path: t.Path, Did: "skipped"})
			notes = append(notes, filepath.Base(t.Path)+" has a setting of your own in the place of ours; it is left alone.")
			continue
		}
		if aerr != nil {
			return reports, notes, fmt.Errorf("%s: %w", t.Path, aerr)
		}
		if t.Note != "" {
			notes = append(notes, t.Note)
		}
		r := fileReport{Path: t.Path, Did: "written"}
		for _, p := range edit.Inserted {
			r.Adds = append(r.Adds, p.Text)
		}
		if bytes.Equal(edit.Text, text) {
			r.Did = "unchanged"
		} else if !s.dry {
			in, werr := s.write(path, text, clean, edit, st.find(path))
			if werr != nil {
				return reports, notes, werr
			}
			r.Backup = in.Backup
			if old := st.find(path); old != nil {
				*old = in
			} else {
				st.Files = append(st.Files, in)
			}
			if werr := writePrivateJSON(s.statePath(), st); werr != nil {
				return reports, notes, werr
			}
		}
		reports = append(reports, r)
	}
	return reports, notes, nil
}

// write makes a backup and replaces the file, unless it was changed meanwhile.
func (s *setter) write(path string, text, clean []byte, edit setup.Edit, old *installed) (installed, error) {
	in := installed{Path: path, Created: clean == nil, Pieces: edit.Inserted, After: digest(edit.Text)}
	if old != nil {
		in.Created, in.Dirs = old.Created, old.Dirs
	}
	mode := fs.FileMode(0o644)
	if clean != nil {
		info, err := os.Stat(path)
		if err != nil {
			return in, err
		}
		mode = info.Mode().Perm()
		in.Backup = filepath.Join(s.dir(), "backup", fmt.Sprintf("%s-%s-%s", s.name(), s.app.now().UTC().Format("20060102T150405.000Z"), fileName(filepath.Base(path))))
		if err := writePrivate(in.Backup, clean); err != nil {
			return in, fmt.Errorf("back up %s: %w", path, err)
		}
	}
	in.Dirs = append(in.Dirs, missingDirs(filepath.Dir(path))...)
	if now, err := readOrNil(path); err != nil || !bytes.Equal(now, text) {
		return in, errors.Join(err, fmt.Errorf("%s was changed just now: try again", path))
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return in, err
	}
	return in, writeFile(path, edit.Text, mode)
}

// without is a file without our entries: as it was before, byte for byte, where nothing else changed or what we put
// in is still there as it was. gone says that the file is to be deleted.
func (s *setter) without(t setup.Target, in *installed, text []byte) (out []byte, gone bool, err error) {
	if text == nil {
		return nil, false, nil
	}
	if in != nil {
		if digest(text) == in.After {
			if in.Created {
				return nil, true, nil
			}
			if b, err := os.ReadFile(in.Backup); err == nil {
				return b, false, nil
			}
		}
		if back, ok := setup.Undo(text, in.Pieces); ok {
			gone := in.Created && len(bytes.TrimSpace(back)) == 0
			if gone {
				back = nil
			}
			return back, gone, nil
		}
	}
	if !bytes.Contains(text, []byte("--tag="+setup.Tag)) {
		return text, false, nil
	}
	out, err = t.Strip(text)
	if err == nil && len(bytes.TrimSpace(out)) == 0 {
		return nil, true, nil
	}
	return out, false, err
}

// remove takes our entries out.
func (s *setter) remove(targets []setup.Target) (reports []fileReport, err error) {
	st := s.state()
	for _, t := range targets {
		path := realPath(t.Path)
		text, err := readOrNil(path)
		if err != nil {
			return reports, err
		}
		in := st.find(path)
		out, gone, err := s.without(t, in, text)
		if err != nil {
			return reports, fmt.Errorf("%s: %w", t.Path, err)
		}
		r := fileReport{Path: t.Path, Did: "removed"}
		switch {
		case text == nil || !gone && bytes.Equal(out, text):
			r.Did = "unchanged"
		case gone:
			r.Did = "deleted"
			if !s.dry {
				err = os.Remove(path)
			}
		case !s.dry:
			var info fs.FileInfo
			if info, err = os.Stat(path); err == nil {
				err = writeFile(path, out, info.Mode().Perm())
			}
		}
		if err != nil {
			return reports, err
		}
		reports = append(reports, r)
	}
	if !s.dry {
		for _, in := range st.Files {
			for i := len(in.Dirs) - 1; i >= 0; i-- {
				os.Remove(in.Dirs[i]) // only when nothing else is in it
			}
		}
		if err := os.Remove(s.statePath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return reports, err
		}
	}
	return reports, nil
}

// realPath is where a link leads, so that a link stays one.
func realPath(path string) string {
	if p, err := filepath.EvalSymlinks(path); err == nil {
		return p
	}
	return path
}

// readOrNil reads a file; nil where there is none.
func readOrNil(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if b == nil && err == nil {
		b = []byte{}
	}
	return b, err
}

// missingDirs are the folders that must be made for dir, outermost first.
func missingDirs(dir string) []string {
	var out []string
	for !exists(dir) {
		out = append([]string{dir}, out...)
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	return out
}
