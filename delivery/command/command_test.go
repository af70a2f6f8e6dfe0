//go:build unix

package command

import (
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// helper is this test binary, told to act as the owner's program.
func helper(mode string, args ...string) Config {
	return Config{Argv: append([]string{os.Args[0]}, args...), Env: append(os.Environ(), "COMMAND_HELPER="+mode), Limit: 5 * time.Second}
}

func TestMain(m *testing.M) {
	switch os.Getenv("COMMAND_HELPER") {
	case "":
		os.Exit(m.Run())
	case "record": // arguments and input into the file named by the last argument
		in := make([]byte, 1<<20)
		n, _ := os.Stdin.Read(in)
		_ = os.WriteFile(os.Args[len(os.Args)-1], []byte(strings.Join(os.Args[1:], "\x1f")+"\x1e"+string(in[:n])), 0o600)
	case "fail":
		os.Stderr.WriteString("it went\x1b[31m wrong\nsecond line\n")
		os.Exit(3)
	case "flood":
		for range 1 << 10 {
			os.Stdout.WriteString(strings.Repeat("x", 1<<10))
		}
		os.Exit(1)
	case "hang":
		forever := make(chan os.Signal, 1)
		signal.Notify(forever, syscall.SIGUSR1)
		<-forever
	}
}

func TestTextIsData(t *testing.T) {
	// Proves: S4
	// T54: nothing of the text becomes an argument or a command.
	out := filepath.Join(t.TempDir(), "out")
	title := `$(touch /tmp/owned) "; rm -rf ~ ` + "`id`" + " -e %PATH%"
	if err := helper("record", "--", "$(id)", out).Run(t.Context(), map[string]string{"title": title}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	args, in, _ := strings.Cut(string(b), "\x1e")
	if args != "--\x1f$(id)\x1f"+out {
		t.Errorf("arguments %q", args)
	}
	if !strings.Contains(in, "touch /tmp/owned") {
		t.Errorf("input %q", in)
	}
}

func TestFailures(t *testing.T) {
	// Proves: A12
	hang := helper("hang")
	hang.Limit = 200 * time.Millisecond
	for _, c := range []struct {
		name   string
		config Config
		want   string
	}{
		{"status", helper("fail"), "it went[31m wrong"},
		{"flood", helper("flood"), "xxx"},
		{"hang", hang, "did not end"},
		{"missing", Config{Argv: []string{"no-such-program-of-ours"}}, "not found"},
		{"empty", Config{}, "names no program"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.config.Run(t.Context(), nil)
			if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 300 {
				t.Errorf("got %v", err)
			}
		})
	}
}
