package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// Sizes of the log in the data directory.
const (
	logPart  = 1 << 20 // bytes; a full one becomes the older part, so that at most twice that is kept
	logEarly = 64 << 10
)

// logName is the newest part of the log, in the data directory; the older one has logOld after it.
const (
	logName = "signalbox.log"
	logOld  = ".1"
)

// logSink is where log lines go: to another writer, such as the terminal, and once the data directory is ours to a
// file there that is kept small. What is written before is kept in memory until then. A file that cannot
// be written costs its lines and nothing else. Log lines hold neither content nor tokens; the sink adds none.
type logSink struct {
	also io.Writer

	mu    sync.Mutex // protects what follows
	early []byte
	path  string
	file  *os.File
	size  int64
}

func newLogSink(also io.Writer) *logSink { return &logSink{also: also} }

// Write writes a line. It never fails for want of the file.
func (s *logSink) Write(b []byte) (int, error) {
	s.mu.Lock()
	switch {
	case s.file != nil:
		s.keep(b)
	case s.path == "" && len(s.early)+len(b) <= logEarly:
		s.early = append(s.early, b...)
	}
	s.mu.Unlock()
	if n, err := s.also.Write(b); err != nil { // the terminal may be gone; the file is not
		return n, err
	}
	return len(b), nil
}

// open begins the file in a directory, which the caller holds alone.
func (s *logSink) open(dir string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	path := filepath.Join(dir, logName)
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return errors.New("the log is no regular file")
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return errors.Join(err, f.Close())
	}
	s.path, s.file, s.size = path, f, info.Size()
	s.keep(s.early)
	s.early = nil
	return nil
}

// keep writes to the file, and begins a new one when it is full. Callers hold mu.
func (s *logSink) keep(b []byte) {
	if s.size+int64(len(b)) > logPart && s.size > 0 {
		// Where it cannot be moved aside it is cut: the newest counts.
		_ = s.file.Close()
		if os.Rename(s.path, s.path+logOld) != nil {
			_ = os.Truncate(s.path, 0)
		}
		f, err := os.OpenFile(s.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			s.file = nil
			return
		}
		s.file, s.size = f, 0
	}
	n, _ := s.file.Write(b) // a full disk must not end the app
	s.size += int64(n)
}

// where is the path of the file; empty: there is none.
func (s *logSink) where() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return ""
	}
	return s.path
}

// close ends the file; what is written afterwards goes to the other writer only.
func (s *logSink) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != nil {
		_ = s.file.Close() // each line was written as it came
		s.file = nil
	}
}
