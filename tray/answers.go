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
	if r.Interaction.GivesLeave() {
		text = plain(r.Body)
	}
	said := within
	if r.Interaction.GivesLeave() {
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

// quickOptions are the answers that a menu may give, where they are few enough for it. whole says that the menu shows
// all that is asked; all says that no option is missing.
func quickOptions(r *notify.Record, whole bool) (out []notify.Option, all bool) {
	out = r.Interaction.Quick(whole)
	if len(out) == 0 || len(out) > SlotOptions {
		return nil, false
	}
	return out, len(out) == len(r.Interaction.Options)
}
