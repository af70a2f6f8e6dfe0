package wire

import "fmt"

// ProblemType is the media type of an error.
const ProblemType = "application/problem+json"

// Error codes.
const (
	CodeUnauthorized        = "unauthorized"
	CodeForbidden           = "forbidden"
	CodeForbiddenOrigin     = "forbidden_origin"
	CodeNotFound            = "not_found"
	CodeMethodNotAllowed    = "method_not_allowed"
	CodeUnsupportedMedia    = "unsupported_media_type"
	CodeTooLarge            = "too_large"
	CodeInvalidJSON         = "invalid_json"
	CodeInvalidField        = "invalid_field"
	CodeRetiredEvent        = "retired_event"
	CodeRevisionConflict    = "revision_conflict"
	CodeTerminal            = "terminal"
	CodeNotDismissible      = "not_dismissible"
	CodeInteractionActive   = "interaction_active"
	CodeNotInteraction      = "not_interaction"
	CodeAlreadyAnswered     = "already_answered"
	CodeAnswerInvalid       = "answer_invalid"
	CodeActionUnavailable   = "action_unavailable"
	CodeIdempotencyMismatch = "idempotency_mismatch"
	CodeRateLimited         = "rate_limited"
	CodeStorageFull         = "storage_full"
	CodeUnavailable         = "unavailable"
	CodeInternal            = "internal" // a fault of the center's; its log says more
)

// Problem is an error as RFC 9457 has it. Detail is safe to show.
type Problem struct {
	Type      string        `json:"type"` // a URI reference that names the code
	Title     string        `json:"title"`
	Status    int           `json:"status"`
	Detail    string        `json:"detail,omitzero"`
	Code      string        `json:"code"`
	Errors    []FieldError  `json:"errors,omitempty"`   // the fields at fault
	Current   *Notification `json:"current,omitzero"`   // of a conflict: the record as it is
	Operation *int          `json:"operation,omitzero"` // of a batch: the index of the one that failed
}

// FieldError names a field at fault by its JSON pointer.
type FieldError struct {
	Field  string `json:"field"`
	Detail string `json:"detail"`
}

// Error makes a Problem usable as an error.
func (p *Problem) Error() string {
	s := p.Code
	if p.Detail != "" {
		s += ": " + p.Detail
	}
	for _, f := range p.Errors {
		s += fmt.Sprintf(" (%s: %s)", f.Field, f.Detail)
	}
	return s
}
