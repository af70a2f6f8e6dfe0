package notify

import (
	"errors"
	"fmt"
)

// Code is the stable name of a kind of refusal.
type Code string

// The codes. The bridge maps each to an HTTP status in one table.
const (
	CodeUnauthorized        Code = "unauthorized"
	CodeForbidden           Code = "forbidden"
	CodeForbiddenOrigin     Code = "forbidden_origin"
	CodeNotFound            Code = "not_found"
	CodeMethodNotAllowed    Code = "method_not_allowed"
	CodeUnsupportedMedia    Code = "unsupported_media_type"
	CodeTooLarge            Code = "too_large"
	CodeInvalidJSON         Code = "invalid_json"
	CodeInvalidField        Code = "invalid_field"
	CodeRetiredEvent        Code = "retired_event"
	CodeRevisionConflict    Code = "revision_conflict"
	CodeTerminal            Code = "terminal"
	CodeNotDismissible      Code = "not_dismissible"
	CodeInteractionActive   Code = "interaction_active"
	CodeNotInteraction      Code = "not_interaction"
	CodeAlreadyAnswered     Code = "already_answered"
	CodeAnswerInvalid       Code = "answer_invalid"
	CodeActionUnavailable   Code = "action_unavailable"
	CodeIdempotencyMismatch Code = "idempotency_mismatch"
	CodeRateLimited         Code = "rate_limited"
	CodeStorageFull         Code = "storage_full"
	CodeUnavailable         Code = "unavailable"
	CodeInternal            Code = "internal"
)

// Error is the one error type of the domain: a kind, a sentence that is safe to show, the fields at
// fault, the record as it is where that helps, and the cause for the log.
type Error struct {
	Code   Code
	Detail string       // a safe sentence; no content, no token
	Fields []FieldError // S5; empty when no field is at fault
	// Current is the record as it is, for a conflict.
	Current *Record
	// Operation is the index of the failed operation of a batch, from 0; -1 or absent: no batch.
	Operation *int
	Cause     error
}

// FieldError names a field by JSON pointer and says what is wrong with it.
type FieldError struct {
	Field  string // such as /actions/0/id
	Detail string
}

// Error returns the code and the sentence.
func (e *Error) Error() string {
	s := string(e.Code) + ": " + e.Detail
	for _, f := range e.Fields {
		s += "; " + f.Field + " " + f.Detail
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Errorf makes an Error without fields.
func Errorf(code Code, format string, args ...any) *Error {
	if len(args) == 0 {
		return &Error{Code: code, Detail: format}
	}
	return &Error{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// Invalid makes a CodeInvalidField error about one field.
func Invalid(field, format string, args ...any) *Error {
	return &Error{Code: CodeInvalidField, Detail: "A field has a value that cannot be used.",
		Fields: []FieldError{{Field: field, Detail: fmt.Sprintf(format, args...)}}}
}

// CodeOf returns the code of err; CodeInternal for a foreign error, "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeInternal
}
