package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"signalbox/bridge/wire"
	"signalbox/client"
	"signalbox/internal/daemon"
)

// startDaemon runs a center that can be found, for the rest of the test.
func startDaemon(t *testing.T, home string) *daemon.Daemon {
	t.Helper()
	none := 0.0
	d, err := daemon.Start(t.Context(), daemon.Options{Home: home, Listen: "127.0.0.1:0", RateLimit: &none, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	a := &app{surroundings: surroundings{env: func(string) string { return "" }}, ctx: t.Context(), cli: &cli{Home: home}}
	if err := a.findable(); err != nil {
		t.Fatal(err)
	}
	return d
}

// mcpLab is a client of the protocol at the program, and the owner's client at the center.
func mcpLab(t *testing.T, version string, options *mcp.ClientOptions) (*mcp.ClientSession, *client.Client) {
	t.Helper()
	home := filepath.Join(t.TempDir(), "home")
	d := startDaemon(t, home)
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		defer outW.Close()
		ended <- run(t.Context(), surroundings{
			args: []string{"mcp", "--home=" + home, "--label=Robot"}, stdin: inR, stdout: outW, stderr: io.Discard,
			env: func(string) string { return "" }, now: time.Now,
		})
	}()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, options)
	s, err := c.Connect(t.Context(), &mcp.IOTransport{Reader: outR, Writer: inW}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		inW.Close()
		if code := <-ended; code != 0 {
			t.Errorf("the server ended with %d", code)
		}
	})
	owner, err := client.New(d.URL(), d.OwnerToken(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(owner.Close)
	return s, owner
}

// call calls a tool and reads its result.
func call(t *testing.T, s *mcp.ClientSession, tool string, args map[string]any, out any) *mcp.CallToolResult {
	t.Helper()
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	if out != nil && res.IsError {
		b, _ := json.Marshal(res.Content)
		t.Fatalf("%s: %s", tool, b)
	}
	if out != nil {
		b, _ := json.Marshal(res.StructuredContent)
		if err := json.Unmarshal(b, out); err != nil {
			t.Fatal(err)
		}
	}
	return res
}

func TestMCPTools(t *testing.T) {
	s, owner := mcpLab(t, "", nil)
	var made, again mcpPublished
	call(t, s, "notify", map[string]any{"title": "Built", "key": "b", "severity": "success"}, &made)
	call(t, s, "notify", map[string]any{"title": "Built again", "key": "b"}, &again)
	if made.ID == "" || made.ID != again.ID || again.Result != wire.ResultUpdated {
		t.Errorf("got %+v, %+v", made, again)
	}
	call(t, s, "progress", map[string]any{"title": "Copying", "key": "p", "current": 3, "total": 9}, &made)
	if n, err := owner.Get(t.Context(), made.ID); err != nil || n.Progress == nil || n.Progress.Current != 3 || n.Connection != "mcp" {
		t.Errorf("got %+v, %v", n, err)
	}
	var ended mcpEnded
	call(t, s, "progress", map[string]any{"title": "Copying", "key": "p", "done": true}, nil)
	call(t, s, "resolve", map[string]any{"key": "b", "reason": "seen"}, &ended)
	if ended.Status != wire.StatusResolved {
		t.Errorf("got %+v", ended)
	}
	if page, err := owner.List(t.Context(), client.Query{Statuses: []string{wire.StatusPending}}); err != nil || len(page.Notifications) != 0 {
		t.Errorf("pending: %+v, %v", page.Notifications, err)
	}
	for tool, args := range map[string]map[string]any{
		"notify": {"title": "x", "severity": "loud"}, "resolve": {"key": "none"}, "ask": {"question": ""},
	} {
		if res := call(t, s, tool, args, nil); !res.IsError {
			t.Errorf("%s %v was taken", tool, args)
		}
	}
}

// waiting is the question that waits at the center.
func waiting(t *testing.T, owner *client.Client) wire.Notification {
	t.Helper()
	for ev, err := range owner.Events(t.Context(), "", 0) {
		if err != nil {
			t.Fatal(err)
		}
		if ev.Name == wire.StreamCreated && ev.Notification.Kind == wire.KindInteraction {
			return *ev.Notification
		}
	}
	t.Fatal("no question came")
	return wire.Notification{}
}

// Proves: I4
func TestMCPAskIsAnsweredHere(t *testing.T) {
	s, owner := mcpLab(t, "", nil)
	var answering sync.WaitGroup
	answering.Go(func() {
		n := waiting(t, owner)
		_, err := owner.Answer(t.Context(), n.ID, wire.AnswerRequest{ExpectedRevision: wire.RevisionOf(n), Answer: wire.Answer{Option: "option-2", Comment: "not today"}})
		if err != nil {
			t.Error(err)
		}
	})
	var out mcpAnswer
	call(t, s, "ask", map[string]any{"question": "Deploy?", "options": []string{"Yes", "No"}, "comment": true}, &out)
	// The asker may have the answer before the one who gave it has its receipt.
	answering.Wait()
	if out.Answer != "No" || out.Comment != "not today" || out.Outcome != wire.OutcomeAnswered || out.Where != "signalbox" {
		t.Errorf("got %+v", out)
	}
}

// Proves: I4
func TestMCPAskIsAnsweredInTheClient(t *testing.T) {
	s, owner := mcpLab(t, "2025-11-25", &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			if r.Params.Message != "Deploy?" {
				t.Errorf("asked %q", r.Params.Message)
			}
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "Yes"}}, nil
		},
	})
	var out mcpAnswer
	call(t, s, "ask", map[string]any{"question": "Deploy?", "options": []string{"Yes", "No"}}, &out)
	if out.Answer != "Yes" || out.Where != "client" {
		t.Errorf("got %+v", out)
	}
	n, err := owner.Get(t.Context(), out.ID)
	if err != nil || n.Status != wire.StatusResolved || n.Outcome.Reason != "Answered in the agent" {
		t.Errorf("got %+v, %v", n, err)
	}
}

// Where no center runs, a client that can ask does.
//
// Proves: S1
func TestMCPAskWithoutCenter(t *testing.T) {
	for _, version := range []string{"2025-11-25", ""} {
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		go func() {
			defer outW.Close()
			run(t.Context(), surroundings{
				args: []string{"mcp", "--home=" + filepath.Join(t.TempDir(), "none")}, stdin: inR, stdout: outW, stderr: io.Discard,
				env: func(string) string { return "" }, now: time.Now,
			})
		}()
		c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
			ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "Yes"}}, nil
			},
		})
		s, err := c.Connect(t.Context(), &mcp.IOTransport{Reader: outR, Writer: inW}, &mcp.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatal(err)
		}
		var out mcpAnswer
		call(t, s, "ask", map[string]any{"question": "Deploy?", "options": []string{"Yes", "No"}}, &out)
		if out.Answer != "Yes" || out.Where != "client" {
			t.Errorf("version %q: got %+v", version, out)
		}
		s.Close()
		inW.Close()
	}
}

// What a client does not understand of a center that is away is told as an error of the tool, not of the protocol.
//
// Proves: S1
func TestMCPWithoutCenter(t *testing.T) {
	var out bytes.Buffer
	in := strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"notify","arguments":{"title":"x"}}}`, "",
	}, "\n")
	r, w := io.Pipe()
	go func() {
		io.WriteString(w, in)
		<-t.Context().Done()
	}()
	answered := &untilWritten{buffer: &out, text: `"isError":true`, then: func() { w.Close() }}
	code := run(t.Context(), surroundings{
		args: []string{"mcp", "--home=" + filepath.Join(t.TempDir(), "none")}, stdin: r, stdout: answered, stderr: io.Discard,
		env: func(string) string { return "" }, now: time.Now,
	})
	if code != 0 || !strings.Contains(out.String(), "cannot be reached") {
		t.Errorf("code %d, got %s", code, out.String())
	}
}

// untilWritten does something once a text was written.
type untilWritten struct {
	buffer *bytes.Buffer
	text   string
	then   func()
}

func (u *untilWritten) Write(b []byte) (int, error) {
	u.buffer.Write(b)
	if strings.Contains(u.buffer.String(), u.text) {
		u.then()
	}
	return len(b), nil
}
