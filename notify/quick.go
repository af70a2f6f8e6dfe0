package notify

import (
	"slices"
	"strings"
	"unicode"
)

// GivesLeave reports whether an answer lets the agent do something: what is allowed must be seen first, and no leave is
// given by the way for longer than once (P4).
func (in *Interaction) GivesLeave() bool {
	switch in.Kind {
	case "permission", "launch_approval", "launch", "privileged_command", "privileged", "approval":
		return true
	}
	return false
}

// Plans reports whether a plan is asked about: it is to be read before it is approved.
func (in *Interaction) Plans() bool { return strings.HasPrefix(in.Kind, "plan") }

// Lets reports whether choosing o lets the agent go ahead, which can't be taken back: of what asks for leave and of a plan,
// whatever does not say no.
func (in *Interaction) Lets(o Option) bool { return (in.GivesLeave() || in.Plans()) && !o.Refuses() }

// Quick are the options that may be chosen outside of the window, such as in the tray's menu (P4): ones that need nothing
// further, no comment and no field; of a permission, once or not at all, and one way to say no; none that its producer
// marked as dangerous, unless it only says no. whole says that all that is asked is in view there: without it there is
// nothing but a no. A plan is never approved unread.
func (in *Interaction) Quick(whole bool) (out []Option) {
	if in.Plans() || slices.ContainsFunc(in.Fields, func(f Field) bool { return f.Required }) {
		return nil
	}
	refused := false
	for _, o := range in.Options {
		no := o.Refuses()
		switch {
		case o.Comment == "required", no && refused:
			continue
		case no:
			refused = true
		case !whole, o.Style == "danger", o.standing():
			continue
		}
		out = append(out, o)
	}
	return out
}

// Refuses reports whether an option says no, which is safe unseen and never what is dangerous to choose: by its id or by
// all that it says. One that its producer did not mark as dangerous may say more behind it; "No backup: deploy now" is no
// refusal either way.
func (o Option) Refuses() bool {
	id, label := strings.ToLower(o.ID), strings.ToLower(strings.Join(strings.Fields(o.Label), " "))
	word, _, _ := strings.Cut(id, "-")
	if refusal(id) || refusal(label) || word != "no" && word != "cancel" && refusal(word) {
		return true
	}
	if o.Style == "danger" {
		return false
	}
	first, rest, _ := strings.Cut(label, " ")
	if said := strings.TrimRight(first, ",;"); refusal(said) {
		// A bare no belongs to what follows, "Don't ask again" is even a yes.
		return said != first || rest == "" || !slices.Contains([]string{"no", "don't", "dont", "nein"}, said)
	}
	return false
}

// refusal reports whether all of s is a word for no.
func refusal(s string) bool {
	switch s {
	case "deny", "decline", "reject", "refuse", "no", "cancel", "don't", "dont", "don't allow", "ablehnen", "nein", "abbrechen", "拒否", "拒绝":
		return true
	}
	return false
}

// standing reports whether an option gives leave for more than this once.
func (o Option) standing() bool {
	words := strings.FieldsFunc(strings.ToLower(o.Label+" "+o.ID), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
	return slices.ContainsFunc(words, func(word string) bool {
		switch word {
		case "always", "session", "forever", "permanent", "permanently", "remember", "every", "everything", "all", "any", "future",
			"bypass", "trust", "auto", "edits", "immer", "sitzung", "alle":
			return true
		}
		return false
	})
}
