// Package sample makes the records, connections and sessions that the tests and pictures of the
// windows are made from. It is one day in a signal box, at one fixed instant.
package sample

import (
	"fmt"
	"time"

	"signalbox/notify"
)

// Now is the instant of all samples: a Tuesday afternoon.
var Now = time.Date(2026, 3, 10, 14, 30, 0, 0, time.UTC)

var seq int

// Record makes a pending record of a connection, and of a session unless that is empty, that was
// published ago before Now; change adapts it.
func Record(id, connection, session string, ago time.Duration, title string, change func(*notify.Record)) *notify.Record {
	seq++
	at := Now.Add(-ago)
	r := &notify.Record{ID: id, Connection: connection, Session: session, Scope: notify.ScopeApplication, Occurrence: 1, Revision: 1,
		Status: notify.Pending, CreatedAt: at, UpdatedAt: at, ContentAt: at, Change: int64(seq)}
	if session != "" {
		r.Scope = notify.ScopeSession
	}
	r.Content = notify.Content{Kind: notify.KindNotice, Severity: notify.SeverityInfo, Title: title, Dismissible: true,
		Presentation: notify.PresentBanner, Retention: notify.Retention{Policy: notify.UntilResolved}}
	if change != nil {
		change(r)
	}
	if r.ContentAt.After(r.UpdatedAt) {
		r.UpdatedAt = r.ContentAt
	}
	if r.Kind == notify.KindInteraction {
		r.Dismissible = false
		if r.InteractionState == "" {
			r.InteractionState = notify.InteractionWaiting
		}
	}
	return r
}

func total(v float64) *float64 { return &v }

// Permission asks to run a command.
func Permission() *notify.Record {
	return Record("01-permission", "claude", "s-checkout", 4*time.Minute+12*time.Second, "Run the database migration?", func(r *notify.Record) {
		r.Kind, r.Severity = notify.KindInteraction, notify.SeverityWarning
		r.Body = "The checkout tests need the new `orders` table.\n\n```sh\ndocker compose exec db psql -U shop -f migrations/0042_orders_add_index.sql --single-transaction\n```"
		r.Interaction = &notify.Interaction{Kind: "permission", Prompt: "Run the database migration?", Options: []notify.Option{
			{ID: "allow", Label: "Allow once", Style: "primary", Comment: "none"},
			{ID: "always", Label: "Always allow in this session", Style: "default", Comment: "none"},
			{ID: "deny", Label: "Deny", Style: "danger", Comment: "optional"}}}
		r.InteractionDeadline = Now.Add(5*time.Minute + 48*time.Second)
		r.Sender = "Bash"
	})
}

// Question asks with options.
func Question() *notify.Record {
	return Record("02-question", "codex", "", 95*time.Second, "Which API version should the client target?", func(r *notify.Record) {
		r.Kind = notify.KindInteraction
		r.Body = "v2 drops the `legacy_id` field that three screens still read."
		r.Interaction = &notify.Interaction{Kind: "question", Prompt: "Which API version should the client target?", Options: []notify.Option{
			{ID: "v1", Label: "Stay on v1", Style: "default"}, {ID: "v2", Label: "Move to v2", Style: "default"}}}
	})
}

// Plan asks to approve a plan.
func Plan() *notify.Record {
	return Record("03-plan", "claude", "s-checkout", 26*time.Minute, "Plan: split the payment service", func(r *notify.Record) {
		r.Kind = notify.KindInteraction
		r.Body = "## What I would do\n\n1. Move the card adapters to `payments/adapters`\n2. Put the retry policy behind one interface\n3. Migrate the three callers\n4. Delete the old package\n\n## What could break\n\n- Refunds started before the deploy\n- The nightly settlement job\n\n> Nothing is pushed before you have seen the diff.\n\n```go\ntype Adapter interface {\n\tCharge(ctx context.Context, c Charge) (Receipt, error)\n}\n```\n\nMore in the [design note](https://example.com/notes/payments)."
		r.Interaction = &notify.Interaction{Kind: "plan_approval", Prompt: "Approve the plan?", Options: []notify.Option{
			{ID: "approve", Label: "Approve", Style: "primary", Comment: "optional"}, {ID: "revise", Label: "Ask for changes", Style: "default", Comment: "required"}}}
	})
}

// Form asks with fields.
func Form() *notify.Record {
	return Record("04-form", "deploy", "", 8*time.Minute, "Release window for 4.2", func(r *notify.Record) {
		r.Kind = notify.KindInteraction
		r.Interaction = &notify.Interaction{Kind: "human_step", Prompt: "When may 4.2 go out, and to whom?", Options: []notify.Option{
			{ID: "go", Label: "Schedule", Style: "primary"}, {ID: "hold", Label: "Hold the release", Style: "default", Comment: "required"}},
			Fields: []notify.Field{
				{ID: "date", Label: "Date", Type: notify.FieldDate, Required: true, Default: notify.RawJSON(`"2026-03-12"`)},
				{ID: "share", Label: "Share of traffic, in percent", Type: notify.FieldInteger, Default: notify.RawJSON(`10`), Min: notify.RawJSON(`1`), Max: notify.RawJSON(`100`)},
				{ID: "regions", Label: "Regions", Type: notify.FieldChoices, Choices: []string{"eu-west", "us-east", "ap-south"}},
				{ID: "notify", Label: "Tell the customers", Type: notify.FieldBoolean},
			}}
	})
}

// Choices asks two questions whose choices say what they mean, as an agent does.
func Choices() *notify.Record {
	return Record("05-choices", "claude", "s-docs", 2*time.Minute, "Asks: Which date library should the settings page use? (and 1 more)", func(r *notify.Record) {
		r.Kind = notify.KindInteraction
		r.Body = "**Which date library should the settings page use?**\n\n- date-fns: Small functions, imported one by one. Already used by the reports.\n- Luxon: Time zones are first class.\n- Temporal: The coming standard; needs a polyfill of 20 kB in every browser that we support.\n\n" +
			"**Which pages should be migrated in this PR?**\n\n- Profile: One form\n- Billing: Three tables and the invoices\n- Security"
		r.Interaction = &notify.Interaction{Kind: "question", Prompt: "2 questions", Fields: []notify.Field{
			{ID: "question-1", Label: "Which date library should the settings page use?", Type: notify.FieldChoice, Choices: []string{"date-fns", "Luxon", "Temporal"}},
			{ID: "question-1-other", Label: "Something else (Date lib)", Type: notify.FieldText},
			{ID: "question-2", Label: "Which pages should be migrated in this PR?", Type: notify.FieldChoices, Choices: []string{"Profile", "Billing", "Security"}},
		}, Options: []notify.Option{{ID: "send", Label: "Send", Style: "primary"}}}
	})
}

// Rail is the rail of a busy afternoon.
func Rail() notify.Rail {
	return notify.Rail{
		Application: []*notify.Record{
			Question(), Form(),
			Record("05-progress", "deploy", "", 3*time.Minute, "Deploying 4.1.7 to staging", func(r *notify.Record) {
				r.Kind, r.Revision = notify.KindProgress, 14
				r.Progress = &notify.Progress{Current: 11, Total: total(18), Text: "Rolling eu-west: 11 of 18 machines"}
				r.ContentAt = Now.Add(-20 * time.Second)
			}),
			Record("06-index", "codex", "", 6*time.Minute, "Indexing the repository", func(r *notify.Record) {
				r.Kind, r.Read = notify.KindProgress, true
				r.Progress = &notify.Progress{Text: "2,114 files so far"}
			}),
			Record("07-error", "ci", "", 12*time.Minute, "Build failed on main: 3 tests red", func(r *notify.Record) {
				r.Severity = notify.SeverityError
				r.Body = "`TestRefundAfterSettlement` fails since **a41f9c2**."
				r.Lines = []string{"payments: TestRefundAfterSettlement, TestRefundTwice", "ledger: TestDailyClose"}
				r.Actions = []notify.Action{{ID: "log", Label: "Open the log", URL: "https://ci.example.com/7"}, {ID: "rerun", Label: "Run again", Style: "default"}}
				r.Tags = []string{"main"}
			}),
			Record("08-critical", "deploy", "", 50*time.Minute, "Disk of db-2 is 96 % full", func(r *notify.Record) {
				r.Severity, r.Read = notify.SeverityCritical, true
				r.Body = "About **40 minutes** are left at the present rate."
				r.PlusOnes = []notify.PlusOne{{}, {}}
			}),
			Record("09-update", "codex", "", 26*time.Hour, "Codex 0.58 is out", func(r *notify.Record) {
				r.Read = true
				r.Chip = &notify.Chip{Glyph: "⬆", Label: "update"}
			}),
		},
		Session: []*notify.Record{
			Permission(), Plan(),
			Record("10-done", "claude", "s-checkout", 70*time.Second, "The checkout flow is finished", func(r *notify.Record) {
				r.Severity, r.Revision = notify.SeveritySuccess, 2
				r.Body = "All **214 tests** pass. The flaky retry test was a race in the fake clock; it is fixed in its own commit."
				r.Links = []notify.Link{{Title: "Diff", URL: "https://example.com/diff"}}
			}),
			Record("11-warning", "claude", "s-checkout", 41*time.Minute, "Context is nearly full", func(r *notify.Record) {
				r.Severity, r.Read = notify.SeverityWarning, true
				r.Lines = []string{"91 % used; older turns will be summarised"}
			}),
		},
	}
}

// Connections are four agents.
func Connections() []notify.ConnectionView {
	c := func(id, label, colour string, p notify.Presence, seen time.Duration, unread, waiting int) notify.ConnectionView {
		return notify.ConnectionView{Connection: &notify.Connection{ID: id, Label: label, Color: colour, Open: true,
			CreatedAt: Now.Add(-48 * time.Hour), SeenAt: Now.Add(-seen), Revoked: p == notify.Revoked}, Presence: p,
			Counts: notify.Counts{Unread: unread, Waiting: waiting, Pending: unread + waiting}}
	}
	return []notify.ConnectionView{
		c("claude", "Claude Code", "#d97757", notify.Online, 30*time.Second, 3, 2),
		c("codex", "Codex", "#3f8fd0", notify.Online, 30*time.Second, 1, 1),
		c("deploy", "Deploy robot", "#35a063", notify.Online, 20*time.Second, 2, 1),
		c("ci", "CI", "", notify.Offline, 12*time.Minute, 1, 0),
	}
}

// Sessions are the sessions of the connections.
func Sessions() map[string][]notify.SessionView {
	s := func(conn, id, title, url, state string, ago time.Duration, waiting, unread int, need notify.Need) notify.SessionView {
		return notify.SessionView{Session: &notify.Session{Connection: conn, ID: id, Title: title, URL: url, State: state, CreatedAt: Now.Add(-ago), UpdatedAt: Now},
			Waiting: waiting, Unread: unread, Needs: need}
	}
	return map[string][]notify.SessionView{
		"claude": {
			s("claude", "s-checkout", "Finish the checkout flow", "file:///home/kim/shop/.claude/worktrees/checkout#feature/checkout", "working", 2*time.Hour, 2, 1, notify.NeedConfirm),
			s("claude", "s-docs", "Docs for the public API", "file:///home/kim/shop", "idle", 3*time.Hour, 0, 1, notify.NeedReply),
			s("claude", "s-upgrade", "Upgrade to Go 1.26", "file:///home/kim/tools", "idle", 4*time.Hour, 0, 1, notify.NeedFailed),
		},
		"codex": {
			s("codex", "c-1", "Client for the v2 API", "file:///home/kim/client", "working", time.Hour, 1, 0, notify.NeedConfirm),
			s("codex", "c-2", "Refactor the importer", "file:///home/kim/importer", "working", 5*time.Hour, 0, 0, ""),
		},
	}
}

// Elsewhere waits in a session that is not the active one.
func Elsewhere() []*notify.Record {
	return []*notify.Record{Record("20-elsewhere", "codex", "c-1", 7*time.Minute, "May I install pnpm 10?", func(r *notify.Record) {
		r.Kind = notify.KindInteraction
		r.Interaction = &notify.Interaction{Kind: "permission", Prompt: "May I install pnpm 10?", Options: []notify.Option{{ID: "y", Label: "Yes"}}}
	})}
}

// Attention is the badge that belongs to all this.
func Attention() notify.Attention {
	return notify.Attention{Counts: notify.Counts{Unread: 7, Waiting: 5, Pending: 12}}
}

// Many are n terminal records, newest first.
func Many(n int) []*notify.Record {
	statuses := []notify.Status{notify.Dismissed, notify.Resolved, notify.Expired, notify.Dismissed}
	severities := []notify.Severity{notify.SeverityInfo, notify.SeveritySuccess, notify.SeverityWarning, notify.SeverityError}
	titles := []string{"Turn finished: importer refactoring", "Tests pass again on main", "Rate limit of the registry is near", "Could not reach the staging database"}
	out := make([]*notify.Record, n)
	for i := range out {
		out[i] = Record(fmt.Sprintf("h-%07d", n-i), []string{"claude", "codex", "deploy", "ci"}[i%4], []string{"s-docs", "c-2", "", ""}[i%4], time.Duration(i+1)*7*time.Minute, titles[i%4], func(r *notify.Record) {
			r.Status, r.Severity, r.Read = statuses[i%4], severities[i%4], true
			r.EndedAt = r.UpdatedAt.Add(time.Minute)
			r.Outcome = &notify.Outcome{Kind: notify.OutcomeKind(r.Status), By: "owner", At: r.EndedAt}
		})
	}
	return out
}
