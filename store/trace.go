package store

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// trace is what an attempt to open leaves beside Badger's folder until it has come to its end, so that the one that
// follows it, in this process or in another, begins with the folder that it began with. The zero value is none.
type trace struct {
	opens   int    // attempts in a row that died, with the one that is under way
	salvage bool   // one of them died while it salvaged
	kept    bool   // Badger may have cut something off: beforeName is the folder as it was
	replace bool   // the folder is being replaced: what is in its place is not whole
	aside   string // replace: the name that the damaged folder got, or is about to get; empty: there was none
}

// beforeName is a copy of the folder as it was before Badger opened it.
const beforeName = "db.before"

// The words of the sentinel; asideWord is followed by a name.
const (
	salvageWord = "salvage"
	keptWord    = "kept"
	replaceWord = "replace"
	asideWord   = "aside="
)

func (t trace) encode() []byte {
	words := []string{strconv.Itoa(t.opens)}
	for _, w := range []struct {
		word string
		said bool
	}{{salvageWord, t.salvage}, {keptWord, t.kept}, {replaceWord, t.replace}, {asideWord + t.aside, t.aside != ""}} {
		if w.said {
			words = append(words, w.word)
		}
	}
	return []byte(strings.Join(words, " ") + "\n")
}

func decodeTrace(b []byte) (t trace) {
	words := strings.Fields(string(b))
	t.opens = 1 // of which it could not be said
	if len(words) == 0 {
		return t
	}
	if n, err := strconv.Atoi(words[0]); err == nil {
		t.opens = max(n, 0)
	}
	for _, w := range words[1:] {
		switch name, isAside := strings.CutPrefix(w, asideWord); {
		case w == salvageWord:
			t.salvage = true
		case w == keptWord:
			t.kept = true
		case w == replaceWord:
			t.replace = true
		case isAside && strings.HasPrefix(name, asidePrefix) && name == filepath.Base(name):
			t.aside = name
		}
	}
	return t
}

func (o *opening) sentinel() string { return filepath.Join(o.dir, "opening") }

func (o *opening) before() string { return filepath.Join(o.dir, beforeName) }

// readTrace takes up what the last attempt left: the folder that it began with is put back in its place.
func (o *opening) readTrace() error {
	if b, err := os.ReadFile(o.sentinel()); err == nil {
		o.trace = decodeTrace(b)
	}
	o.noted = o.trace
	err := o.putBack()
	o.found = o.trace
	return err
}

// note writes the trace; the zero one is removed.
func (o *opening) note() error {
	var err error
	if o.trace == (trace{}) {
		err = errors.Join(removeFile(o.sentinel()), syncDir(o.dir))
	} else {
		err = writeFile(o.sentinel(), o.trace.encode())
	}
	if err == nil {
		o.noted = o.trace
	}
	return err
}

// keepCopy keeps the folder as it is before Badger cuts from it what it cannot read.
func (o *opening) keepCopy() {
	err := errors.Join(os.RemoveAll(o.before()), keep(o.db, o.before()))
	if err != nil {
		o.s.log.Warn("no copy of the folder before opening", "err", err)
		_ = os.RemoveAll(o.before())
		return
	}
	o.trace.kept = true
}

// putBack lets the copy from before it was opened take the folder's place.
func (o *opening) putBack() error {
	if !o.trace.kept {
		return nil
	}
	if fileExists(o.before()) {
		if err := os.RemoveAll(o.db); err != nil {
			return err
		}
		if err := errors.Join(os.Rename(o.before(), o.db), syncDir(o.dir)); err != nil {
			return err
		}
	}
	o.trace.kept = false
	return o.note()
}

// leave ends an attempt that did not open the store and did not die either: the next one begins where it did.
func (o *opening) leave() {
	err := o.putBack()
	o.trace.opens, o.trace.salvage = o.found.opens, o.found.salvage
	if o.trace != o.noted {
		err = errors.Join(err, o.note())
	}
	if err != nil {
		o.s.log.Warn("the folder was not left as it was found", "err", err)
	}
}

// settle ends an attempt that opened the store.
func (o *opening) settle() error {
	o.s.step("settle")
	if o.trace.kept && o.report.Condition == Recovered {
		to := asideName(o.dir, o.s.o.Now())
		if err := os.Rename(o.before(), to); err != nil {
			return err
		}
		o.report.Aside = to
		if err := pruneAside(o.dir, to); err != nil {
			return err
		}
	}
	o.trace = trace{}
	// First the word of the copy, then the copy: a copy that is older than what is stored must not be put back.
	return errors.Join(o.note(), removeFile(filepath.Join(o.dir, damagedName)), os.RemoveAll(o.before()))
}
