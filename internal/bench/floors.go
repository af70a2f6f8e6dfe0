package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// clients are the numbers of clients that a load is made by.
var clients = []int{1, 8, 64}

// message is a publication of about 300 bytes.
const message = `{"title":"Build finished","severity":"success","body":"The build of the service took 12.3 s; 1,204 tests passed, none failed. The report is in the artefacts of the job and the next step is the review.","tags":["ci","build"],"sender":"bench"}`

// floors measures what nothing can be faster than.
func (b *bench) floors(ctx context.Context) error {
	b.table.head("Floors")
	f, err := os.Create(filepath.Join(b.dir, "fsync"))
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	var ds []time.Duration
	record := bytes.Repeat([]byte("x"), 400)
	for end := time.Now().Add(b.each); time.Now().Before(end); {
		t := time.Now()
		if _, err := f.Write(record); err != nil {
			return err
		}
		if err := f.Sync(); err != nil {
			return err
		}
		ds = append(ds, time.Since(t))
	}
	if err := f.Close(); err != nil {
		return err
	}
	b.fsync = quantile(ds, 0.5)
	b.table.row("append and fsync of 400 bytes, p50 (p99)", fmt.Sprintf("%s (%s)", short(b.fsync), short(quantile(ds, 0.99))), "")

	srv, err := start(ctx, "bare", "")
	if err != nil {
		return err
	}
	defer srv.stop()
	for _, n := range clients {
		cpu, _ := usage(srv.cmd.Process.Pid)
		l, err := hammer(ctx, n, b.each, func(c *http.Client) error { return post(c, srv.url+"/", "", message) })
		if err != nil {
			return err
		}
		l.cpu = srv.cpuSince(cpu, l.n)
		b.bare[n] = l
		b.table.row(fmt.Sprintf("bare HTTP, another process, %d clients", n), l.String()+l.cpuText(), "")
	}
	return nil
}

// load is what a load came to.
type load struct {
	p50, p99  time.Duration
	perSecond float64
	n         int
	// cpu is what the server had of the cores for one request; 0: it is not known here. Unlike the others it
	// says something on a machine that is busy with other things too.
	cpu time.Duration
}

func (l load) String() string {
	return fmt.Sprintf("p50 %s, p99 %s, %.0f/s", short(l.p50), short(l.p99), l.perSecond)
}

// cpuText is what a request cost the server.
func (l load) cpuText() string {
	if l.cpu == 0 {
		return ""
	}
	return fmt.Sprintf(", %d µs of a core each", l.cpu.Microseconds())
}

// hammer lets n clients do one thing after the other for a while.
func hammer(ctx context.Context, n int, d time.Duration, do func(c *http.Client) error) (load, error) {
	transport := &http.Transport{MaxIdleConnsPerHost: n, MaxConnsPerHost: n, DisableCompression: true}
	defer transport.CloseIdleConnections()
	c := &http.Client{Transport: transport, Timeout: time.Minute}
	all := make([][]time.Duration, n)
	errs := make([]error, n)
	var wg sync.WaitGroup
	begin := time.Now()
	end := begin.Add(d)
	for i := range n {
		wg.Go(func() {
			for time.Now().Before(end) && ctx.Err() == nil {
				t := time.Now()
				if errs[i] = do(c); errs[i] != nil {
					return
				}
				all[i] = append(all[i], time.Since(t))
			}
		})
	}
	wg.Wait()
	took := time.Since(begin)
	var ds []time.Duration
	for i := range all {
		ds = append(ds, all[i]...)
	}
	return load{p50: quantile(ds, 0.5), p99: quantile(ds, 0.99), perSecond: float64(len(ds)) / took.Seconds(), n: len(ds)}, errors.Join(errs...)
}

func post(c *http.Client, url, token, body string) error {
	req, err := http.NewRequest(http.MethodPost, url, bytes.NewReader([]byte(body)))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := c.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		text, _ := io.ReadAll(io.LimitReader(res.Body, 500))
		return fmt.Errorf("%s: %s", res.Status, text)
	}
	_, err = io.Copy(io.Discard, res.Body)
	return err
}
