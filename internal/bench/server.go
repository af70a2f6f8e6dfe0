package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime/pprof"
	"strings"
	"time"

	"signalbox/bridge/wire"
	"signalbox/internal/daemon"
)

// The environment of a child of this program: what to serve, and from where.
const (
	envMode = "SIGNALBOX_BENCH_MODE"
	envHome = "SIGNALBOX_BENCH_HOME"
	// envProfile is a file for the child's CPU profile, and with .allocs behind its name for what it allocated;
	// empty: none is made.
	envProfile = "SIGNALBOX_BENCH_PROFILE"
)

// serve is the child: it serves until its standard input ends.
func serve(mode string) error {
	ended := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(ended)
	}()
	switch mode {
	case "bare":
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		go func() {
			_ = http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, `{"result":"created"}`)
			}))
		}()
		fmt.Printf("http://%s -\n", l.Addr())
		<-ended
		return nil
	case "center":
		if name := os.Getenv(envProfile); name != "" {
			f, err := os.Create(name)
			if err != nil {
				return err
			}
			defer f.Close()
			if err := pprof.StartCPUProfile(f); err != nil {
				return err
			}
			defer func() {
				pprof.StopCPUProfile()
				if allocs, err := os.Create(name + ".allocs"); err == nil {
					_ = pprof.Lookup("allocs").WriteTo(allocs, 0)
					_ = allocs.Close()
				}
			}()
		}
		unlimited := 0.0
		d, err := daemon.Start(context.Background(), daemon.Options{Home: os.Getenv(envHome), Listen: "127.0.0.1:0", RateLimit: &unlimited, Lenient: true})
		if err != nil {
			return err
		}
		fmt.Println(d.URL(), d.OwnerToken())
		<-ended
		return d.Close()
	}
	return fmt.Errorf("unknown mode %q", mode)
}

// server is a child that serves.
type server struct {
	cmd   *exec.Cmd
	in    io.Closer
	url   string
	owner string
}

func start(ctx context.Context, mode, home string) (*server, error) {
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), envMode+"="+mode, envHome+"="+home)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &server{cmd: cmd, in: in}
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		s.stop()
		return nil, errors.New("the child did not start")
	}
	s.url, s.owner, _ = strings.Cut(lines.Text(), " ")
	return s, nil
}

// cpuSince is what each of n requests had of the cores since usage said before; 0 where the system does not tell.
func (s *server) cpuSince(before time.Duration, n int) time.Duration {
	now, _ := usage(s.cmd.Process.Pid)
	return (now - before) / time.Duration(max(n, 1))
}

func (s *server) stop() {
	_ = s.in.Close()
	_ = s.cmd.Wait()
}

// connection makes a connection and returns its token.
func (s *server) connection(id string) (token string, err error) {
	body, err := json.Marshal(wire.ConnectionCreate{ID: id, Label: id})
	if err != nil {
		return "", err
	}
	req, err := http.NewRequest(http.MethodPost, s.url+wire.PathConnections, strings.NewReader(string(body)))
	if err != nil {
		return "", err
	}
	req.Header.Set("Authorization", "Bearer "+s.owner)
	req.Header.Set("Content-Type", "application/json")
	res, err := (&http.Client{}).Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		text, _ := io.ReadAll(res.Body)
		return "", fmt.Errorf("make a connection: %s: %s", res.Status, text)
	}
	var created wire.ConnectionCreated
	err = json.NewDecoder(res.Body).Decode(&created)
	return created.Token, err
}
