package tray

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"signalbox/notify"
)

// asked is what a waiting item says in the menu: its line, a second one where the first does not hold the question,
// and whether both together hold all of it. What is said twice is shown once: of a question in any case and with any
// signs around it, of what leave is asked for letter by letter, for "rm -rf /tmp" is not "rm -rf / tmp".
func asked(r *notify.Record, from string) (title, detail string, whole bool) {
	subject, question, text := oneLine(r.Title), oneLine(r.Interaction.Prompt), ""
	if leave(r.Interaction.Kind) {
		text = plain(r.Body)
	}
	said := within
	if leave(r.Interaction.Kind) {
		said = func(part, text string) bool { return strings.Contains(text, part) }
	}
	if said(question, subject) {
		question = ""
	} else if said(subject, question) {
		subject, question = question, ""
	}
	if said(text, subject) || said(text, question) {
		text = ""
	} else if question != "" && said(question, text) {
		question = ""
	}
	sign := mark(r)
	title = fit(sign, subject, from)
	whole = strings.HasPrefix(title, sign+subject+" · ")
	rest := oneLine(question + " " + text)
	if rest == "" && !whole {
		// The end of the question is not lost: it has the second line.
		rest, whole = subject, true
	}
	detail = cut(rest, maxLine)
	return title, detail, whole && detail == rest
}

// fit is a line of the menu: what it is about is cut, never where it is from.
func fit(sign, subject, from string) string {
	room := maxLine - utf8.RuneCountInString(sign) - 3 - utf8.RuneCountInString(from)
	return sign + cut(subject, max(room, 20)) + " · " + from
}

// within reports whether a text says part already, in any case and with any signs around it.
func within(part, text string) bool {
	return strings.Contains(letters(text), letters(part))
}

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsPunct(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// plain is a body without the fences of its code.
func plain(body string) string {
	lines := slices.DeleteFunc(strings.Split(body, "\n"), func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), "```") })
	return oneLine(strings.Join(lines, " "))
}

// leave reports whether an interaction of a kind gives leave for something: what is allowed must be seen first, and
// no leave is given for longer than once.
func leave(kind string) bool {
	switch kind {
	case "permission", "launch_approval", "launch", "privileged_command", "privileged", "approval":
		return true
	}
	return false
}

// quickOptions are the answers that a menu may give: ones that need nothing further, no comment and no field; of a
// permission, once or not at all; none that its producer marked as dangerous, unless it only says no. whole says that
// the menu shows all that is asked: without it there is nothing but a no. A plan is never approved unread. all says
// that no option is missing.
func quickOptions(r *notify.Record, whole bool) (out []notify.Option, all bool) {
	in := r.Interaction
	plan := strings.HasPrefix(in.Kind, "plan")
	if len(in.Options) == 0 || plan || slices.ContainsFunc(in.Fields, func(f notify.Field) bool { return f.Required }) {
		return nil, false
	}
	refused := false
	for _, o := range in.Options {
		no := refuses(o)
		switch {
		case o.Comment == "required", no && refused:
			continue
		case no:
			refused = true
		case !whole, o.Style == "danger", standing(o):
			continue
		}
		out = append(out, o)
	}
	if len(out) > SlotOptions {
		return nil, false
	}
	return out, len(out) == len(in.Options)
}

// refuses reports whether an option says no, which is safe unseen: by its id or by all that it says. One that its
// producer did not mark as dangerous may say more behind it; "No backup: deploy now" is no refusal either way.
func refuses(o notify.Option) bool {
	label := strings.ToLower(oneLine(o.Label))
	if refusal(strings.ToLower(o.ID)) || refusal(label) {
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
func standing(o notify.Option) bool {
	for _, word := range words(o) {
		switch word {
		case "always", "session", "forever", "permanent", "permanently", "remember", "every", "everything", "all", "any", "future",
			"bypass", "trust", "auto", "edits", "immer", "sitzung", "alle":
			return true
		}
	}
	return false
}

// words are those of what an option says, and of its id.
func words(o notify.Option) []string {
	return strings.FieldsFunc(strings.ToLower(o.Label+" "+o.ID), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
}
