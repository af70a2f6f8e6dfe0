package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"signalbox/bridge/wire"
	"signalbox/client"
)

// mcpCmd serves tools to a client of the Model Context Protocol, on standard input and output.
type mcpCmd struct {
	Label   string `default:"MCP" help:"Label of the connection, where it is not there yet."`
	Session string `help:"Session that everything belongs to."`
}

func (c *mcpCmd) Run(a *app) error {
	s := newMCPServer(a, c)
	err := s.Run(a.ctx, &mcp.IOTransport{Reader: io.NopCloser(a.stdin), Writer: nopWriteCloser{a.stdout}})
	if a.ctx.Err() != nil || errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) {
		return nil
	}
	return err
}

type nopWriteCloser struct{ io.Writer }

func (nopWriteCloser) Close() error { return nil }

// mcpTools are the tools, which share the connection.
type mcpTools struct {
	app *app
	cmd *mcpCmd
}

// instructions are what a model reads of the whole.
const instructions = "Tell the owner of this machine what they need to know, and ask them what only they can decide. " +
	"Use ask for decisions; use notify sparingly, with a stable key for what may change; use progress for work of minutes; resolve what is over."

func newMCPServer(a *app, c *mcpCmd) *mcp.Server {
	t := &mcpTools{a, c}
	s := mcp.NewServer(&mcp.Implementation{Name: "signalbox", Title: "Signalbox", Version: version}, &mcp.ServerOptions{Instructions: instructions})
	mcp.AddTool(s, &mcp.Tool{Name: "notify", Title: "Notify the owner", Description: "Publish a notification to the owner's desktop. The same key updates in place."}, t.notify)
	mcp.AddTool(s, &mcp.Tool{Name: "ask", Title: "Ask the owner", Description: "Ask the owner a question and wait for the answer. Give options, or let them write text."}, t.ask)
	mcp.AddTool(s, &mcp.Tool{Name: "progress", Title: "Show progress", Description: "Show how far a piece of work is. Call it again with the same key; set done at its end."}, t.progress)
	mcp.AddTool(s, &mcp.Tool{Name: "resolve", Title: "Resolve", Description: "End a notification whose reason is gone, by its key or id."}, t.resolve)
	return s
}

// connect finds the center anew for each call: it may have been started again.
func (t *mcpTools) connect(ctx context.Context) (*client.Client, string, error) {
	w := t.app.chosen()
	if t.app.cli.Connection == "" && t.app.env("SIGNALBOX_CONNECTION") == "" {
		w = who{id: "mcp", label: t.cmd.Label}
	}
	return t.app.as(ctx, w)
}

func (t *mcpTools) session(s string) string { return cmp.Or(s, t.cmd.Session) }

type mcpNotify struct {
	Title    string   `json:"title" jsonschema:"one line, at most 200 characters"`
	Body     string   `json:"body,omitempty" jsonschema:"Markdown"`
	Severity string   `json:"severity,omitempty" jsonschema:"info, success, warning, error or critical"`
	Key      string   `json:"key,omitempty" jsonschema:"stable name of the matter; the same key updates in place"`
	Session  string   `json:"session,omitempty" jsonschema:"the chat that it belongs to"`
	Lines    []string `json:"lines,omitempty" jsonschema:"further facts, a line each"`
	Links    []string `json:"links,omitempty" jsonschema:"addresses of pages"`
	Files    []string `json:"files,omitempty" jsonschema:"paths of files"`
	Tags     []string `json:"tags,omitempty"`
}

type mcpPublished struct {
	ID     string   `json:"id"`
	Result string   `json:"result"`
	Masked []string `json:"masked,omitempty" jsonschema:"fields in which a credential was masked"`
}

func (t *mcpTools) notify(ctx context.Context, _ *mcp.CallToolRequest, in mcpNotify) (*mcp.CallToolResult, mcpPublished, error) {
	p := wire.Publish{Title: in.Title, Body: in.Body, Severity: in.Severity, Key: in.Key, Session: t.session(in.Session), Lines: in.Lines, Tags: in.Tags}
	for _, l := range in.Links {
		p.Links = append(p.Links, wire.Link{URL: l})
	}
	for _, f := range in.Files {
		p.Attachments = append(p.Attachments, wire.Attachment{Path: f})
	}
	return t.publish(ctx, p)
}

func (t *mcpTools) publish(ctx context.Context, p wire.Publish) (*mcp.CallToolResult, mcpPublished, error) {
	center, id, err := t.connect(ctx)
	if err != nil {
		return nil, mcpPublished{}, err
	}
	defer center.Close()
	out, err := center.Publish(ctx, id, p)
	if err != nil {
		return nil, mcpPublished{}, err
	}
	return nil, mcpPublished{out.Notification.ID, out.Result, out.Masked}, nil
}

type mcpProgress struct {
	Title   string   `json:"title"`
	Key     string   `json:"key" jsonschema:"stable name of the work"`
	Current float64  `json:"current,omitempty" jsonschema:"how far it is"`
	Total   *float64 `json:"total,omitempty" jsonschema:"what it goes up to; absent: not known"`
	Text    string   `json:"text,omitempty" jsonschema:"what it does now"`
	Session string   `json:"session,omitempty"`
	Done    bool     `json:"done,omitempty" jsonschema:"the work is over"`
}

func (t *mcpTools) progress(ctx context.Context, r *mcp.CallToolRequest, in mcpProgress) (*mcp.CallToolResult, mcpPublished, error) {
	if in.Done {
		res, out, err := t.resolve(ctx, r, mcpResolve{Key: in.Key, Session: in.Session, Reason: cmp.Or(in.Text, "done")})
		return res, mcpPublished{ID: out.ID, Result: out.Status}, err
	}
	return t.publish(ctx, wire.Publish{
		Title: in.Title, Key: in.Key, Session: t.session(in.Session), Kind: wire.KindProgress,
		Progress: &wire.Progress{Current: in.Current, Total: in.Total, Text: in.Text},
	})
}

type mcpResolve struct {
	Key     string `json:"key,omitempty" jsonschema:"key that was published"`
	ID      string `json:"id,omitempty" jsonschema:"or the id of the notification"`
	Session string `json:"session,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

type mcpEnded struct {
	ID     string `json:"id"`
	Status string `json:"status"`
}

func (t *mcpTools) resolve(ctx context.Context, _ *mcp.CallToolRequest, in mcpResolve) (*mcp.CallToolResult, mcpEnded, error) {
	if (in.Key == "") == (in.ID == "") {
		return nil, mcpEnded{}, errors.New("give the key or the id")
	}
	center, id, err := t.connect(ctx)
	if err != nil {
		return nil, mcpEnded{}, err
	}
	defer center.Close()
	var n wire.Notification
	if in.ID != "" {
		n, err = center.Resolve(ctx, in.ID, wire.Ending{Reason: in.Reason})
	} else {
		n, err = center.ResolveKey(ctx, id, t.session(in.Session), in.Key, wire.Ending{Reason: in.Reason})
	}
	if err != nil {
		return nil, mcpEnded{}, err
	}
	return nil, mcpEnded{n.ID, n.Status}, nil
}

type mcpAsk struct {
	Question string   `json:"question"`
	Options  []string `json:"options,omitempty" jsonschema:"ways to answer; absent: free text"`
	Body     string   `json:"body,omitempty" jsonschema:"what the owner should know to answer, Markdown"`
	Comment  bool     `json:"comment,omitempty" jsonschema:"let the owner add a comment to an option"`
	Timeout  float64  `json:"timeout_seconds,omitempty" jsonschema:"give up after so many seconds; absent: wait"`
	Key      string   `json:"key,omitempty" jsonschema:"stable name of the question"`
	Session  string   `json:"session,omitempty"`
}

type mcpAnswer struct {
	ID      string `json:"id"`
	Outcome string `json:"outcome" jsonschema:"answered, cancelled, timed_out, resolved or expired"`
	Answer  string `json:"answer,omitempty" jsonschema:"the option, or the text"`
	Comment string `json:"comment,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Where   string `json:"where,omitempty" jsonschema:"where it was answered: signalbox or client"`
}

// ask publishes the question and waits. A client that can ask for itself asks as well: who answers first, wins.
func (t *mcpTools) ask(ctx context.Context, r *mcp.CallToolRequest, in mcpAsk) (*mcp.CallToolResult, mcpAnswer, error) {
	if res, ok := r.Params.InputResponses[inputID].(*mcp.ElicitResult); ok {
		ans, ok := answerOf(res)
		if !ok {
			ans = mcpAnswer{Outcome: wire.OutcomeCancelled, Where: "client"}
		}
		return nil, ans, nil
	}
	center, id, err := t.connect(ctx)
	if err != nil {
		if unreachable(err) && canElicit(r.Session) {
			// The owner cannot be reached here, perhaps there.
			return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{inputID: in.elicit()}}, mcpAnswer{}, nil
		}
		return nil, mcpAnswer{}, err
	}
	defer center.Close()
	out, err := center.Publish(ctx, id, in.publish(t.session(in.Session)))
	if err != nil {
		return nil, mcpAnswer{}, err
	}
	n := out.Notification
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	there := make(chan mcpAnswer, 1)
	go func() {
		defer close(there)
		if ans, ok := elicit(ctx, r.Session, in); ok {
			there <- ans
		}
	}()
	here := make(chan wire.Notification, 1)
	failed := make(chan error, 1)
	go func() {
		n, err := center.Await(ctx, n.ID)
		if err != nil {
			failed <- err
			return
		}
		here <- n
	}()
	for {
		select {
		case n := <-here:
			return nil, in.answer(n), nil
		case err := <-failed:
			t.withdraw(ctx, center, n.ID)
			return nil, mcpAnswer{}, err
		case ans, ok := <-there:
			if !ok {
				there = nil // the client cannot ask, or was not answered
				continue
			}
			ans.ID = n.ID
			return nil, t.answered(ctx, center, n.ID, ans), nil
		}
	}
}

func (in mcpAsk) publish(session string) wire.Publish {
	i := &wire.Interaction{Kind: "question", Prompt: in.Question, TimeoutSeconds: in.Timeout}
	for k, label := range in.Options {
		o := wire.Option{ID: fmt.Sprintf("option-%d", k+1), Label: label}
		if in.Comment {
			o.Comment = wire.CommentOptional
		}
		i.Options = append(i.Options, o)
	}
	if len(in.Options) == 0 {
		i.Fields = []wire.Field{{ID: "text", Label: "Answer", Type: wire.FieldText, Required: true}}
	}
	return wire.Publish{Kind: wire.KindInteraction, Title: firstLineOf(in.Question), Body: in.Body, Key: in.Key, Session: session, Interaction: i}
}

// answer is how a question ended.
func (in mcpAsk) answer(n wire.Notification) mcpAnswer {
	out := mcpAnswer{ID: n.ID, Outcome: n.Status, Where: "signalbox"}
	o := n.Outcome
	if o == nil {
		return out
	}
	out.Outcome, out.Reason = o.Kind, o.Reason
	if o.Answer == nil {
		return out
	}
	out.Comment = o.Answer.Comment
	for k, label := range in.Options {
		if o.Answer.Option == fmt.Sprintf("option-%d", k+1) {
			out.Answer = label
		}
	}
	if s, ok := o.Answer.Fields["text"].(string); ok && out.Answer == "" {
		out.Answer = s
	}
	return out
}

// answered ends the question here, as it was answered in the client; where it had been answered here before, that
// answer counts (I4).
func (t *mcpTools) answered(ctx context.Context, center *client.Client, id string, ans mcpAnswer) mcpAnswer {
	var err error
	if ans.Outcome == wire.OutcomeAnswered {
		_, err = center.Resolve(ctx, id, wire.Ending{Reason: "Answered in the agent"})
	} else {
		_, err = center.Cancel(ctx, id, wire.Ending{Reason: "Declined in the agent"})
	}
	if client.Code(err) == wire.CodeTerminal || client.Code(err) == wire.CodeAlreadyAnswered {
		if n, gerr := center.Get(ctx, id); gerr == nil && n.Outcome != nil && n.Outcome.Answer != nil {
			ans.Reason = "answered in Signalbox at the same time: " + strings.TrimSpace(n.Outcome.Answer.Option+" "+n.Outcome.Answer.Comment)
		}
	}
	return ans
}

// withdraw cancels a question that the client does not wait for any more.
func (t *mcpTools) withdraw(ctx context.Context, center *client.Client, id string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), hookLeave)
	defer cancel()
	if _, err := center.Cancel(ctx, id, wire.Ending{Reason: "who asked does not wait any more"}); err != nil && client.Code(err) == "" {
		fmt.Fprintln(t.app.stderr, "sigbox: mcp:", err)
	}
}

// inputID names the question in a result that asks the client for input.
const inputID = "answer"

// canElicit reports whether the client can ask its user.
func canElicit(s *mcp.ServerSession) bool {
	if s == nil || s.InitializeParams() == nil || s.InitializeParams().Capabilities == nil {
		return false
	}
	e := s.InitializeParams().Capabilities.Elicitation
	return e != nil && (e.Form != nil || e.URL == nil)
}

// elicit is the question as the client asks it.
func (in mcpAsk) elicit() *mcp.ElicitParams {
	answer := map[string]any{"type": "string", "title": "Answer"}
	if len(in.Options) > 0 {
		answer["enum"] = in.Options
	}
	properties := map[string]any{"answer": answer}
	if in.Comment && len(in.Options) > 0 {
		properties["comment"] = map[string]any{"type": "string", "title": "Comment"}
	}
	return &mcp.ElicitParams{
		Mode: "form", Message: in.Question,
		RequestedSchema: map[string]any{"type": "object", "properties": properties, "required": []string{"answer"}},
	}
}

// elicit has the client ask; ok is false where it cannot, or was not answered. From the protocol's version of
// 2026-07-28 a client asks only in place of the server, not beside it: then the question is asked here alone.
func elicit(ctx context.Context, s *mcp.ServerSession, in mcpAsk) (mcpAnswer, bool) {
	if !canElicit(s) {
		return mcpAnswer{}, false
	}
	res, err := s.Elicit(ctx, in.elicit())
	if err != nil {
		return mcpAnswer{}, false
	}
	return answerOf(res)
}

// answerOf reads the client's answer; ok is false where it was set aside there.
func answerOf(res *mcp.ElicitResult) (mcpAnswer, bool) {
	out := mcpAnswer{Outcome: wire.OutcomeAnswered, Where: "client"}
	switch res.Action {
	case "accept":
		out.Answer, _ = res.Content["answer"].(string)
		out.Comment, _ = res.Content["comment"].(string)
		return out, out.Answer != ""
	case "decline":
		out.Outcome = wire.OutcomeCancelled
		return out, true
	}
	return out, false
}
