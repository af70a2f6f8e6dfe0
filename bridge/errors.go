package bridge

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"

	"signalbox/bridge/wire"
	"signalbox/notify"
)

// answer says how a code is told: its status and its title. The detail comes
// with the error.
type answer struct {
	status int
	title  string
}

// answers maps every code to what is told. A code that is not here is a fault
// of ours, told as 500 without detail.
var answers = map[notify.Code]answer{
	notify.CodeUnauthorized:        {http.StatusUnauthorized, "A token is needed"},
	notify.CodeForbidden:           {http.StatusForbidden, "This token may not do that"},
	notify.CodeForbiddenOrigin:     {http.StatusForbidden, "Not reachable from there"},
	notify.CodeNotFound:            {http.StatusNotFound, "Not found"},
	notify.CodeMethodNotAllowed:    {http.StatusMethodNotAllowed, "Method not allowed"},
	notify.CodeUnsupportedMedia:    {http.StatusUnsupportedMediaType, "The body must be application/json"},
	notify.CodeTooLarge:            {http.StatusRequestEntityTooLarge, "The body is too large"},
	notify.CodeInvalidJSON:         {http.StatusBadRequest, "The body is not the JSON that is expected"},
	notify.CodeInvalidField:        {http.StatusBadRequest, "A field cannot be used"},
	notify.CodeRetiredEvent:        {http.StatusBadRequest, "This event type is retired"},
	notify.CodeRevisionConflict:    {http.StatusConflict, "The record has changed"},
	notify.CodeTerminal:            {http.StatusConflict, "The record has ended"},
	notify.CodeNotDismissible:      {http.StatusConflict, "The record cannot be dismissed"},
	notify.CodeInteractionActive:   {http.StatusConflict, "The record waits for an answer"},
	notify.CodeNotInteraction:      {http.StatusConflict, "The record asks for no answer"},
	notify.CodeAlreadyAnswered:     {http.StatusConflict, "An answer was given already"},
	notify.CodeAnswerInvalid:       {http.StatusUnprocessableEntity, "The answer does not fit the question"},
	notify.CodeActionUnavailable:   {http.StatusConflict, "The action is not available"},
	notify.CodeIdempotencyMismatch: {http.StatusConflict, "The idempotency key was used for another request"},
	notify.CodeRateLimited:         {http.StatusTooManyRequests, "Too many requests"},
	notify.CodeStorageFull:         {http.StatusInsufficientStorage, "Too little space is left on the disk"},
	notify.CodeUnavailable:         {http.StatusServiceUnavailable, "Not available now"},
	notify.CodeInternal:            {http.StatusInternalServerError, "An internal error"},
}

// limited is a refusal that says when to come again.
type limited struct {
	refusal *notify.Error
	after   time.Duration
}

func (l *limited) Error() string { return l.refusal.Error() }
func (l *limited) Unwrap() error { return l.refusal }

// notAllowed is a refusal that says which methods there are.
type notAllowed struct {
	refusal *notify.Error
	allow   string
}

func (n *notAllowed) Error() string { return n.refusal.Error() }
func (n *notAllowed) Unwrap() error { return n.refusal }

// missing is an error for a record or another thing that is not there, or not
// for this token.
func missing(what string) error {
	return notify.Errorf(notify.CodeNotFound, "There is no such %s.", what)
}

// noDesktop answers what only a desktop can do.
var noDesktop error = &windowless{notify.Errorf(notify.CodeUnavailable, "This center runs without a desktop.")}

// windowless is that no window can be shown. It is a conflict with how the
// center was started or with what its machine has, not a failure that passes.
type windowless struct{ error }

func (w *windowless) Unwrap() error { return w.error }

// domainError returns err as the domain has it; foreign errors are internal
// ones, whose text is for the log alone.
func domainError(err error) *notify.Error {
	var e *notify.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return &notify.Error{Code: notify.CodeUnavailable, Detail: "The request was given up.", Cause: err}
	}
	return &notify.Error{Code: notify.CodeInternal, Detail: "Something went wrong here; the log says more.", Cause: err}
}

// problem tells err in the wire's shape.
func (s *Server) problem(err error) *wire.Problem {
	e := domainError(err)
	a, ok := answers[e.Code]
	if !ok {
		a = answers[notify.CodeInternal]
	}
	p := &wire.Problem{
		Type:      "urn:signalbox:problem:" + string(e.Code),
		Title:     a.title,
		Status:    a.status,
		Detail:    e.Detail,
		Code:      string(e.Code),
		Operation: e.Operation,
	}
	if errors.As(err, new(*windowless)) {
		p.Status = http.StatusConflict
	}
	for _, f := range e.Fields {
		p.Errors = append(p.Errors, wire.FieldError{Field: f.Field, Detail: f.Detail})
	}
	if e.Current != nil && p.Status == http.StatusConflict {
		n := toRecord(e.Current)
		p.Current = &n
	}
	return p
}

// refuse writes err as an answer.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	p := s.problem(err)
	h := w.Header()
	var l *limited
	if errors.As(err, &l) {
		seconds := int((l.after + time.Second - 1) / time.Second)
		h.Set("Retry-After", strconv.Itoa(max(1, seconds)))
	}
	var n *notAllowed
	if errors.As(err, &n) {
		h.Set("Allow", n.allow)
	}
	switch p.Status {
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", `Bearer realm="signalbox"`)
	case http.StatusServiceUnavailable, http.StatusInsufficientStorage:
		h.Set("Retry-After", "5")
	case http.StatusInternalServerError:
		s.log.LogAttrs(r.Context(), slog.LevelError, "bridge: request failed",
			slog.String("route", routeName(r)), slog.Any("error", err))
	}
	s.metrics.refused(p.Code)
	h.Set("Content-Type", wire.ProblemType)
	b, err := json.Marshal(p)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(p.Status)
	w.Write(b) // an error here is the client's loss: it has gone
}

// write answers with v as JSON.
func write(w http.ResponseWriter, status int, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(status)
	w.Write(b) // an error here is the client's loss: it has gone
	return nil
}
