package notify

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// content cleans and validates all of a record's content, and fills in its defaults.
func (k *checker) content(c *Content, scope Scope) {
	kinds(k, "/kind", &c.Kind)
	oneOf(k, "/severity", &c.Severity, SeverityInfo, SeveritySuccess, SeverityWarning, SeverityError, SeverityCritical)
	oneOf(k, "/presentation", &c.Presentation, PresentBanner, PresentInline, PresentModal)
	k.line("/title", &c.Title, MaxTitle, true)
	k.text("/body", &c.Body, MaxBody, false)
	if len(c.Lines) > MaxLines {
		k.bad("/lines", "must be at most %d lines", MaxLines)
	} else if len(c.Lines) > 0 {
		c.Lines = slices.Clone(c.Lines)
		for i := range c.Lines {
			k.line("/lines/"+strconv.Itoa(i), &c.Lines[i], MaxLine, false)
		}
	}
	k.line("/sender", &c.Sender, MaxLabel, false)
	if c.Event != nil {
		if c.Event.Type == EventWaitingForInput {
			k.bad("/event/type", "is retired")
		} else {
			checkEvent(k, c.Event, scope)
		}
	}
	k.pathName("/request", c.Request, false)
	k.name("/dedup_key", c.DedupKey, false)
	k.icon("/icon", &c.Icon)
	k.color("/color", c.Color)
	k.line("/panel", &c.Panel, MaxLabel, false)
	k.tags(c)
	k.chip(c)
	k.progress(c)
	k.attachments(c)
	k.links(c)
	k.actions(c)
	if c.Kind == KindInteraction && c.Interaction == nil {
		k.bad("/interaction", "is required for the kind interaction")
	}
	if c.Interaction != nil {
		if c.Kind != KindInteraction {
			k.bad("/interaction", "is only for the kind interaction")
		}
		i := *c.Interaction
		k.interaction(&i)
		c.Interaction = &i
	}
	k.report(c)
	k.dismissible(c)
	k.retention(c)
	k.refresh(c)
	k.object("/data", &c.Data, MaxData)
}

func kinds(k *checker, field string, kind *Kind) {
	oneOf(k, field, kind, KindNotice, KindProgress, KindStatus, KindInteraction, KindReport)
}

// maxTag bounds a tag, in characters.
const maxTag = 40

func (k *checker) tags(c *Content) {
	if len(c.Tags) > MaxTags {
		k.bad("/tags", "must be at most %d", MaxTags)
		return
	}
	var out []string
	for i, t := range c.Tags {
		if !word(t, maxTag) {
			k.bad("/tags/"+strconv.Itoa(i), "must be 1 to 40 small letters, digits, ., _ or -, beginning with a letter or digit")
		}
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	c.Tags = out
}

func (k *checker) chip(c *Content) {
	if c.Chip == nil {
		return
	}
	chip := *c.Chip
	k.icon("/chip/glyph", &chip.Glyph)
	k.line("/chip/label", &chip.Label, 40, chip.Glyph == "")
	k.color("/chip/color", chip.Color)
	c.Chip = &chip
}

func (k *checker) progress(c *Content) {
	if c.Progress == nil {
		if c.Kind == KindProgress {
			k.bad("/progress", "is required for the kind progress")
		}
		return
	}
	p := *c.Progress
	bounded := func(v float64) bool { return v >= 0 && !math.IsInf(v, 0) } // false for NaN
	if !bounded(p.Current) {
		k.bad("/progress/current", "must be a number of 0 or more")
	}
	if p.Total != nil && (!bounded(*p.Total) || *p.Total == 0) {
		k.bad("/progress/total", "must be a number of more than 0; absent: it is not known")
	}
	k.line("/progress/text", &p.Text, MaxLine, false)
	c.Progress = &p
}

func (k *checker) attachments(c *Content) {
	if len(c.Attachments) > MaxAttachments {
		k.bad("/attachments", "must be at most %d", MaxAttachments)
		return
	}
	c.Attachments = slices.Clone(c.Attachments)
	for i := range c.Attachments {
		a, at := &c.Attachments[i], "/attachments/"+strconv.Itoa(i)
		if (a.Path == "") == (a.URL == "") {
			k.bad(at, "must have either a path or a url")
		}
		k.path(at+"/path", a.Path)
		k.address(at+"/url", &a.URL, false)
		k.line(at+"/name", &a.Name, MaxLabel, false)
		if a.MediaType != "" && !mediaType().MatchString(a.MediaType) {
			k.bad(at+"/media_type", "must be a media type, such as image/png")
		}
	}
}

// path validates the name of a file; it is opened by the owner's click alone (S4).
func (k *checker) path(field, s string) {
	if len(s) > MaxURL || s != "" && strings.TrimSpace(s) == "" || !utf8.ValidString(s) || hasControl(s) {
		k.bad(field, "must be a path of at most %d bytes without control characters", MaxURL)
	}
}

func hasControl(s string) bool {
	for _, r := range s {
		if hidden(r) || r == '\n' || r == '\t' {
			return true
		}
	}
	return false
}

func (k *checker) links(c *Content) {
	if len(c.Links) > MaxLinks {
		k.bad("/links", "must be at most %d", MaxLinks)
		return
	}
	c.Links = slices.Clone(c.Links)
	for i := range c.Links {
		l, at := &c.Links[i], "/links/"+strconv.Itoa(i)
		k.address(at+"/url", &l.URL, true)
		k.line(at+"/title", &l.Title, MaxLabel, false)
		k.line(at+"/status", &l.Status, 40, false)
	}
}

// AskAgain is the Confirm of an action whose producer says only that the owner is to be asked.
const AskAgain = "Are you sure?"

func (k *checker) actions(c *Content) {
	if len(c.Actions) > MaxActions {
		k.bad("/actions", "must be at most %d", MaxActions)
		return
	}
	c.Actions = slices.Clone(c.Actions)
	seen := map[string]bool{}
	for i := range c.Actions {
		a, at := &c.Actions[i], "/actions/"+strconv.Itoa(i)
		k.id(at+"/id", a.ID, seen)
		if a.Label == "" {
			a.Label = a.ID
		}
		k.line(at+"/label", &a.Label, MaxLabel, true)
		oneOf(k, at+"/style", &a.Style, "default", "primary", "danger")
		k.address(at+"/url", &a.URL, false)
		k.line(at+"/confirm", &a.Confirm, MaxLine, false)
	}
}

// id validates an id that must be unique among its siblings.
func (k *checker) id(field, id string, seen map[string]bool) {
	k.name(field, id, true)
	if len(id) > MaxLabel {
		k.bad(field, "must be at most %d bytes", MaxLabel)
	}
	if id != "" && seen[id] {
		k.bad(field, "is given twice")
	}
	seen[id] = true
}

func (k *checker) report(c *Content) {
	if c.Report == nil {
		return
	}
	r := *c.Report
	k.line("/report/title", &r.Title, MaxTitle, false)
	if k.json("/report/blocks", &r.Blocks, MaxReport) && r.Blocks[0] != '[' {
		k.bad("/report/blocks", "must be an array")
	}
	k.path("/report/path", r.Path)
	c.Report = &r
}

// dismissible holds the way out: nothing may become a dead end (D6, D7).
func (k *checker) dismissible(c *Content) {
	c.DismissibleAfter = c.DismissibleAfter.UTC().Truncate(time.Millisecond)
	switch {
	case c.Kind == KindInteraction:
		c.Dismissible = false // it cannot be dismissed while it waits (I2)
	case c.Dismissible:
	case c.Kind == KindProgress:
		k.bad("/dismissible", "must not be false: progress is always dismissible")
	case len(c.Actions) == 0 && c.DismissibleAfter.IsZero():
		k.bad("/dismissible", "may be false only with an action, with an interaction, or with dismissible_after")
	}
}

func (k *checker) retention(c *Content) {
	r := &c.Retention
	oneOf(k, "/retention/policy", &r.Policy, UntilResolved, TTL, RequestBound, ServerLifetime)
	switch {
	case r.Policy == TTL && r.TTL == 0 && r.Deadline.IsZero():
		k.bad("/retention/ttl_seconds", "or deadline is required for the policy ttl")
	case r.Policy == TTL && (r.TTL < 0 || r.TTL > MaxTTL):
		k.bad("/retention/ttl_seconds", "must be more than 0 and at most a hundred years")
	case r.Policy == TTL && r.Deadline.IsZero():
		r.Deadline = k.at.Add(r.TTL)
	case r.Policy == RequestBound && c.Request == "":
		k.bad("/request", "is required for the policy request")
	case r.Policy != TTL && (r.TTL != 0 || !r.Deadline.IsZero()):
		k.bad("/retention/policy", "must be ttl where a time is given")
	}
	r.Deadline = r.Deadline.UTC().Truncate(time.Millisecond)
}

func (k *checker) refresh(c *Content) {
	if c.Refresh == nil {
		return
	}
	if len(c.Refresh.Sessions) > MaxRefresh {
		k.bad("/refresh/sessions", "must be at most %d", MaxRefresh)
		return
	}
	for i, s := range c.Refresh.Sessions {
		k.name("/refresh/sessions/"+strconv.Itoa(i), s, true)
	}
	r := *c.Refresh
	r.Sessions = slices.Clone(r.Sessions)
	c.Refresh = &r
	if len(r.Sessions) == 0 && !r.SessionList && !r.Actions {
		c.Refresh = nil
	}
}
