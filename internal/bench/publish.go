package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"signalbox/bridge/wire"
)

// publish measures durable publishes through the bridge.
func (b *bench) publish(ctx context.Context) error {
	b.table.head("Durable publish through the bridge")
	home := filepath.Join(b.dir, "publish")
	if err := os.RemoveAll(home); err != nil {
		return err
	}
	srv, err := start(ctx, "center", home)
	if err != nil {
		return err
	}
	defer srv.stop()
	token, err := srv.connection("bench")
	if err != nil {
		return err
	}
	url := srv.url + wire.Path(wire.PathPublish, "bench")
	for _, n := range clients {
		one := func(c *http.Client) error { return post(c, url, token, message) }
		if _, err := hammer(ctx, n, b.each/3, one); err != nil { // warms up
			return err
		}
		cpu, _ := usage(srv.cmd.Process.Pid)
		l, err := hammer(ctx, n, b.each, one)
		if err != nil {
			return err
		}
		l.cpu = srv.cpuSince(cpu, l.n)
		bare := b.bare[n]
		goal := ""
		figure := l.String()
		switch n {
		case 1:
			figure += fmt.Sprintf(" = %s (HTTP + fsync)", times(l.p50, bare.p50+b.fsync))
			goal = "≤ 2.0×"
		case 64:
			figure += fmt.Sprintf(" = %.2f of bare HTTP", l.perSecond/bare.perSecond)
			goal = "≥ 0.40"
		default:
			figure += fmt.Sprintf(" = %.2f of bare HTTP", l.perSecond/bare.perSecond)
		}
		b.table.row(fmt.Sprintf("%d clients", n), figure, goal)
		if l.cpu > 0 {
			b.table.row(fmt.Sprintf("%d clients, of a core a publish", n), fmt.Sprintf("%d µs = %s a bare request's", l.cpu.Microseconds(), times(l.cpu, bare.cpu)), "")
		}
		// Under strace everything is slower, so the load is made once more to count.
		count := countSyncs(ctx, srv.cmd.Process.Pid)
		if l, err = hammer(ctx, n, b.each, one); err != nil {
			return err
		}
		if syncs := count(); syncs >= 0 {
			goal = map[int]string{1: "≤ 2", 64: "≤ 0.25"}[n]
			b.table.row(fmt.Sprintf("%d clients, syncs a publish", n), fmt.Sprintf("%.2f", float64(syncs)/float64(max(l.n, 1))), goal)
		}
	}
	return nil
}

// countSyncs counts the calls that wait for the disk, where strace is there and allowed to; the function it
// returns ends the count, and is negative where there was none.
func countSyncs(ctx context.Context, pid int) func() int {
	path, err := exec.LookPath("strace")
	if err != nil {
		return func() int { return -1 }
	}
	cmd := exec.CommandContext(ctx, path, "-f", "-c", "-e", "trace=fsync,fdatasync,msync", "-p", strconv.Itoa(pid))
	pipe, err := cmd.StderrPipe()
	if err != nil || cmd.Start() != nil {
		return func() int { return -1 }
	}
	// Its first line says that it is attached, or why not; the report comes when it ends.
	out := bufio.NewReader(pipe)
	_, _ = out.ReadString('\n')
	return func() int {
		_ = cmd.Process.Signal(os.Interrupt)
		report, _ := io.ReadAll(out)
		_ = cmd.Wait()
		return parseSyncs(string(report))
	}
}

// parseSyncs adds up the column of calls: the fourth, before errors and the name.
func parseSyncs(report string) int {
	total, any := 0, false
	for line := range strings.Lines(report) {
		f := strings.Fields(line)
		if len(f) < 5 {
			continue
		}
		switch f[len(f)-1] {
		case "fsync", "fdatasync", "msync":
			if n, err := strconv.Atoi(f[3]); err == nil {
				total, any = total+n, true
			}
		}
	}
	if !any {
		return -1
	}
	return total
}
