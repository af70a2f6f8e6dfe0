package notify

import (
	"slices"
	"strconv"
)

// maxTimeout bounds the wait of an interaction, in seconds: ten years.
const maxTimeout = 10 * 365 * 24 * 3600

// interaction cleans and validates what is asked (I1).
func (k *checker) interaction(i *Interaction) {
	const at = "/interaction"
	if i.Kind == "" {
		i.Kind = "question"
	}
	k.line(at+"/kind", &i.Kind, MaxLabel, false)
	k.text(at+"/prompt", &i.Prompt, MaxBody, true)
	if len(i.Options) > MaxOptions {
		k.bad(at+"/options", "must be at most %d", MaxOptions)
		i.Options = nil
	}
	if len(i.Fields) > MaxFields {
		k.bad(at+"/fields", "must be at most %d", MaxFields)
		i.Fields = nil
	}
	i.Options = slices.Clone(i.Options)
	seen := map[string]bool{}
	for n := range i.Options {
		k.option(at+"/options/"+strconv.Itoa(n), &i.Options[n], seen)
	}
	i.Fields = slices.Clone(i.Fields)
	seen = map[string]bool{}
	for n := range i.Fields {
		k.field(at+"/fields/"+strconv.Itoa(n), &i.Fields[n], seen)
	}
	if i.DefaultOption != "" && i.option(i.DefaultOption) == nil {
		k.bad(at+"/default_option", "must be the id of an option")
	}
	if i.TimeoutOption != "" && i.option(i.TimeoutOption) == nil {
		k.bad(at+"/timeout_option", "must be the id of an option")
	}
	if s := i.TimeoutSeconds; !(s >= 0 && s <= maxTimeout) || s > 0 && s < 0.001 {
		k.bad(at+"/timeout_seconds", "must be 0, or at least a millisecond and at most ten years")
		i.TimeoutSeconds = 0
	}
	if i.Auto != nil && len(k.errs) == 0 {
		auto, errs := i.check(*i.Auto)
		for _, e := range errs {
			k.bad(at+"/auto"+e.Field[len("/answer"):], "%s", e.Detail)
		}
		i.Auto = &auto
	}
}

func (k *checker) option(at string, o *Option, seen map[string]bool) {
	k.id(at+"/id", o.ID, seen)
	if o.Label == "" {
		o.Label = o.ID
	}
	k.line(at+"/label", &o.Label, MaxLabel, true)
	k.text(at+"/description", &o.Description, 2000, false)
	oneOf(k, at+"/style", &o.Style, "default", "primary", "danger")
	oneOf(k, at+"/comment", &o.Comment, "none", "optional", "required")
}

func (k *checker) field(at string, f *Field, seen map[string]bool) {
	k.id(at+"/id", f.ID, seen)
	if f.Label == "" {
		f.Label = f.ID
	}
	k.line(at+"/label", &f.Label, MaxLabel, true)
	if f.Type == "" {
		k.bad(at+"/type", "is required")
		return
	}
	oneOf(k, at+"/type", &f.Type, FieldText, FieldNumber, FieldInteger, FieldBoolean, FieldChoice, FieldChoices, FieldDate, FieldDuration)
	k.choices(at, f)
	if len(k.errs) > 0 {
		return
	}
	k.bounds(at, f)
	if len(k.errs) == 0 && k.json(at+"/default", &f.Default, MaxBody) {
		v, problem := f.value(f.Default)
		if problem != "" {
			k.bad(at+"/default", "%s", problem)
		}
		f.Default = v
	}
}

func (k *checker) choices(at string, f *Field) {
	needs := f.Type == FieldChoice || f.Type == FieldChoices
	switch {
	case needs && len(f.Choices) == 0:
		k.bad(at+"/choices", "is required for the type %s", f.Type)
	case !needs && len(f.Choices) > 0:
		k.bad(at+"/choices", "is only for the types choice and choices")
	case len(f.Choices) > MaxChoices:
		k.bad(at+"/choices", "must be at most %d", MaxChoices)
		f.Choices = nil
	}
	f.Choices = slices.Clone(f.Choices)
	seen := map[string]bool{}
	for n := range f.Choices {
		k.line(at+"/choices/"+strconv.Itoa(n), &f.Choices[n], MaxLabel, true)
		if seen[f.Choices[n]] {
			k.bad(at+"/choices/"+strconv.Itoa(n), "is given twice")
		}
		seen[f.Choices[n]] = true
	}
}

// bounds validates min and max against the type and each other.
func (k *checker) bounds(at string, f *Field) {
	low, hasLow := k.bound(at+"/min", f, &f.Min)
	high, hasHigh := k.bound(at+"/max", f, &f.Max)
	if hasLow && hasHigh && low > high {
		k.bad(at+"/max", "must not be less than min")
	}
}

func (k *checker) bound(at string, f *Field, v *RawJSON) (float64, bool) {
	if !k.json(at, v, 100) {
		return 0, false
	}
	m, ok := f.measureBound(*v)
	if !ok {
		k.bad(at, "is no bound for the type %s", f.Type)
	}
	return m, ok
}

// option finds an option by its id.
func (i *Interaction) option(id string) *Option {
	for n := range i.Options {
		if i.Options[n].ID == id {
			return &i.Options[n]
		}
	}
	return nil
}
