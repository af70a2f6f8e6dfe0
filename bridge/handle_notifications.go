package bridge

import (
	"net/http"

	"signalbox/bridge/wire"
	"signalbox/notify"
)

// do makes a command of op in the caller's name.
func (s *Server) do(r *http.Request, op notify.Op) (notify.Result, error) {
	return s.cfg.Center.Do(r.Context(), callerOf(r).actor(), op)
}

// item answers with the record that a command returned.
func (s *Server) item(w http.ResponseWriter, r *http.Request, status int, op notify.Op) error {
	res, err := s.do(r, op)
	if err != nil {
		return err
	}
	return write(w, status, toRecord(res.Record))
}

// ending reads the body of a verb that ends a record.
func (s *Server) ending(w http.ResponseWriter, r *http.Request) (notify.Expectation, string, error) {
	var in wire.Ending
	if err := decodeOptional(w, r, &in); err != nil {
		return notify.Expectation{}, "", err
	}
	expect, err := fromExpected(in.ExpectedRevision, "/expected_revision")
	return expect, in.Reason, err
}

// seen reads the body of a verb for which the revision that was seen is required.
func (s *Server) seen(w http.ResponseWriter, r *http.Request) (notify.Expectation, error) {
	var in wire.Ending
	if err := decodeOptional(w, r, &in); err != nil {
		return notify.Expectation{}, err
	}
	return needExpected(in.ExpectedRevision, "/expected_revision")
}

func target(r *http.Request) notify.Target { return notify.Target{ID: r.PathValue("id")} }

func (s *Server) dismiss(w http.ResponseWriter, r *http.Request) error {
	expect, err := s.seen(w, r)
	if err != nil {
		return err
	}
	return s.item(w, r, http.StatusOK, notify.Dismiss{ID: r.PathValue("id"), Expect: expect})
}

func (s *Server) resolve(w http.ResponseWriter, r *http.Request) error {
	expect, reason, err := s.ending(w, r)
	if err != nil {
		return err
	}
	return s.item(w, r, http.StatusOK, notify.Resolve{Target: target(r), Reason: reason, Expect: expect})
}

func (s *Server) expire(w http.ResponseWriter, r *http.Request) error {
	expect, reason, err := s.ending(w, r)
	if err != nil {
		return err
	}
	return s.item(w, r, http.StatusOK, notify.Expire{Target: target(r), Reason: reason, Expect: expect})
}

func (s *Server) cancelInteraction(w http.ResponseWriter, r *http.Request) error {
	expect, reason, err := s.ending(w, r)
	if err != nil {
		return err
	}
	return s.item(w, r, http.StatusOK, notify.Cancel{Target: target(r), Reason: reason, Expect: expect})
}

// keyTarget names the pending occurrence of the key in the path.
func keyTarget(r *http.Request) notify.Target {
	return notify.Target{
		Connection: r.PathValue("connection"),
		Session:    r.URL.Query().Get("session"),
		Key:        r.PathValue("key"),
	}
}

func (s *Server) resolveKey(w http.ResponseWriter, r *http.Request) error {
	expect, reason, err := s.ending(w, r)
	if err != nil {
		return err
	}
	return s.item(w, r, http.StatusOK, notify.Resolve{Target: keyTarget(r), Reason: reason, Expect: expect})
}

func (s *Server) expireKey(w http.ResponseWriter, r *http.Request) error {
	expect, reason, err := s.ending(w, r)
	if err != nil {
		return err
	}
	return s.item(w, r, http.StatusOK, notify.Expire{Target: keyTarget(r), Reason: reason, Expect: expect})
}

func (s *Server) completeRequest(w http.ResponseWriter, r *http.Request) error {
	res, err := s.do(r, notify.CompleteRequest{Connection: r.PathValue("connection"), Request: r.PathValue("request")})
	if err != nil {
		return err
	}
	return write(w, http.StatusOK, wire.Completed{Expired: res.Count})
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request) error {
	var in wire.AnswerRequest
	if _, err := decode(w, r, &in); err != nil {
		return err
	}
	expect, err := needExpected(in.ExpectedRevision, "/expected_revision")
	if err != nil {
		return err
	}
	return s.item(w, r, http.StatusOK, notify.AnswerOp{ID: r.PathValue("id"), Expect: expect, Answer: fromAnswer(in.Answer)})
}

func (s *Server) rejectAnswer(w http.ResponseWriter, r *http.Request) error {
	var in wire.Rejection
	if _, err := decode(w, r, &in); err != nil {
		return err
	}
	return s.item(w, r, http.StatusOK, notify.RejectAnswer{ID: r.PathValue("id"), Reason: in.Reason})
}

func (s *Server) invokeAction(w http.ResponseWriter, r *http.Request) error {
	expect, err := s.seen(w, r)
	if err != nil {
		return err
	}
	return s.item(w, r, http.StatusAccepted, notify.InvokeAction{ID: r.PathValue("id"), Action: r.PathValue("action"), Expect: expect})
}

func (s *Server) read(w http.ResponseWriter, r *http.Request) error {
	return s.item(w, r, http.StatusOK, notify.SetRead{ID: r.PathValue("id"), Read: true})
}

func (s *Server) unread(w http.ResponseWriter, r *http.Request) error {
	return s.item(w, r, http.StatusOK, notify.SetRead{ID: r.PathValue("id"), Read: false})
}

func (s *Server) mute(w http.ResponseWriter, r *http.Request) error {
	return s.item(w, r, http.StatusOK, notify.SetMuted{ID: r.PathValue("id"), Muted: true})
}

func (s *Server) unmute(w http.ResponseWriter, r *http.Request) error {
	return s.item(w, r, http.StatusOK, notify.SetMuted{ID: r.PathValue("id"), Muted: false})
}

func (s *Server) unsnooze(w http.ResponseWriter, r *http.Request) error {
	return s.item(w, r, http.StatusOK, notify.Unsnooze{ID: r.PathValue("id")})
}

func (s *Server) snooze(w http.ResponseWriter, r *http.Request) error {
	var in wire.Snooze
	if _, err := decode(w, r, &in); err != nil {
		return err
	}
	return s.item(w, r, http.StatusOK, notify.Snooze{
		ID: r.PathValue("id"), Until: in.Until.Time, For: seconds(in.Seconds), UntilEvent: in.UntilEvent,
	})
}

func (s *Server) setAside(w http.ResponseWriter, r *http.Request) error {
	var in wire.SetAside
	if err := decodeOptional(w, r, &in); err != nil {
		return err
	}
	if in.Seconds < 0 {
		return notify.Invalid("/seconds", "want 0 (until it changes) or more")
	}
	return s.item(w, r, http.StatusOK, notify.SetAside{ID: r.PathValue("id"), For: seconds(in.Seconds)})
}

// maxDismiss bounds a dismissal of several.
const maxDismiss = 500

func (s *Server) dismissMany(w http.ResponseWriter, r *http.Request) error {
	var in wire.Dismiss
	if _, err := decode(w, r, &in); err != nil {
		return err
	}
	if len(in.Items) > maxDismiss {
		return notify.Invalid("/items", "want at most %d", maxDismiss)
	}
	expects := make([]notify.Expectation, len(in.Items))
	for i, item := range in.Items {
		var err error
		if expects[i], err = needExpected(item.ExpectedRevision, pointer("/items", i, "/expected_revision")); err != nil {
			return err
		}
	}
	out := wire.DismissResults{Results: make([]wire.DismissResult, len(in.Items))}
	for i, item := range in.Items {
		res, err := s.do(r, notify.Dismiss{ID: item.ID, Expect: expects[i]})
		result := wire.DismissResult{ID: item.ID, Status: http.StatusOK}
		if err != nil {
			result.Error = s.problem(err)
			result.Status = result.Error.Status
		} else {
			n := toRecord(res.Record)
			result.Notification = &n
		}
		out.Results[i] = result
	}
	return write(w, http.StatusOK, out)
}
