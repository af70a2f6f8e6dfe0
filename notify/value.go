package notify

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// value validates a JSON value against a field's type, choices and bounds. It returns the value to
// keep, with text cleaned, or what is wrong.
func (f *Field) value(raw RawJSON) (RawJSON, string) {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return raw, "must be valid JSON"
	}
	switch f.Type {
	case FieldText:
		s, ok := v.(string)
		if !ok {
			return raw, "must be text"
		}
		s = CleanText(s)
		if len(s) > MaxBody {
			return raw, "must be at most " + strconv.Itoa(MaxBody) + " bytes"
		}
		return quote(s), f.within(float64(utf8.RuneCountInString(s)), "characters")
	case FieldBoolean:
		if _, ok := v.(bool); !ok {
			return raw, "must be true or false"
		}
		return raw, ""
	case FieldChoice:
		s, ok := v.(string)
		if !ok || !slices.Contains(f.Choices, s) {
			return raw, "must be one of the choices"
		}
		return raw, ""
	case FieldChoices:
		return raw, f.several(v)
	}
	m, ok := f.measure(v)
	if !ok {
		return raw, map[FieldType]string{
			FieldNumber: "must be a number", FieldInteger: "must be a whole number",
			FieldDate:     "must be a date of the form YYYY-MM-DD",
			FieldDuration: "must be a duration such as 1h30m or PT1H30M, or a number of seconds",
		}[f.Type]
	}
	return raw, f.within(m, "")
}

// several validates a choice of several.
func (f *Field) several(v any) string {
	all, ok := v.([]any)
	if !ok {
		return "must be a list of choices"
	}
	seen := map[string]bool{}
	for _, e := range all {
		s, ok := e.(string)
		if !ok || !slices.Contains(f.Choices, s) {
			return "must be a list of the choices given"
		}
		if seen[s] {
			return "must not have a choice twice"
		}
		seen[s] = true
	}
	return f.within(float64(len(all)), "choices")
}

// within holds a measure against min and max.
func (f *Field) within(m float64, unit string) string {
	if unit != "" {
		unit = " " + unit
	}
	if low, ok := f.measureBound(f.Min); ok && m < low {
		return "must be at least " + strings.Trim(string(f.Min), `"`) + unit
	}
	if high, ok := f.measureBound(f.Max); ok && m > high {
		return "must be at most " + strings.Trim(string(f.Max), `"`) + unit
	}
	return ""
}

// measureBound is a bound as a number; false: there is none, or it is no bound for the type.
func (f *Field) measureBound(raw RawJSON) (float64, bool) {
	if len(raw) == 0 {
		return 0, false
	}
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return 0, false
	}
	switch f.Type {
	case FieldText, FieldChoices:
		n, ok := v.(float64)
		return n, ok && n >= 0 && n == math.Trunc(n)
	case FieldBoolean, FieldChoice:
		return 0, false
	}
	return f.measure(v)
}

// measure is the number by which values of the type compare.
func (f *Field) measure(v any) (float64, bool) {
	switch f.Type {
	case FieldNumber:
		n, ok := v.(float64)
		return n, ok && !math.IsInf(n, 0)
	case FieldInteger:
		n, ok := v.(float64)
		return n, ok && n == math.Trunc(n) && math.Abs(n) <= 1<<53
	case FieldDate:
		s, _ := v.(string)
		t, err := time.Parse(time.DateOnly, s)
		return float64(t.Unix()), err == nil && t.Year() > 0
	case FieldDuration:
		switch v := v.(type) {
		case float64:
			return v, v >= 0 && !math.IsInf(v, 0)
		case string:
			d, ok := ParseDuration(v)
			return d.Seconds(), ok
		}
	}
	return 0, false
}

// Compiled when it is first needed: every start of a program that carries these rules would pay for it otherwise.
var isoDuration = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^P(?:(\d{1,5})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?)?$`)
})

// ParseDuration reads a duration as Go writes it (1h30m) or as ISO 8601 does (PT1H30M, P2D), without
// months and years, which have no fixed length. Negative ones are none.
func ParseDuration(s string) (time.Duration, bool) {
	if !strings.HasPrefix(s, "P") {
		d, err := time.ParseDuration(s)
		return d, err == nil && d >= 0
	}
	m := isoDuration().FindStringSubmatch(s)
	if m == nil || strings.HasSuffix(s, "T") || s == "P" {
		return 0, false
	}
	var total float64
	for i, unit := range [...]float64{7 * 86400, 86400, 3600, 60, 1} {
		if m[i+1] != "" {
			n, err := strconv.ParseFloat(m[i+1], 64)
			if err != nil {
				return 0, false
			}
			total += n * unit
		}
	}
	if total > float64(math.MaxInt64/int64(time.Second)) {
		return 0, false
	}
	return time.Duration(total * float64(time.Second)), true
}

// quote writes text as a JSON string.
func quote(s string) RawJSON {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil { // a string always can be
		return RawJSON(`""`)
	}
	return RawJSON(strings.TrimSuffix(b.String(), "\n"))
}
