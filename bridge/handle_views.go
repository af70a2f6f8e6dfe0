package bridge

import (
	"net/http"

	"signalbox/bridge/wire"
	"signalbox/notify"
)

func (s *Server) rail(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	active := s.cfg.Center.Settings().Focus
	if q.Has("session") || q.Has("connection") {
		asked := notify.SessionRef{Connection: q.Get("connection"), Session: q.Get("session")}
		if asked.Connection == "" && asked.Session != "" {
			asked.Connection = s.connectionOfSession(asked.Session, active.Connection)
		}
		active = asked
	}
	rail := s.cfg.Center.Rail(active)
	return write(w, http.StatusOK, wire.Rail{Application: toRecords(rail.Application), Session: toRecords(rail.Session)})
}

// connectionOfSession finds whose session it is. Ids are a connection's own, so
// two may have the same: the one in focus is meant first.
func (s *Server) connectionOfSession(session, focus string) string {
	if _, ok := s.session(notify.SessionRef{Connection: focus, Session: session}); ok {
		return focus
	}
	for _, c := range s.cfg.Center.Connections() {
		if _, ok := s.session(notify.SessionRef{Connection: c.ID, Session: session}); ok {
			return c.ID
		}
	}
	return focus
}

// session finds a session.
func (s *Server) session(ref notify.SessionRef) (notify.SessionView, bool) {
	for _, v := range s.cfg.Center.Sessions(ref.Connection) {
		if v.ID == ref.Session {
			return v, true
		}
	}
	return notify.SessionView{}, false
}

func (s *Server) getFocus(w http.ResponseWriter, _ *http.Request) error {
	f := s.cfg.Center.Settings().Focus
	return write(w, http.StatusOK, wire.Focus{Connection: f.Connection, Session: f.Session})
}

func (s *Server) putFocus(w http.ResponseWriter, r *http.Request) error {
	var in wire.Focus
	if _, err := decode(w, r, &in); err != nil {
		return err
	}
	if _, err := s.do(r, notify.SetFocus{Focus: notify.SessionRef{Connection: in.Connection, Session: in.Session}}); err != nil {
		return err
	}
	return s.getFocus(w, r)
}

func (s *Server) attention(w http.ResponseWriter, _ *http.Request) error {
	return write(w, http.StatusOK, toAttention(s.cfg.Center.Attention()))
}

func (s *Server) getSubscriptions(w http.ResponseWriter, _ *http.Request) error {
	return write(w, http.StatusOK, toSubscriptions(s.cfg.Center.Settings()))
}

func toSubscriptions(set notify.Settings) wire.Subscriptions {
	out := wire.Subscriptions{Subscriptions: []wire.Subscription{}}
	for _, v := range set.Subscriptions {
		out.Subscriptions = append(out.Subscriptions, toSubscription(v))
	}
	return out
}

func (s *Server) putSubscriptions(w http.ResponseWriter, r *http.Request) error {
	var in wire.Subscriptions
	if _, err := decode(w, r, &in); err != nil {
		return err
	}
	subs := []notify.Subscription{}
	for _, v := range in.Subscriptions {
		subs = append(subs, fromSubscription(v))
	}
	if _, err := s.do(r, notify.SetSettings{Subscriptions: &subs}); err != nil {
		return err
	}
	return s.getSubscriptions(w, r)
}

func (s *Server) getRules(w http.ResponseWriter, _ *http.Request) error {
	out := wire.Rules{Rules: []wire.Rule{}}
	for _, v := range s.cfg.Center.Settings().Rules {
		out.Rules = append(out.Rules, toRule(v))
	}
	return write(w, http.StatusOK, out)
}

func (s *Server) putRules(w http.ResponseWriter, r *http.Request) error {
	var in wire.Rules
	if _, err := decode(w, r, &in); err != nil {
		return err
	}
	rules := []notify.Rule{}
	for _, v := range in.Rules {
		rules = append(rules, fromRule(v))
	}
	if _, err := s.do(r, notify.SetSettings{Rules: &rules}); err != nil {
		return err
	}
	return s.getRules(w, r)
}

func (s *Server) getDoNotDisturb(w http.ResponseWriter, _ *http.Request) error {
	return write(w, http.StatusOK, wire.DoNotDisturb{Until: wire.At(s.cfg.Center.Settings().QuietUntil)})
}

func (s *Server) putDoNotDisturb(w http.ResponseWriter, r *http.Request) error {
	var in wire.DoNotDisturb
	if _, err := decode(w, r, &in); err != nil {
		return err
	}
	if _, err := s.do(r, notify.SetSettings{QuietUntil: &in.Until.Time}); err != nil {
		return err
	}
	return s.getDoNotDisturb(w, r)
}

func (s *Server) testProvider(w http.ResponseWriter, r *http.Request) error {
	if s.cfg.Providers == nil {
		return missing("provider")
	}
	d, err := s.cfg.Providers.Test(r.Context(), r.PathValue("provider"))
	if err != nil {
		return err
	}
	return write(w, http.StatusOK, toDelivery(d))
}

func (s *Server) listDeliveries(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	limit, err := queryInt(q, "limit", maxLimit, 1, maxLimit)
	if err != nil {
		return err
	}
	ds, err := s.deliveries(r, q.Get("provider"), q.Get("notification"), limit)
	if err != nil {
		return err
	}
	return write(w, http.StatusOK, wire.Deliveries{Deliveries: ds})
}

func (s *Server) trace(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if _, err := s.cfg.Center.Record(r.Context(), id); err != nil {
		return err
	}
	ds, err := s.deliveries(r, "", id, maxLimit)
	if err != nil {
		return err
	}
	for i, j := 0, len(ds)-1; i < j; i, j = i+1, j-1 {
		ds[i], ds[j] = ds[j], ds[i] // oldest first: a trace is read as a story
	}
	return write(w, http.StatusOK, wire.Trace{Notification: id, Entries: ds})
}

func (s *Server) deliveries(r *http.Request, provider, recordID string, limit int) ([]wire.Delivery, error) {
	out := []wire.Delivery{}
	if s.cfg.Ledger == nil {
		return out, nil
	}
	ds, err := s.cfg.Ledger.Deliveries(r.Context(), provider, recordID, limit)
	if err != nil {
		return nil, err
	}
	for _, d := range ds {
		out = append(out, toDelivery(d))
	}
	return out, nil
}
