package ui

import (
	"context"

	"signalbox/notify"
)

// lineTo is a center as the windows have it: behind a line, which a test can cut.
type lineTo struct {
	*fake
	end error // why the line does not answer; nil: it does
}

// cut makes the line silent; nil: it speaks again.
func (d *desk) cut(err error) {
	l := d.u.port.(*lineTo)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.end = err
}

func (l *lineTo) down() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.end
}

func over[T any](l *lineTo, read func() T) (v T, err error) {
	if err = l.down(); err == nil {
		v = read()
	}
	return v, err
}

func (l *lineTo) Do(ctx context.Context, by notify.Actor, op notify.Op) (notify.Result, error) {
	if err := l.down(); err != nil {
		return notify.Result{}, err
	}
	return l.fake.Do(ctx, by, op)
}

func (l *lineTo) Rail(_ context.Context, focus notify.SessionRef) (notify.Rail, error) {
	return over(l, func() notify.Rail { return l.fake.Rail(focus) })
}

func (l *lineTo) Attention(context.Context) (notify.Attention, error) {
	return over(l, l.fake.Attention)
}

func (l *lineTo) Connections(context.Context) ([]notify.ConnectionView, error) {
	return over(l, l.fake.Connections)
}

func (l *lineTo) Sessions(_ context.Context, connection string) ([]notify.SessionView, error) {
	return over(l, func() []notify.SessionView { return l.fake.Sessions(connection) })
}

func (l *lineTo) Settings(context.Context) (notify.Settings, error) { return over(l, l.fake.Settings) }
