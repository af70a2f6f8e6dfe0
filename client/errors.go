package client

import (
	"errors"

	"signalbox/bridge/wire"
)

var (
	// ErrUnreachable says that no center answers, or that what answers is not
	// the center. The cause is wrapped beside it.
	ErrUnreachable = errors.New("the center cannot be reached")
	// ErrNoToken says that an address was given but no token for it.
	ErrNoToken = errors.New("no token: set " + EnvToken)
	// errImpostor is why a token was not shown.
	errImpostor = errors.New("what answers there is not the center that wrote " + wire.BridgeFile)
)

// Code returns the code of a refusal by the center; "" for any other error.
func Code(err error) string {
	var p *wire.Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return ""
}

// Passing says of a refusal by the center that the same may be accepted later.
func Passing(err error) bool {
	var p *wire.Problem
	if !errors.As(err, &p) {
		return false
	}
	switch p.Code {
	case wire.CodeRateLimited, wire.CodeStorageFull, wire.CodeUnavailable:
		return true
	}
	return p.Status >= 500
}

// unreachable is ErrUnreachable with its cause.
type unreachable struct{ cause error }

func (u *unreachable) Error() string   { return ErrUnreachable.Error() + ": " + u.cause.Error() }
func (u *unreachable) Unwrap() []error { return []error{ErrUnreachable, u.cause} }
