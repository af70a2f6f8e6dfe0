package bridge

import (
	"context"
	"net/http"
	"net/url"
	"path"
	"slices"
	"sort"
	"strings"
	"time"

	"signalbox/notify"
)

// table finds the route of a request. It is the library's mux for paths alone;
// methods are told apart here, so that a wrong one is answered in our terms.
type table struct {
	mux    *http.ServeMux
	byPath map[string]map[string]*route
}

func newTable(routes []route) *table {
	t := &table{mux: http.NewServeMux(), byPath: map[string]map[string]*route{}}
	for i := range routes {
		r := &routes[i]
		methods := t.byPath[r.path]
		if methods == nil {
			methods = map[string]*route{}
			t.byPath[r.path] = methods
			t.mux.HandleFunc(r.path, func(http.ResponseWriter, *http.Request) {}) // the mux is asked for the pattern only
		}
		methods[r.method] = r
	}
	return t
}

// find fills in the path's values, and returns the methods of the request's
// path, nil for an unknown path, and the route of its method, nil for an unknown
// method.
func (t *table) find(r *http.Request) (methods map[string]*route, found *route) {
	if p := r.URL.EscapedPath(); p != path.Clean(p) {
		return nil, nil // the mux would send the client elsewhere
	}
	t.mux.ServeHTTP(discard{}, r)
	methods = t.byPath[r.Pattern]
	return methods, methods[r.Method]
}

// discard is where the mux's own answer goes.
type discard struct{}

func (discard) Header() http.Header         { return http.Header{} }
func (discard) Write(b []byte) (int, error) { return len(b), nil }
func (discard) WriteHeader(int)             {}

// allow lists methods for the Allow header.
func allow(methods map[string]*route) string {
	var list []string
	for m := range methods {
		list = append(list, m)
	}
	sort.Strings(list)
	return strings.Join(list, ", ")
}

// visit is what the guard found out about a request.
type visit struct {
	route  *route
	caller caller
	// record is that of the path, for routes of access record.
	record *notify.Record
}

type visitKey struct{}

func visitOf(r *http.Request) *visit {
	v, _ := r.Context().Value(visitKey{}).(*visit)
	if v == nil {
		return &visit{}
	}
	return v
}

func callerOf(r *http.Request) caller { return visitOf(r).caller }

// routeName is the path's pattern: it says what was asked for without the
// values, which may be content.
func routeName(r *http.Request) string {
	if v := visitOf(r); v.route != nil {
		return v.route.method + " " + v.route.path
	}
	return "none"
}

// handler is the guard and, behind it, the routes, for one door.
func (s *Server) handler(d *door) http.Handler {
	return http.HandlerFunc(func(inner http.ResponseWriter, r *http.Request) {
		done, ok := atWork(r)
		if !ok {
			panic(http.ErrAbortHandler) // it is closed already
		}
		defer done()
		start := s.now()
		w := &statusWriter{ResponseWriter: inner, status: http.StatusOK}
		rc := http.NewResponseController(w)
		// A slow body, and a slow reader of the answer. Streams and waits put
		// their own; what fails here fails at the first read or write.
		_ = rc.SetReadDeadline(start.Add(s.cfg.timeouts.body))
		_ = rc.SetWriteDeadline(start.Add(s.cfg.timeouts.write))
		v := &visit{}
		r = r.WithContext(context.WithValue(r.Context(), visitKey{}, v))
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")

		err := s.enter(w, r, d, v)
		if err == nil && v.route != nil {
			err = v.route.handle(w, r)
		}
		if err != nil {
			s.refuse(w, r, err)
		}
		s.metrics.observe(routeName(r), w.status, s.now().Sub(start))
	})
}

// enter lets a request through to its route, or refuses it. A nil error with no
// route means that it was answered already.
func (s *Server) enter(w http.ResponseWriter, r *http.Request, d *door, v *visit) error {
	if err := s.stranger(r, d); err != nil {
		return err
	}
	if answered := s.crossOrigin(w, r); answered {
		return nil
	}
	if err := checkMedia(r); err != nil {
		return err
	}
	methods, found := s.table.find(r)
	if found == nil || found.access != public {
		c, err := s.authenticate(r)
		if err != nil {
			return err
		}
		v.caller = c
	}
	switch {
	case methods == nil:
		return notify.Errorf(notify.CodeNotFound, "There is no such path.")
	case found == nil:
		return &notAllowed{
			refusal: notify.Errorf(notify.CodeMethodNotAllowed, "This path has other methods."),
			allow:   allow(methods),
		}
	}
	v.route = found
	if err := s.authorize(r, v); err != nil {
		return err
	}
	return known(w, r, found)
}

// known refuses what a route does not ask for: a misspelt parameter would be
// taken for none, and a filter that is none lists too much.
func known(w http.ResponseWriter, r *http.Request, one *route) error {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return notify.Invalid("query", "is not well formed")
	}
	for name, values := range q {
		i := slices.IndexFunc(one.about.query, func(p param) bool { return p.name == name })
		switch {
		case i < 0:
			return notify.Invalid(name, "is no parameter of this path")
		case len(values) > 1 && one.about.query[i].kind != several:
			return notify.Invalid(name, "may be given once")
		}
	}
	if one.about.body != nil {
		return nil // its handler reads it
	}
	var none struct{}
	return decodeOptional(w, r, &none)
}

// authenticate finds out whose token was shown.
func (s *Server) authenticate(r *http.Request) (caller, error) {
	token, ok := bearer(r)
	if !ok {
		return caller{}, notify.Errorf(notify.CodeUnauthorized, "Send a token as Authorization: Bearer.")
	}
	c, ok := s.identify(token)
	if ok {
		return c, nil
	}
	if s.cfg.Loading != nil {
		if err := s.cfg.Loading(); err != nil {
			return caller{}, err
		}
	}
	return caller{}, s.limits.wrongToken()
}

// authorize checks what the caller may do, and takes a change from the
// allowance of its connection.
func (s *Server) authorize(r *http.Request, v *visit) error {
	c := v.caller
	// Nothing must not be taken for all that there is.
	if r.Method == http.MethodGet && !v.route.about.early && s.cfg.Loading != nil {
		if err := s.cfg.Loading(); err != nil && v.route.access != public {
			return err
		}
	}
	counted := c.connection
	switch v.route.access {
	case owner:
		if !c.owner {
			return forbidden()
		}
	case connection:
		id := r.PathValue("connection")
		if !c.may(id) {
			return forbidden()
		}
		if _, ok := s.cfg.Center.Connection(id); !ok {
			return missing("connection")
		}
		counted = id
	case record:
		found, err := s.cfg.Center.Record(r.Context(), r.PathValue("id"))
		if err != nil {
			return err
		}
		if !c.may(found.Connection) {
			return missing("notification")
		}
		v.record = found
	}
	if v.route.effect == changes && counted != "" {
		return s.limits.changes(counted, 1)
	}
	return nil
}

func forbidden() error {
	return notify.Errorf(notify.CodeForbidden, "The token is that of another connection, or this is the owner's to do.")
}

// crossOrigin answers the questions that a browser asks for a page which the
// owner allowed. Without such a page nothing of it is ever sent.
func (s *Server) crossOrigin(w http.ResponseWriter, r *http.Request) (answered bool) {
	origin := r.Header.Get("Origin")
	if origin == "" || !containsFold(s.live.Load().AllowedOrigins, origin) {
		return false
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Vary", "Origin")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE")
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key, Last-Event-ID")
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}

// patient lets a request take longer than an ordinary one: its reader sends
// nothing more, and writes put their own deadlines.
func patient(w http.ResponseWriter) {
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(time.Time{})
	_ = rc.SetWriteDeadline(time.Time{})
}
