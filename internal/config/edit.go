package config

import (
	"errors"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"signalbox/internal/pattern"
	"signalbox/internal/private"
)

// SetRetention writes how long and how many ended notifications are kept into the file of a data directory, and
// leaves the rest of it, comments included, as it is. 0 is for ever and any number. A file that has the settings in
// another form than a [retention] section is left alone, and an [*Error] says so.
func SetRetention(dir string, age time.Duration, count int) error {
	if age < 0 || count < 0 {
		return &Error{Key: "retention", Detail: "must not be negative"}
	}
	return edit(dir, "retention", func(text string) string {
		text = setKey(text, "retention", "keep_age", strconv.Quote(lengthText(age)))
		return setKey(text, "retention", "keep_count", strconv.Itoa(count))
	}, func(c Config) bool { return c.Retention.KeepAge.Std() == age && c.Retention.KeepCount == count })
}

// SetAnnounce writes how the owner is told, and what a storm is, into the file of a data directory, as SetRetention does.
// What is so already is not written.
func SetAnnounce(dir string, a Announce, s Storms) error {
	return edit(dir, "announce", func(text string) string {
		now, err := Parse(text)
		if err != nil {
			return text
		}
		if now.Announce.Privacy != a.Privacy {
			text = setKey(text, "announce", "privacy", strconv.Quote(a.Privacy))
		}
		if !slices.Equal(now.Announce.Remind, a.Remind) {
			var waits []string
			for _, d := range a.Remind {
				waits = append(waits, strconv.Quote(lengthText(d.Std())))
			}
			text = setKey(text, "announce", "remind", "["+strings.Join(waits, ", ")+"]")
		}
		if now.Storms.Count != s.Count {
			text = setKey(text, "storms", "count", strconv.Itoa(s.Count))
		}
		if now.Storms.Window != s.Window {
			text = setKey(text, "storms", "window", strconv.Quote(lengthText(s.Window.Std())))
		}
		return text
	}, func(c Config) bool {
		return c.Announce.Privacy == a.Privacy && slices.Equal(c.Announce.Remind, a.Remind) && c.Storms == s
	})
}

// edit changes the text of the file of a data directory; took reports whether its settings are then as they were meant. The
// file is made where there is none.
func edit(dir, section string, change func(text string) string, took func(Config) bool) error {
	path := filepath.Join(dir, FileName)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // the file of those who keep their settings elsewhere stays there
	}
	text, mode, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		text, mode, err = Sample, 0o600, nil
	}
	if err != nil {
		return err
	}
	if _, err := Parse(text); err != nil {
		return err // the mistake in it comes first
	}
	text = change(text)
	if c, err := Parse(text); err != nil || !took(c) {
		return &Error{Key: section, Detail: "is written in a form that only you can change"}
	}
	return private.ReplaceMode(path, []byte(text), mode)
}

// lengthText writes a duration as Duration reads it, in days where it is whole days.
func lengthText(d time.Duration) string {
	if d > 0 && d%(24*time.Hour) == 0 {
		return strconv.FormatInt(int64(d/(24*time.Hour)), 10) + "d"
	}
	s := d.String()
	if short, ok := strings.CutSuffix(s, "m0s"); ok {
		s = short + "m"
	}
	if short, ok := strings.CutSuffix(s, "h0m"); ok {
		s = short + "h"
	}
	return s
}

var header = pattern.Lazy(`^\s*\[`)

// setKey sets a key of a section in the text of a file: in the line that has it, of which the rest stays, else
// below the commented one, else at the head of the section, else in a section of its own at the end. Its lines
// end as those of the text do.
func setKey(text, section, key, value string) string {
	lines := strings.SplitAfter(text, "\n")
	is := func(line, form string) bool { return regexp.MustCompile(form).MatchString(line) }
	end := "\n"
	if strings.HasSuffix(lines[0], "\r\n") {
		end = "\r\n"
	}
	line := key + " = " + value + end
	begin := -1
	for i, l := range lines {
		if is(l, `^\s*\[\s*`+section+`\s*\]\s*(#.*)?\s*$`) {
			begin = i
			break
		}
	}
	if begin < 0 {
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += end
		}
		return text + end + "[" + section + "]" + end + line
	}
	at := begin + 1
	for i := begin + 1; i < len(lines) && !header().MatchString(lines[i]); i++ {
		switch {
		case is(lines[i], `^\s*`+key+`\s*=`):
			lines[i] = withValue(lines[i], value, line)
			return strings.Join(lines, "")
		case is(lines[i], `^\s*#\s*`+key+`\s*=`):
			at = i + 1
		}
	}
	if at > 0 && !strings.HasSuffix(lines[at-1], "\n") {
		lines[at-1] += end
	}
	return strings.Join(lines[:at], "") + line + strings.Join(lines[at:], "")
}

// assignment is a line that sets a key: what is before the value, the value, and what follows it.
var assignment = pattern.Lazy(`(?s)^([^=]*=[ \t]*)("(?:[^"\\]|\\.)*"|'[^']*'|\[[^\[\]\n]*\]|[^\s#]+)(.*)$`)

// withValue is a line with another value; other where it has none.
func withValue(line, value, other string) string {
	parts := assignment().FindStringSubmatch(line)
	if parts == nil {
		return other
	}
	return parts[1] + value + parts[3]
}
