// Package retention forgets what has been kept long enough (R4).
//
// It owns the policy as a pure plan (which records go, oldest first, given what there is and an
// instant) and the runner that carries it out in small batches beside live traffic. It promises that a
// pending record never goes, except one whose TTL passed longer ago than the whole retention period,
// and that a run which stops half way leaves nothing half done. It never deletes by itself: every
// removal is a command to the center, which expires first what is still pending.
package retention
