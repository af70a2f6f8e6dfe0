package notify

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The providers. Webhooks and commands are named: webhook:NAME, command:NAME.
const (
	ProviderInApp = "in_app"
	ProviderToast = "toast"
	ProviderSound = "sound"
)

// Reason names what decided whether something was announced (A11).
type Reason string

// The reasons. ReasonError is the delivery room's, for what the provider refused.
const (
	ReasonDefault      Reason = "default"      // no subscription says otherwise
	ReasonSubscription Reason = "subscription" // a subscription of the provider, or the lack of one that matches
	ReasonRule         Reason = "rule"         // Detail is its name
	ReasonNoNews       Reason = "no_news"      // the change tells nothing new
	ReasonEnded        Reason = "ended"        // what was told is withdrawn (A9)
	ReasonReplay       Reason = "replay"       // old: imported, replayed or a receipt (A13, I6)
	ReasonSilent       Reason = "silent"
	ReasonMuted        Reason = "muted"
	ReasonSnoozed      Reason = "snooze"
	ReasonSetAside     Reason = "set_aside"
	ReasonLapsed       Reason = "ttl"
	ReasonDuplicate    Reason = "duplicate"
	ReasonSubagent     Reason = "sub_agent"
	ReasonShortTurn    Reason = "short_turn"
	ReasonQuiet        Reason = "quiet_hours"
	ReasonFocus        Reason = "focus"
	ReasonClosed       Reason = "connection_closed"
	ReasonStorm        Reason = "storm"
	ReasonDigest       Reason = "digest"
	ReasonError        Reason = "error"
)

// What a ReasonDefault says beside itself, where it is not the type of an event. Stored deliveries hold these.
const (
	DetailWaits   = "it waits for an answer"
	DetailError   = "it is an error"
	DetailNoSound = "sounds are for questions and failures"
	DetailHistory = "an event of this type is history"
	DetailGoesOn  = "it only goes on"
)

// Act is what a provider does about a change.
type Act string

// The acts.
const (
	ActHold     Act = "hold"     // nothing, and Reason says why
	ActTell     Act = "tell"     // announce
	ActReplace  Act = "replace"  // bring what was shown of this record up to date, without telling again
	ActWithdraw Act = "withdraw" // take back what was shown of this record
)

// DefaultMinTurn is how long a turn must have run for its end to be told where the owner set nothing.
const DefaultMinTurn = 30 * time.Second

// AnnounceInput is what an announcement depends on.
type AnnounceInput struct {
	Change   Change
	Provider string
	Settings Settings
	// Connection is that of the record; nil: not known.
	Connection *Connection
	// Now is the instant, in the owner's own time zone, in which quiet hours are meant.
	Now time.Time
	// Told reports whether the ledger has this identity as told or being told already (A2).
	Told func(AnnounceID) bool
	// Away says that the owner does not look at the active session, though it is the active one:
	// no window of ours or of the agent is in front.
	Away bool
}

// AnnounceID is the durable identity of an announcement, within a provider (A2).
type AnnounceID struct {
	EventType  string
	Occurrence string // scoped by connection and session
}

// Announcement is the decision for one provider.
type Announcement struct {
	Act    Act
	ID     AnnounceID
	Reason Reason
	Detail string // which rule or subscription; empty: nothing to add
	// Later says that what is held now is to be told once, as part of the digest, when the quiet ends
	// (A8, A13).
	Later bool
}

// Announce decides whether a provider tells the owner of a change (A3, A8, A11). It is pure; storms
// are held by [Storm], after it.
func Announce(in AnnounceInput) Announcement {
	r := in.Change.Record
	if r == nil {
		return Announcement{Act: ActHold, Reason: ReasonNoNews}
	}
	a := Announcement{Act: ActHold, ID: AnnounceIDOf(in.Change)}
	if reason, detail := hushed(in); reason != "" {
		a.Reason, a.Detail = reason, detail
		switch {
		case reason == ReasonEnded, reason == ReasonMuted, reason == ReasonSnoozed, reason == ReasonSetAside:
			a.Act = ActWithdraw
		case in.Change.Name == EvUpdated && reason == ReasonNoNews:
			a.Act = ActReplace
		}
		return a
	}
	if in.Told != nil && in.Told(a.ID) {
		a.Reason = ReasonDuplicate
		if in.Change.Name == EvUpdated {
			a.Act = ActReplace
		}
		return a
	}
	through := false
	var tell bool
	if rule := ruleFor(in.Settings.Rules, r); rule != nil {
		a.Reason, a.Detail = ReasonRule, rule.Name
		tell = rule.tells(in.Provider)
		through = tell && rule.Through
	} else {
		tell, a.Reason, a.Detail = subscribed(in)
	}
	if !tell {
		return a
	}
	if r.Scope == ScopeSession && !in.Away && in.Settings.Focus == (SessionRef{r.Connection, r.Session}) {
		a.Reason, a.Detail = ReasonFocus, ""
		return a
	}
	if _, quiet := QuietAt(in.Settings, in.Now); quiet && !through {
		a.Reason, a.Detail, a.Later = ReasonQuiet, "", true
		return a
	}
	a.Act = ActTell
	return a
}

// hushed says why a change is nothing to tell of, whatever the settings; "" where it is.
func hushed(in AnnounceInput) (Reason, string) {
	c := in.Change
	r := c.Record
	switch {
	case c.Removed:
		return ReasonNoNews, ""
	case c.Quiet && c.Name == EvCreated:
		return ReasonReplay, ""
	case r.Status.Terminal():
		return ReasonEnded, ""
	case r.Silent:
		return ReasonSilent, ""
	case r.SnoozeUntil.After(in.Now):
		return ReasonSnoozed, ""
	case r.Muted && r.SnoozeUntil.IsZero():
		return ReasonMuted, ""
	case Lapsed(r, in.Now):
		return ReasonLapsed, ""
	case r.SetAsideAt(in.Now) && c.Name != EvCreated:
		return ReasonSetAside, ""
	case in.Connection != nil && !in.Connection.Open && !r.Waiting():
		return ReasonClosed, ""
	case c.Quiet || !news(c):
		return ReasonNoNews, string(c.Name)
	}
	return "", ""
}

// news reports whether a change tells the owner something new: an item that came, that resurfaced, or
// whose new revision is another event, weighs more, or asks again. A corroboration never does (A6).
func news(c Change) bool {
	r, before := c.Record, c.Before
	switch c.Name {
	case EvCreated, EvResurfaced:
		return true
	case EvUpdated:
		if before == nil { // read back from the log: the ledger knows whether it was told
			return true
		}
		return before.Status.Terminal() || r.Revision != before.Revision && AnnounceIDOf(c) != AnnounceIDOf(Change{Name: EvCreated, Record: before})
	}
	return false
}

// AnnounceIDOf is the identity of what a change would announce. An item without an event is told
// once as itself; it is told anew when it resurfaces, when its severity rises to error, or when it
// asks again after its producer refused an answer.
func AnnounceIDOf(c Change) AnnounceID {
	r := c.Record
	if r == nil {
		return AnnounceID{}
	}
	id := AnnounceID{EventType: "notification." + string(r.Kind), Occurrence: r.ID}
	if r.Event != nil {
		id = AnnounceID{EventType: r.Event.Type, Occurrence: r.Connection + "/" + r.Session + "/" + r.Event.Occurrence}
	}
	switch {
	case !r.ResurfacedAt.IsZero():
		id.Occurrence += "@" + strconv.FormatInt(r.ResurfacedAt.UnixMilli(), 10)
	case r.InteractionError != "":
		id.Occurrence += "@r" + strconv.Itoa(r.Revision)
	}
	if r.Event == nil && severityRank(r.Severity) >= severityRank(SeverityError) {
		id.Occurrence += "!"
	}
	return id
}

// ruleFor is the rule that decides: the last that matches, or the first with Stop; nil: none.
func ruleFor(rules []Rule, r *Record) *Rule {
	var found *Rule
	for i := range rules {
		if !rules[i].Match.matches(r) {
			continue
		}
		found = &rules[i]
		if found.Stop {
			break
		}
	}
	return found
}

// tells reports whether the rule has a provider tell.
func (r *Rule) tells(provider string) bool {
	switch r.Set {
	case RuleToast:
		return provider != ProviderSound
	case RuleSound:
		return true
	}
	return false
}

// matches reports whether all conditions that are given hold.
func (m RuleMatch) matches(r *Record) bool {
	event := ""
	if r.Event != nil {
		event = r.Event.Type
	}
	switch {
	case m.Connection != "" && m.Connection != r.Connection,
		m.Session != "" && m.Session != r.Session,
		m.Kind != "" && m.Kind != r.Kind,
		m.Severity != "" && m.Severity != r.Severity,
		m.Tag != "" && !slices.Contains(r.Tags, m.Tag),
		m.Sender != "" && m.Sender != r.Sender,
		m.Event != "" && !eventMatches(m.Event, event):
		return false
	case m.Text == "":
		return true
	}
	re, err := regexp.Compile(m.Text)
	if err != nil { // refused when it was set; one that came otherwise matches nothing
		return false
	}
	return re.MatchString(r.Title) || re.MatchString(r.Body) || slices.ContainsFunc(r.Lines, re.MatchString)
}

// eventMatches reports whether a pattern (a type, a namespace such as session.*, or *) covers a type.
func eventMatches(pattern, event string) bool {
	if pattern == "*" || pattern == event {
		return true
	}
	prefix, ok := strings.CutSuffix(pattern, ".*")
	return ok && strings.HasPrefix(event, prefix+".")
}

// subscribed decides by the subscriptions of the provider; with none, or one that names no events,
// by what makes sense on the first day.
func subscribed(in AnnounceInput) (tell bool, reason Reason, detail string) {
	r := in.Change.Record
	named := false
	for _, s := range in.Settings.Subscriptions {
		if s.Provider != in.Provider {
			continue
		}
		named = true
		event := EventOf(r)
		if !s.covers(r) {
			continue
		}
		if slices.ContainsFunc(s.Except, func(p string) bool { return eventMatches(p, event) }) {
			reason, detail = ReasonSubscription, "except "+event
			continue
		}
		if s.Events == nil {
			tell, reason, detail = byDefault(in)
			if tell {
				return true, ReasonSubscription, ""
			}
			continue
		}
		if i := slices.IndexFunc(s.Events, func(p string) bool { return eventMatches(p, event) }); i >= 0 {
			if r.Subagent() && s.Events[i] != event { // only one who names the event asks for more
				return false, ReasonSubagent, ""
			}
			return true, ReasonSubscription, s.Events[i]
		}
	}
	if !named {
		return byDefault(in)
	}
	if reason != "" && reason != ReasonDefault {
		return false, reason, detail
	}
	return false, ReasonSubscription, ""
}

// EventOf is the event type that subscriptions know r by: its own, or where it tells of none
// "notification." and its kind.
func EventOf(r *Record) string {
	if r.Event != nil {
		return r.Event.Type
	}
	return "notification." + string(r.Kind)
}

// covers reports whether the subscription is about r, its events apart.
func (s *Subscription) covers(r *Record) bool {
	return !s.Disabled &&
		(s.MinSeverity == "" || severityRank(r.Severity) >= severityRank(s.MinSeverity)) &&
		(len(s.Severities) == 0 || slices.Contains(s.Severities, r.Severity)) &&
		(len(s.Connections) == 0 || slices.Contains(s.Connections, r.Connection)) &&
		(len(s.Scopes) == 0 || slices.Contains(s.Scopes, r.Scope))
}

// byDefault decides where the owner decided nothing: questions, permissions and failures are told,
// finished turns if they ran long enough, notices and reports; sub-agents are not, nor is what only
// goes on (progress, status), nor an event of an unknown type that does not weigh.
func byDefault(in AnnounceInput) (bool, Reason, string) {
	r := in.Change.Record
	heavy := severityRank(r.Severity) >= severityRank(SeverityError)
	switch {
	case r.Waiting():
		return true, ReasonDefault, DetailWaits
	case r.Subagent():
		return false, ReasonSubagent, ""
	case heavy:
		return true, ReasonDefault, DetailError
	case r.Event != nil && r.Event.Type == EventTurnFailed, r.Event != nil && r.Event.Type == EventClarificationRequested:
		return true, ReasonDefault, r.Event.Type
	case in.Provider == ProviderSound:
		return false, ReasonDefault, DetailNoSound
	case r.Event != nil && r.Event.Type == EventTurnFinished:
		limit := in.Settings.MinTurn
		if limit == 0 {
			limit = DefaultMinTurn
		}
		if d, known := TurnDuration(r); known && d < limit {
			return false, ReasonShortTurn, ""
		}
		return true, ReasonDefault, r.Event.Type
	case r.Event != nil && r.Event.Type != EventUpdateAvailable && severityRank(r.Severity) < severityRank(SeverityWarning):
		return false, ReasonDefault, DetailHistory
	case r.Kind == KindProgress, r.Kind == KindStatus:
		return false, ReasonDefault, DetailGoesOn
	}
	return true, ReasonDefault, ""
}

var durationSeconds = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"duration_seconds"\s*:\s*([0-9]+(?:\.[0-9]+)?)`)
})

// TurnDuration is how long the turn ran, which a producer tells as duration_seconds in data; known is
// false where it doesn't.
func TurnDuration(r *Record) (d time.Duration, known bool) {
	m := durationSeconds().FindSubmatch(r.Data)
	if m == nil {
		return 0, false
	}
	s, err := strconv.ParseFloat(string(m[1]), 64)
	if err != nil || s > 1e8 {
		return 0, false
	}
	return time.Duration(s * float64(time.Second)), true
}
