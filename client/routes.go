package client

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"signalbox/bridge/wire"
)

// Health asks whether the center answers. It shows no more than the token that
// every request shows.
func (c *Client) Health(ctx context.Context) (out wire.Health, err error) {
	return out, c.get(ctx, wire.PathHealth, nil, &out)
}

// CreateConnection makes a connection; its token is told this once. Owner only.
func (c *Client) CreateConnection(ctx context.Context, in wire.ConnectionCreate) (out wire.ConnectionCreated, err error) {
	return out, c.post(ctx, wire.PathConnections, in, &out)
}

// Connections lists all connections. Owner only.
func (c *Client) Connections(ctx context.Context) ([]wire.Connection, error) {
	var out wire.Connections
	err := c.get(ctx, wire.PathConnections, nil, &out)
	return out.Connections, err
}

// Connection returns one connection.
func (c *Client) Connection(ctx context.Context, connection string) (out wire.Connection, err error) {
	return out, c.get(ctx, wire.Path(wire.PathConnection, connection), nil, &out)
}

// PatchConnection changes one. Owner only.
func (c *Client) PatchConnection(ctx context.Context, connection string, in wire.ConnectionPatch) (out wire.Connection, err error) {
	return out, c.do(ctx, call{method: http.MethodPatch, path: wire.Path(wire.PathConnection, connection), body: in, sure: true}, &out)
}

// DeleteConnection revokes one and, with purge, removes its records. Owner only.
func (c *Client) DeleteConnection(ctx context.Context, connection string, purge bool) error {
	var query url.Values
	if purge {
		query = url.Values{"purge": {"true"}}
	}
	return c.do(ctx, call{method: http.MethodDelete, path: wire.Path(wire.PathConnection, connection), query: query}, nil)
}

// RotateToken replaces the token of a connection and returns the new one. Owner only.
func (c *Client) RotateToken(ctx context.Context, connection string) (string, error) {
	var out wire.Token
	err := c.post(ctx, wire.Path(wire.PathConnectionToken, connection), nil, &out)
	return out.Token, err
}

// Hello announces a run of the hosting process. Repeating it changes nothing.
func (c *Client) Hello(ctx context.Context, connection string, in wire.Hello) (out wire.HelloResult, err error) {
	return out, c.do(ctx, call{method: http.MethodPost, path: wire.Path(wire.PathHello, connection), body: in, sure: true}, &out)
}

// Publish publishes once: it carries an idempotency key of its own, so that it
// can be sent again safely when the connection broke.
func (c *Client) Publish(ctx context.Context, connection string, p wire.Publish) (wire.PublishResult, error) {
	return c.PublishOnce(ctx, connection, NewKey(), p)
}

// NewKey returns a random idempotency key.
func NewKey() string {
	b := make([]byte, 16)
	rand.Read(b) // never fails: the runtime ends the process first
	return hex.EncodeToString(b)
}

// PublishOnce publishes under an idempotency key: however often it is called
// with the same key and content, it happens once.
func (c *Client) PublishOnce(ctx context.Context, connection, key string, p wire.Publish) (out wire.PublishResult, err error) {
	return out, c.do(ctx, call{
		method: http.MethodPost, path: wire.Path(wire.PathPublish, connection), body: p, sure: true,
		header: http.Header{wire.IdempotencyKey: {key}},
	}, &out)
}

// Batch makes several changes, all or none, and returns a result for each. A refusal names the operation.
func (c *Client) Batch(ctx context.Context, connection string, b wire.Batch) ([]wire.OperationResult, error) {
	var out wire.BatchResult
	err := c.post(ctx, wire.Path(wire.PathBatch, connection), b, &out)
	return out.Results, err
}

// ResolveKey resolves the pending occurrence of a key; session is empty for
// application scope. It is not_found when none is pending.
func (c *Client) ResolveKey(ctx context.Context, connection, session, key string, in wire.Ending) (out wire.Notification, err error) {
	return out, c.do(ctx, call{method: http.MethodPost, path: wire.Path(wire.PathKeyResolve, connection, key), query: inSession(session), body: in}, &out)
}

// ExpireKey expires the pending occurrence of a key, as ResolveKey does.
func (c *Client) ExpireKey(ctx context.Context, connection, session, key string, in wire.Ending) (out wire.Notification, err error) {
	return out, c.do(ctx, call{method: http.MethodPost, path: wire.Path(wire.PathKeyExpire, connection, key), query: inSession(session), body: in}, &out)
}

func inSession(session string) url.Values {
	if session == "" {
		return nil
	}
	return url.Values{"session": {session}}
}

// CompleteRequest ends what belongs to a request and returns how many that were.
func (c *Client) CompleteRequest(ctx context.Context, connection, request string) (int, error) {
	var out wire.Completed
	err := c.do(ctx, call{method: http.MethodPost, path: wire.Path(wire.PathRequestComplete, connection, request), sure: true}, &out)
	return out.Expired, err
}

// Query selects notifications. Values of one field are alternatives.
type Query struct {
	Connections, Scopes, Sessions, Statuses, Severities, Kinds, Tags, Events []string

	Text          string
	Since, Until  time.Time // by updated_at; zero: no bound
	Read          *bool     // nil: either
	IncludeSilent bool
	Limit         int // 0: 50
	Cursor        string
}

// List returns one page, newest first. Go on with Query.Cursor set to its NextCursor.
func (c *Client) List(ctx context.Context, q Query) (out wire.Page, err error) {
	v := url.Values{}
	for name, values := range map[string][]string{
		"connection": q.Connections, "scope": q.Scopes, "session": q.Sessions, "status": q.Statuses,
		"severity": q.Severities, "kind": q.Kinds, "tag": q.Tags, "event": q.Events,
	} {
		if len(values) > 0 {
			v[name] = values
		}
	}
	for name, text := range map[string]string{
		"q": q.Text, "since": wire.At(q.Since).String(), "until": wire.At(q.Until).String(), "cursor": q.Cursor,
	} {
		if text != "" {
			v.Set(name, text)
		}
	}
	if q.Read != nil {
		v.Set("read", strconv.FormatBool(*q.Read))
	}
	if q.IncludeSilent {
		v.Set("include_silent", "true")
	}
	if q.Limit != 0 {
		v.Set("limit", strconv.Itoa(q.Limit))
	}
	return out, c.get(ctx, wire.PathNotifications, v, &out)
}

// Get returns one notification.
func (c *Client) Get(ctx context.Context, id string) (out wire.Notification, err error) {
	return out, c.get(ctx, wire.Path(wire.PathNotification, id), nil, &out)
}

// Wait returns the notification once it is of another revision than that or has
// ended, or after wait (at most 5 minutes) as it is.
func (c *Client) Wait(ctx context.Context, id string, sinceRevision int, wait time.Duration) (out wire.Notification, err error) {
	return out, c.get(ctx, wire.Path(wire.PathNotification, id), url.Values{
		"wait":           {strconv.FormatFloat(wait.Seconds(), 'f', -1, 64)},
		"since_revision": {strconv.Itoa(sinceRevision)},
	}, &out)
}

// Update changes the content of a pending notification.
func (c *Client) Update(ctx context.Context, id string, in wire.Changes) (out wire.Notification, err error) {
	return out, c.do(ctx, call{method: http.MethodPatch, path: wire.Path(wire.PathNotification, id), body: in}, &out)
}

// verb posts to a verb of a notification.
func (c *Client) verb(ctx context.Context, path, id string, body any) (out wire.Notification, err error) {
	return out, c.post(ctx, wire.Path(path, id), body, &out)
}

// Dismiss hides exactly that revision. Owner only. Repeating it changes nothing.
func (c *Client) Dismiss(ctx context.Context, id string, revision wire.Expected) (out wire.Notification, err error) {
	return out, c.do(ctx, call{method: http.MethodPost, path: wire.Path(wire.PathDismiss, id), body: wire.Ending{ExpectedRevision: revision}, sure: true}, &out)
}

// DismissMany dismisses several, each for itself. Owner only.
func (c *Client) DismissMany(ctx context.Context, items ...wire.DismissItem) ([]wire.DismissResult, error) {
	var out wire.DismissResults
	err := c.do(ctx, call{method: http.MethodPost, path: wire.PathDismissMany, body: wire.Dismiss{Items: items}, sure: true}, &out)
	return out.Results, err
}

// Resolve ends a notification: its reason is gone.
func (c *Client) Resolve(ctx context.Context, id string, in wire.Ending) (wire.Notification, error) {
	return c.verb(ctx, wire.PathResolve, id, in)
}

// Expire ends a notification: its time is over.
func (c *Client) Expire(ctx context.Context, id string, in wire.Ending) (wire.Notification, error) {
	return c.verb(ctx, wire.PathExpire, id, in)
}

// Answer answers an interaction. Owner only.
func (c *Client) Answer(ctx context.Context, id string, in wire.AnswerRequest) (wire.Notification, error) {
	return c.verb(ctx, wire.PathAnswer, id, in)
}

// Cancel withdraws an interaction.
func (c *Client) Cancel(ctx context.Context, id string, in wire.Ending) (wire.Notification, error) {
	return c.verb(ctx, wire.PathCancel, id, in)
}

// RejectAnswer refuses the answer that was given: it waits again.
func (c *Client) RejectAnswer(ctx context.Context, id, reason string) (wire.Notification, error) {
	return c.verb(ctx, wire.PathRejectAnswer, id, wire.Rejection{Reason: reason})
}

// Act sets an action off. Owner only.
func (c *Client) Act(ctx context.Context, id, action string, revision wire.Expected) (out wire.Notification, err error) {
	return out, c.post(ctx, wire.Path(wire.PathAction, id, action), wire.Ending{ExpectedRevision: revision}, &out)
}

// Read marks a notification read. Owner only, as the verbs that follow.
func (c *Client) Read(ctx context.Context, id string) (wire.Notification, error) {
	return c.verb(ctx, wire.PathRead, id, nil)
}

// Unread marks it unread.
func (c *Client) Unread(ctx context.Context, id string) (wire.Notification, error) {
	return c.verb(ctx, wire.PathUnread, id, nil)
}

// Mute mutes it.
func (c *Client) Mute(ctx context.Context, id string) (wire.Notification, error) {
	return c.verb(ctx, wire.PathMute, id, nil)
}

// Unmute unmutes it.
func (c *Client) Unmute(ctx context.Context, id string) (wire.Notification, error) {
	return c.verb(ctx, wire.PathUnmute, id, nil)
}

// Snooze mutes it until an instant, or for a time.
func (c *Client) Snooze(ctx context.Context, id string, in wire.Snooze) (wire.Notification, error) {
	return c.verb(ctx, wire.PathSnooze, id, in)
}

// Unsnooze brings it back now.
func (c *Client) Unsnooze(ctx context.Context, id string) (wire.Notification, error) {
	return c.verb(ctx, wire.PathUnsnooze, id, nil)
}

// SetAside takes an interaction from the front; it goes on waiting.
func (c *Client) SetAside(ctx context.Context, id string, d time.Duration) (wire.Notification, error) {
	return c.verb(ctx, wire.PathSetAside, id, wire.SetAside{Seconds: d.Seconds()})
}

// Trace says why a notification was announced or not. Owner only.
func (c *Client) Trace(ctx context.Context, id string) (out wire.Trace, err error) {
	return out, c.get(ctx, wire.Path(wire.PathTrace, id), nil, &out)
}
