package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"signalbox/bridge/wire"
	"signalbox/client"
	"signalbox/internal/daemon"
)

// ownerAnyway is a client of the running center or, where none runs, of one that is started for this command alone.
func (a *app) ownerAnyway() (c *client.Client, end func() error, err error) {
	c, err = a.owner()
	if err == nil {
		return c, func() error { c.Close(); return nil }, nil
	}
	if !unreachable(err) || a.env(client.EnvURL) != "" || !exists(a.home()) {
		return nil, nil, err
	}
	none := 0.0
	d, derr := daemon.Start(a.ctx, daemon.Options{Home: a.home(), Listen: "127.0.0.1:0", RateLimit: &none, Version: version, Now: a.now, Lenient: true})
	if derr != nil {
		return nil, nil, errors.Join(err, derr)
	}
	c, err = client.New(d.URL(), d.OwnerToken(), nil)
	if err != nil {
		return nil, nil, errors.Join(err, d.Close())
	}
	return c, func() error { c.Close(); return d.Close() }, nil
}

// toFile writes a file that appears whole or not at all, readable by the owner only; - is standard output.
func (a *app) toFile(path string, write func(io.Writer) error) (err error) {
	if path == "-" {
		return write(a.stdout)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // 0600
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(f, 256<<10)
	err = errors.Join(write(buffered), buffered.Flush())
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// backupCmd writes a snapshot of the store.
type backupCmd struct {
	File string `arg:"" optional:"" help:"File to write (default: signalbox-TIME.snapshot here); - is standard output."`
}

func (c *backupCmd) Run(a *app) (err error) {
	center, end, err := a.ownerAnyway()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	if c.File == "" {
		c.File = "signalbox-" + a.now().UTC().Format("20060102T150405Z") + ".snapshot"
	}
	if err := a.toFile(c.File, func(w io.Writer) error { return center.Backup(a.ctx, w) }); err != nil || c.File == "-" {
		return err
	}
	return a.result(map[string]string{"file": c.File}, func(w io.Writer) { fmt.Fprintln(w, c.File) })
}

// restoreCmd puts a snapshot in the place of the store. What was there is kept aside.
type restoreCmd struct {
	File string `arg:"" type:"existingfile" help:"Snapshot that sigbox backup wrote."`
}

func (c *restoreCmd) Run(a *app) error {
	report, err := daemon.Restore(a.ctx, daemon.Options{Home: a.home(), Now: a.now}, c.File)
	if err != nil {
		return err
	}
	return a.result(report, func(w io.Writer) {
		fmt.Fprintf(w, "Restored the snapshot of %s with %d notifications. What was there is kept beside it.\n", report.At.Local().Format(time.DateTime), report.Records)
	})
}

// exportCmd writes notifications as JSON lines.
type exportCmd struct {
	File      string `arg:"" optional:"" default:"-" help:"File to write; - is standard output."`
	listQuery `embed:""`
}

func (c *exportCmd) Run(a *app) (err error) {
	center, end, err := a.ownerAnyway()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	q := c.query(a)
	q.IncludeSilent = true
	n := 0
	err = a.toFile(c.File, func(w io.Writer) error {
		return eachNotification(a, center, q, func(r wire.Notification) error {
			n++
			return writeJSON(w, r)
		})
	})
	if err != nil || c.File == "-" {
		return err
	}
	return a.result(map[string]any{"file": c.File, "exported": n}, func(w io.Writer) { fmt.Fprintf(w, "%d notifications in %s\n", n, c.File) })
}

// importCmd reads notifications as JSON lines. Ids, times and endings are kept, nothing is announced, and what is known
// already is left alone.
type importCmd struct {
	File string `arg:"" optional:"" default:"-" help:"File to read; - is standard input."`
}

// Bounds of one request of an import.
const (
	importRecords = 200
	importBytes   = 700 << 10
	importLine    = 1 << 20
)

func (c *importCmd) Run(a *app) (err error) {
	in := a.stdin
	if c.File != "-" {
		f, err := os.Open(c.File)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	center, end, err := a.ownerAnyway()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	read, fresh, err := importLines(a.ctx, center, in)
	if err != nil {
		return fmt.Errorf("after %d of %d notifications: %w", fresh, read, err)
	}
	return a.result(map[string]int{"read": read, "imported": fresh}, func(w io.Writer) { fmt.Fprintf(w, "%d of %d notifications are new\n", fresh, read) })
}

// importLines sends the lines of an export in portions.
func importLines(ctx context.Context, center *client.Client, in io.Reader) (read, fresh int, err error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, importLine)
	var portion []wire.Notification
	size := 0
	send := func() error {
		if len(portion) == 0 {
			return nil
		}
		n, err := center.Import(ctx, portion)
		fresh += n
		portion, size = portion[:0], 0
		return err
	}
	for lines.Scan() {
		line := lines.Bytes()
		if len(line) == 0 {
			continue
		}
		var n wire.Notification
		if err := json.Unmarshal(line, &n); err != nil {
			return read, fresh, fmt.Errorf("line %d: %w", read+1, err)
		}
		read++
		if len(portion) >= importRecords || size+len(line) > importBytes {
			if err := send(); err != nil {
				return read, fresh, err
			}
		}
		portion, size = append(portion, n), size+len(line)
	}
	if err := lines.Err(); err != nil {
		return read, fresh, fmt.Errorf("line %d: %w", read+1, err)
	}
	return read, fresh, send()
}
