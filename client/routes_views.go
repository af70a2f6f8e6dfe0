package client

import (
	"context"
	"io"
	"net/http"
	"net/url"

	"signalbox/bridge/wire"
)

// Sessions lists the sessions of a connection.
func (c *Client) Sessions(ctx context.Context, connection string) ([]wire.Session, error) {
	var out wire.Sessions
	err := c.get(ctx, wire.Path(wire.PathSessions, connection), nil, &out)
	return out.Sessions, err
}

// PutSession makes or changes a session; what is nil stays.
func (c *Client) PutSession(ctx context.Context, connection, session string, in wire.SessionPut) (out wire.Session, err error) {
	return out, c.put(ctx, wire.Path(wire.PathSession, connection, session), in, &out)
}

// EndSession ends a session and what it left open.
func (c *Client) EndSession(ctx context.Context, connection, session string) error {
	return c.do(ctx, call{method: http.MethodDelete, path: wire.Path(wire.PathSession, connection, session)}, nil)
}

// SeeSession says how far a session was seen.
func (c *Client) SeeSession(ctx context.Context, connection, session string, sequence int64) (out wire.Session, err error) {
	return out, c.do(ctx, call{method: http.MethodPost, path: wire.Path(wire.PathSessionSeen, connection, session), body: wire.Seen{Sequence: sequence}, sure: true}, &out)
}

// Invalidations lists what is to be loaded again.
func (c *Client) Invalidations(ctx context.Context, connection string) ([]wire.Invalidation, error) {
	var out wire.Invalidations
	err := c.get(ctx, wire.Path(wire.PathInvalidations, connection), nil, &out)
	return out.Invalidations, err
}

// AckInvalidations says what was loaded again, and returns what is left.
func (c *Client) AckInvalidations(ctx context.Context, connection string, ids ...string) ([]wire.Invalidation, error) {
	var out wire.Invalidations
	err := c.do(ctx, call{method: http.MethodPost, path: wire.Path(wire.PathInvalidationsAck, connection), body: wire.Acknowledge{IDs: ids}, sure: true}, &out)
	return out.Invalidations, err
}

// Rail is what a fresh view presents now. The rest of this file is the owner's.
func (c *Client) Rail(ctx context.Context) (out wire.Rail, err error) {
	return out, c.get(ctx, wire.PathRail, nil, &out)
}

// RailOf is the rail as it would be with another session active.
func (c *Client) RailOf(ctx context.Context, focus wire.Focus) (out wire.Rail, err error) {
	return out, c.get(ctx, wire.PathRail, url.Values{"connection": {focus.Connection}, "session": {focus.Session}}, &out)
}

// Focus returns the active session.
func (c *Client) Focus(ctx context.Context) (out wire.Focus, err error) {
	return out, c.get(ctx, wire.PathFocus, nil, &out)
}

// SetFocus names the active session, or none.
func (c *Client) SetFocus(ctx context.Context, focus wire.Focus) error {
	return c.put(ctx, wire.PathFocus, focus, nil)
}

// Attention returns the counts of everything that asks for attention.
func (c *Client) Attention(ctx context.Context) (out wire.Attention, err error) {
	return out, c.get(ctx, wire.PathAttention, nil, &out)
}

// Show shows the window. It is unavailable where the center has no desktop.
func (c *Client) Show(ctx context.Context, in wire.Show) error {
	return c.do(ctx, call{method: http.MethodPost, path: wire.PathShow, body: in, sure: true}, nil)
}

// Subscriptions lists what each provider announces.
func (c *Client) Subscriptions(ctx context.Context) ([]wire.Subscription, error) {
	var out wire.Subscriptions
	err := c.get(ctx, wire.PathSubscriptions, nil, &out)
	return out.Subscriptions, err
}

// SetSubscriptions replaces them.
func (c *Client) SetSubscriptions(ctx context.Context, in []wire.Subscription) error {
	return c.put(ctx, wire.PathSubscriptions, wire.Subscriptions{Subscriptions: in}, nil)
}

// Rules lists the rules, in order.
func (c *Client) Rules(ctx context.Context) ([]wire.Rule, error) {
	var out wire.Rules
	err := c.get(ctx, wire.PathRules, nil, &out)
	return out.Rules, err
}

// SetRules replaces them.
func (c *Client) SetRules(ctx context.Context, in []wire.Rule) error {
	return c.put(ctx, wire.PathRules, wire.Rules{Rules: in}, nil)
}

// SetDoNotDisturb holds announcements back until an instant; zero: no longer.
func (c *Client) SetDoNotDisturb(ctx context.Context, in wire.DoNotDisturb) error {
	return c.put(ctx, wire.PathDoNotDisturb, in, nil)
}

// TestProvider tries a provider.
func (c *Client) TestProvider(ctx context.Context, provider string) (out wire.Delivery, err error) {
	return out, c.post(ctx, wire.Path(wire.PathProviderTest, provider), nil, &out)
}

// Deliveries lists announcements, newest first; empty arguments: of any.
func (c *Client) Deliveries(ctx context.Context, provider, notification string) ([]wire.Delivery, error) {
	q := url.Values{}
	if provider != "" {
		q.Set("provider", provider)
	}
	if notification != "" {
		q.Set("notification", notification)
	}
	var out wire.Deliveries
	err := c.get(ctx, wire.PathDeliveries, q, &out)
	return out.Deliveries, err
}

// Import stores records from elsewhere as they are, all or none, and returns how
// many are new. At most 500 records and 1 MiB go at once.
func (c *Client) Import(ctx context.Context, records []wire.Notification) (int, error) {
	var out wire.Imported
	err := c.post(ctx, wire.PathImport, wire.Import{Records: records}, &out)
	return out.Imported, err
}

// Backup writes a snapshot of everything to w. After an error what was written
// is not whole.
func (c *Client) Backup(ctx context.Context, w io.Writer) error {
	resp, err := c.send(ctx, call{method: http.MethodGet, path: wire.PathBackup, sure: true})
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(w, resp.Body); err != nil {
		return &unreachable{err}
	}
	return nil
}
