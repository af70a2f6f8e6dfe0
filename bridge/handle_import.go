package bridge

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"signalbox/bridge/wire"
	"signalbox/notify"
)

// maxImport bounds one import. A larger one comes in slices.
const maxImport = 500

func (s *Server) importRecords(w http.ResponseWriter, r *http.Request) error {
	var in wire.Import
	if _, err := decode(w, r, &in); err != nil {
		return err
	}
	if len(in.Records) > maxImport {
		return notify.Invalid("/records", "want at most %d", maxImport)
	}
	op := notify.Import{Records: make([]*notify.Record, len(in.Records))}
	for i := range in.Records {
		rec, err := fromRecord(&in.Records[i], pointer("/records", i, ""))
		if err != nil {
			return err
		}
		op.Records[i] = rec
	}
	res, err := s.do(r, op)
	if err != nil {
		return err
	}
	return write(w, http.StatusOK, wire.Imported{Imported: res.Count})
}

// fromRecord is toRecord the other way round.
func fromRecord(n *wire.Notification, pointer string) (*notify.Record, error) {
	p := wire.Publish{
		Kind: n.Kind, Severity: n.Severity, Title: n.Title, Body: n.Body, Lines: n.Lines, Sender: n.Sender, Event: n.Event,
		Request: n.Request, Icon: n.Icon, Color: n.Color, Tags: n.Tags, Panel: n.Panel, Chip: n.Chip, Progress: n.Progress,
		Attachments: n.Attachments, Links: n.Links, Actions: n.Actions, Interaction: n.Interaction, Report: n.Report,
		Presentation: n.Presentation, DismissibleAfter: n.DismissibleAfter, Retention: &n.Retention, Refresh: n.Refresh,
		Data: n.Data, DedupKey: n.DedupKey, Silent: n.Silent,
	}
	op, err := fromPublish(n.Connection, &p, pointer)
	if err != nil {
		return nil, err
	}
	r := &notify.Record{
		ID: n.ID, Connection: n.Connection, Scope: notify.Scope(n.Scope), Session: n.Session, Key: n.Key,
		Occurrence: n.Occurrence, Revision: n.Revision, Status: notify.Status(n.Status), Content: op.Content,
		PlusOnesDropped: n.PlusOnesDropped, Read: n.Read, Muted: n.Muted, SnoozeUntil: n.SnoozeUntil.Time, SnoozeEvent: n.SnoozeEvent,
		ResurfacedAt: n.ResurfacedAt.Time, CreatedAt: n.CreatedAt.Time, UpdatedAt: n.UpdatedAt.Time, EndedAt: n.EndedAt.Time,
	}
	r.Dismissible = n.Dismissible
	for _, one := range n.PlusOnes {
		r.PlusOnes = append(r.PlusOnes, notify.PlusOne{At: one.At.Time, Sender: one.Sender, Note: one.Note})
	}
	if i := n.Interaction; i != nil {
		r.InteractionState = notify.InteractionState(i.State)
		r.InteractionDeadline = i.Deadline.Time
		r.InteractionError = i.Error
		r.SetAsideUntil = i.SetAsideUntil.Time
	}
	if o := n.Outcome; o != nil {
		r.Outcome = &notify.Outcome{Kind: notify.OutcomeKind(o.Kind), By: o.By, Reason: o.Reason, At: o.At.Time}
		if o.Answer != nil {
			a := fromAnswer(*o.Answer)
			r.Outcome.Answer = &a
			r.AnswerDelivered = o.Delivered != nil && *o.Delivered
		}
	}
	return r, nil
}

// backup streams a snapshot. It takes as long as the store is large; a reader
// that stops reading is dropped.
func (s *Server) backup(w http.ResponseWriter, r *http.Request) error {
	ctx, one, err := s.stay(r, callerOf(r), false)
	if err != nil {
		return err
	}
	defer s.standing.leave(one)
	patient(w)
	out := &snapshot{w: w, rc: http.NewResponseController(w), now: s.now, each: s.cfg.timeouts.write}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=signalbox-%s.backup", s.now().UTC().Format("20060102-150405")))
	err = s.cfg.Center.Backup(ctx, out)
	switch {
	case err == nil:
		return nil
	case !out.begun:
		w.Header().Del("Content-Disposition")
		return err
	}
	// The status is out: only a broken answer can say that it is not whole.
	panic(http.ErrAbortHandler)
}

// snapshot writes to an answer, with a deadline for each write.
type snapshot struct {
	w     io.Writer
	rc    *http.ResponseController
	now   func() time.Time
	each  time.Duration
	begun bool
}

func (s *snapshot) Write(b []byte) (int, error) {
	if err := s.rc.SetWriteDeadline(s.now().Add(s.each)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return 0, err
	}
	s.begun = true
	return s.w.Write(b)
}
