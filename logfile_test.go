package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheLogIsKeptAndBounded(t *testing.T) {
	var terminal bytes.Buffer
	s := newLogSink(&terminal)
	fmt.Fprintln(s, "before the directory is ours")
	dir := t.TempDir()
	if s.where() != "" {
		t.Errorf("a log at %s before it was opened", s.where())
	}
	if err := s.open(dir); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, logName)
	if s.where() != path {
		t.Errorf("the log is at %q, want %q", s.where(), path)
	}
	line := strings.Repeat("x", 999)
	for i := range 5 * logPart / 1000 {
		fmt.Fprintln(s, line, i)
	}
	fmt.Fprintln(s, "the last line")
	s.close()
	fmt.Fprintln(s, "after the end")
	var kept int64
	for _, p := range []string{path, path + logOld} {
		info, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %o", p, info.Mode().Perm())
		}
		if info.Size() > logPart {
			t.Errorf("%s has %d bytes", p, info.Size())
		}
		kept += info.Size()
	}
	if kept < logPart {
		t.Errorf("only %d bytes are kept", kept)
	}
	newest, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(string(newest), "the last line\n") {
		t.Error("the newest line is not at the end")
	}
	if !strings.HasPrefix(terminal.String(), "before") || !strings.HasSuffix(terminal.String(), "after the end\n") {
		t.Error("the terminal did not get every line")
	}
}

func TestEarlyLinesReachTheLog(t *testing.T) {
	s := newLogSink(&bytes.Buffer{})
	fmt.Fprintln(s, "early")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, logName), []byte("of an earlier run\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.open(dir); err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if b, _ := os.ReadFile(s.where()); string(b) != "of an earlier run\nearly\n" {
		t.Errorf("the log holds %q", b)
	}
}

func TestALogThatCannotBeIsNoTrouble(t *testing.T) {
	var terminal bytes.Buffer
	s := newLogSink(&terminal)
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, logName), 0o700); err != nil {
		t.Fatal(err)
	}
	if s.open(dir) == nil {
		t.Error("a folder was opened as the log")
	}
	if n, err := fmt.Fprintln(s, "goes on"); n == 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}
