package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"signalbox/agents/setup"
)

// setter changes an agent's files.
type setter struct {
	app     *app
	agent   string
	project string
	program string // what the entries call
	dry     bool
}

// installed is what was done to a file, for taking it back.
type installed struct {
	Path    string        `json:"path"`
	Created bool          `json:"created,omitzero"` // there was no such file
	Dirs    []string      `json:"dirs,omitempty"`   // folders that were made for it, outermost first
	Pieces  []setup.Piece `json:"pieces"`
	Backup  string        `json:"backup,omitzero"`  // the file as it was
	After   string        `json:"after"`            // digest of the file as it was written
	Program string        `json:"program,omitzero"` // what the entries call
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
	in := installed{Path: path, Created: clean == nil, Pieces: edit.Inserted, After: digest(edit.Text), Program: s.program}
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

// remove takes our entries out of the files of today, and of those that were set up before and are not among these: a
// variable may have moved them since. What cannot be taken out stays noted.
func (s *setter) remove(targets []setup.Target) (reports []fileReport, err error) {
	st := s.state()
	left := state{Agent: st.Agent, Project: st.Project, At: st.At}
	for _, in := range st.Files {
		if !slices.ContainsFunc(targets, func(t setup.Target) bool { return realPath(t.Path) == in.Path }) {
			targets = append(targets, formerTarget(in.Path, targets))
		}
	}
	for _, t := range targets {
		path := realPath(t.Path)
		in := st.find(path)
		did, rerr := s.removeFrom(path, t, in)
		if rerr != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", t.Path, rerr))
			if in != nil {
				left.Files = append(left.Files, *in)
			}
			continue
		}
		reports = append(reports, fileReport{Path: t.Path, Did: did})
	}
	if s.dry {
		return reports, err
	}
	for _, in := range st.Files {
		for i := len(in.Dirs) - 1; i >= 0; i-- {
			os.Remove(in.Dirs[i]) // only when nothing else is in it
		}
	}
	if len(left.Files) > 0 {
		return reports, errors.Join(err, writePrivateJSON(s.statePath(), left))
	}
	if rerr := os.Remove(s.statePath()); rerr != nil && !errors.Is(rerr, fs.ErrNotExist) {
		err = errors.Join(err, rerr)
	}
	return reports, err
}

// formerTarget is a file that was set up where the agent kept it then: one of the same name is read the same way.
func formerTarget(path string, targets []setup.Target) setup.Target {
	for _, t := range targets {
		if filepath.Base(t.Path) == filepath.Base(path) {
			t.Path = path
			return t
		}
	}
	return setup.Target{Path: path, Strip: func([]byte) ([]byte, error) {
		return nil, errors.New("it was changed, and ours cannot be told from it: take out what has --tag=" + setup.Tag)
	}}
}

// removeFrom takes our entries out of one file, and says what it did.
func (s *setter) removeFrom(path string, t setup.Target, in *installed) (did string, err error) {
	text, err := readOrNil(path)
	if err != nil {
		return "", err
	}
	out, gone, err := s.without(t, in, text)
	switch {
	case err != nil:
		return "", err
	case text == nil || !gone && bytes.Equal(out, text):
		return "unchanged", nil
	case gone && s.dry:
		return "deleted", nil
	case gone:
		return "deleted", os.Remove(path)
	case s.dry:
		return "removed", nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	return "removed", writeFile(path, out, info.Mode().Perm())
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

// digest names bytes.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
