// Command bench measures a center and prints one table, made in one run on one machine: the floors
// (what the disk and bare HTTP take), and everything else as multiples of them, because absolute
// figures drift from machine to machine.
//
// It runs the real center and bridge in a process of its own. It is no test: it never fails because of
// a figure, and says beside each what it should be.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// bench is one run.
type bench struct {
	dir     string // for the stores
	records int
	each    time.Duration // how long one load lasts
	only    []string
	table   table
	fsync   time.Duration
	bare    map[int]load // by number of clients
}

func main() {
	if mode := os.Getenv(envMode); mode != "" {
		if err := serve(mode); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	b := &bench{bare: map[int]load{}}
	quick := flag.Bool("quick", false, "a tenth of everything: for trying it out")
	only := flag.String("only", "", "parts to run, separated by commas: floors (always), publish, streams, queries, damage, prune, rest, hook; empty: all")
	flag.IntVar(&b.records, "records", 1_000_000, "length of the longest history")
	flag.StringVar(&b.dir, "dir", filepath.Join(os.TempDir(), "signalbox-bench"), "folder for the stores; histories in it are used again")
	loads := flag.String("clients", "", "numbers of clients to publish with, separated by commas; empty: 1,8,64")
	flag.Parse()
	b.each = 3 * time.Second
	if *loads != "" {
		clients = nil
		for text := range strings.SplitSeq(*loads, ",") {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 {
				return fmt.Errorf("-clients %s: want numbers from 1", *loads)
			}
			clients = append(clients, n)
		}
	}
	if *quick {
		b.records, b.each = b.records/10, b.each/3
	}
	if *only != "" {
		b.only = strings.Split(*only, ",")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := os.MkdirAll(b.dir, 0o700); err != nil {
		return err
	}
	var err error
	for _, part := range []struct {
		name string
		run  func(context.Context) error
	}{
		{"floors", b.floors}, {"publish", b.publish}, {"streams", b.streams},
		{"queries", b.queries}, {"damage", b.damage}, {"prune", b.prune}, {"rest", b.atRest}, {"hook", b.hooks},
	} {
		if part.name != "floors" && len(b.only) > 0 && !slices.Contains(b.only, part.name) {
			continue
		}
		fmt.Fprintln(os.Stderr, "measuring:", part.name)
		if e := part.run(ctx); e != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", part.name, e))
		}
		if ctx.Err() != nil {
			break
		}
	}
	b.table.print(os.Stdout)
	return err
}

// table is what is printed.
type table struct{ rows [][3]string }

func (t *table) head(name string) {
	t.rows = append(t.rows, [3]string{"", "", ""}, [3]string{name, "", ""})
}
func (t *table) row(what, figure, goal string) {
	t.rows = append(t.rows, [3]string{"  " + what, figure, goal})
}

func (t *table) print(w *os.File) {
	var width [2]int
	for _, r := range t.rows {
		for i := range width {
			if r[1] != "" || i == 1 {
				width[i] = max(width[i], len([]rune(r[i])))
			}
		}
	}
	for _, r := range t.rows {
		line := fmt.Sprintf("%-*s  %-*s  %s", width[0], r[0], width[1], r[1], r[2])
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// short is a duration with three figures.
func short(d time.Duration) string {
	switch {
	case d < 10*time.Microsecond:
		return d.Round(10 * time.Nanosecond).String()
	case d < 10*time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	case d < 10*time.Second:
		return d.Round(time.Millisecond).String()
	}
	return d.Round(100 * time.Millisecond).String()
}

// quantile sorts ds and returns the q-th of it.
func quantile(ds []time.Duration, q float64) time.Duration {
	if len(ds) == 0 {
		return 0
	}
	slices.Sort(ds)
	return ds[min(int(q*float64(len(ds))), len(ds)-1)]
}

func times(a, b time.Duration) string {
	if b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f×", float64(a)/float64(b))
}
