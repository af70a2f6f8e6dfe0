package bridge

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"signalbox/bridge/wire"
	"signalbox/notify"
)

const (
	defaultLimit = 50
	maxLimit     = 500
	maxWait      = 300 // seconds
)

func (s *Server) listNotifications(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	f, err := filterOf(q)
	if err != nil {
		return err
	}
	if c := callerOf(r); !c.owner {
		if len(f.Connections) > 0 && !slices.Equal(f.Connections, []string{c.connection}) {
			return notify.Errorf(notify.CodeForbidden, "The token is that of another connection.")
		}
		f.Connections = []string{c.connection}
	}
	limit, err := queryInt(q, "limit", defaultLimit, 1, maxLimit)
	if err != nil {
		return err
	}
	var after notify.Cursor
	if text := q.Get("cursor"); text != "" {
		if after, err = parseCursor(text); err != nil {
			return err
		}
	}
	page, err := s.cfg.Center.Query(r.Context(), f, after, limit)
	if err != nil {
		return err
	}
	out := wire.Page{Notifications: toRecords(page.Records)}
	if page.Next != (notify.Cursor{}) {
		out.NextCursor = formatCursor(page.Next)
	}
	if err := write(w, http.StatusOK, out); err != nil {
		return err
	}
	s.delivered(r.Context(), callerOf(r), page.Records...)
	return nil
}

// filterOf reads the filters of a list.
func filterOf(q url.Values) (notify.Filter, error) {
	f := notify.Filter{
		Connections: q["connection"],
		Sessions:    q["session"],
		Tags:        q["tag"],
		Events:      q["event"],
		Text:        q.Get("q"),
	}
	var err error
	oneOf := func(name string, to *[]string, allowed ...string) {
		for _, v := range q[name] {
			if !slices.Contains(allowed, v) && err == nil {
				err = notify.Invalid(name, "want one of %s", strings.Join(allowed, ", "))
			}
		}
		*to = q[name]
	}
	var scopes, statuses, severities, kinds []string
	oneOf("scope", &scopes, wire.ScopeApplication, wire.ScopeSession)
	oneOf("status", &statuses, wire.StatusPending, wire.StatusDismissed, wire.StatusResolved, wire.StatusExpired)
	oneOf("severity", &severities, wire.SeverityInfo, wire.SeveritySuccess, wire.SeverityWarning, wire.SeverityError, wire.SeverityCritical)
	oneOf("kind", &kinds, wire.KindNotice, wire.KindProgress, wire.KindStatus, wire.KindInteraction, wire.KindReport)
	if err != nil {
		return f, err
	}
	f.Scopes = named[notify.Scope](scopes)
	f.Statuses = named[notify.Status](statuses)
	f.Severities = named[notify.Severity](severities)
	f.Kinds = named[notify.Kind](kinds)
	if f.Since, err = queryTime(q, "since"); err != nil {
		return f, err
	}
	if f.Until, err = queryTime(q, "until"); err != nil {
		return f, err
	}
	if f.Read, err = parseBool("read", q.Get("read")); err != nil {
		return f, err
	}
	silent, err := parseBool("include_silent", q.Get("include_silent"))
	f.IncludeSilent = silent != nil && *silent
	return f, err
}

// A cursor is opaque to clients: the instant and the id after which to go on.
func formatCursor(c notify.Cursor) string {
	text := strconv.FormatInt(c.UpdatedAt.UnixMilli(), 36) + "." + c.ID
	return base64.RawURLEncoding.EncodeToString([]byte(text))
}

func parseCursor(text string) (notify.Cursor, error) {
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		at, id, ok := strings.Cut(string(b), ".")
		ms, perr := strconv.ParseInt(at, 36, 64)
		if ok && perr == nil && id != "" {
			return notify.Cursor{UpdatedAt: time.UnixMilli(ms).UTC(), ID: id}, nil
		}
	}
	return notify.Cursor{}, notify.Invalid("cursor", "want the next_cursor of a page")
}

func queryBool(r *http.Request, name string) (*bool, error) {
	return parseBool(name, r.URL.Query().Get(name))
}

func parseBool(name, text string) (*bool, error) {
	var v bool
	switch text {
	case "":
		return nil, nil
	case "true", "1":
		v = true
	case "false", "0":
	default:
		return nil, notify.Invalid(name, "want true or false")
	}
	return &v, nil
}

func queryInt(q url.Values, name string, usual, least, most int) (int, error) {
	text := q.Get(name)
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, notify.Invalid(name, "want an integer from %d to %d", least, most)
	}
	return n, nil
}

func queryTime(q url.Values, name string) (time.Time, error) {
	text := q.Get(name)
	if text == "" {
		return time.Time{}, nil
	}
	var t wire.Time
	// An offset's plus sign that was not escaped arrives as a space.
	if err := t.UnmarshalText([]byte(strings.ReplaceAll(text, " ", "+"))); err != nil {
		return time.Time{}, notify.Invalid(name, "%v", err)
	}
	return t.Time, nil
}

// getNotification answers at once or, with wait, when the record changed or
// ended, or the time is over: then with the record as it is.
func (s *Server) getNotification(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	v := visitOf(r)
	rec := v.record
	wait, err := parseWait(q)
	if err != nil {
		return err
	}
	since := rec.Revision
	if q.Has("since_revision") {
		if since, err = queryInt(q, "since_revision", 0, 0, notify.MaxSequence); err != nil {
			return err
		}
	}
	if wait > 0 {
		patient(w)
		if rec, err = s.await(r, v.caller, rec, since, wait); err != nil {
			return err
		}
		_ = http.NewResponseController(w).SetWriteDeadline(s.now().Add(s.cfg.timeouts.write))
	}
	if err := write(w, http.StatusOK, toRecord(rec)); err != nil {
		return err
	}
	if wait > 0 && v.caller.owner {
		// Who waits for an answer with the owner's token asked on its behalf.
		s.deliver(r.Context(), notify.Center, rec)
		return nil
	}
	s.delivered(r.Context(), v.caller, rec)
	return nil
}

// parseWait reads how long to wait.
func parseWait(q url.Values) (time.Duration, error) {
	text := q.Get("wait")
	if text == "" {
		return 0, nil
	}
	secs, err := strconv.ParseFloat(text, 64)
	if err != nil || !(secs >= 0 && secs <= maxWait) {
		return 0, notify.Invalid("wait", "want 0 to %d seconds", maxWait)
	}
	return seconds(secs), nil
}

// await waits until rec is of another revision than since, or has ended, and
// returns it as it is then.
func (s *Server) await(r *http.Request, c caller, rec *notify.Record, since int, wait time.Duration) (*notify.Record, error) {
	stayCtx, one, err := s.stay(r, c, false)
	if err != nil {
		return nil, err
	}
	defer func() {
		if s.standing.leave(one); one.counts {
			s.present(stayCtx, c)
		}
	}()
	first := min(wait, s.cfg.timeouts.hold)
	now, err := s.waitFor(stayCtx, rec.ID, since, first)
	if err == nil && stayCtx.Err() == nil && first < wait && !now.Moved(since) {
		// Who is held for an answer is there, though it says nothing: its hello grows old meanwhile.
		s.standing.lasts(one)
		s.present(stayCtx, c)
		now, err = s.waitFor(stayCtx, rec.ID, since, wait-first)
	}
	if stayCtx.Err() != nil {
		return nil, ended(stayCtx, r)
	}
	return now, err
}

// waitFor is the center's wait, for so long at most.
func (s *Server) waitFor(ctx context.Context, id string, since int, wait time.Duration) (*notify.Record, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return s.cfg.Center.Wait(ctx, id, since)
}

// delivered notes that whoever asked has had its answers, when c is who asked.
func (s *Server) delivered(ctx context.Context, c caller, recs ...*notify.Record) {
	for _, rec := range recs {
		if !c.owner && c.connection == rec.Connection {
			s.deliver(ctx, c.actor(), rec)
		}
	}
}

// deliver notes that rec's answer has been delivered. It is best effort: an
// answer that is not noted is offered again.
func (s *Server) deliver(ctx context.Context, by notify.Actor, rec *notify.Record) {
	if rec.Outcome == nil || rec.Outcome.Answer == nil || rec.AnswerDelivered {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	_, _ = s.cfg.Center.Do(ctx, by, notify.DeliverAnswer{ID: rec.ID})
}
