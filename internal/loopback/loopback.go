// Package loopback makes the HTTP clients by which the center calls addresses that others named: agents their callbacks and
// lists, the owner webhooks.
//
// It owns where such a call may go. It promises that a client connects to this machine only, whatever a name resolves to,
// unless its owner allowed others at that moment; that it follows no redirect and uses no proxy; and that every call ends
// within its limit. It retries nothing.
package loopback

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// ErrRemote is why an address outside this machine is not called.
var ErrRemote = errors.New("the address is not on this machine, and no other is allowed")

// maxHeader bounds the headers of an answer, in bytes.
const maxHeader = 16 << 10

// NewClient returns a client whose calls take limit at most. remote says whether an address outside this machine may be
// called; it is asked for every call, because no connection is kept from one to the next.
func NewClient(limit time.Duration, remote func() bool) *http.Client {
	dialer := net.Dialer{Timeout: limit, Control: func(_, address string, _ syscall.RawConn) error { return check(address, remote) }}
	return &http.Client{
		Timeout: limit,
		Transport: &http.Transport{
			DialContext:            dialer.DialContext,
			DisableKeepAlives:      true,
			DisableCompression:     true,
			MaxResponseHeaderBytes: maxHeader,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// check is asked of the address that is about to be dialled, so that no name can say one thing first and another later.
func check(address string, remote func() bool) error {
	ap, err := netip.ParseAddrPort(address)
	if (err != nil || !ap.Addr().Unmap().IsLoopback()) && !remote() {
		return ErrRemote
	}
	return nil
}
