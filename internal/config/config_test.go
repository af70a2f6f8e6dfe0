package config

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The sample shows the defaults: read with every comment mark before a setting taken away, it gives them.
func TestSampleShowsTheDefaults(t *testing.T) {
	if got, err := Parse(Sample); err != nil || !equal(got, Default()) {
		t.Fatalf("as it is: %+v, %v", got, err)
	}
	head, blocks, _ := strings.Cut(Sample, "# Who else is told.")
	full := regexp.MustCompile(`(?m)^# ([a-z_]+ = )`).ReplaceAllString(head, "$1")
	if got, err := Parse(full); err != nil || !equal(got, Default()) {
		t.Errorf("uncommented: %+v, %v", got, err)
	}
	full = regexp.MustCompile(`(?m)^#( *)(\[|[a-z_]+ = )`).ReplaceAllString("# "+blocks, "$1$2")
	got, err := Parse(full)
	if err != nil || len(got.Webhooks) != 1 || len(got.Commands) != 1 || got.Webhooks[0].Name != "phone" {
		t.Errorf("blocks: %+v, %v", got, err)
	}
}

func equal(a, b Config) bool {
	return a.Listen == b.Listen && a.RateLimit == b.RateLimit && a.OrphanAfter == b.OrphanAfter && a.LogLevel == b.LogLevel &&
		a.Store == b.Store && a.Retention == b.Retention && a.Snapshots == b.Snapshots && a.Storms == b.Storms && a.Announce.Privacy == b.Announce.Privacy && slices.Equal(a.Announce.Remind, b.Announce.Remind) &&
		len(a.Webhooks)+len(a.Commands)+len(a.LinkSchemes)+len(a.AllowedOrigins) == 0
}

func TestParseNamesTheLineAtFault(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		line int
		key  string
	}{
		"syntax":            {"rate_limit = 5\nlisten = \"x\n", 2, ""},
		"type":              {"\n\nrate_limit = \"many\"\n", 3, "rate_limit"},
		"unknown":           {"# hello\nrate_limits = 5\n", 2, "rate_limits"},
		"unknown in table":  {"[store]\npath = \"x\"\nsize = 3\n", 3, "store.size"},
		"twice":             {"rate_limit = 5\nrate_limit = 6\n", 2, "rate_limit"},
		"negative":          {"\nrate_limit = -1\n", 2, "rate_limit"},
		"no port":           {"listen = \"127.0.0.1\"", 1, "listen"},
		"port":              {"listen = \"127.0.0.1:70000\"", 1, "listen"},
		"half of TLS":       {"tls_cert = \"c.pem\"", 1, "tls_cert"},
		"origin":            {"allowed_origins = [\n \"ftp://x\"]", 1, "allowed_origins"},
		"scheme":            {"link_schemes = [\"javascript\"]", 1, "link_schemes"},
		"duration":          {"[retention]\nkeep_age = \"soon\"", 2, "retention.keep_age"},
		"days of no number": {"[retention]\nkeep_age = \"NaNd\"", 2, "retention.keep_age"},
		"size":              {"[store]\nmin_free = \"much\"", 2, "store.min_free"},
		"snapshots":         {"[snapshots]\nkeep = 3\nevery = \"1s\"", 3, "snapshots.every"},
		"level":             {"log_level = \"loud\"", 1, "log_level"},
		"second block":      {"[[webhook]]\nname = \"a\"\nurl = \"http://[::1]/x\"\n[[webhook]]\nname = \"b\"\nurl = \"ftp://x\"\n", 6, "webhook[1].url"},
		"missing in block":  {"[[webhook]]\nname = \"a\"\n", 1, "webhook[0].url"},
		"elsewhere":         {"[[webhook]]\nname = \"a\"\nurl = \"https://example.org/\"", 3, "webhook[0].url"},
		"password":          {"[[webhook]]\nname = \"a\"\nurl = \"http://u:p@127.0.0.1/\"", 3, "webhook[0].url"},
		"same name":         {"[[command]]\nname = \"a\"\nargv = [\"x\"]\n[[command]]\nname = \"a\"\nargv = [\"x\"]\n", 5, "command[1].name"},
		"unknown in block":  {"[[command]]\nname = \"a\"\nshell = \"x\"\nargv = [\"x\"]\n", 3, "command.shell"},
		"orphan limit":      {"orphan_after = \"1s\"", 1, "orphan_after"},
		"empty store":       {"[store]\npath = \" \"", 2, "store.path"},
		"dotted":            {"store.path = \"\"", 1, "store.path"},
		"infinite":          {"rate_limit = inf", 1, "rate_limit"},
		"not a number":      {"rate_limit = nan", 1, "rate_limit"},
		"too long a wait":   {"[[command]]\nname = \"a\"\nargv = [\"x\"]\ntimeout = \"2m\"", 4, "command[0].timeout"},
		"privacy":           {"[announce]\nprivacy = \"some\"", 2, "announce.privacy"},
		"reminders":         {"[announce]\nremind = [\"3m\", \"1s\"]", 2, "announce.remind"},
		"hook's privacy":    {"[[command]]\nname = \"a\"\nargv = [\"x\"]\nprivacy = \"x\"", 4, "command[0].privacy"},
		"log of no changes": {"[retention]\nlog_count = 1", 2, "retention.log_count"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse(c.text)
			var e *Error
			if !errors.As(err, &e) || e.Line != c.line || c.key != "" && e.Key != c.key || e.Detail == "" {
				t.Errorf("got %v (%+v), want line %d, key %s", err, e, c.line, c.key)
			}
		})
	}
}

func TestLoadReadsNothingWithoutEnd(t *testing.T) {
	for name, put := range map[string]func(path string) error{
		"folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"large":  func(path string) error { return os.WriteFile(path, make([]byte, maxFile+1), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := put(filepath.Join(dir, FileName)); err != nil {
				t.Fatal(err)
			}
			var e *Error
			if _, err := Load(dir); !errors.As(err, &e) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestParseReadsUnits(t *testing.T) {
	c, err := Parse("orphan_after = \"2w\"\n[retention]\nkeep_age = \"1.5d\"\n[store]\nmin_free = \"1 GiB\"\npath = \"/x\"")
	if err != nil || c.OrphanAfter.Std() != 14*24*time.Hour || c.Retention.KeepAge.Std() != 36*time.Hour || c.Store.MinFree != 1<<30 {
		t.Errorf("got %+v, %v", c, err)
	}
	if got := c.StorePath("/home"); got != "/x" {
		t.Errorf("store is %s", got)
	}
}

func TestWatchReadsChangesAndKeepsGoingAfterAMistake(t *testing.T) {
	dir := t.TempDir()
	if err := WriteSample(dir); err != nil {
		t.Fatal(err)
	}
	type event struct {
		c   Config
		err error
	}
	events := make(chan event)
	ctx, cancel := context.WithCancel(t.Context())
	ready, done := make(chan struct{}), make(chan error, 1)
	go func() {
		done <- Watch(ctx, dir, ready, func(c Config, err error) { events <- event{c, err} })
	}()
	<-ready
	write := func(text string) event {
		t.Helper()
		// As editors do: a new file takes the place of the old one.
		tmp := filepath.Join(dir, "tmp")
		if err := os.WriteFile(tmp, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(tmp, filepath.Join(dir, FileName)); err != nil {
			t.Fatal(err)
		}
		return <-events
	}
	if e := write("rate_limit = 7"); e.err != nil || e.c.RateLimit != 7 {
		t.Errorf("got %v, %v", e.c.RateLimit, e.err)
	}
	if e := write("rate_limit = -7"); e.err == nil {
		t.Error("a mistake was taken")
	}
	if e := write("rate_limit = 8"); e.err != nil || e.c.RateLimit != 8 {
		t.Errorf("after a mistake: %v, %v", e.c.RateLimit, e.err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(Sample)
	f.Add("[[webhook]]\nname = \"a\"\nurl = \"http://[::1]/x\"\n")
	f.Add("a.b = {c = 1}\n[store\n")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := Parse(text); err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Line < 0 || e.Line > strings.Count(text, "\n")+1 {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
}
