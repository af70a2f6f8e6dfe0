package reload

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/go-json-experiment/json"

	"signalbox/internal/loopback"
	"signalbox/notify"
)

// MaxAnswer is the most that is read of a server's answer, in bytes; MaxItems the most sessions or
// actions that are taken from one.
const (
	MaxAnswer = 1 << 20
	MaxItems  = 500
)

// Fetcher asks a connection's own server.
type Fetcher interface {
	// Sessions returns the sessions as commands, without their connection.
	Sessions(ctx context.Context, url string) ([]notify.PutSession, error)
	Actions(ctx context.Context, url string) ([]notify.Action, error)
	// Invoke tells the server that an action was invoked.
	Invoke(ctx context.Context, url, action string) error
}

// HTTP is the Fetcher over HTTP: GET {"sessions":[{"id","title","url","state","sequence"}]} and
// {"actions":[{"id","label","style","url"}]}, unknown members ignored; POST {"action":ID} invokes.
type HTTP struct {
	Client *http.Client
}

var _ Fetcher = (*HTTP)(nil)

// askLimit bounds one question.
const askLimit = 10 * time.Second

// NewHTTP returns a Fetcher that waits at most 10 s, and goes outside the loopback only while remote says so.
func NewHTTP(remote func() bool) *HTTP { return &HTTP{Client: loopback.NewClient(askLimit, remote)} }

// Sessions fetches a list of sessions.
func (h *HTTP) Sessions(ctx context.Context, address string) ([]notify.PutSession, error) {
	var answer struct {
		Sessions []struct {
			ID       string  `json:"id"`
			Title    *string `json:"title"`
			URL      *string `json:"url"`
			State    *string `json:"state"`
			Sequence *int64  `json:"sequence"`
		} `json:"sessions"`
	}
	if err := h.get(ctx, address, &answer); err != nil {
		return nil, err
	}
	if len(answer.Sessions) > MaxItems {
		return nil, fmt.Errorf("%d sessions, more than %d", len(answer.Sessions), MaxItems)
	}
	list := make([]notify.PutSession, 0, len(answer.Sessions))
	for i, s := range answer.Sessions {
		if s.ID == "" {
			return nil, fmt.Errorf("session %d has no id", i)
		}
		list = append(list, notify.PutSession{Session: s.ID, Title: s.Title, URL: s.URL, State: s.State, Sequence: s.Sequence})
	}
	return list, nil
}

// Actions fetches the definitions of application actions.
func (h *HTTP) Actions(ctx context.Context, address string) ([]notify.Action, error) {
	var answer struct {
		Actions []struct {
			ID      string  `json:"id"`
			Label   string  `json:"label"`
			Style   string  `json:"style"`
			URL     string  `json:"url"`
			Confirm confirm `json:"confirm"`
		} `json:"actions"`
	}
	if err := h.get(ctx, address, &answer); err != nil {
		return nil, err
	}
	if len(answer.Actions) > MaxItems {
		return nil, fmt.Errorf("%d actions, more than %d", len(answer.Actions), MaxItems)
	}
	list := make([]notify.Action, 0, len(answer.Actions))
	for i, a := range answer.Actions {
		label := notify.CleanLine(a.Label)
		if a.ID == "" || label == "" {
			return nil, fmt.Errorf("action %d has no id or no label", i)
		}
		style := a.Style
		if style != "primary" && style != "danger" {
			style = "default"
		}
		list = append(list, notify.Action{ID: a.ID, Label: label, Style: style, URL: a.URL, Confirm: notify.CleanLine(string(a.Confirm))})
	}
	return list, nil
}

// confirm is the question before an action: a text, or true for the usual one.
type confirm string

// UnmarshalJSON reads a boolean or a string; null is false.
func (c *confirm) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case "null", "false":
		*c = ""
	case "true":
		*c = notify.AskAgain
	default:
		var text string
		if err := json.Unmarshal(b, &text); err != nil {
			return err
		}
		*c = confirm(text)
	}
	return nil
}

// Invoke posts the id of an action to the address that its definition came from.
func (h *HTTP) Invoke(ctx context.Context, address, action string) error {
	body, err := json.Marshal(map[string]string{"action": action})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	return h.do(req, nil)
}

func (h *HTTP) get(ctx context.Context, address string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	return h.do(req, into)
}

func (h *HTTP) do(req *http.Request, into any) error {
	res, err := h.Client.Do(req)
	if err != nil {
		// The address may carry a secret; only what went wrong is told.
		if e, ok := err.(*url.Error); ok {
			err = e.Err
		}
		return fmt.Errorf("ask the connection's server: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return fmt.Errorf("ask the connection's server: status %d", res.StatusCode)
	}
	if into == nil {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, MaxAnswer+1))
	if err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	if len(body) > MaxAnswer {
		return fmt.Errorf("read the answer: more than %d bytes", MaxAnswer)
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	return nil
}
