package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"signalbox/bridge/wire"
	"signalbox/internal/config"
	"signalbox/notify"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("DAEMON_TEST_HOLD"); dir != "" {
		hold(dir)
	}
	goleak.VerifyTestMain(m)
}

// hold is the test binary as another process: it takes the lock, says so, and waits to be killed.
func hold(dir string) {
	if _, err := takeLock(dir); err != nil {
		os.Stdout.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
	os.Stdout.WriteString("held\n")
	select {}
}

func start(t *testing.T, o Options) *Daemon {
	t.Helper()
	if o.Home == "" {
		o.Home = t.TempDir()
	}
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	if o.storeWithin == 0 {
		o.storeWithin = -1
	}
	d, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// call makes a request with the owner's token and decodes the answer into out.
func call(t *testing.T, url, token, method, path, body string, out any) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if out != nil {
		if err := json.NewDecoder(res.Body).Decode(out); err != nil {
			t.Fatalf("%s %s: %d, %v", method, path, res.StatusCode, err)
		}
	}
	return res.StatusCode
}

// Proves: L8
func TestAPublicationSurvivesARestart(t *testing.T) {
	home := t.TempDir()
	d := start(t, Options{Home: home, Version: "1"})
	var connected struct{ Token string }
	if got := call(t, d.URL(), d.OwnerToken(), "POST", "/v1/connections", `{"label":"Agent","id":"agent"}`, &connected); got != 201 {
		t.Fatalf("connect: %d", got)
	}
	secret := "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
	var published struct {
		Result       string
		Notification struct{ ID, Title, Body string }
		Masked       []string
	}
	if got := call(t, d.URL(), connected.Token, "POST", "/v1/connections/agent/notifications", `{"title":"Done","key":"k","body":"with `+secret+`"}`, &published); got != 201 {
		t.Fatalf("publish: %d", got)
	}
	if published.Result != "created" || strings.Contains(published.Notification.Body, secret) || len(published.Masked) != 1 {
		t.Errorf("published %+v", published)
	}
	raw, err := os.ReadFile(filepath.Join(home, wire.BridgeFile))
	if err != nil {
		t.Fatal(err)
	}
	var found wire.Bridge
	if err := json.Unmarshal(raw, &found); err != nil || found.URL != d.URL() || found.PID != os.Getpid() {
		t.Errorf("bridge.json says %+v, %v", found, err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(home, wire.BridgeFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("bridge.json after the end: %v", err)
	}
	d = start(t, Options{Home: home})
	var again struct{ Title, Status string }
	if got := call(t, d.URL(), connected.Token, "GET", "/v1/notifications/"+published.Notification.ID, "", &again); got != 200 || again.Title != "Done" || again.Status != "pending" {
		t.Errorf("after a restart: %d, %+v", got, again)
	}
	if d.OwnerToken() != found.Token {
		t.Error("the owner's token is another one")
	}
}

func TestTheDataDirectoryIsTheOwnersAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // its profile folders are private by themselves
	}
	home := filepath.Join(t.TempDir(), "home")
	if err := os.Mkdir(home, 0o755); err != nil {
		t.Fatal(err)
	}
	start(t, Options{Home: home})
	err := filepath.WalkDir(home, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 && (path == home || filepath.Dir(path) == home) {
			t.Errorf("%s is %s", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestHomeIsTheGivenOneThenTheEnvironmentsThenThePlatforms(t *testing.T) {
	t.Setenv("SIGNALBOX_HOME", "/from/environment")
	if got, err := Home("/given"); err != nil || got != filepath.FromSlash("/given") && filepath.Base(got) != "given" {
		t.Errorf("given: %s, %v", got, err)
	}
	if got, err := Home(""); err != nil || filepath.Base(got) != "environment" {
		t.Errorf("environment: %s, %v", got, err)
	}
	t.Setenv("SIGNALBOX_HOME", "")
	if got, err := Home(""); err != nil || filepath.Base(got) != "signalbox" || !filepath.IsAbs(got) {
		t.Errorf("platform: %s, %v", got, err)
	}
}

func TestASecondStartSaysWhoHasIt(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "DAEMON_TEST_HOLD="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 5)
	if _, err := out.Read(line); err != nil || !bytes.HasPrefix(line, []byte("held")) {
		t.Fatalf("the other process said %q, %v", line, err)
	}
	_, err = Start(t.Context(), Options{Home: dir, Listen: "127.0.0.1:0"})
	var held *HeldError
	if !errors.As(err, &held) || held.PID != cmd.Process.Pid {
		t.Errorf("got %v, want process %d to have it", err, cmd.Process.Pid)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed
	start(t, Options{Home: dir})
	_, err = Start(t.Context(), Options{Home: dir, Listen: "127.0.0.1:0"})
	if !errors.As(err, &held) || held.PID != os.Getpid() {
		t.Errorf("within one process: %v", err)
	}
}

func TestSettingsAtTheStart(t *testing.T) {
	home := t.TempDir()
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(home, config.FileName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("rate_limit = -1\n")
	_, err := Start(t.Context(), Options{Home: home, Listen: "127.0.0.1:0"})
	var bad *config.Error
	if !errors.As(err, &bad) || bad.Line != 1 {
		t.Errorf("got %v", err)
	}
	d := start(t, Options{Home: home, Lenient: true})
	if p := d.Problems(); len(p) != 1 || p[0].Key != ProblemSettings || !strings.Contains(p[0].Text, "rate_limit") {
		t.Errorf("problems %+v", p)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	write("listen = \"0.0.0.0:0\"\n")
	if _, err := Start(t.Context(), Options{Home: home}); err == nil {
		t.Error("an address outside the loopback was taken without TLS")
	}
	write("[store]\npath = \"elsewhere\"\n")
	start(t, Options{Home: home})
	if _, err := os.Stat(filepath.Join(home, "elsewhere")); err != nil {
		t.Error(err)
	}
}

func TestSettingsWhileItRuns(t *testing.T) {
	home := t.TempDir()
	told := make(chan struct{}, 10)
	reloaded := make(chan config.Config, 10)
	d := start(t, Options{Home: home, Problem: func() { told <- struct{}{} }, Reloaded: func(c config.Config) { reloaded <- c }})
	write := func(text string) {
		t.Helper()
		tmp := filepath.Join(home, "new")
		if err := os.WriteFile(tmp, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(tmp, filepath.Join(home, config.FileName)); err != nil {
			t.Fatal(err)
		}
	}
	write("rate_limit = 7\norphan_after = \"2h\"\n")
	if c := <-reloaded; c.RateLimit != 7 || d.Config().RateLimit != 7 {
		t.Errorf("got %+v", c)
	}
	write("rate_limit = \n")
	<-told
	if p := d.Problems(); len(p) != 1 || !strings.Contains(p[0].Text, config.FileName+":1") || d.Config().RateLimit != 7 {
		t.Errorf("after a mistake: %+v, rate %v", p, d.Config().RateLimit)
	}
	write("rate_limit = 8\nallow_remote_urls = true\n[store]\npath = \"elsewhere\"\n")
	<-told
	c := <-reloaded
	if p := d.Problems(); len(p) != 1 || !strings.HasSuffix(p[0].Text, "\nstore.path") || c.RateLimit != 8 || c.Store.Path != "store" {
		t.Errorf("with another store: %+v, %+v", p, c)
	}
	if _, err := os.Stat(filepath.Join(home, "elsewhere")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the other store: %v", err)
	}
	if _, err := d.Center.Do(t.Context(), notify.Owner, notify.CreateConnection{ID: "a", Label: "A"}); err != nil {
		t.Errorf("the open store: %v", err)
	}
	write("rate_limit = 8\n")
	<-told
	if p := d.Problems(); len(p) != 0 {
		t.Errorf("after it was put right: %+v", p)
	}
}

func TestAttachComesBeforeTheBridgeAndEndsBeforeTheCenter(t *testing.T) {
	var order []string
	d := start(t, Options{Attach: func(ctx context.Context, d *Daemon) error {
		if d.bridge != nil || d.Center == nil {
			t.Error("attached too late or too early")
		}
		feed, err := d.Center.Subscribe(-1)
		if err != nil {
			return err
		}
		d.OnClose(func() {
			order = append(order, "first")
			if _, err := d.Center.Do(context.WithoutCancel(ctx), notify.Owner, notify.CreateConnection{ID: "z", Label: "Z"}); err != nil {
				t.Errorf("the center ended before its consumers: %v", err)
			}
			feed.Close()
		})
		d.OnClose(func() { order = append(order, "second") })
		return nil
	}})
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if strings.Join(order, " ") != "second first" {
		t.Errorf("ended %v", order)
	}
}

func TestAFailedStartLeavesNothingBehind(t *testing.T) {
	home := t.TempDir()
	failure := errors.New("no")
	_, err := Start(t.Context(), Options{Home: home, Listen: "127.0.0.1:0", Attach: func(context.Context, *Daemon) error { return failure }})
	if !errors.Is(err, failure) {
		t.Fatal(err)
	}
	start(t, Options{Home: home})
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	home := t.TempDir()
	// Ended when it is up, however long that takes on a busy machine.
	go func() {
		defer cancel()
		for tick := time.NewTicker(5 * time.Millisecond); ctx.Err() == nil; <-tick.C {
			if _, err := os.Stat(filepath.Join(home, "bridge.json")); err == nil {
				return
			}
		}
	}()
	if err := Run(ctx, Options{Home: home, Listen: "127.0.0.1:0"}); err != nil {
		t.Error(err)
	}
}
