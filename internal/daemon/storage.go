package daemon

import (
	"context"

	"signalbox/notify"
	"signalbox/store"
)

// systemConnection is the connection under which the center itself tells the owner something.
const systemConnection = "signalbox"

// openStore opens the store, or leaves one that is empty, refuses writes and tries again by itself.
func (d *Daemon) openStore(ctx context.Context) {
	every := d.config.Snapshots.Every.Std()
	if every == 0 {
		every = -1
	}
	var report store.Report
	d.Store, report = store.Open(ctx, store.Options{
		Dir: d.config.StorePath(d.Dir), Logger: d.log, Now: d.options.Now,
		MinFree: int64(d.config.Store.MinFree), SnapshotEvery: every, SnapshotKeep: d.config.Snapshots.Keep,
		OnReport: d.storeReported, RetryEvery: d.options.storeRetry,
	})
	d.late = report.Condition == store.Refused
	d.storeReported(report)
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
	if d.late {
		if err := d.Center.Reload(ctx); err != nil {
			d.log.Error("state was not loaded", "error", err)
			return
		}
	}
	r := d.Store.Report()
	if r.Condition != store.Recovered {
		return
	}
	if err := d.tellOwner(ctx, "store", r.Text); err != nil {
		d.log.Error("the owner was not told of the store's damage", "error", err)
	}
}

// tellOwner publishes under the center's own connection.
func (d *Daemon) tellOwner(ctx context.Context, key, text string) error {
	if _, ok := d.Center.Connection(systemConnection); !ok {
		_, err := d.Center.Do(ctx, notify.Owner, notify.CreateConnection{ID: systemConnection, Label: "Signalbox"})
		if err != nil {
			return err
		}
	}
	_, err := d.Center.Do(ctx, notify.Owner, notify.Publish{Connection: systemConnection, Key: key, Content: notify.Content{
		Kind: notify.KindStatus, Severity: notify.SeverityError, Title: "The notification store was damaged", Body: text,
	}})
	return err
}
