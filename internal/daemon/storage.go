package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"signalbox/internal/private"
	"signalbox/notify"
	"signalbox/store"
)

// systemConnection is the connection under which the center itself tells the owner something.
const systemConnection = "signalbox"

// openStore opens the store, or leaves one that is empty, refuses writes and tries again, or goes on, by itself.
func (d *Daemon) openStore(ctx context.Context) {
	every := d.config.Snapshots.Every.Std()
	if every == 0 {
		every = -1
	}
	path := d.config.StorePath(d.Dir)
	d.gone = d.storeIsGone(path)
	first := make(chan struct{}) // what came later is told after the first
	var report store.Report
	d.Store, report = store.Open(ctx, store.Options{
		Dir: path, Logger: d.log, Now: d.options.Now,
		MinFree: int64(d.config.Store.MinFree), SnapshotEvery: every, SnapshotKeep: d.config.Snapshots.Keep,
		OnReport: func(r store.Report) {
			<-first
			d.storeReported(r)
		},
		Merging: MoreThreads, RetryEvery: d.options.storeRetry, OpenWithin: d.options.storeWithin,
	})
	d.late.Store(report.Condition == store.Refused)
	d.storeReported(report)
	close(first)
}

// rememberedName is a file in the data directory that holds the path of a store that had records. What
// a store knows of itself goes with its folder.
const rememberedName = "store-path"

// storeIsGone reports whether the store at path had records once and nothing of it is there.
func (d *Daemon) storeIsGone(path string) bool {
	b, err := os.ReadFile(filepath.Join(d.Dir, rememberedName))
	if err != nil || strings.TrimSuffix(string(b), "\n") != path {
		return false
	}
	entries, err := os.ReadDir(path)
	return errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0
}

// rememberStore notes the store as one that has records, if it does.
func (d *Daemon) rememberStore() {
	if d.late.Load() || d.Center.Sequence() == 0 {
		return
	}
	name, path := filepath.Join(d.Dir, rememberedName), d.config.StorePath(d.Dir)+"\n"
	if b, err := os.ReadFile(name); err == nil && string(b) == path {
		return
	}
	if err := private.Replace(name, []byte(path)); err != nil {
		d.log.Warn("the store's place was not noted", "error", err)
	}
}

// loading is why connections cannot be told apart yet: the store that knows them is not open.
func (d *Daemon) loading() error {
	if !d.late.Load() {
		return nil
	}
	text := d.Store.Report().Text
	if text == "" {
		text = "The notification store is being read."
	}
	return notify.Errorf(notify.CodeUnavailable, "%s", text)
}

// storeReported tells the owner how the store is.
func (d *Daemon) storeReported(r store.Report) {
	if r.Text != "" {
		d.log.Warn("store reports", "condition", string(r.Condition), "reason", string(r.Reason))
	}
	d.problems.set(ProblemStore, r.Text)
}

// followStore takes up a store that was opened late, and keeps what was lost as a notification, which
// is there after the problem's text is gone.
func (d *Daemon) followStore(ctx context.Context) {
	select {
	case <-d.Store.Ready():
	case <-ctx.Done():
		return
	}
	if d.late.Load() {
		if err := d.loadAgain(ctx, d.Center.Reload); err != nil {
			return // the daemon closes
		}
		d.late.Store(false)
	}
	d.rememberStore()
	r := d.Store.Report()
	switch {
	case d.gone && !r.Emptied:
		d.log.Warn("the store of an earlier run is gone")
		text := fmt.Sprintf("The notification store in %s is gone: its folder was removed, moved or emptied. Signalbox started a new, empty one. "+
			"If you have the old folder still, quit Signalbox and put it back.", d.config.StorePath(d.Dir))
		d.tell(ctx, "The notification store is gone", text)
	case r.Condition == store.Recovered:
		d.tell(ctx, "The notification store was damaged", r.Text)
	}
}

// loadAgain calls load until it works; its error is that of ctx. Between two attempts it waits as long as
// the store does between two attempts to open.
func (d *Daemon) loadAgain(ctx context.Context, load func(context.Context) error) error {
	every := cmp.Or(d.options.storeRetry, 5*time.Second)
	for {
		err := load(ctx)
		if err == nil {
			return nil
		}
		d.log.Error("state was not loaded", "error", err)
		t := time.NewTimer(every)
		select {
		case <-ctx.Done():
			t.Stop()
			return ctx.Err()
		case <-t.C:
		}
	}
}

func (d *Daemon) tell(ctx context.Context, title, text string) {
	if err := d.tellOwner(ctx, "store", title, text); err != nil {
		d.log.Error("the owner was not told of the store", "error", err)
	}
}

// tellOwner publishes under the center's own connection.
func (d *Daemon) tellOwner(ctx context.Context, key, title, text string) error {
	if _, ok := d.Center.Connection(systemConnection); !ok {
		_, err := d.Center.Do(ctx, notify.Owner, notify.CreateConnection{ID: systemConnection, Label: "Signalbox"})
		if err != nil {
			return err
		}
	}
	_, err := d.Center.Do(ctx, notify.Owner, notify.Publish{Connection: systemConnection, Key: key, Content: notify.Content{
		Kind: notify.KindStatus, Severity: notify.SeverityError, Title: title, Body: text,
	}})
	return err
}
