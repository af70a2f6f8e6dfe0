package config

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"signalbox/internal/pattern"
	"signalbox/notify"
)

// Error says what is wrong with the file and where.
type Error struct {
	Line   int    // from 1; 0: not known
	Key    string // such as retention.keep_age or webhook[1].url; empty: not known
	Detail string
}

// Error returns the place and the sentence.
func (e *Error) Error() string {
	s := FileName
	if e.Line > 0 {
		s += ":" + strconv.Itoa(e.Line)
	}
	if e.Key != "" {
		s += ": " + e.Key
	}
	return s + ": " + e.Detail
}

// Parse reads settings from TOML. Unknown keys are errors: a misspelt setting would otherwise be
// silently without effect.
func Parse(text string) (Config, error) {
	c := Default()
	meta, err := toml.Decode(text, &c)
	if err != nil {
		var parse toml.ParseError
		if errors.As(err, &parse) {
			return Config{}, &Error{Line: parse.Position.Line, Key: parse.LastKey, Detail: parse.Message + cause(parse)}
		}
		return Config{}, mismatch(err.Error())
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		key := unknown[0].String()
		return Config{}, &Error{Line: lineOf(text, key), Key: key, Detail: "is no setting"}
	}
	if err := c.validate(); err != nil {
		err.Line = lineOf(text, err.Key)
		return Config{}, err
	}
	return c, nil
}

// typeError is how the library words a value of the wrong type, which it gives no type of its own.
var typeError = pattern.Lazy(`^toml: line (\d+) \(last key "([^"]*)"\): (.*)$`)

func mismatch(text string) *Error {
	m := typeError().FindStringSubmatch(text)
	if m == nil {
		return &Error{Detail: strings.TrimPrefix(text, "toml: ")}
	}
	line, _ := strconv.Atoi(m[1])
	return &Error{Line: line, Key: m[2], Detail: m[3]}
}

func cause(e toml.ParseError) string {
	if err := errors.Unwrap(e); err != nil && e.Message == "" {
		return err.Error()
	}
	return ""
}

var (
	schemePattern = pattern.Lazy(`^[a-z][a-z0-9+.-]{0,31}$`)
	namePattern   = pattern.Lazy(`^[a-z0-9][a-z0-9._-]{0,39}$`)
)

// privacy are the levels of how much of a text is told.
var privacy = map[string]bool{"full": true, "title": true, "none": true}

func (c *Config) validate() *Error {
	bad := func(key, format string, args ...any) *Error {
		return &Error{Key: key, Detail: fmt.Sprintf(format, args...)}
	}
	if c.Listen != "" {
		if _, port, err := net.SplitHostPort(c.Listen); err != nil {
			return bad("listen", "must be HOST:PORT")
		} else if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return bad("listen", "must have a port between 0 and 65535, not %q", port)
		}
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		return bad(present(c.TLSCert, "tls_cert", "tls_key"), "needs both tls_cert and tls_key")
	}
	for _, o := range c.AllowedOrigins {
		u, err := url.Parse(o)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Path != "" || u.RawQuery != "" || u.User != nil {
			return bad("allowed_origins", "%q is no origin such as https://host:port", o)
		}
	}
	for _, s := range c.LinkSchemes {
		if !schemePattern().MatchString(s) || notify.UnsafeScheme(s) {
			return bad("link_schemes", "%q cannot be allowed", s)
		}
	}
	switch {
	case !(c.RateLimit >= 0 && c.RateLimit <= 1e6):
		return bad("rate_limit", "must be between 0 and 1000000")
	case c.OrphanAfter.Std() < time.Minute:
		return bad("orphan_after", "must be at least 1m")
	case c.LogLevel != "debug" && c.LogLevel != "info" && c.LogLevel != "warn" && c.LogLevel != "error":
		return bad("log_level", "must be debug, info, warn or error")
	case strings.TrimSpace(c.Store.Path) == "":
		return bad("store.path", "must not be empty")
	case c.Retention.KeepCount < 0:
		return bad("retention.keep_count", "must not be negative")
	case c.Retention.LogCount < 1000:
		return bad("retention.log_count", "must be at least 1000")
	case c.Retention.LogAge.Std() < time.Hour:
		return bad("retention.log_age", "must be at least 1h")
	case c.Retention.ReceiptsAge.Std() < time.Minute:
		return bad("retention.receipts_age", "must be at least 1m")
	case c.Snapshots.Keep < 1:
		return bad("snapshots.keep", "must be at least 1")
	case c.Snapshots.Every != 0 && c.Snapshots.Every.Std() < time.Minute:
		return bad("snapshots.every", "must be at least 1m, or 0s")
	case c.Storms.Count < 0:
		return bad("storms.count", "must not be negative")
	case c.Storms.Window.Std() <= 0:
		return bad("storms.window", "must be more than 0")
	case !privacy[c.Announce.Privacy]:
		return bad("announce.privacy", "must be full, title or none")
	case len(c.Announce.Remind) > 20:
		return bad("announce.remind", "must be at most 20")
	}
	for _, d := range c.Announce.Remind {
		if d.Std() < 30*time.Second {
			return bad("announce.remind", "must be at least 30s each")
		}
	}
	return c.validateLists(bad)
}

func (c *Config) validateLists(bad func(key, format string, args ...any) *Error) *Error {
	names := map[string]bool{}
	// One of who else is told, under a key of the file: its name is its own within its kind.
	told := func(kind, name, key string, timeout *Duration, level string) *Error {
		if *timeout == 0 {
			*timeout = Duration(10 * time.Second)
		}
		switch {
		case !namePattern().MatchString(name) || names[kind+":"+name]:
			return bad(key+".name", "must be a short name of its own in lower case")
		case timeout.Std() > time.Minute:
			return bad(key+".timeout", "must be at most 1m")
		case level != "" && !privacy[level]:
			return bad(key+".privacy", "must be full, title or none")
		}
		names[kind+":"+name] = true
		return nil
	}
	for i := range c.Webhooks {
		w, key := &c.Webhooks[i], fmt.Sprintf("webhook[%d]", i)
		if err := told("webhook", w.Name, key, &w.Timeout, w.Privacy); err != nil {
			return err
		}
		u, err := url.Parse(w.URL)
		switch {
		case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil:
			return bad(key+".url", "must be an http or https address, without a name or password")
		case !w.AllowRemote && !notify.Loopback(u.Hostname()):
			return bad(key+".url", "is not on this machine; allow_remote = true permits it")
		}
	}
	for i := range c.Commands {
		p, key := &c.Commands[i], fmt.Sprintf("command[%d]", i)
		if err := told("command", p.Name, key, &p.Timeout, p.Privacy); err != nil {
			return err
		}
		if len(p.Argv) == 0 || p.Argv[0] == "" {
			return bad(key+".argv", "must name a program")
		}
	}
	return nil
}

func present(value, key, other string) string {
	if value != "" {
		return key
	}
	return other
}

var (
	headerLine = pattern.Lazy(`^\s*\[(\[?)\s*([^\]]+?)\s*\]`)
	keyLine    = pattern.Lazy(`^\s*([A-Za-z0-9_."-]+)\s*=`)
)

// lineOf finds the line of a key such as retention.keep_age, webhook[1].url or webhook.headers.x in a
// text that TOML has accepted; 0 where it isn't written like that. A key that is missing is found at
// its table's header.
func lineOf(text, key string) int {
	table, header := "", 0
	counts := map[string]int{}
	plain := indexes().ReplaceAllString(key, "")
	for i, line := range strings.Split(text, "\n") {
		if m := headerLine().FindStringSubmatch(line); m != nil {
			table = strings.ReplaceAll(m[2], `"`, "")
			name := table
			if m[1] != "" {
				name = fmt.Sprintf("%s[%d]", table, counts[table])
				counts[table]++
				table = name
			}
			if strings.HasPrefix(key, name+".") || key == name {
				header = i + 1
			}
			continue
		}
		m := keyLine().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		full := strings.ReplaceAll(m[1], `"`, "")
		if table != "" {
			full = table + "." + full
		}
		if full == key || strings.HasPrefix(key, full+".") || full == plain || indexes().ReplaceAllString(full, "") == plain && plain == key {
			return i + 1
		}
	}
	return header
}

var indexes = pattern.Lazy(`\[\d+\]`)
