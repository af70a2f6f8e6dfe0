package config

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

const day = 24 * time.Hour

// Proves: R4
func TestSetRetention(t *testing.T) {
	for _, c := range []struct{ name, before, contains string }{
		{"no file", "-", "# A mistake"},
		{"an empty file", "", ""},
		{"other settings", "log_level = \"debug\"\n\n[store]\nmin_free = \"1 GiB\" # mine\n", "# mine"},
		{"set before", "[retention]\n  keep_age = \"2w\" # two weeks\nlog_age = \"1d\"\n[snapshots]\nkeep = 2\n", "log_age = \"1d\""},
		{"no line at the end", "[ retention ] # mine", "# mine"},
		{"a key of the same name elsewhere", "[snapshots]\nkeep = 2\n[retention]\nlog_count = 5000\n[[webhook]]\nname = \"x\"\nurl = \"http://127.0.0.1:1\"\n", "log_count = 5000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, FileName)
			if c.before != "-" {
				if err := os.WriteFile(path, []byte(c.before), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			before, err := Load(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []struct {
				age   time.Duration
				count int
			}{{30 * day, 1000}, {0, 0}, {36 * time.Hour, 7}} {
				if err := SetRetention(dir, want.age, want.count); err != nil {
					t.Fatal(err)
				}
				got, err := Load(dir)
				if err != nil {
					t.Fatal(err)
				}
				if got.Retention.KeepAge.Std() != want.age || got.Retention.KeepCount != want.count {
					t.Errorf("kept %v, %d; want %v", got.Retention.KeepAge.Std(), got.Retention.KeepCount, want)
				}
				got.Retention.KeepAge, got.Retention.KeepCount = before.Retention.KeepAge, before.Retention.KeepCount
				if got.Store != before.Store || got.LogLevel != before.LogLevel || got.Retention != before.Retention || got.Snapshots != before.Snapshots {
					t.Error("another setting was changed")
				}
			}
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range []string{"keep_age =", "keep_count ="} {
				if n := len(regexp.MustCompile(`(?m)^ *`+key).FindAllString(string(b), -1)); n != 1 {
					t.Errorf("%d lines %q in:\n%s", n, key, b)
				}
			}
			if c.before != "-" && !strings.Contains(string(b), c.contains) {
				t.Errorf("%q is gone:\n%s", c.contains, b)
			}
		})
	}
}

// What the owner wrote beside a value stays, and so do the ends of the lines.
func TestSetRetentionLeavesTheRestOfALine(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"a comment", "[retention]\nkeep_age = \"2w\" # the audit\nkeep_count=10#few\n", "[retention]\nkeep_age = \"30d\" # the audit\nkeep_count=5#few\n"},
		{"a mark within the value", "[retention]\n\tkeep_age = '2w'  # \"#\"", "[retention]\nkeep_count = 5\n\tkeep_age = \"30d\"  # \"#\""},
		{"lines of Windows", "log_level = \"debug\"\r\n[retention]\r\nkeep_age = \"2w\" # mine\r\n", "log_level = \"debug\"\r\n[retention]\r\nkeep_count = 5\r\nkeep_age = \"30d\" # mine\r\n"},
		{"a section of its own there", "log_level = \"debug\"\r\n", "log_level = \"debug\"\r\n\r\n[retention]\r\nkeep_count = 5\r\nkeep_age = \"30d\"\r\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, FileName)
			if err := os.WriteFile(path, []byte(c.before), 0o640); err != nil {
				t.Fatal(err)
			}
			if err := SetRetention(dir, 30*day, 5); err != nil {
				t.Fatal(err)
			}
			if b, err := os.ReadFile(path); err != nil || string(b) != c.after {
				t.Errorf("got %q, %v, want %q", b, err, c.after)
			}
			if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
				t.Errorf("its mode is %v, %v", info.Mode(), err)
			}
		})
	}
}

// What cannot be changed safely is left as it is.
func TestSetRetentionLeavesOtherFormsAlone(t *testing.T) {
	for name, before := range map[string]string{
		"an inline table": "retention = { keep_age = \"1d\" }\n",
		"a dotted key":    "retention.keep_age = \"1d\"\n",
		"a mistake":       "no_such = 1\n",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, FileName)
		if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := SetRetention(dir, day, 1); err == nil {
			t.Errorf("%s: no error", name)
		}
		if b, _ := os.ReadFile(path); string(b) != before {
			t.Errorf("%s: changed to %q", name, b)
		}
	}
	if err := SetRetention(t.TempDir(), -1, 0); err == nil {
		t.Error("a negative age is taken")
	}
}

func TestSetAnnounce(t *testing.T) {
	// Proves: A3, A8
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	const before = "[announce]\nprivacy = \"none\" # the screen is shared\nremind = [ \"5m\", \"1h\" ] # mine\n"
	if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	waits := []Duration{Duration(5 * time.Minute), Duration(time.Hour)}
	storms := Default().Storms
	for _, level := range []string{"full", "title", "none"} {
		if err := SetAnnounce(dir, Announce{level, waits}, storms); err != nil {
			t.Fatal(err)
		}
		c, err := Load(dir)
		if err != nil || c.Announce.Privacy != level || !slices.Equal(c.Announce.Remind, waits) {
			t.Errorf("%s: %+v, %v", level, c.Announce, err)
		}
	}
	if err := SetAnnounce(dir, Announce{"all", waits}, storms); err == nil {
		t.Error("an unknown level was written")
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != before {
		t.Errorf("%q, %v", b, err)
	}
	for _, want := range []struct {
		a Announce
		s Storms
	}{
		{Announce{"none", nil}, Storms{0, Duration(10 * time.Second)}},
		{Announce{"title", []Duration{Duration(30 * time.Minute)}}, Storms{3, Duration(90 * time.Second)}},
	} {
		if err := SetAnnounce(dir, want.a, want.s); err != nil {
			t.Fatal(err)
		}
		c, err := Load(dir)
		if err != nil || c.Announce.Privacy != want.a.Privacy || !slices.Equal(c.Announce.Remind, want.a.Remind) || c.Storms != want.s {
			t.Errorf("%+v %+v, %v", c.Announce, c.Storms, err)
		}
	}
	if b, err := os.ReadFile(path); err != nil || !strings.Contains(string(b), "remind = [\"30m\"] # mine") {
		t.Errorf("%q, %v", b, err)
	}
}
