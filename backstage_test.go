package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"signalbox/bridge/wire"
	"signalbox/delivery"
	"signalbox/delivery/sound"
	"signalbox/delivery/toast"
	"signalbox/internal/winlink"
	"signalbox/notify"
	"signalbox/ui"
	"signalbox/ui/vm"
)

// windowsOf shows the windows and returns their end of the line.
func windowsOf(t *testing.T, s *screenless) *winlink.Line {
	t.Helper()
	if err := s.show(t.Context(), wire.ViewRail, ""); err != nil {
		t.Fatal(err)
	}
	<-s.shown
	return <-s.opened
}

func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for limit := time.Now().Add(20 * time.Second); !done(); {
		if time.Now().After(limit) {
			t.Fatalf("waited in vain for %s", what)
		}
		<-time.After(20 * time.Millisecond)
	}
}

// The retention that is set in the window is in the file, and in force.
//
// Proves: R4
func TestTheWindowSetsRetention(t *testing.T) {
	s := startDesktop(t)
	l := windowsOf(t, s)
	want := ui.Retention{Age: 7 * 24 * time.Hour, Count: 1000}
	if _, err := winlink.Call[ui.Retention](t.Context(), l, callRetention, edit[ui.Retention]{Now: want}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the center to follow", func() bool {
		c := s.d.Config().Retention
		return c.KeepAge.Std() == want.Age && c.KeepCount == want.Count
	})
	about, err := winlink.Call[about](t.Context(), l, callAbout, struct{}{})
	if err != nil || about.Retention != want {
		t.Errorf("the windows are told %v: %v", about.Retention, err)
	}
	b, err := os.ReadFile(filepath.Join(s.d.Dir, "config.toml"))
	if err != nil || !strings.Contains(string(b), `keep_age = "7d"`) {
		t.Errorf("the file has no such line: %v", err)
	}
}

// What toasts may show, and when more is told, is set in the window, and holds from then on.
//
// Proves: A3
func TestTheWindowSetsWhatToastsShow(t *testing.T) {
	s := startDesktop(t)
	l := windowsOf(t, s)
	want := ui.Telling{Privacy: "full", Remind: []time.Duration{5 * time.Minute}, StormCount: 3, StormWindow: time.Minute}
	if _, err := winlink.Call[ui.Telling](t.Context(), l, callTelling, edit[ui.Telling]{Now: want}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the center to follow", func() bool { return s.d.Privacy(notify.ProviderToast) == delivery.PrivacyFull })
	if about, err := winlink.Call[about](t.Context(), l, callAbout, struct{}{}); err != nil || !reflect.DeepEqual(about.Telling, want) {
		t.Errorf("the windows are told %+v: %v", about.Telling, err)
	}
}

// What the owner wrote into the file since the windows were told of it stays where they change something else.
func TestTheWindowChangesOnlyWhatWasChosen(t *testing.T) {
	s := startDesktop(t)
	l := windowsOf(t, s)
	was, err := winlink.Call[about](t.Context(), l, callAbout, struct{}{})
	if err != nil {
		t.Fatal(err)
	}
	text := "[retention]\nkeep_count = 77\n[storms]\ncount = 7\n"
	if err := os.WriteFile(filepath.Join(s.d.Dir, "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	telling, kept := was.Telling, was.Retention
	telling.Privacy, kept.Age = "none", 24*time.Hour
	told, err := winlink.Call[ui.Telling](t.Context(), l, callTelling, edit[ui.Telling]{Was: was.Telling, Now: telling})
	if err != nil || told.Privacy != "none" || told.StormCount != 7 {
		t.Errorf("told as %+v: %v", told, err)
	}
	r, err := winlink.Call[ui.Retention](t.Context(), l, callRetention, edit[ui.Retention]{Was: was.Retention, Now: kept})
	if err != nil || r != (ui.Retention{Age: 24 * time.Hour, Count: 77}) {
		t.Errorf("kept as %+v: %v", r, err)
	}
	eventually(t, "the center to follow", func() bool {
		c := s.d.Config()
		return c.Announce.Privacy == "none" && c.Storms.Count == 7 && c.Retention.KeepAge.Std() == 24*time.Hour && c.Retention.KeepCount == 77
	})
}

// The windows hear which lists are old, and get a connection's actions with what is wrong with them.
//
// Proves: E2
func TestTheWindowsHearOfOldLists(t *testing.T) {
	s := startDesktop(t)
	l := windowsOf(t, s)
	heard := make(chan struct{}, 10)
	winlink.Handle(l, callListsChanged, func(context.Context, struct{}) (struct{}, error) { heard <- struct{}{}; return struct{}{}, nil })
	up := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-up:
			_, _ = w.Write([]byte(`{"actions":[{"id":"a","label":"Archive"}],"sessions":[]}`))
		default:
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer srv.Close()
	if _, err := s.d.Center.Do(t.Context(), notify.Owner, notify.CreateConnection{ID: "c", Label: "C", TokenHash: []byte("x")}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.d.Center.Do(t.Context(), notify.Owner, notify.Hello{Connection: "c", Lifetime: "1", SessionsURL: &srv.URL, ActionsURL: &srv.URL}); err != nil {
		t.Fatal(err)
	}
	select {
	case <-heard:
	case <-time.After(20 * time.Second):
		t.Fatal("the windows did not hear of it")
	}
	eventually(t, "both lists to be old", func() bool {
		old, err := winlink.Call[map[string]vm.OldLists](t.Context(), l, callOldLists, struct{}{})
		return err == nil && old["c"] == vm.OldLists{Sessions: true, Actions: true}
	})
	close(up)
	eventually(t, "the actions", func() bool { // asking is looking, which tries again at once
		a, err := winlink.Call[ui.AppActions](t.Context(), l, callApp, "c")
		return err == nil && len(a.Actions) == 1 && !a.Stale && a.Problem == "" && a.SessionsProblem == ""
	})
	if _, err := winlink.Call[struct{}](t.Context(), l, callInvokeApp, appAction{"c", "a"}); err != nil {
		t.Errorf("invoke: %v", err)
	}
}

// The doctor says where the log is, in words that the windows have.
func TestTheDoctorKnowsTheLog(t *testing.T) {
	s := startDesktop(t)
	s.o.logs = newLogSink(&strings.Builder{})
	if err := s.o.logs.open(s.d.Dir); err != nil {
		t.Fatal(err)
	}
	defer s.o.logs.close()
	facts := s.facts(t.Context())
	i := slices.IndexFunc(facts, func(f ui.Fact) bool { return f.Name == "log" })
	if i < 0 || facts[i].Detail != filepath.Join(s.d.Dir, logName) {
		t.Errorf("facts %+v", facts)
	}
}

func TestTheToolkitFindsALanguage(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want string // the last LC_ALL; empty: nothing was added
	}{
		{[]string{"LANG=C"}, "en_US.UTF-8"},
		{[]string{"LANG=de_DE.UTF-8", "LC_ALL=C.UTF-8"}, "en_US.UTF-8"},
		{[]string{"LANG=POSIX", "LC_ALL="}, "en_US.UTF-8"},
		{nil, "en_US.UTF-8"},
		{[]string{"LANG=de_DE.UTF-8"}, ""},
		{[]string{"LANG=C", "LC_ALL=ja_JP.UTF-8"}, ""},
	} {
		got := withLocale(c.env)
		last := ""
		if len(got) > len(c.env) {
			last = strings.TrimPrefix(got[len(got)-1], "LC_ALL=")
		}
		if last != c.want {
			t.Errorf("%v: added %q, want %q", c.env, last, c.want)
		}
	}
}

// What the providers of a desktop say went wrong has words in the owner's language.
func TestTheWindowsKnowWhatProvidersSay(t *testing.T) {
	for _, err := range []error{sound.ErrNone, sound.ErrHung, toast.ErrNoBus, toast.ErrNoDaemon, toast.ErrHung, delivery.ErrNobody} {
		if vm.TellError(err.Error()).IsZero() {
			t.Errorf("no words for %q", err)
		}
	}
}
