package reload

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"signalbox/notify"
)

// answering is a transport that answers every request with the same text.
type answering string

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(string(a))), Request: r}, nil
}

// What an agent's server sends is refused, or is lists that can be shown as they are.
//
// Proves: E2, S5, S6
func FuzzLists(f *testing.F) {
	for _, seed := range []string{
		`{"sessions":[{"id":"a","title":"A","state":"working","sequence":3,"url":"http://127.0.0.1/"}]}`,
		`{"actions":[{"id":"deploy","label":"Deploy\u001b[2J","style":"danger","confirm":true},{"id":"b","label":"B","confirm":"Sure?"}]}`,
		`{"actions":[{"id":"","label":"x"}]}`, `{"sessions":null}`, `{"actions":[{"confirm":7}]}`, `[`, ``,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		h := &HTTP{Client: &http.Client{Transport: answering(body)}}
		sessions, err := h.Sessions(t.Context(), "http://127.0.0.1/sessions")
		for _, s := range sessions {
			if err != nil || s.Session == "" {
				t.Fatalf("took %+v, %v", s, err)
			}
		}
		actions, err := h.Actions(t.Context(), "http://127.0.0.1/actions")
		for _, a := range actions {
			if err != nil || a.ID == "" || a.Label == "" || notify.CleanLine(a.Label) != a.Label || notify.CleanLine(a.Confirm) != a.Confirm {
				t.Fatalf("took %+v, %v", a, err)
			}
		}
	})
}
