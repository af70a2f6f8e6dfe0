package bridge

import (
	"net/http"

	"signalbox/bridge/wire"
	"signalbox/notify"
)

func (s *Server) createConnection(w http.ResponseWriter, r *http.Request) error {
	var in wire.ConnectionCreate
	if _, err := decode(w, r, &in); err != nil {
		return err
	}
	token := NewToken()
	res, err := s.do(r, notify.CreateConnection{ID: in.ID, Label: in.Label, Color: in.Color, TokenHash: HashToken(token)})
	if err != nil {
		return err
	}
	return write(w, http.StatusCreated, wire.ConnectionCreated{Connection: s.connectionOf(res.Connection), Token: token})
}

func (s *Server) listConnections(w http.ResponseWriter, _ *http.Request) error {
	out := wire.Connections{Connections: []wire.Connection{}}
	for _, c := range s.cfg.Center.Connections() {
		out.Connections = append(out.Connections, toConnection(c))
	}
	return write(w, http.StatusOK, out)
}

func (s *Server) getConnection(w http.ResponseWriter, r *http.Request) error {
	c, ok := s.cfg.Center.Connection(r.PathValue("connection"))
	if !ok {
		return missing("connection")
	}
	return write(w, http.StatusOK, toConnection(c))
}

func (s *Server) patchConnection(w http.ResponseWriter, r *http.Request) error {
	var in wire.ConnectionPatch
	if _, err := decode(w, r, &in); err != nil {
		return err
	}
	op := notify.UpdateConnection{ID: r.PathValue("connection")}
	if in.Label.Set {
		op.Label = &in.Label.Value
	}
	if in.Color.Set {
		op.Color = &in.Color.Value
	}
	if in.Open.Set {
		if in.Open.Null {
			return notify.Invalid("/open", "want true or false")
		}
		op.Open = &in.Open.Value
	}
	if in.Retention.Set {
		// null is the center's own retention again.
		age, count := seconds(in.Retention.Value.MaxAgeSeconds), in.Retention.Value.MaxCount
		switch {
		case age < 0:
			return notify.Invalid("/retention/max_age_seconds", "want 0 (no limit of its own) or more")
		case count < 0:
			return notify.Invalid("/retention/max_count", "want 0 (no limit of its own) or more")
		}
		op.KeepAge, op.KeepCount = &age, &count
	}
	res, err := s.do(r, op)
	if err != nil {
		return err
	}
	return write(w, http.StatusOK, s.connectionOf(res.Connection))
}

func (s *Server) deleteConnection(w http.ResponseWriter, r *http.Request) error {
	purge, err := queryBool(r, "purge")
	if err != nil {
		return err
	}
	id := r.PathValue("connection")
	if _, err := s.do(r, notify.RevokeConnection{ID: id, Purge: purge != nil && *purge}); err != nil {
		return err
	}
	s.limits.forget(id)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *Server) rotateToken(w http.ResponseWriter, r *http.Request) error {
	token := NewToken()
	if _, err := s.do(r, notify.RotateToken{ID: r.PathValue("connection"), TokenHash: HashToken(token)}); err != nil {
		return err
	}
	return write(w, http.StatusOK, wire.Token{Token: token})
}

func (s *Server) hello(w http.ResponseWriter, r *http.Request) error {
	var in wire.Hello
	if _, err := decode(w, r, &in); err != nil {
		return err
	}
	op := notify.Hello{
		Connection:  r.PathValue("connection"),
		Lifetime:    in.Lifetime,
		Label:       &in.Label,
		SessionsURL: in.SessionsURL,
		ActionsURL:  in.ActionsURL,
		CallbackURL: in.CallbackURL,
	}
	res, err := s.do(r, op)
	if err != nil {
		return err
	}
	return write(w, http.StatusOK, wire.HelloResult{Connection: s.connectionOf(res.Connection), Expired: res.Count})
}

// connectionOf tells a connection that a command returned, with its counts.
func (s *Server) connectionOf(c *notify.Connection) wire.Connection {
	v, ok := s.cfg.Center.Connection(c.ID)
	if !ok {
		v.Presence = c.PresenceAt(s.now())
	}
	v.Connection = c
	return toConnection(v)
}

func (s *Server) listSessions(w http.ResponseWriter, r *http.Request) error {
	out := wire.Sessions{Sessions: []wire.Session{}}
	for _, v := range s.cfg.Center.Sessions(r.PathValue("connection")) {
		out.Sessions = append(out.Sessions, toSession(v))
	}
	return write(w, http.StatusOK, out)
}

func (s *Server) putSession(w http.ResponseWriter, r *http.Request) error {
	var in wire.SessionPut
	if _, err := decode(w, r, &in); err != nil {
		return err
	}
	ref := sessionRef(r)
	res, err := s.do(r, notify.PutSession{
		Connection: ref.Connection, Session: ref.Session, Title: in.Title, URL: in.URL, State: in.State, Sequence: in.Sequence,
	})
	if err != nil {
		return err
	}
	status := http.StatusOK
	if res.SessionNew {
		status = http.StatusCreated
	}
	return write(w, status, s.sessionOf(res.Session))
}

func (s *Server) endSession(w http.ResponseWriter, r *http.Request) error {
	ref := sessionRef(r)
	if _, err := s.do(r, notify.EndSession{Connection: ref.Connection, Session: ref.Session}); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *Server) seeSession(w http.ResponseWriter, r *http.Request) error {
	var in wire.Seen
	if _, err := decode(w, r, &in); err != nil {
		return err
	}
	ref := sessionRef(r)
	// The owner saw it, whether in our window or in the connection's own.
	res, err := s.cfg.Center.Do(r.Context(), notify.Owner, notify.SeeSession{Connection: ref.Connection, Session: ref.Session, Sequence: in.Sequence})
	if err != nil {
		return err
	}
	return write(w, http.StatusOK, s.sessionOf(res.Session))
}

func sessionRef(r *http.Request) notify.SessionRef {
	return notify.SessionRef{Connection: r.PathValue("connection"), Session: r.PathValue("session")}
}

// sessionOf tells a session that a command returned, with what is derived.
func (s *Server) sessionOf(session *notify.Session) wire.Session {
	v, _ := s.session(session.Ref())
	v.Session = session
	return toSession(v)
}

func (s *Server) listInvalidations(w http.ResponseWriter, r *http.Request) error {
	return write(w, http.StatusOK, s.invalidationsOf(r.PathValue("connection")))
}

func (s *Server) invalidationsOf(connection string) wire.Invalidations {
	out := wire.Invalidations{Invalidations: []wire.Invalidation{}}
	for _, i := range s.cfg.Center.Invalidations(connection) {
		out.Invalidations = append(out.Invalidations, toInvalidation(i))
	}
	return out
}

func (s *Server) ackInvalidations(w http.ResponseWriter, r *http.Request) error {
	var in wire.Acknowledge
	if _, err := decode(w, r, &in); err != nil {
		return err
	}
	id := r.PathValue("connection")
	if _, err := s.do(r, notify.AckInvalidations{Connection: id, IDs: in.IDs}); err != nil {
		return err
	}
	return write(w, http.StatusOK, s.invalidationsOf(id))
}
