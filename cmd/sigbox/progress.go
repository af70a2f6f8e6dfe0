package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"signalbox/bridge/wire"
	"signalbox/internal/pattern"
)

// progressCmd shows how far work is. With a pipe, it reads the work's own output and hands it on.
type progressCmd struct {
	Title   string   `arg:"" help:"What is under way."`
	Key     string   `required:"" help:"Stable key of the work."`
	Session string   `help:"Session that it belongs to."`
	Current *float64 `help:"How far it is; without it, a pipe is read."`
	Total   *float64 `help:"What it goes up to."`
	Text    string   `help:"What it does now."`
	Done    bool     `help:"The work is done: resolve it."`
	Quiet   bool     `help:"Do not hand the pipe's lines on."`
}

func (c *progressCmd) Run(a *app) error {
	center, id, err := a.producer()
	if err != nil {
		if c.Current == nil && !c.Done {
			// The work that is piped through goes on in any case (S1).
			fmt.Fprintln(a.stderr, "sigbox:", err)
			if !c.Quiet {
				io.Copy(a.stdout, a.stdin)
			}
		}
		return err
	}
	if c.Done {
		n, err := center.ResolveKey(a.ctx, id, c.Session, c.Key, wire.Ending{Reason: cmp.Or(c.Text, "done")})
		if err != nil {
			return err
		}
		return a.result(n, func(w io.Writer) { fmt.Fprintln(w, "done", n.ID) })
	}
	step := func(s step) error {
		_, err := center.Publish(a.ctx, id, wire.Publish{
			Key: c.Key, Session: c.Session, Kind: wire.KindProgress, Title: shortTitle(c.Title),
			Progress: &wire.Progress{Current: s.current, Total: s.total, Text: s.text},
		})
		return err
	}
	if c.Current != nil {
		return step(stepOf(*c.Current, c.Total, c.Text))
	}
	if isTerminal(a.stdin) {
		return usage("pipe the work's output in, or give --current")
	}
	failed := follow(a, c, step)
	if _, err := center.ResolveKey(a.ctx, id, c.Session, c.Key, wire.Ending{Reason: "its output ended"}); err != nil && failed == nil {
		failed = err
	}
	return failed
}

// step is one reading.
type step struct {
	current float64
	total   *float64
	text    string
}

func stepOf(current float64, total *float64, text string) step { return step{current, total, text} }

// progressEvery is how often readings are published at most: a build prints a thousand lines a second.
const progressEvery = 200 * time.Millisecond

// follow reads lines up to the end, hands them on, and publishes what they say. It returns the last failure to
// publish: the pipe is read to its end in any case.
func follow(a *app, c *progressCmd, publish func(step) error) error {
	lines := bufio.NewReaderSize(a.stdin, 64<<10)
	var failed error
	var last time.Time
	var pending *step
	tell := func(s step) {
		if err := publish(s); err != nil {
			failed = err
		} else {
			failed = nil
		}
		last, pending = a.now(), nil
	}
	tell(step{total: c.Total, text: c.Text})
	for {
		line, err := readLine(lines)
		if len(line) > 0 {
			if !c.Quiet && !a.cli.JSON {
				io.WriteString(a.stdout, line)
			}
			if s, ok := readStep(line, c.Total); ok {
				pending = &s
				if a.now().Sub(last) >= progressEvery {
					tell(s)
				}
			}
		}
		if err != nil {
			break
		}
	}
	if pending != nil {
		tell(*pending)
	}
	return failed
}

// readLine reads up to a line's end or a carriage return, by which many programs draw their bar anew. A line without
// an end is cut at 64 KiB.
func readLine(r *bufio.Reader) (string, error) {
	var b strings.Builder
	for b.Len() < 64<<10 {
		c, err := r.ReadByte()
		if err != nil {
			return b.String(), err
		}
		b.WriteByte(c)
		if c == '\n' || c == '\r' {
			break
		}
	}
	return b.String(), nil
}

var (
	percent = pattern.Lazy(`(?:^|[^\d.])(\d{1,3}(?:\.\d+)?)\s?%`)
	ratio   = pattern.Lazy(`(?:^|[^\w./-])(\d{1,12})\s?(?:/|\bof\b)\s?(\d{1,12})(?:$|[^\w./-])`)
	escape  = pattern.Lazy("\x1b\\[[0-9;?]*[A-Za-z]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)")
)

// readStep reads how far a line says that the work is: NN% or n/m. total, when given, is what a lone n/m must go up
// to.
func readStep(line string, total *float64) (step, bool) {
	text := strings.TrimSpace(clean(escape().ReplaceAllString(line, "")))
	if m := percent().FindStringSubmatch(text); m != nil {
		if v, err := strconv.ParseFloat(m[1], 64); err == nil && v <= 100 {
			all := 100.0
			return step{v, &all, short(text)}, true
		}
	}
	if m := ratio().FindStringSubmatch(text); m != nil {
		n, err1 := strconv.ParseFloat(m[1], 64)
		of, err2 := strconv.ParseFloat(m[2], 64)
		if err1 == nil && err2 == nil && of > 0 && n <= of && (total == nil || *total == of) {
			return step{n, &of, short(text)}, true
		}
	}
	return step{}, false
}

// short is a line as the text of a progress.
func short(s string) string { return cutTo(s, 120) }
