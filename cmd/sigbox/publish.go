package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"signalbox/bridge/wire"
)

// content are the flags of everything that is published.
type content struct {
	Key      string            `help:"Stable key: the same key updates in place."`
	Session  string            `help:"Session that it belongs to."`
	Severity string            `default:"info" enum:"info,success,warning,error,critical" help:"info, success, warning, error or critical."`
	Body     string            `short:"b" help:"Markdown; - reads standard input."`
	Line     []string          `sep:"none" help:"A further fact; repeat for several."`
	Tag      []string          `help:"Tag; repeat for several."`
	Sender   string            `help:"Who within the connection says it."`
	Icon     string            `help:"One character or an icon's name."`
	Link     []string          `sep:"none" placeholder:"URL" help:"A page; repeat for several."`
	File     []string          `sep:"none" placeholder:"PATH" help:"A file to name; repeat for several."`
	Event    string            `placeholder:"TYPE=OCCURRENCE" help:"The semantic event that it tells of, once."`
	Data     map[string]string `mapsep:"," help:"Data of your own, as NAME=TEXT."`
	TTL      time.Duration     `name:"ttl" help:"Present it for this long only."`
	Silent   bool              `help:"Store and list it only."`
	Muted    bool              `help:"Show it in its own place, unannounced."`
	Snooze   time.Duration     `help:"Bring it up after this time."`
}

// publish makes the publication.
func (c *content) publish(a *app, title string) (wire.Publish, error) {
	p := wire.Publish{
		Key: c.Key, Session: c.Session, Severity: c.Severity, Title: title, Body: c.Body, Lines: c.Line, Tags: c.Tag, Sender: c.Sender, Icon: c.Icon,
		Silent: c.Silent, Muted: c.Muted,
	}
	if c.Body == "-" {
		b, err := io.ReadAll(io.LimitReader(a.stdin, 64<<10))
		if err != nil {
			return p, fmt.Errorf("read standard input: %w", err)
		}
		p.Body = string(b)
	}
	for _, l := range c.Link {
		p.Links = append(p.Links, wire.Link{URL: l})
	}
	for _, f := range c.File {
		p.Attachments = append(p.Attachments, wire.Attachment{Path: f})
	}
	if c.Event != "" {
		typ, occurrence, ok := strings.Cut(c.Event, "=")
		if !ok || typ == "" || occurrence == "" {
			return p, usage("--event wants TYPE=OCCURRENCE")
		}
		p.Event = &wire.Event{Type: typ, Occurrence: occurrence}
	}
	if c.TTL > 0 {
		p.Retention = &wire.Retention{Policy: wire.RetentionTTL, TTLSeconds: c.TTL.Seconds()}
	}
	if c.Snooze > 0 {
		p.SnoozeUntil = wire.At(a.now().Add(c.Snooze))
	}
	if len(c.Data) > 0 {
		var err error
		if p.Data, err = json.Marshal(c.Data); err != nil {
			return p, err
		}
	}
	if short := shortTitle(title); short != title {
		p.Title = short
		p.Body = strings.TrimSpace(title + "\n\n" + p.Body)
	}
	return p, nil
}

// maxTitle is the length of a title, in characters.
const maxTitle = 200

// shortTitle is a title that fits: the first line, cut at a word.
func shortTitle(title string) string {
	line, _, cut := strings.Cut(strings.TrimSpace(title), "\n")
	line = strings.TrimSpace(line)
	r := []rune(line)
	if len(r) <= maxTitle {
		if cut || line == "" {
			return line
		}
		return title
	}
	head := string(r[:maxTitle-1])
	if i := strings.LastIndexAny(head, " \t"); i > len(head)/2 {
		head = head[:i]
	}
	return strings.TrimRight(head, " \t,;:–—-") + "…"
}

// notifyCmd publishes a notification.
type notifyCmd struct {
	Title       string `arg:"" help:"Title, one line."`
	content     `embed:""`
	Corroborate bool   `help:"A repeat of the dedup key is a +1, not an update."`
	DedupKey    string `help:"What a repeat is known by."`
}

func (c *notifyCmd) Run(a *app) error {
	p, err := c.publish(a, c.Title)
	if err != nil {
		return err
	}
	p.DedupKey = c.DedupKey
	if c.Corroborate {
		p.OnRepeat = wire.OnRepeatCorroborate
		p.DedupKey = cmp.Or(p.DedupKey, c.Key)
	}
	center, id, err := a.producer()
	if err != nil {
		return err
	}
	out, err := center.Publish(a.ctx, id, p)
	if err != nil {
		return err
	}
	return a.result(out, func(w io.Writer) {
		fmt.Fprintln(w, out.Notification.ID)
		if len(out.Masked) > 0 {
			fmt.Fprintln(a.stderr, "sigbox: masked what looks like a credential in", strings.Join(out.Masked, ", "))
		}
	})
}

// resolveCmd ends what was published.
type resolveCmd struct {
	Target  string `arg:"" help:"Key, or id of a notification."`
	Session string `help:"Session that the key belongs to."`
	Reason  string `help:"Why."`
}

func (c *resolveCmd) Run(a *app) error {
	center, id, err := a.producer()
	if err != nil {
		return err
	}
	end := wire.Ending{Reason: c.Reason}
	var n wire.Notification
	if isID(c.Target) {
		n, err = center.Resolve(a.ctx, c.Target, end)
	} else {
		n, err = center.ResolveKey(a.ctx, id, c.Session, c.Target, end)
	}
	if err != nil {
		return err
	}
	return a.result(n, func(w io.Writer) { fmt.Fprintln(w, "resolved", n.ID) })
}

// isID tells an id of a notification from a key.
func isID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i, r := range s {
		switch i {
		case 8, 13, 18, 23:
			if r != '-' {
				return false
			}
		default:
			if !strings.ContainsRune("0123456789abcdefABCDEF", r) {
				return false
			}
		}
	}
	return true
}

// dismissCmd dismisses as the owner.
type dismissCmd struct {
	IDs      []string `arg:"" optional:"" name:"id" help:"Ids of notifications."`
	All      bool     `help:"All that can be dismissed; what waits for an answer goes on waiting."`
	Revision int      `help:"Dismiss exactly this revision (default: the current one)."`
	Verbose  bool     `short:"v" help:"With --all, print the ids as well."`
}

func (c *dismissCmd) Run(a *app) error {
	if c.All == (len(c.IDs) > 0) {
		return usage("name ids, or --all")
	}
	if c.Revision != 0 && len(c.IDs) != 1 {
		return usage("--revision goes with one id")
	}
	center, err := a.owner()
	if err != nil {
		return err
	}
	if c.Revision != 0 {
		n, err := center.Dismiss(a.ctx, c.IDs[0], wire.Rev(c.Revision))
		if err != nil {
			return err
		}
		return a.result(n, func(w io.Writer) { fmt.Fprintln(w, "dismissed", n.ID) })
	}
	var items []wire.DismissItem
	waiting := 0
	if c.All {
		err = eachNotification(a, center, listQuery{Status: []string{wire.StatusPending}}.query(a), func(n wire.Notification) error {
			if n.Kind == wire.KindInteraction || !n.Dismissible {
				waiting++
				return nil
			}
			items = append(items, wire.DismissItem{ID: n.ID, ExpectedRevision: wire.RevisionOf(n)})
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, id := range c.IDs {
		n, err := center.Get(a.ctx, id)
		if err != nil {
			return err
		}
		items = append(items, wire.DismissItem{ID: id, ExpectedRevision: wire.RevisionOf(n)})
	}
	var results []wire.DismissResult
	for len(items) > 0 {
		n := min(len(items), 200)
		some, err := center.DismissMany(a.ctx, items[:n]...)
		if err != nil {
			return err
		}
		results, items = append(results, some...), items[n:]
	}
	var refused error
	for _, r := range results {
		if r.Error != nil {
			refused = errors.Join(refused, fmt.Errorf("%s: %w", r.ID, r.Error))
		}
	}
	if err := a.result(wire.DismissResults{Results: results}, func(w io.Writer) {
		done := 0
		for _, r := range results {
			if r.Error != nil {
				continue
			}
			if done++; !c.All || c.Verbose {
				fmt.Fprintln(w, "dismissed", r.ID)
			}
		}
		if c.All && !c.Verbose {
			fmt.Fprintln(w, "dismissed", done)
		}
		if waiting > 0 {
			fmt.Fprintf(w, "%d left waiting\n", waiting)
		}
	}); err != nil {
		return err
	}
	return refused
}

// isTerminal reports whether a stream is one that a person types on.
func isTerminal(r any) bool {
	f, ok := r.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
