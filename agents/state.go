package agents

import (
	"slices"
	"time"

	"signalbox/bridge/wire"
)

// StateAfter is what the session does after the operations that the plan made of known; empty: what it did before. A session
// waits by an item that was published: what was told of already says nothing new of it.
func (p *Plan) StateAfter(known []wire.Notification, ops []wire.Operation) string {
	told := slices.ContainsFunc(ops, func(op wire.Operation) bool { return op.Op != wire.OpResolve })
	switch {
	case len(p.Items) > 0 && !told && p.State == StateWaiting,
		len(p.Items) > 0 && !told && p.State == StateIdle && p.leavesWaiting(known, ops):
		return ""
	case p.State != "":
		return p.State
	case slices.ContainsFunc(ops, func(op wire.Operation) bool { return op.Op == wire.OpResolve }):
		return p.StateIfEnded
	}
	return ""
}

// Resumes reports whether a session that is said to wait does no more: a tool ran, and nothing that is known is asked. What
// it waited by was dismissed, or never told.
func (p *Plan) Resumes(known []wire.Notification, ops []wire.Operation) bool {
	asked := slices.ContainsFunc(known, func(n wire.Notification) bool { return ClassOf(n.Key).Waiting() && p.sameSession(&n) })
	return asked && p.StateIfEnded == StateWorking && !p.leavesWaiting(known, ops)
}

// leavesWaiting reports whether one of known waits for the owner also after ops.
func (p *Plan) leavesWaiting(known []wire.Notification, ops []wire.Operation) bool {
	return slices.ContainsFunc(known, func(n wire.Notification) bool {
		return n.Status == wire.StatusPending && ClassOf(n.Key).Waiting() && p.sameSession(&n) &&
			!slices.ContainsFunc(ops, func(op wire.Operation) bool { return op.Op == wire.OpResolve && op.ID == n.ID })
	})
}

// late is how long after its end an item still covers a notice that comes late: agents send theirs up to a minute after the
// fact.
const late = 2 * time.Minute

// NeedsPrompted reports whether Operations must know when the newest prompt came.
func (p *Plan) NeedsPrompted() bool {
	return slices.ContainsFunc(p.Items, func(it Item) bool { return len(it.Behind) > 0 && ClassOf(it.Publish.Key).Waiting() })
}

// stillCovers reports whether an item that ended is what a notice of a prompt speaks of: it ended a short while ago, and
// no prompt came since it was asked.
func (p *Plan) stillCovers(n *wire.Notification) bool {
	return p.At.Sub(n.EndedAt.Time) < late && n.CreatedAt.After(p.Prompted)
}
