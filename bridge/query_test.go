package bridge

import (
	"net/url"
	"testing"

	"signalbox/notify"
)

// The filters of a list are read or refused with the parameter's name; a cursor that is read is written as the same.
//
// Proves: S5
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{"status=pending&severity=error&read=true&since=2026-01-01T00:00:00Z", "scope=x", "read=maybe", "since=yesterday",
		"limit=5&cursor=" + formatCursor(notify.Cursor{ID: "a"}), "cursor=%21", "q=%ff&tag=a&tag=b", "nonsense=1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		q, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		if _, err := filterOf(q); err != nil && notify.CodeOf(err) != notify.CodeInvalidField {
			t.Errorf("filter: %v", err)
		}
		for _, ask := range []func() error{
			func() error { _, err := queryInt(q, "limit", 1, 1, 500); return err },
			func() error { _, err := parseWait(q); return err },
		} {
			if err := ask(); err != nil && notify.CodeOf(err) != notify.CodeInvalidField {
				t.Error(err)
			}
		}
		c, err := parseCursor(q.Get("cursor"))
		if err != nil {
			if notify.CodeOf(err) != notify.CodeInvalidField {
				t.Errorf("cursor: %v", err)
			}
			return
		}
		if again, err := parseCursor(formatCursor(c)); err != nil || !again.UpdatedAt.Equal(c.UpdatedAt) || again.ID != c.ID {
			t.Errorf("%+v comes back as %+v, %v", c, again, err)
		}
	})
}
