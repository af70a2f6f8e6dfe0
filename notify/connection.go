package notify

import (
	"bytes"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// createConnection registers an agent server.
func (d *decider) createConnection(op CreateConnection) (Result, error) {
	if err := d.ownerOnly(); err != nil {
		return Result{}, err
	}
	k := checker{rules: d.rules, at: d.at}
	k.line("/label", &op.Label, MaxLabel, true)
	k.color("/color", op.Color)
	if op.ID != "" && !connectionID(op.ID) {
		k.bad("/id", "must be 1 to 64 letters, digits, ., _ or -, beginning with a letter or digit")
	}
	if err := k.err(); err != nil {
		return Result{}, err
	}
	if op.ID == "" {
		op.ID = d.freeID(op.Label)
	} else if c, ok := d.s.Connection(op.ID); ok {
		if len(c.TokenHash) > 0 || c.Revoked {
			return Result{}, Invalid("/id", "is taken")
		}
		return d.adopt(c, op)
	}
	c := &Connection{ID: op.ID, Label: op.Label, Color: op.Color, TokenHash: bytes.Clone(op.TokenHash), Open: true, CreatedAt: d.at}
	d.emit(Change{Name: EvConnection, Connection: c})
	return Result{Verdict: Created, Connection: c}, nil
}

// adopt registers a connection that was known only by the records imported for it.
func (d *decider) adopt(c *Connection, op CreateConnection) (Result, error) {
	next := *c
	next.Label, next.Color, next.TokenHash, next.Open = op.Label, op.Color, bytes.Clone(op.TokenHash), true
	d.emit(Change{Name: EvConnection, Connection: &next})
	return Result{Verdict: Created, Connection: &next}, nil
}

func connectionID(s string) bool { return word(strings.ToLower(s), 64) }

// freeID derives an id from a label.
func (d *decider) freeID(label string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(label) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	base := strings.Trim(b.String()[:min(b.Len(), 40)], "-")
	if base == "" {
		base = "connection"
	}
	for n := 1; ; n++ {
		id := base
		if n > 1 {
			id += "-" + strconv.Itoa(n)
		}
		if _, taken := d.s.Connection(id); !taken {
			return id
		}
	}
}

// updateConnection changes what the owner decides about a connection.
func (d *decider) updateConnection(op UpdateConnection) (Result, error) {
	if err := d.ownerOnly(); err != nil {
		return Result{}, err
	}
	k := checker{rules: d.rules, at: d.at}
	label := k.given("/label", op.Label, MaxLabel)
	if label != nil && *label == "" {
		k.bad("/label", "is required")
	}
	if op.Color != nil {
		k.color("/color", *op.Color)
	}
	if op.KeepAge != nil && (*op.KeepAge < 0 || *op.KeepAge > MaxTTL) {
		k.bad("/retention/max_age_seconds", "must be 0 to a hundred years")
	}
	if op.KeepCount != nil && *op.KeepCount < 0 {
		k.bad("/retention/max_count", "must be 0 or more")
	}
	if err := k.err(); err != nil {
		return Result{}, err
	}
	return d.changeConnection(op.ID, func(c *Connection) {
		assign(&c.Label, label)
		c.OwnLabel = c.OwnLabel || label != nil
		assign(&c.Color, op.Color)
		assign(&c.Open, op.Open)
		assign(&c.KeepAge, op.KeepAge)
		assign(&c.KeepCount, op.KeepCount)
	})
}

// changeConnection emits a changed copy of a connection, unless nothing changed.
func (d *decider) changeConnection(id string, change func(*Connection)) (Result, error) {
	c, ok := d.s.Connection(id)
	if !ok {
		return Result{}, Errorf(CodeNotFound, "There is no such connection.")
	}
	next := *c
	change(&next)
	if sameConnection(&next, c) {
		return Result{Verdict: Unchanged, Connection: c}, nil
	}
	d.emit(Change{Name: EvConnection, Connection: &next})
	return Result{Verdict: Updated, Connection: &next}, nil
}

func sameConnection(a, b *Connection) bool {
	x, y := *a, *b
	x.TokenHash, y.TokenHash = nil, nil
	x.SeenAt, y.SeenAt = zeroTime, zeroTime
	x.CreatedAt, y.CreatedAt = zeroTime, zeroTime
	return bytes.Equal(a.TokenHash, b.TokenHash) && a.SeenAt.Equal(b.SeenAt) && x.equal(&y)
}

func (c *Connection) equal(o *Connection) bool {
	return c.ID == o.ID && c.Label == o.Label && c.OwnLabel == o.OwnLabel && c.Color == o.Color && c.Open == o.Open && c.Revoked == o.Revoked &&
		c.Lifetime == o.Lifetime && c.Streams == o.Streams && c.Streaming == o.Streaming && c.Away == o.Away && c.Purging == o.Purging &&
		c.SessionsURL == o.SessionsURL && c.ActionsURL == o.ActionsURL && c.CallbackURL == o.CallbackURL &&
		c.KeepAge == o.KeepAge && c.KeepCount == o.KeepCount
}

// revokeConnection voids the token. What the connection left can be dismissed from now on (D7).
func (d *decider) revokeConnection(op RevokeConnection) (Result, error) {
	if err := d.ownerOnly(); err != nil {
		return Result{}, err
	}
	return d.changeConnection(op.ID, func(c *Connection) {
		c.TokenHash, c.Revoked, c.Streaming, c.Streams = nil, true, false, 0
		if op.Purge {
			c.Purging, c.Open = true, false
		}
	})
}

// removeConnection removes what is left of a purged connection.
func (d *decider) removeConnection(op RemoveConnection) (Result, error) {
	if err := d.ownerOnly(); err != nil {
		return Result{}, err
	}
	c, ok := d.s.Connection(op.ID)
	switch {
	case !ok:
		return Result{Verdict: Unchanged}, nil
	case !c.Purging:
		return Result{}, Errorf(CodeForbidden, "Only a connection that is being purged can be removed.")
	}
	for range d.s.Pending(SessionRef{Connection: op.ID}) {
		return Result{}, Errorf(CodeUnavailable, "The connection still has records.")
	}
	var sessions []*Session
	for s := range d.s.Sessions(op.ID) {
		sessions = append(sessions, s)
	}
	var stale []*Invalidation
	for i := range d.s.Invalidations(op.ID) {
		stale = append(stale, i)
	}
	for _, s := range sessions {
		next := *s
		next.Ended = true
		d.emit(Change{Name: EvSession, Session: &next, Removed: true})
	}
	for _, i := range stale {
		next := *i
		d.emit(Change{Name: EvInvalidation, Invalidation: &next, Removed: true})
	}
	if s := d.s.Settings(); s.Focus.Connection == op.ID {
		s.Focus = SessionRef{}
		d.emit(Change{Name: EvAttention, Settings: &s})
	}
	next := *c
	d.emit(Change{Name: EvConnection, Connection: &next, Removed: true})
	return Result{Verdict: Updated, Connection: &next}, nil
}

// rotateToken replaces the token; a revoked connection is back with it.
func (d *decider) rotateToken(op RotateToken) (Result, error) {
	if err := d.ownerOnly(); err != nil {
		return Result{}, err
	}
	if len(op.TokenHash) == 0 {
		return Result{}, Errorf(CodeInternal, "The new token is missing.")
	}
	if err := d.stays(op.ID); err != nil {
		return Result{}, err
	}
	return d.changeConnection(op.ID, func(c *Connection) {
		c.TokenHash, c.Revoked = bytes.Clone(op.TokenHash), false
	})
}

// hello announces a run of the hosting process: presence, and the end of what was bound to an
// earlier one (R3).
func (d *decider) hello(op Hello) (Result, error) {
	if op.Connection == "" {
		op.Connection = d.by.Connection
	}
	if err := d.mayWrite(op.Connection); err != nil {
		return Result{}, err
	}
	k := checker{rules: d.rules, at: d.at}
	k.name("/lifetime", op.Lifetime, true)
	label := k.given("/label", op.Label, MaxLabel)
	k.endpoint("/sessions_url", op.SessionsURL)
	k.endpoint("/actions_url", op.ActionsURL)
	k.endpoint("/callback_url", op.CallbackURL)
	if err := k.err(); err != nil {
		return Result{}, err
	}
	c, _ := d.s.Connection(op.Connection)
	n := 0
	if c.Lifetime != "" && c.Lifetime != op.Lifetime {
		for _, r := range d.collect(SessionRef{Connection: op.Connection}, func(r *Record) bool {
			return r.Retention.Policy == ServerLifetime
		}) {
			if r = d.settle(r); r.Status == Pending {
				d.endExpired(r, "its server was started anew")
				n++
			}
		}
	}
	next := *c
	next.Lifetime, next.SeenAt, next.Away = op.Lifetime, d.at, false
	if label != nil && *label != "" && !c.OwnLabel {
		next.Label = *label
	}
	assign(&next.SessionsURL, op.SessionsURL)
	assign(&next.ActionsURL, op.ActionsURL)
	assign(&next.CallbackURL, op.CallbackURL)
	d.emit(Change{Name: EvConnection, Connection: &next})
	return Result{Verdict: Updated, Connection: &next, Count: n}, nil
}

// endpoint validates an address that the center itself will call: http or https, and on the loopback
// unless the owner allowed others.
func (k *checker) endpoint(field string, s *string) {
	if s == nil || *s == "" {
		return
	}
	u, err := url.Parse(*s)
	switch {
	case len(*s) > MaxURL || err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || hasControl(*s):
		k.bad(field, "must be an absolute http or https URL without a user")
	case !k.rules.AllowRemoteURLs && !Loopback(u.Hostname()):
		k.bad(field, "must be on this machine: localhost or a loopback address")
	}
}

// Loopback reports whether a host of an address is reachable from this machine only: localhost, or a loopback address. The
// empty host is all addresses of the machine.
func Loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}

// setPresence records how many streams are open.
func (d *decider) setPresence(op SetPresence) (Result, error) {
	if err := d.ownerOnly(); err != nil {
		return Result{}, err
	}
	return d.changeConnection(op.Connection, func(c *Connection) {
		if c.Revoked {
			op.Streams = 0
		}
		if c.Streams == op.Streams && c.Streaming == (op.Streams > 0) {
			return
		}
		c.Streams, c.Streaming = max(op.Streams, 0), op.Streams > 0
		if !c.Revoked {
			c.SeenAt, c.Away = d.at, false
		}
	})
}

// touch notes that the connection is there, not more often than presence needs it.
func (d *decider) touch(connection string) {
	if d.by.Connection != connection {
		return
	}
	c, ok := d.s.Connection(connection)
	if !ok || c.Revoked || !c.Away && d.at.Sub(c.SeenAt).Abs() < OnlineFor/2 {
		return
	}
	next := *c
	next.SeenAt, next.Away = d.at, false
	d.emit(Change{Name: EvConnection, Connection: &next})
}

// invalidate turns the refresh request of a revision into invalidations (E1, E2).
func (d *decider) invalidate(r *Record) {
	if r.Refresh == nil || r.Status.Terminal() {
		return
	}
	for _, s := range r.Refresh.Sessions {
		d.invalid(r.Connection, InvalidSession, s)
	}
	if r.Refresh.SessionList {
		d.invalid(r.Connection, InvalidSessionList, "")
	}
	if r.Refresh.Actions {
		d.invalid(r.Connection, InvalidActions, "")
	}
}

// invalid asks for one thing to be reloaded. Its id is derived from what it names, so that requests
// for the same thing coalesce.
func (d *decider) invalid(connection string, kind InvalidationKind, session string) {
	id := string(kind)
	if session != "" {
		id += ":" + session
	}
	d.emit(Change{Name: EvInvalidation, Invalidation: &Invalidation{ID: id, Connection: connection, Kind: kind, Session: session, At: d.at}})
}

// ackInvalidations removes what was reloaded, unless it was asked for again since (E2).
func (d *decider) ackInvalidations(op AckInvalidations) (Result, error) {
	if op.Connection == "" {
		op.Connection = d.by.Connection
	}
	if err := d.mayWrite(op.Connection); err != nil {
		return Result{}, err
	}
	if len(op.IDs) > MaxBatch {
		return Result{}, Invalid("/ids", "must be at most %d", MaxBatch)
	}
	n := 0
	for _, id := range op.IDs {
		i, ok := d.s.Invalidation(op.Connection, id)
		if !ok || op.Through > 0 && i.Change > op.Through {
			continue
		}
		gone := *i
		d.emit(Change{Name: EvInvalidation, Invalidation: &gone, Removed: true})
		n++
	}
	return Result{Verdict: verdictOf(n), Count: n}, nil
}
