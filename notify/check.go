package notify

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// Further limits of content.
const (
	MaxLabel       = 200 // characters, of labels, names, senders and the like
	MaxOptions     = 50
	MaxFields      = 50
	MaxChoices     = 200
	MaxLinks       = 50
	MaxURL         = 4096 // bytes
	MaxRefresh     = 100  // sessions
	MaxTTL         = 100 * 365 * 24 * time.Hour
	maxFieldErrors = 20
)

// checker cleans and validates, and collects what is wrong (S5, S6). It replaces slices instead of
// modifying them, since the caller still holds them.
type checker struct {
	rules Rules
	at    time.Time
	was   *Content // what a change starts from; nil: nothing
	errs  []FieldError
}

// bad notes that a field, named by a JSON pointer, has an unusable value.
func (k *checker) bad(field, format string, args ...any) {
	if len(k.errs) < maxFieldErrors {
		k.errs = append(k.errs, FieldError{Field: field, Detail: fmt.Sprintf(format, args...)})
	}
}

// err is the refusal; nil where nothing is wrong.
func (k *checker) err() error {
	if len(k.errs) == 0 {
		return nil
	}
	return &Error{Code: CodeInvalidField, Detail: "A field has a value that cannot be used.", Fields: k.errs}
}

// name validates an identifier that others chose: it is kept as it is, and so must be clean.
func (k *checker) name(field, s string, required bool) {
	switch {
	case s == "" && required:
		k.bad(field, "is required")
	case len(s) > MaxKey:
		k.bad(field, "must be at most %d bytes", MaxKey)
	case !utf8.ValidString(s):
		k.bad(field, "must be valid UTF-8")
	case s != "" && strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || hidden(r) }):
		k.bad(field, "must not contain control or invisible characters")
	case s != "" && strings.TrimSpace(s) == "":
		k.bad(field, "must not be blank")
	}
}

// pathName is name for an identifier that stands in paths of the API, where one dot, two and a slash by
// itself mean something else and could not be reached.
func (k *checker) pathName(field, s string, required bool) {
	if s == "." || s == ".." || s == "/" {
		k.bad(field, "must not be %q, which means something else in a path", s)
		return
	}
	k.name(field, s, required)
}

// checkName validates one identifier.
func checkName(field, s string, required bool) error {
	var k checker
	k.name(field, s, required)
	return k.err()
}

// line cleans text of one row and bounds its characters.
func (k *checker) line(field string, s *string, max int, required bool) {
	*s = CleanLine(*s)
	switch n := len(*s); {
	case n == 0 && required:
		k.bad(field, "is required")
	case n > max && utf8.RuneCountInString(*s) > max:
		k.bad(field, "must be at most %d characters", max)
	}
}

// text cleans text of several lines and bounds its bytes.
func (k *checker) text(field string, s *string, max int, required bool) {
	*s = CleanText(*s)
	switch {
	case *s == "" && required:
		k.bad(field, "is required")
	case len(*s) > max:
		k.bad(field, "must be at most %d bytes", max)
	}
}

// oneOf validates a word of a closed set; the empty word becomes the first.
func oneOf[T ~string](k *checker, field string, v *T, words ...T) {
	if *v == "" {
		*v = words[0]
		return
	}
	if !slices.Contains(words, *v) {
		k.bad(field, "must be one of %s", join(words))
	}
}

func join[T ~string](words []T) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = string(w)
	}
	return strings.Join(all, ", ")
}

func (k *checker) color(field string, s string) {
	if s == "" {
		return
	}
	ok := len(s) == 7 && s[0] == '#'
	for i := 1; ok && i < len(s); i++ {
		c := s[i]
		ok = c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
	}
	if !ok {
		k.bad(field, "must have the form #RRGGBB")
	}
}

// word validates a tag, an icon name or the like.
func word(s string, max int) bool {
	if s == "" || len(s) > max {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		alnum := c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		if !alnum && (i == 0 || c != '.' && c != '_' && c != '-') {
			return false
		}
	}
	return true
}

// icon is one grapheme or an icon name.
func (k *checker) icon(field string, s *string) {
	*s = CleanLine(*s)
	if *s != "" && !oneGrapheme(*s) && !word(*s, 64) {
		k.bad(field, "must be one character or the name of an icon")
	}
}

// address validates a URL whose scheme is allowed (S4).
func (k *checker) address(field string, s *string, required bool) {
	*s = strings.TrimSpace(*s)
	if *s == "" {
		if required {
			k.bad(field, "is required")
		}
		return
	}
	if len(*s) > MaxURL || !utf8.ValidString(*s) || strings.ContainsFunc(*s, func(r rune) bool { return r <= ' ' || unicode.IsControl(r) || hidden(r) }) {
		k.bad(field, "must be a URL of at most %d bytes without spaces or control characters", MaxURL)
		return
	}
	// An address that was taken stays, though the owner allows its scheme no more: it is not opened then,
	// and must not keep the agent from saying something else.
	if !SchemeAllowed(*s, k.rules) && !k.was.has(*s) {
		k.bad(field, "must be an absolute URL of a scheme that is allowed: http, https, file%s", more(k.rules.LinkSchemes))
	}
}

// has reports whether the content has the address anywhere.
func (c *Content) has(address string) bool {
	return c != nil && (slices.ContainsFunc(c.Attachments, func(a Attachment) bool { return a.URL == address }) ||
		slices.ContainsFunc(c.Links, func(l Link) bool { return l.URL == address }) ||
		slices.ContainsFunc(c.Actions, func(a Action) bool { return a.URL == address }))
}

func more(schemes []string) string {
	if len(schemes) == 0 {
		return ""
	}
	return ", " + strings.Join(schemes, ", ")
}

// SchemeAllowed reports whether an address may be opened at all (S4): absolute, and of the schemes
// http, https and file, or one that the owner allowed.
func SchemeAllowed(address string, rules Rules) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" {
		return false
	}
	switch u.Scheme {
	case "http", "https":
		return u.Host != ""
	case "file":
		return u.Path != "" && (u.Host == "" || u.Host == "localhost")
	}
	return !UnsafeScheme(u.Scheme) && slices.ContainsFunc(rules.LinkSchemes, func(s string) bool { return strings.EqualFold(s, u.Scheme) })
}

// UnsafeScheme reports whether addresses of a scheme, in lower case, run something or reach into the program that opens
// them: no setting allows these (S4).
func UnsafeScheme(scheme string) bool {
	switch scheme {
	case "javascript", "data", "vbscript", "about", "blob":
		return true
	}
	return false
}

// object validates a JSON object that is kept as given; null is none.
func (k *checker) object(field string, v *RawJSON, max int) {
	if k.json(field, v, max) && (*v)[0] != '{' {
		k.bad(field, "must be an object")
	}
}

// json validates a JSON value; false: there is none, or it is bad.
func (k *checker) json(field string, v *RawJSON, max int) bool {
	trimmed := strings.TrimSpace(string(*v))
	switch {
	case trimmed == "" || trimmed == "null":
		*v = nil
		return false
	case len(trimmed) > max:
		k.bad(field, "must be at most %d bytes", max)
		return false
	case !json.Valid([]byte(trimmed)):
		k.bad(field, "must be valid JSON")
		return false
	}
	if len(trimmed) != len(*v) {
		*v = RawJSON(trimmed)
	}
	return true
}

// scope validates a scope against the session that is named, and fills it in (L2).
func (k *checker) scope(s *Scope, session string) {
	switch {
	case *s == "" && session != "":
		*s = ScopeSession
	case *s == ScopeSession && session == "":
		k.bad("/session", "is required for the scope session")
	case *s == ScopeApplication && session != "":
		k.bad("/session", "must be absent for the scope application")
	}
	oneOf(k, "/scope", s, ScopeApplication, ScopeSession)
}

// normalise cleans and validates a publication, and fills in its defaults.
func (d *decider) normalise(op *Publish) error {
	if e := op.Content.Event; e != nil && e.Type == EventWaitingForInput {
		return retired()
	}
	k := checker{rules: d.rules, at: d.at}
	k.pathName("/key", op.Key, false)
	k.pathName("/session", op.Session, false)
	k.scope(&op.Scope, op.Session)
	if op.Content.Retention.TTL != 0 && !op.Content.Retention.Deadline.IsZero() {
		k.bad("/retention/deadline", "must be absent where ttl_seconds is given")
	}
	c := &op.Content
	if c.Kind == "" && c.Interaction != nil {
		c.Kind = KindInteraction
	}
	if op.Dismissible != nil {
		c.Dismissible = *op.Dismissible
	} else if c.Kind != KindInteraction {
		c.Dismissible = true
	}
	k.content(c, op.Scope)
	if op.Corroborate && c.DedupKey == "" {
		k.bad("/dedup_key", "is required to corroborate")
	}
	k.line("/note", &op.Note, MaxLine, false)
	if !op.SnoozeUntil.IsZero() {
		op.SnoozeUntil = op.SnoozeUntil.UTC().Truncate(time.Millisecond)
		if op.SnoozeUntil.After(d.at.Add(MaxSnooze)) {
			k.bad("/snooze_until", "must be at most ten years away")
		}
	}
	return k.err()
}

// mediaType is compiled when it is first needed: every `sigbox hook` would pay for it otherwise.
var mediaType = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9!#$&^_.+-]{1,127}/[A-Za-z0-9!#$&^_.+-]{1,127}( ?; ?[A-Za-z0-9!#$&^_.+-]+=[^;\x00-\x1f]{1,127})*$`)
})

// cleanReason cleans the reason of an ending.
func cleanReason(s string) (string, error) {
	var k checker
	k.line("/reason", &s, MaxLine, false)
	return s, k.err()
}
