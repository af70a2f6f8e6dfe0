//go:build linux

package rig

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Process is a program that the rig started. It is ended with the test.
type Process struct {
	r    *Rig
	name string
	cmd  *exec.Cmd
	log  string
	done chan struct{} // closed when it has ended
	err  error         // how; read after done
}

// Starts go through one goroutine that keeps its thread for ever: the kernel
// ends a child with the *thread* that started it, and Go's threads may come and go.
var starts = sync.OnceValue(func() chan<- func() {
	ch := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range ch {
			f()
		}
	}()
	return ch
})

func startCmd(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	res := make(chan error)
	starts() <- func() { res <- cmd.Start() }
	return <-res
}

// Run starts a program in the rig's surroundings with its output in
// NAME.log of the artefacts. Further environment is given as KEY=VALUE in env.
func (r *Rig) Run(name string, env []string, path string, args ...string) *Process {
	r.t.Helper()
	p, err := r.run(name, env, nil, path, args...)
	if err != nil {
		r.fail(fmt.Sprintf("start %s: %v", name, err))
	}
	return p
}

func (r *Rig) run(name string, env []string, extra []*os.File, path string, args ...string) (*Process, error) {
	log := filepath.Join(r.Artefacts, name+".log")
	f, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	defer f.Close() // the child has its own
	cmd := exec.Command(path, args...)
	cmd.Env = append(r.Env(), env...)
	cmd.Dir = r.dir
	cmd.Stdout, cmd.Stderr = f, f
	cmd.ExtraFiles = extra
	if err := startCmd(cmd); err != nil {
		return nil, err
	}
	p := &Process{r: r, name: name, cmd: cmd, log: log, done: make(chan struct{})}
	go func() {
		p.err = cmd.Wait()
		close(p.done)
	}()
	r.t.Cleanup(func() { p.end(syscall.SIGTERM) })
	return p, nil
}

// Pid is the process id.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Log is what it has printed so far.
func (p *Process) Log() string {
	b, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// Running tells whether it has not ended.
func (p *Process) Running() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// Done is closed when it has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Signal sends it a signal.
func (p *Process) Signal(sig syscall.Signal) {
	p.r.t.Helper()
	if err := p.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.r.fail(fmt.Sprintf("signal %s: %v", p.name, err))
	}
}

// Wait waits for its end and returns the exit code; -1 when a signal ended it.
func (p *Process) Wait() int {
	p.r.t.Helper()
	select {
	case <-p.done:
	case <-time.After(p.r.opts.Timeout):
		p.r.fail(p.name + " did not end")
	}
	return p.cmd.ProcessState.ExitCode()
}

// Stop asks it to end (SIGTERM), waits, and returns the exit code.
func (p *Process) Stop() int {
	p.r.t.Helper()
	p.Signal(syscall.SIGTERM)
	return p.Wait()
}

// Kill ends it as kill -9 does, and waits until it is gone.
func (p *Process) Kill() {
	p.r.t.Helper()
	p.Signal(syscall.SIGKILL)
	p.Wait()
}

// end is for the end of the test: politely, then not, and its children with it.
func (p *Process) end(sig syscall.Signal) {
	pid := p.cmd.Process.Pid
	if p.Running() {
		_ = syscall.Kill(pid, sig) // ESRCH: it ended just now
		select {
		case <-p.done:
		case <-time.After(5 * time.Second):
			_ = syscall.Kill(pid, syscall.SIGKILL)
			<-p.done
		}
	}
	_ = syscall.Kill(-pid, syscall.SIGKILL) // what it left in its group
}

// Result is how a program that ran to its end ended.
type Result struct {
	Stdout, Stderr string
	Code           int
	r              *Rig
	what           string
}

// Command runs a program to its end, with stdin, and returns how it ended. It fails the test when it takes longer than the rig's timeout.
func (r *Rig) Command(stdin string, path string, args ...string) Result {
	r.t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(path, args...)
	cmd.Env, cmd.Dir = r.Env(), r.dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	if err := startCmd(cmd); err != nil {
		r.fail(fmt.Sprintf("start %s: %v", path, err))
	}
	stop := time.AfterFunc(r.opts.Timeout, func() { _ = cmd.Process.Kill() })
	err := cmd.Wait()
	if !stop.Stop() {
		r.fail(fmt.Sprintf("%s %v did not end in %v: %s", path, args, r.opts.Timeout, errs.String()))
	}
	var ee *exec.ExitError
	if err != nil && !errors.As(err, &ee) {
		r.fail(fmt.Sprintf("%s: %v", path, err))
	}
	return Result{out.String(), errs.String(), cmd.ProcessState.ExitCode(), r, filepath.Base(path) + " " + strings.Join(args, " ")}
}

// Want fails the test when the exit code is another.
func (res Result) Want(code int) Result {
	res.r.t.Helper()
	if res.Code != code {
		res.r.fail(fmt.Sprintf("%s: exit code %d, want %d\nstdout: %s\nstderr: %s", res.what, res.Code, code, res.Stdout, res.Stderr))
	}
	return res
}
