package bridge

import (
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"signalbox/bridge/wire"
)

// Proves: L7. What one center tells, another takes as it is; a record without an
// integer revision is changed by its updated_at.
func TestExportIsImported(t *testing.T) {
	from, to := newRig(t), newRig(t)
	from.connect("c1")
	ask := from.publish("c1", yesOrNo)
	from.answerYes(ask.ID)
	kept := from.publish("c1", wire.Publish{Key: "k", Title: "kept", Session: "s", Tags: []string{"x"}, Data: []byte(`{"a":1}`),
		Retention: &wire.Retention{Policy: wire.RetentionTTL, TTLSeconds: 3600}, Actions: []wire.Action{{ID: "go", Label: "Go"}}})
	must[wire.Notification](from, 200, "POST", wire.Path(wire.PathMute, kept.ID), nil)

	page := must[wire.Page](from, 200, "GET", wire.PathNotifications+"?include_silent=true", nil)
	if got := must[wire.Imported](to, 200, "POST", wire.PathImport, wire.Import{Records: page.Notifications}); got.Imported != 2 {
		t.Errorf("imported %d", got.Imported)
	}
	if got := must[wire.Imported](to, 200, "POST", wire.PathImport, wire.Import{Records: page.Notifications}); got.Imported != 0 {
		t.Errorf("imported %d again", got.Imported)
	}
	for _, want := range page.Notifications {
		got := must[wire.Notification](to, 200, "GET", wire.Path(wire.PathNotification, want.ID), nil)
		got.Change, want.Change = 0, 0
		a, _ := json.Marshal(got, json.Deterministic(true))
		b, _ := json.Marshal(want, json.Deterministic(true))
		if string(a) != string(b) {
			t.Errorf("got  %s\nwant %s", a, b)
		}
	}
	must[wire.Imported](to, 200, "POST", wire.PathImport, `{"records":[{"id":"old-1","connection":"c9","title":"from elsewhere","status":"pending","updated_at":"2020-01-02T03:04:05.678Z"}]}`)
	path := wire.Path(wire.PathNotification, "old-1")
	old := must[wire.Notification](to, 200, "GET", path, nil)
	if old.Revision != 0 || old.UpdatedAt != wire.At(time.Date(2020, 1, 2, 3, 4, 5, 678e6, time.UTC)) {
		t.Errorf("got %+v", old)
	}
	to.refused(409, wire.CodeRevisionConflict, to.owner, "PATCH", path, `{"title":"x","expected_revision":"2020-01-02T03:04:05.000Z"}`)
	to.refused(400, wire.CodeInvalidField, to.owner, "PATCH", path, `{"title":"x","expected_revision":"yesterday"}`)
	if got := must[wire.Notification](to, 200, "PATCH", path, wire.Changes{Title: wire.To("x"), ExpectedRevision: wire.RevisionOf(old)}); got.Revision != 1 {
		t.Errorf("the first change gives revision %d", got.Revision)
	}
	p := to.refused(400, wire.CodeInvalidField, to.owner, "POST", wire.PathImport, `{"records":[{"title":"x"}]}`)
	if p.Errors[0].Field != "/records/0/connection" {
		t.Errorf("field %+v", p.Errors)
	}
	to.refused(400, wire.CodeInvalidField, to.owner, "POST", wire.PathImport, wire.Import{Records: make([]wire.Notification, maxImport+1)})
	if n := to.center.Attention(); n.Pending != 2 {
		t.Errorf("%d are pending", n.Pending)
	}
}

func TestBackupIsStreamed(t *testing.T) {
	r := newRig(t)
	token := r.connect("c1")
	r.publish("c1", wire.Publish{Title: "in the snapshot"})
	r.refused(403, wire.CodeForbidden, token, "GET", wire.PathBackup, nil)
	if got := r.try(r.owner, "GET", wire.PathBackup, nil); got.status != 200 || len(got.body) == 0 {
		t.Errorf("%d, %d bytes", got.status, len(got.body))
	}
}
