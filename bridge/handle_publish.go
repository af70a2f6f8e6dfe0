package bridge

import (
	"crypto/sha256"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"signalbox/bridge/wire"
	"signalbox/notify"
)

func (s *Server) publish(w http.ResponseWriter, r *http.Request) error {
	var in wire.Publish
	body, err := decode(w, r, &in)
	if err != nil {
		return err
	}
	op, err := fromPublish(r.PathValue("connection"), &in, "")
	if err != nil {
		return err
	}
	if key := r.Header.Get(wire.IdempotencyKey); key != "" {
		op.IdempotencyKey, op.Digest = key, digest(body)
	}
	res, err := s.do(r, op)
	if err != nil {
		return err
	}
	status := http.StatusOK
	if res.Verdict == notify.Created {
		status = http.StatusCreated
	}
	return write(w, status, &wire.PublishResult{
		Result: string(res.Verdict), Notification: toRecord(res.Record), Masked: res.Masked,
	})
}

// digest tells two requests apart by what they say, not by how it is written.
func digest(body []byte) []byte {
	v := jsontext.Value(body).Clone()
	if v.Canonicalize() != nil {
		v = body // it was read already, so this is about numbers beyond the canonical form
	}
	h := sha256.Sum256(v)
	return h[:]
}

func (s *Server) patchNotification(w http.ResponseWriter, r *http.Request) error {
	var in wire.Changes
	if _, err := decode(w, r, &in); err != nil {
		return err
	}
	op, err := updateOf(r.PathValue("id"), visitOf(r).record, &in, "")
	if err != nil {
		return err
	}
	return s.item(w, r, http.StatusOK, op)
}

// updateOf makes the command of a change of content. of is the record, where it
// is known.
func updateOf(id string, of *notify.Record, in *wire.Changes, pointer string) (notify.Update, error) {
	expect, err := fromExpected(in.ExpectedRevision, pointer+"/expected_revision")
	if err != nil {
		return notify.Update{}, err
	}
	content, fields, err := fromChanges(in, pointer)
	if err != nil {
		return notify.Update{}, err
	}
	if in.Dismissible.Null && (of == nil || of.Kind != notify.KindInteraction) {
		content.Dismissible = true // what its kind has by default
	}
	return notify.Update{ID: id, Changes: content, Fields: fields, Expect: expect}, nil
}

func (s *Server) batch(w http.ResponseWriter, r *http.Request) error {
	var in wire.Batch
	if _, err := decode(w, r, &in); err != nil {
		return err
	}
	if len(in.Operations) > notify.MaxBatch {
		return notify.Invalid("/operations", "want at most %d", notify.MaxBatch)
	}
	connection := r.PathValue("connection")
	if err := s.limits.changes(connection, max(1, len(in.Operations))); err != nil {
		return err
	}
	ops := make([]notify.Op, len(in.Operations))
	for i := range in.Operations {
		op, err := s.operation(r, connection, &in.Operations[i], pointer("/operations", i, ""))
		if err != nil {
			return inOperation(i, err)
		}
		ops[i] = op
	}
	batch := notify.Batch{Ops: ops, Through: in.ExpectedChange}
	if in.Session != "" {
		batch.Session = notify.SessionRef{Connection: connection, Session: in.Session}
	}
	res, err := s.do(r, batch)
	if err != nil {
		return batchFault(in.Operations, err)
	}
	out := wire.BatchResult{Results: make([]wire.OperationResult, len(res.Results))}
	for i, one := range res.Results {
		out.Results[i] = operationResult(in.Operations[i].Op, one)
	}
	return write(w, http.StatusOK, out)
}

// pointer is the JSON pointer of an element of an array, or of what is in it.
func pointer(array string, i int, within string) string {
	return fmt.Sprintf("%s/%d%s", array, i, within)
}

// operation makes the command of one operation of a batch.
func (s *Server) operation(r *http.Request, connection string, in *wire.Operation, at string) (notify.Op, error) {
	if err := misplaced(in, at); err != nil {
		return nil, err
	}
	if in.Op == wire.OpPublish {
		if in.Notification == nil {
			return nil, notify.Invalid(at+"/notification", "is required")
		}
		return fromPublish(connection, in.Notification, at+"/notification")
	}
	expect, err := fromExpected(in.ExpectedRevision, at+"/expected_revision")
	if err != nil {
		return nil, err
	}
	var of *notify.Record
	if in.ID != "" {
		// What another connection has is not there for this one.
		found, err := s.cfg.Center.Record(r.Context(), in.ID)
		if err != nil {
			return nil, err
		}
		if found.Connection != connection {
			return nil, missing("notification")
		}
		of = found
	}
	to := notify.Target{ID: in.ID}
	if in.ID == "" {
		to = notify.Target{Connection: connection, Session: in.Session, Key: in.Key}
	}
	switch in.Op {
	case wire.OpUpdate:
		if in.Changes == nil {
			return nil, notify.Invalid(at+"/changes", "is required")
		}
		op, err := updateOf(in.ID, of, in.Changes, at+"/changes")
		if err == nil && expect.Expect {
			op.Expect = expect
		}
		return op, err
	case wire.OpResolve:
		return notify.Resolve{Target: to, Reason: in.Reason, Expect: expect}, nil
	case wire.OpExpire:
		return notify.Expire{Target: to, Reason: in.Reason, Expect: expect}, nil
	case wire.OpCancel:
		return notify.Cancel{Target: to, Reason: in.Reason, Expect: expect}, nil
	case wire.OpCompleteRequest:
		return notify.CompleteRequest{Connection: connection, Request: in.Request}, nil
	case wire.OpDismiss:
		if !callerOf(r).owner {
			return nil, notify.Errorf(notify.CodeForbidden, "Dismissing is the owner's to do.")
		}
		if !expect.Expect {
			return nil, notify.Invalid(at+"/expected_revision", "is required: the revision that was seen")
		}
		return notify.Dismiss{ID: in.ID, Expect: expect}, nil
	}
	return nil, notify.Invalid(at+"/op", "want publish, update, resolve, expire, cancel, complete_request or dismiss")
}

// misplaced refuses an operation whose fields are not those of its op: a target
// that is missing, or given twice.
func misplaced(in *wire.Operation, at string) error {
	byKey := in.Op == wire.OpResolve || in.Op == wire.OpExpire || in.Op == wire.OpCancel
	byID := byKey || in.Op == wire.OpUpdate || in.Op == wire.OpDismiss
	switch {
	case in.ID != "" && in.Key != "":
		return notify.Invalid(at+"/key", "want either id or key")
	case byKey && in.ID == "" && in.Key == "":
		return notify.Invalid(at+"/id", "id or key is required")
	case byID && !byKey && in.ID == "":
		return notify.Invalid(at+"/id", "is required")
	case !byID && in.ID != "":
		return notify.Invalid(at+"/id", "does not belong to this op")
	case !byKey && in.Key != "":
		return notify.Invalid(at+"/key", "does not belong to this op")
	case in.Op != wire.OpPublish && in.Notification != nil:
		return notify.Invalid(at+"/notification", "does not belong to this op")
	case in.Op != wire.OpUpdate && in.Changes != nil:
		return notify.Invalid(at+"/changes", "does not belong to this op")
	case in.Op == wire.OpCompleteRequest && in.Request == "":
		return notify.Invalid(at+"/request", "is required")
	case in.Op != wire.OpCompleteRequest && in.Request != "":
		return notify.Invalid(at+"/request", "does not belong to this op")
	}
	return nil
}

// inOperation says of an error which operation it belongs to.
func inOperation(i int, err error) error {
	e := *domainError(err)
	e.Operation = &i
	return &e
}

// batchFault makes the fields of the failed operation's error those of the body.
func batchFault(ops []wire.Operation, err error) error {
	e := *domainError(err)
	if e.Operation == nil || *e.Operation < 0 || *e.Operation >= len(ops) {
		return &e
	}
	within := ""
	switch ops[*e.Operation].Op {
	case wire.OpPublish:
		within = "/notification"
	case wire.OpUpdate:
		within = "/changes"
	}
	fields := make([]notify.FieldError, len(e.Fields))
	for i, f := range e.Fields {
		fields[i] = notify.FieldError{Field: pointer("/operations", *e.Operation, within+f.Field), Detail: f.Detail}
	}
	e.Fields = fields
	return &e
}

func operationResult(op string, res notify.Result) wire.OperationResult {
	out := wire.OperationResult{Result: string(res.Verdict), Masked: res.Masked}
	if res.Record != nil {
		n := toRecord(res.Record)
		out.Notification = &n
	}
	if op == wire.OpCompleteRequest {
		out.Expired = &res.Count
	}
	if word := endings[op]; word != "" && res.Verdict != notify.Unchanged {
		out.Result = word
	}
	return out
}

// endings are the results of the operations that the rules have one word for.
var endings = map[string]string{
	wire.OpUpdate:          wire.ResultUpdated,
	wire.OpResolve:         wire.ResultResolved,
	wire.OpExpire:          wire.ResultExpired,
	wire.OpCancel:          wire.ResultCancelled,
	wire.OpDismiss:         wire.ResultDismissed,
	wire.OpCompleteRequest: wire.ResultCompleted,
}
