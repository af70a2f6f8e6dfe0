package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"signalbox/bridge/wire"
)

// streams measures the way of a publication to a stream, and what many streams cost a publisher.
func (b *bench) streams(ctx context.Context) error {
	b.table.head("Streams")
	home := filepath.Join(b.dir, "streams")
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
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	var mu sync.Mutex // protects sent
	sent := map[string]time.Time{}
	var delays []time.Duration
	arrived := make(chan struct{}, 1)
	if err := srv.subscribe(ctx, func(line string) {
		_, rest, ok := strings.Cut(line, `"title":"mark `)
		if !ok {
			return
		}
		mark, _, _ := strings.Cut(rest, `"`)
		mu.Lock()
		if t, ok := sent[mark]; ok {
			delays = append(delays, time.Since(t))
			delete(sent, mark)
			select {
			case arrived <- struct{}{}:
			default:
			}
		}
		mu.Unlock()
	}); err != nil {
		return err
	}
	n := 0
	one := func(c *http.Client) error {
		n++
		mark := fmt.Sprint(n)
		mu.Lock()
		sent[mark] = time.Now()
		mu.Unlock()
		return post(c, url, token, strings.Replace(message, "Build finished", "mark "+mark, 1))
	}
	alone, err := hammer(ctx, 1, b.each, func(c *http.Client) error {
		if err := one(c); err != nil {
			return err
		}
		select {
		case <-arrived:
			return nil
		case <-time.After(10 * time.Second):
			return fmt.Errorf("an event did not arrive")
		}
	})
	if err != nil {
		return err
	}
	_ = alone // the publish and its event together
	cpu, _ := usage(srv.cmd.Process.Pid)
	publish, err := hammer(ctx, 1, b.each, one)
	if err != nil {
		return err
	}
	publish.cpu = srv.cpuSince(cpu, publish.n)
	mu.Lock()
	p50 := quantile(delays, 0.5)
	mu.Unlock()
	b.table.row("from publishing to the event at a stream, p50", fmt.Sprintf("%s = %s the publish's own %s", short(p50), times(p50, publish.p50), short(publish.p50)), "≤ 1.1×")

	for range 99 {
		if err := srv.subscribe(ctx, func(string) {}); err != nil {
			return err
		}
	}
	cpu, _ = usage(srv.cmd.Process.Pid)
	many, err := hammer(ctx, 1, b.each, one)
	if err != nil {
		return err
	}
	many.cpu = srv.cpuSince(cpu, many.n)
	b.table.row("publish beside 100 streams, p50", fmt.Sprintf("%s = %s without", short(many.p50), times(many.p50, publish.p50)), "costs nothing; they share two cores here")
	if many.cpu > 0 {
		b.table.row("of a core for an event at one of 100 streams", fmt.Sprintf("%d µs", ((many.cpu-publish.cpu)/99).Microseconds()), "")
	}
	return nil
}

// subscribe opens a stream of the owner's and calls f with each line of data.
func (s *server) subscribe(ctx context.Context, f func(line string)) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+wire.PathEvents, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+s.owner)
	req.Header.Set("Accept", "text/event-stream")
	res, err := (&http.Client{Transport: &http.Transport{}}).Do(req)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		return fmt.Errorf("open a stream: %s: %s", res.Status, text)
	}
	go func() {
		defer res.Body.Close()
		lines := bufio.NewScanner(res.Body)
		lines.Buffer(nil, 4<<20)
		for lines.Scan() {
			f(lines.Text())
		}
	}()
	return nil
}
