package mask

import (
	"slices"
	"strconv"

	"signalbox/notify"
)

// Content masks every text of c and returns the fields in which it did, as JSON pointers into the
// bridge's form of a notification, such as /title or /lines/3; nil: none. What c points to is never
// written to: a part that changes is replaced by a copy. Names that tie a notification to others (keys,
// tags, ids, the event) are left alone.
//
// A title quotes a text, and is cut: of a credential that one text has whole, the beginning that is left in another is
// masked as well.
func Content(c *notify.Content) []string {
	m := masker{}
	m.content(c)
	if m.found == nil {
		return m.masked
	}
	n := len(m.masked)
	m.cut = true
	m.content(c)
	return append(m.masked[:n:n], slices.DeleteFunc(m.masked[n:], func(at string) bool { return slices.Contains(m.masked[:n], at) })...)
}

func (m *masker) content(c *notify.Content) {
	m.text("/title", &c.Title)
	m.text("/body", &c.Body)
	m.texts("/lines", &c.Lines)
	m.text("/sender", &c.Sender)
	m.text("/panel", &c.Panel)
	if c.Chip != nil {
		m.part(func() { chip := *c.Chip; c.Chip = &chip }, field{"/chip/label", func() *string { return &c.Chip.Label }})
	}
	if c.Progress != nil {
		m.part(func() { p := *c.Progress; c.Progress = &p }, field{"/progress/text", func() *string { return &c.Progress.Text }})
	}
	each(m, "/attachments", &c.Attachments, func(m *masker, at string, a *notify.Attachment) {
		m.text(at+"/path", &a.Path)
		m.text(at+"/url", &a.URL)
		m.text(at+"/name", &a.Name)
	})
	each(m, "/links", &c.Links, func(m *masker, at string, l *notify.Link) {
		m.text(at+"/title", &l.Title)
		m.text(at+"/url", &l.URL)
		m.text(at+"/status", &l.Status)
	})
	each(m, "/actions", &c.Actions, func(m *masker, at string, a *notify.Action) {
		m.text(at+"/label", &a.Label)
		m.text(at+"/url", &a.URL)
		m.text(at+"/confirm", &a.Confirm)
	})
	if c.Interaction != nil {
		c.Interaction = m.interaction(c.Interaction)
	}
	if c.Report != nil {
		c.Report = m.report(c.Report)
	}
	m.json("/data", &c.Data)
}

// masker collects the fields that were masked, and the credentials that were found in them.
type masker struct {
	masked []string
	found  []string
	cut    bool // what is left of those is looked for, instead of more
}

// mask masks a text, and reports whether there was anything.
func (m *masker) mask(s string) (string, bool) {
	if m.cut {
		return masked(s, begun(s, m.found))
	}
	clean := notify.Clean(s)
	spans := secrets(clean)
	if len(spans) == 0 {
		return s, false
	}
	for _, f := range spans {
		m.found = append(m.found, clean[f.from:f.to])
	}
	return masked(clean, spans)
}

func (m *masker) text(at string, s *string) {
	if masked, ok := m.mask(*s); ok {
		*s = masked
		m.masked = append(m.masked, at)
	}
}

type field struct {
	at  string
	get func() *string
}

// part masks fields behind a shared pointer: own makes the part ours, once, before the first change.
func (m *masker) part(own func(), fields ...field) {
	for _, f := range fields {
		if masked, ok := m.mask(*f.get()); ok {
			own()
			own = func() {}
			*f.get() = masked
			m.masked = append(m.masked, f.at)
		}
	}
}

func (m *masker) texts(at string, list *[]string) {
	each(m, at, list, func(m *masker, at string, s *string) { m.text(at, s) })
}

// each masks the elements of a list by f, and replaces the list where one changed.
func each[T any](m *masker, at string, list *[]T, f func(m *masker, at string, t *T)) {
	own := false
	for i := range *list {
		item := (*list)[i]
		before := len(m.masked)
		f(m, at+"/"+strconv.Itoa(i), &item)
		if len(m.masked) == before {
			continue
		}
		if !own {
			*list, own = slices.Clone(*list), true
		}
		(*list)[i] = item
	}
}

func (m *masker) interaction(shared *notify.Interaction) *notify.Interaction {
	in, before := *shared, len(m.masked)
	m.text("/interaction/prompt", &in.Prompt)
	each(m, "/interaction/options", &in.Options, func(m *masker, at string, o *notify.Option) {
		m.text(at+"/label", &o.Label)
		m.text(at+"/description", &o.Description)
	})
	each(m, "/interaction/fields", &in.Fields, func(m *masker, at string, f *notify.Field) {
		m.text(at+"/label", &f.Label)
		m.texts(at+"/choices", &f.Choices)
		m.json(at+"/default", &f.Default)
	})
	if in.Auto != nil {
		auto := *in.Auto
		m.answer("/interaction/auto", &auto)
		in.Auto = &auto
	}
	if len(m.masked) == before {
		return shared
	}
	return &in
}

func (m *masker) report(shared *notify.Report) *notify.Report {
	r, before := *shared, len(m.masked)
	m.text("/report/title", &r.Title)
	m.json("/report/blocks", &r.Blocks)
	m.text("/report/path", &r.Path)
	if len(m.masked) == before {
		return shared
	}
	return &r
}

func (m *masker) answer(at string, a *notify.Answer) {
	m.text(at+"/comment", &a.Comment)
	var changed map[string]notify.RawJSON
	for id, raw := range a.Fields {
		before := len(m.masked)
		m.json(at+"/fields/"+id, &raw)
		if len(m.masked) == before {
			continue
		}
		if changed == nil {
			changed = make(map[string]notify.RawJSON, len(a.Fields))
			for k, v := range a.Fields {
				changed[k] = v
			}
		}
		changed[id] = raw
	}
	if changed != nil {
		a.Fields = changed
		slices.Sort(m.masked)
	}
}
