package bridge

import (
	"net/http"

	"signalbox/bridge/wire"
)

// access says whose token opens a route.
type access int

const (
	public     access = iota // no token
	anybody                  // any right token
	owner                    // the owner's
	connection               // the owner's, or that of the connection in the path
	record                   // the owner's, or that of the connection whose record it is
)

// effect says whether a route changes something, and then counts against the
// allowance of its connection.
type effect bool

const (
	reads   effect = false
	changes effect = true
)

// route is one row of the table. What a row says is what the description at
// PathOpenAPI says.
type route struct {
	method, path string
	access       access
	effect       effect
	handle       func(http.ResponseWriter, *http.Request) error
	about        about
}

// about describes a route for the table's readers.
type about struct {
	summary string
	early   bool // a read that is answered before it is known what is stored
	query   []param
	body    any  // an example of the body's type; nil: no body
	noBody  bool // the body may be left out
	answers []reply
}

type param struct{ name, kind, summary string }

// several is the kind of a parameter that may be repeated: any of its values is
// meant. One of another kind is given once.
const several = "array"

type reply struct {
	status int
	body   any // an example of the type; nil: none; a string: the media type of something else
}

// routes is the bridge: every route, who may use it, and what it answers.
func (s *Server) routes() []route {
	const (
		get  = http.MethodGet
		post = http.MethodPost
		put  = http.MethodPut
		pat  = http.MethodPatch
		del  = http.MethodDelete
	)
	ok := func(body any) []reply { return []reply{{http.StatusOK, body}} }
	none := []reply{{http.StatusNoContent, nil}}
	stream := []reply{{http.StatusOK, "text/event-stream"}}
	published := []reply{{http.StatusOK, wire.PublishResult{}}, {http.StatusCreated, wire.PublishResult{}}}
	item := ok(wire.Notification{})
	resume := []param{{"after", "integer", "the change after which to resume, as Last-Event-ID"}}
	inSession := []param{{"session", "string", "of session scope: the session"}}

	return []route{
		{get, wire.PathHealth, public, reads, s.health, about{summary: "Whether the center answers", answers: ok(wire.Health{})}},
		{get, wire.PathIdentity, public, reads, s.identity, about{summary: "Proof of whom one talks to",
			query: []param{{"nonce", "string", "what to prove it for"}}, answers: ok(wire.Identity{})}},
		{get, wire.PathOpenAPI, anybody, reads, s.openAPI, about{early: true, summary: "This description", answers: ok("application/json")}},
		{get, wire.PathMetrics, owner, reads, s.prometheus, about{early: true, summary: "Figures for Prometheus", answers: ok("text/plain")}},

		// Connections.
		{post, wire.PathConnections, owner, reads, s.createConnection, about{summary: "Make a connection; its token is told this once",
			body: wire.ConnectionCreate{}, answers: []reply{{http.StatusCreated, wire.ConnectionCreated{}}}}},
		{get, wire.PathConnections, owner, reads, s.listConnections, about{summary: "All connections", answers: ok(wire.Connections{})}},
		{get, wire.PathConnection, connection, reads, s.getConnection, about{summary: "One connection", answers: ok(wire.Connection{})}},
		{pat, wire.PathConnection, owner, reads, s.patchConnection, about{summary: "Change label, colour, open or closed, retention",
			body: wire.ConnectionPatch{}, answers: ok(wire.Connection{})}},
		{del, wire.PathConnection, owner, reads, s.deleteConnection, about{summary: "Revoke a connection and, with purge, remove its records",
			query: []param{{"purge", "boolean", "remove its records too"}}, answers: none}},
		{post, wire.PathConnectionToken, owner, reads, s.rotateToken, about{summary: "Replace a connection's token", answers: ok(wire.Token{})}},
		{post, wire.PathHello, connection, changes, s.hello, about{summary: "Announce a run of the hosting process",
			body: wire.Hello{}, answers: ok(wire.HelloResult{})}},

		// Publishing.
		{post, wire.PathPublish, connection, changes, s.publish, about{summary: "Publish a notification", body: wire.Publish{}, answers: published}},
		{post, wire.PathBatch, connection, reads, s.batch, about{summary: "Several changes, all or none", // counts its operations itself
			body: wire.Batch{}, answers: ok(wire.BatchResult{})}},
		{post, wire.PathKeyResolve, connection, changes, s.resolveKey, about{summary: "Resolve the pending occurrence of a key",
			query: inSession, body: wire.Ending{}, noBody: true, answers: item}},
		{post, wire.PathKeyExpire, connection, changes, s.expireKey, about{summary: "Expire the pending occurrence of a key",
			query: inSession, body: wire.Ending{}, noBody: true, answers: item}},
		{post, wire.PathRequestComplete, connection, changes, s.completeRequest, about{summary: "Expire what belongs to a request",
			answers: ok(wire.Completed{})}},

		// Sessions.
		{get, wire.PathSessions, connection, reads, s.listSessions, about{summary: "The sessions of a connection", answers: ok(wire.Sessions{})}},
		{put, wire.PathSession, connection, changes, s.putSession, about{summary: "Make or change a session", body: wire.SessionPut{},
			answers: []reply{{http.StatusOK, wire.Session{}}, {http.StatusCreated, wire.Session{}}}}},
		{del, wire.PathSession, connection, changes, s.endSession, about{summary: "End a session and its pending items", answers: none}},
		{post, wire.PathSessionSeen, connection, changes, s.seeSession, about{summary: "Say how far a session was seen",
			body: wire.Seen{}, answers: ok(wire.Session{})}},

		// What to load again.
		{get, wire.PathInvalidations, connection, reads, s.listInvalidations, about{summary: "What is to be loaded again", answers: ok(wire.Invalidations{})}},
		{post, wire.PathInvalidationsAck, connection, changes, s.ackInvalidations, about{summary: "Say what was loaded again; answers what is left",
			body: wire.Acknowledge{}, answers: ok(wire.Invalidations{})}},

		// Notifications.
		{get, wire.PathNotifications, anybody, reads, s.listNotifications, about{summary: "A page of notifications, newest first",
			query: listParams, answers: ok(wire.Page{})}},
		{get, wire.PathNotification, record, reads, s.getNotification, about{summary: "One notification, at once or when it changed",
			query:   []param{{"wait", "number", "seconds to wait for a change, at most 300"}, {"since_revision", "integer", "a change is another revision than this"}},
			answers: item}},
		{pat, wire.PathNotification, record, changes, s.patchNotification, about{summary: "Change its content; null clears", body: wire.Changes{}, answers: item}},
		{post, wire.PathDismiss, owner, reads, s.dismiss, about{summary: "Dismiss the revision that was seen", body: wire.Ending{}, answers: item}},
		{post, wire.PathResolve, record, changes, s.resolve, about{summary: "End it: its reason is gone", body: wire.Ending{}, noBody: true, answers: item}},
		{post, wire.PathExpire, record, changes, s.expire, about{summary: "End it: its time is over", body: wire.Ending{}, noBody: true, answers: item}},
		{post, wire.PathAnswer, owner, reads, s.answer, about{summary: "Answer an interaction", body: wire.AnswerRequest{}, answers: item}},
		{post, wire.PathCancel, record, changes, s.cancelInteraction, about{summary: "Withdraw an interaction", body: wire.Ending{}, noBody: true, answers: item}},
		{post, wire.PathRejectAnswer, record, changes, s.rejectAnswer, about{summary: "Refuse the answer: it waits again", body: wire.Rejection{}, answers: item}},
		{post, wire.PathAction, owner, reads, s.invokeAction, about{summary: "Set an action off", body: wire.Ending{},
			answers: []reply{{http.StatusAccepted, wire.Notification{}}}}},
		{post, wire.PathRead, owner, reads, s.read, about{summary: "Mark it read", answers: item}},
		{post, wire.PathUnread, owner, reads, s.unread, about{summary: "Mark it unread", answers: item}},
		{post, wire.PathMute, owner, reads, s.mute, about{summary: "Mute it", answers: item}},
		{post, wire.PathUnmute, owner, reads, s.unmute, about{summary: "Unmute it", answers: item}},
		{post, wire.PathSnooze, owner, reads, s.snooze, about{summary: "Mute it until an instant", body: wire.Snooze{}, answers: item}},
		{post, wire.PathUnsnooze, owner, reads, s.unsnooze, about{summary: "Bring it back now", answers: item}},
		{post, wire.PathSetAside, owner, reads, s.setAside, about{summary: "Take an interaction from the front; it goes on waiting",
			body: wire.SetAside{}, noBody: true, answers: item}},
		{get, wire.PathTrace, owner, reads, s.trace, about{summary: "Why it was announced or not", answers: ok(wire.Trace{})}},
		{post, wire.PathDismissMany, owner, reads, s.dismissMany, about{summary: "Dismiss several, each for itself",
			body: wire.Dismiss{}, answers: ok(wire.DismissResults{})}},

		// Views.
		{get, wire.PathRail, owner, reads, s.rail, about{summary: "What a fresh view presents now", answers: ok(wire.Rail{}),
			query: []param{{"session", "string", "another session than the active one"}, {"connection", "string", "the connection of that session"}}}},
		{put, wire.PathFocus, owner, reads, s.putFocus, about{summary: "Name the active session, or none", body: wire.Focus{}, answers: ok(wire.Focus{})}},
		{get, wire.PathFocus, owner, reads, s.getFocus, about{summary: "The active session", answers: ok(wire.Focus{})}},
		{get, wire.PathAttention, owner, reads, s.attention, about{summary: "The counts of everything that asks for attention", answers: ok(wire.Attention{})}},
		{post, wire.PathShow, owner, reads, s.show, about{summary: "Show the window", body: wire.Show{}, noBody: true, answers: none}},

		// Moving house.
		{post, wire.PathImport, owner, reads, s.importRecords, about{summary: "Store records from elsewhere as they are, all or none",
			body: wire.Import{}, answers: ok(wire.Imported{})}},
		{get, wire.PathBackup, owner, reads, s.backup, about{summary: "A snapshot of everything, as sigbox restore reads it",
			answers: ok("application/octet-stream")}},

		// Streams.
		{get, wire.PathEvents, owner, reads, s.allEvents, about{early: true, summary: "Every change, as it comes", query: resume, answers: stream}},
		{get, wire.PathConnectionEvents, connection, reads, s.connectionEvents, about{summary: "The changes of one connection, as they come",
			query: resume, answers: stream}},

		// How the owner is told.
		{get, wire.PathSubscriptions, owner, reads, s.getSubscriptions, about{summary: "What each provider announces", answers: ok(wire.Subscriptions{})}},
		{put, wire.PathSubscriptions, owner, reads, s.putSubscriptions, about{summary: "Replace that", body: wire.Subscriptions{}, answers: ok(wire.Subscriptions{})}},
		{get, wire.PathRules, owner, reads, s.getRules, about{summary: "The rules, in order", answers: ok(wire.Rules{})}},
		{put, wire.PathRules, owner, reads, s.putRules, about{summary: "Replace them", body: wire.Rules{}, answers: ok(wire.Rules{})}},
		{put, wire.PathDoNotDisturb, owner, reads, s.putDoNotDisturb, about{summary: "Hold announcements back until then; without an instant, no longer",
			body: wire.DoNotDisturb{}, answers: ok(wire.DoNotDisturb{})}},
		{get, wire.PathDoNotDisturb, owner, reads, s.getDoNotDisturb, about{summary: "Until when announcements are held back", answers: ok(wire.DoNotDisturb{})}},
		{post, wire.PathProviderTest, owner, reads, s.testProvider, about{summary: "Try a provider", answers: ok(wire.Delivery{})}},
		{get, wire.PathDeliveries, owner, reads, s.listDeliveries, about{summary: "The history of announcements, newest first",
			query:   []param{{"provider", "string", "of this provider"}, {"notification", "string", "of this notification"}, {"limit", "integer", "at most 500"}},
			answers: ok(wire.Deliveries{})}},
	}
}

// listParams are the filters of a list, and its place.
var listParams = []param{
	{"connection", several, "of these connections"},
	{"scope", several, "of these scopes"},
	{"session", several, "of these sessions"},
	{"status", several, "with these statuses"},
	{"severity", several, "of these severities"},
	{"kind", several, "of these kinds"},
	{"tag", several, "with one of these tags"},
	{"event", several, "of these event types"},
	{"q", "string", "whose text has words that begin so"},
	{"since", "string", "updated then or later"},
	{"until", "string", "updated before then"},
	{"read", "boolean", "read or unread"},
	{"include_silent", "boolean", "silent ones too"},
	{"limit", "integer", "1 to 500; 50"},
	{"cursor", "string", "the next_cursor of the page before"},
}
