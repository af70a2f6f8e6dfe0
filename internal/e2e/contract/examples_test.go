//go:build e2e

package contract

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// block is the n-th block of code of a page in docs/agents, in a language.
func block(t *testing.T, page, language string, n int) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../../docs/agents", page))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if n >= len(found) {
		t.Fatalf("%s has %d blocks of %s", page, len(found), language)
	}
	return found[n][1]
}

// example starts a program of the documentation in a process group of its own, which ends with the test.
func (s *server) example(token string, args ...string) (*exec.Cmd, *bufio.Scanner) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	s.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "SIGNALBOX_URL="+s.URL, "SIGNALBOX_TOKEN="+token, "BASE="+s.URL, "TOKEN="+token)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	cmd.Stderr = s.log
	out, err := cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

// connectAs registers a connection under an id.
func (s *server) connectAs(id string) (token string) {
	s.t.Helper()
	return str(s.owner("POST", "/v1/connections", obj{"label": id, "id": id}).want(201).get("token"))
}

// answerNext answers what waits next.
func (s *server) answerNext(option string) {
	s.t.Helper()
	var asked obj
	if !until(30*time.Second, func() bool {
		list, _ := s.owner("GET", "/v1/notifications?kind=interaction&status=pending", nil).get("notifications").([]any)
		if len(list) > 0 {
			asked, _ = list[0].(obj)
		}
		return asked != nil
	}) {
		s.t.Fatal("nothing is asked")
	}
	s.owner("POST", "/v1/notifications/"+str(asked["id"])+"/answer", obj{"expected_revision": asked["revision"], "answer": obj{"option": option}}).want(200)
}

// newestOf is the newest item of a key.
func (s *server) newestOf(key string) obj {
	s.t.Helper()
	list, _ := s.owner("GET", "/v1/notifications?limit=500", nil).get("notifications").([]any)
	for _, n := range list {
		if n, _ := n.(obj); n["key"] == key {
			return n
		}
	}
	s.t.Fatalf("nothing has the key %s", key)
	return nil
}

// The program that the page for Python shows does what the page says.
func TestPythonExample(t *testing.T) {
	s := start(t)
	file := filepath.Join(t.TempDir(), "example.py")
	if err := os.WriteFile(file, []byte(block(t, "python.md", "python", 0)), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd, _ := s.example(s.connectAs("trainer"), "python3", file)
	s.answerNext("keep")
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, s.log)
	}
	if n := s.newestOf("run"); n["title"] != "Checkpoint kept" || n["severity"] != "success" || num(n["revision"]) != 2 {
		t.Errorf("it told %v", n)
	}
}

// So do the calls of curl.
func TestCurlExample(t *testing.T) {
	s := start(t)
	cmd, lines := s.example(s.connectAs("nightly"), "bash", "-euo", "pipefail", "-c", block(t, "curl.md", "sh", 1))
	s.answerNext("yes")
	next := func(part string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), part) {
				return
			}
		}
		t.Fatalf("%s was not said\n%s", part, s.log)
	}
	next(`"kind": "answered"`)
	next("retry:") // its last call follows the events until it is stopped
	s.publish(s.Token, "nightly", obj{"title": "followed"})
	next(`"followed"`)
	if err := cmd.Cancel(); err != nil {
		t.Error(err)
	}
	_ = cmd.Wait() // it was stopped
	n := s.newestOf("build")
	if n["title"] != "Build failed" || n["status"] != "resolved" || dig(t, n, "outcome", "reason") != "it builds again" {
		t.Errorf("it told %v", n)
	}
}
