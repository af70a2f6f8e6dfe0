package center

import "signalbox/notify"

// reads is what the live state finds in the storage. It remembers the first failure; what was decided
// meanwhile is void then. Its user holds the center's mu.
type reads struct {
	storage Storage
	off     bool // find nothing: only what is in memory is asked for
	err     error
}

var _ notify.Lookup = (*reads)(nil)

func (l *reads) skip() bool { return l.off || l.err != nil }

func (l *reads) keep(err error) error {
	if l.err == nil {
		l.err = err
	}
	return err
}

// Record finds any record.
func (l *reads) Record(id string) (*notify.Record, bool, error) {
	if l.skip() {
		return nil, false, nil
	}
	r, ok, err := l.storage.Record(id)
	return r, ok, l.keep(err)
}

// Slot finds the newest occurrence of a key.
func (l *reads) Slot(slot notify.Slot) (notify.Newest, bool, error) {
	if l.skip() {
		return notify.Newest{}, false, nil
	}
	n, ok, err := l.storage.Slot(slot)
	return n, ok, l.keep(err)
}

// Told finds the record of an event's occurrence.
func (l *reads) Told(ref notify.EventRef) (string, bool, error) {
	if l.skip() {
		return "", false, nil
	}
	id, ok, err := l.storage.Told(ref)
	return id, ok, l.keep(err)
}

// Receipt finds what a publication with an idempotency key did.
func (l *reads) Receipt(connection, key string) (*notify.Receipt, bool, error) {
	if l.skip() {
		return nil, false, nil
	}
	r, ok, err := l.storage.Receipt(connection, key)
	return r, ok, l.keep(err)
}
