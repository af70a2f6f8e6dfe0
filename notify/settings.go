package notify

import (
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The words of Rule.Set.
const (
	RuleToast = "toast" // told by toast, without a sound
	RuleSound = "sound" // told by toast and sound
	RuleNone  = "none"  // told by nobody
	RuleMute  = "mute"  // told by nobody, as none; the word of the older files
)

// maxSettings bounds the lists of settings.
const maxSettings = 200

// setSettings changes what the owner decided about being told (A3, A8).
func (d *decider) setSettings(op SetSettings) (Result, error) {
	if err := d.ownerOnly(); err != nil {
		return Result{}, err
	}
	s := d.s.Settings()
	if op.QuietUntil != nil {
		s.QuietUntil = op.QuietUntil.UTC().Truncate(time.Millisecond)
		if !s.QuietUntil.After(d.at) {
			s.QuietUntil = zeroTime
		}
	}
	if op.Subscriptions != nil {
		subs := MigrateSubscriptions(*op.Subscriptions)
		if err := checkSubscriptions(subs); err != nil {
			return Result{}, err
		}
		s.Subscriptions = subs
	}
	if op.Rules != nil {
		rules := slices.Clone(*op.Rules)
		if err := checkRules(rules); err != nil {
			return Result{}, err
		}
		s.Rules = rules
	}
	if op.QuietHours != nil {
		hours := slices.Clone(*op.QuietHours)
		if err := checkQuietHours(hours); err != nil {
			return Result{}, err
		}
		s.QuietHours = hours
	}
	assign(&s.MinTurn, op.MinTurn)
	if s.MinTurn < 0 {
		return Result{}, Invalid("/min_turn_seconds", "must be 0 or more")
	}
	if reflect.DeepEqual(s, d.s.Settings()) {
		return Result{Verdict: Unchanged}, nil
	}
	d.emit(Change{Name: EvAttention, Settings: &s})
	return Result{Verdict: Updated}, nil
}

func (k *checker) eventTypes(field string, list []string) {
	for i, e := range list {
		k.eventType(field+strconv.Itoa(i), e)
	}
}

// eventType validates a pattern of event types.
func (k *checker) eventType(field, e string) {
	if !namespaced(strings.TrimSuffix(e, ".*")+".x") && e != "*" {
		k.bad(field, "must be a namespaced event type, a namespace such as session.*, or *")
	}
}

func checkSubscriptions(subs []Subscription) error {
	var k checker
	if len(subs) > maxSettings {
		k.bad("/subscriptions", "must be at most %d", maxSettings)
		return k.err()
	}
	for i := range subs {
		s, at := &subs[i], "/subscriptions/"+strconv.Itoa(i)
		if !providerName(s.Provider) {
			k.bad(at+"/provider", "must be in_app, toast, sound, webhook:NAME or command:NAME")
		}
		k.eventTypes(at+"/events/", s.Events)
		k.eventTypes(at+"/except/", s.Except)
		if s.MinSeverity != "" && severityRank(s.MinSeverity) < 0 {
			k.bad(at+"/min_severity", "is no severity")
		}
		for j, v := range s.Severities {
			if severityRank(v) < 0 {
				k.bad(at+"/severities/"+strconv.Itoa(j), "is no severity")
			}
		}
		for j, v := range s.Scopes {
			if v != ScopeApplication && v != ScopeSession {
				k.bad(at+"/scopes/"+strconv.Itoa(j), "must be one of application, session")
			}
		}
	}
	return k.err()
}

// providerName reports whether s names a provider.
func providerName(s string) bool {
	switch s {
	case ProviderInApp, ProviderToast, ProviderSound:
		return true
	}
	kind, name, ok := strings.Cut(s, ":")
	return ok && (kind == "webhook" || kind == "command") && word(name, 64)
}

func checkRules(rules []Rule) error {
	var k checker
	if len(rules) > maxSettings {
		k.bad("/rules", "must be at most %d", maxSettings)
		return k.err()
	}
	seen := map[string]bool{}
	for i := range rules {
		r, at := &rules[i], "/rules/"+strconv.Itoa(i)
		k.line(at+"/name", &r.Name, MaxLabel, true)
		if seen[r.Name] {
			k.bad(at+"/name", "is given twice")
		}
		seen[r.Name] = true
		switch r.Set {
		case RuleToast, RuleSound, RuleNone, RuleMute:
		default:
			k.bad(at+"/set", "must be one of toast, sound, none, mute")
		}
		if r.Match.Kind != "" {
			kinds(&k, at+"/match/kind", &r.Match.Kind)
		}
		if r.Match.Severity != "" && severityRank(r.Match.Severity) < 0 {
			k.bad(at+"/match/severity", "is no severity")
		}
		if r.Match.Tag != "" && !word(r.Match.Tag, maxTag) {
			k.bad(at+"/match/tag", "is no tag")
		}
		if r.Match.Event != "" {
			k.eventType(at+"/match/event", r.Match.Event)
		}
		if r.Match.Text != "" {
			if len(r.Match.Text) > MaxLine {
				k.bad(at+"/match/text", "must be at most %d bytes", MaxLine)
			} else if _, err := regexp.Compile(r.Match.Text); err != nil {
				k.bad(at+"/match/text", "must be a regular expression: %v", err)
			}
		}
	}
	return k.err()
}

// severityRank is the weight of a severity; -1: it is none.
func severityRank(s Severity) int {
	return slices.Index([]Severity{SeverityInfo, SeveritySuccess, SeverityWarning, SeverityError, SeverityCritical}, s)
}
