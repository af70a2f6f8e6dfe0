package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"signalbox/agents"
	"signalbox/bridge/wire"
)

// Bounds of following a server of OpenCode.
const (
	followFirst  = 250 * time.Millisecond // before it is tried again, doubled each time
	followMost   = 15 * time.Second
	followEvent  = 8 << 20 // bytes of one event
	followCall   = 10 * time.Second
	followWait   = 12 * time.Hour // how long a question is held: the server goes on asking anyway
	followAsking = 64             // questions held at once
)

// followed are the events that say something to the owner; the others of the stream are many.
var followed = map[string]bool{
	"session.created": true, "session.updated": true, "session.deleted": true, "session.idle": true, "session.error": true, "session.status": true,
	"message.updated": true, "permission.updated": true, "permission.asked": true, "permission.v2.asked": true, "permission.replied": true,
	"permission.v2.replied": true, "question.asked": true, "question.v2.asked": true, "question.replied": true, "question.v2.replied": true,
	"question.rejected": true, "question.v2.rejected": true, "installation.update-available": true,
}

// follower follows the event stream of a server of OpenCode, and answers through its API.
type follower struct {
	app  *app
	cmd  *hookCmd
	base *url.URL
	http *http.Client
	user string
	pass string
	wait time.Duration

	asking  chan struct{} // held questions
	held    sync.WaitGroup
	parents map[string]string // of sessions
	users   map[string]bool   // messages of the user that were told of
	busy    map[string]string // last state of sessions, against repeats
}

// followOpenCode follows until it is stopped. The server may come and go.
func followOpenCode(a *app, c *hookCmd) error {
	if !strings.EqualFold(c.Agent, "opencode") {
		return errors.New("--server is for opencode")
	}
	base, err := url.Parse(c.Server)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return errors.New("--server wants http://HOST:PORT")
	}
	f := &follower{
		app: a, cmd: c, base: base, wait: c.Wait, asking: make(chan struct{}, followAsking),
		http: &http.Client{Transport: &http.Transport{Proxy: nil}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		user: cmp.Or(a.env("OPENCODE_SERVER_USERNAME"), "opencode"), pass: a.env("OPENCODE_SERVER_PASSWORD"),
		parents: map[string]string{}, users: map[string]bool{}, busy: map[string]string{},
	}
	if f.wait == 0 {
		f.wait = followWait
	}
	defer f.held.Wait()
	for pause := followFirst; a.ctx.Err() == nil; pause = min(2*pause, followMost) {
		got, err := f.read(a.ctx)
		if got {
			pause = followFirst
		}
		if err != nil && a.ctx.Err() == nil {
			a.note("opencode", err)
		}
		select {
		case <-a.ctx.Done():
		case <-time.After(pause):
		}
	}
	return nil
}

func (f *follower) request(ctx context.Context, method, path string, body []byte) (*http.Response, error) {
	// The path has its escapes already; it is never a whole address.
	u, err := f.base.Parse(strings.TrimSuffix(f.base.EscapedPath(), "/") + path)
	if err != nil || u.Host != f.base.Host {
		return nil, errors.New("not a path of the server")
	}
	r, err := http.NewRequestWithContext(ctx, method, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if f.pass != "" {
		r.SetBasicAuth(f.user, f.pass)
	}
	if len(body) > 0 {
		r.Header.Set("Content-Type", "application/json")
	}
	resp, err := f.http.Do(r)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode/100 != 2 {
		resp.Body.Close()
		return nil, fmt.Errorf("%s %s: status %d", method, strings.Split(path, "/")[1], resp.StatusCode)
	}
	return resp, nil
}

// read reads the stream until it breaks; got says that it was open.
func (f *follower) read(ctx context.Context) (got bool, err error) {
	resp, err := f.request(ctx, http.MethodGet, "/event", nil)
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, followEvent)
	var data []byte
	for lines.Scan() {
		line := lines.Bytes()
		switch {
		case len(line) == 0:
			f.event(ctx, data)
			data = nil
		case bytes.HasPrefix(line, []byte("data:")) && len(data)+len(line) <= followEvent:
			if len(data) > 0 {
				data = append(data, '\n')
			}
			data = append(data, bytes.TrimPrefix(line[5:], []byte(" "))...)
		}
	}
	if err := lines.Err(); err != nil {
		return true, err
	}
	return true, errors.New("the stream ended")
}

// event handles one event of the stream.
func (f *follower) event(ctx context.Context, data []byte) {
	var e struct {
		Type       string `json:"type"`
		Properties struct {
			SessionID string `json:"sessionID"`
			Info      struct {
				ID        string `json:"id"`
				ParentID  string `json:"parentID"`
				SessionID string `json:"sessionID"`
				Role      string `json:"role"`
			} `json:"info"`
			Status struct {
				Type string `json:"type"`
			} `json:"status"`
		} `json:"properties"`
	}
	if len(data) == 0 || json.Unmarshal(data, &e) != nil || !followed[e.Type] {
		return
	}
	session := cmp.Or(e.Properties.SessionID, e.Properties.Info.SessionID)
	switch e.Type {
	case "session.created", "session.updated":
		session = e.Properties.Info.ID
		f.keepParent(session, e.Properties.Info.ParentID)
		if e.Type == "session.updated" && e.Properties.Info.ParentID != "" {
			return
		}
	case "message.updated":
		if e.Properties.Info.Role != "user" || f.users[e.Properties.Info.ID] {
			return
		}
		if len(f.users) > 1000 {
			clear(f.users)
		}
		f.users[e.Properties.Info.ID] = true
	case "session.status":
		if s := e.Properties.Status.Type; s == f.busy[session] && s != "retry" {
			return
		} else if len(f.busy) > 1000 {
			clear(f.busy)
		} else {
			f.busy[session] = s
		}
	}
	payload := data
	if parent := f.parentOf(ctx, session); parent != "" {
		wrapped, err := json.Marshal(map[string]any{"event": json.RawMessage(data), "parent": parent})
		if err != nil {
			return
		}
		payload = wrapped
	}
	f.tell(payload)
}

// parentOf is the session that a sub-agent's session belongs to; empty: it is no sub-agent's, or not known.
func (f *follower) parentOf(ctx context.Context, session string) string {
	if session == "" {
		return ""
	}
	if parent, known := f.parents[session]; known {
		return parent
	}
	ctx, cancel := context.WithTimeout(ctx, followCall)
	defer cancel()
	resp, err := f.request(ctx, http.MethodGet, "/session/"+url.PathEscape(session), nil)
	if err != nil {
		return ""
	}
	defer resp.Body.Close()
	var info struct {
		ParentID string `json:"parentID"`
	}
	if json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&info) != nil {
		return ""
	}
	f.keepParent(session, info.ParentID)
	return info.ParentID
}

// keepParent notes the parent of a session; empty: it has none.
func (f *follower) keepParent(session, parent string) {
	if len(f.parents) > 10000 {
		clear(f.parents) // they can be asked for again
	}
	f.parents[session] = parent
}

// tell carries an event out, in order; a question is waited for beside the stream.
func (f *follower) tell(payload []byte) {
	c := *f.cmd
	c.Wait = f.wait
	p := c.translate(f.app, payload, f.app.now())
	noteSeen(f.app, p, payload)
	if !p.Known {
		return
	}
	ctx, cancel := context.WithTimeout(f.app.ctx, followCall)
	defer cancel()
	h := &hooker{app: f.app, who: hookConnection(f.app, p.Agent)}
	h.timeTurn(p)
	held := false
	defer func() {
		if !held {
			h.close()
		}
	}()
	asked, err := h.deliver(ctx, p, true)
	f.app.note("opencode", err)
	if asked == nil {
		return
	}
	select {
	case f.asking <- struct{}{}:
	default:
		f.app.note("opencode", h.leave(p, asked, "too many questions are open"))
		return
	}
	held = true
	f.held.Go(func() {
		defer func() { <-f.asking }()
		defer h.close()
		out, err := h.await(p, asked, f.wait)
		if out != "" { // whatever else failed
			err = errors.Join(err, f.answer(h, p, asked, out))
		}
		if err != nil && f.app.ctx.Err() == nil {
			f.app.note("opencode", err)
		}
	})
}

// answer gives the owner's answer to the server. One that comes too late is told to the owner.
func (f *follower) answer(h *hooker, p *agents.Plan, asked *wire.Notification, out string) error {
	var call struct {
		Method string          `json:"method"`
		Path   string          `json:"path"`
		Body   json.RawMessage `json:"body"`
	}
	if err := json.Unmarshal([]byte(out), &call); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(f.app.ctx, followCall)
	defer cancel()
	resp, err := f.request(ctx, call.Method, call.Path, call.Body)
	if err != nil {
		return errors.Join(err, h.undelivered(p, asked))
	}
	return resp.Body.Close()
}
