package center_test

import (
	"context"
	"fmt"
	"testing"

	"signalbox/center"
	"signalbox/mask"
	"signalbox/notify"
)

func benchPublish(b *testing.B, config center.Config, feeds int) {
	c := open(b, config)
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan struct{})
	for range feeds {
		f, err := c.Subscribe(-1)
		if err != nil {
			b.Fatal(err)
		}
		go func() {
			defer func() { done <- struct{}{} }()
			defer f.Close()
			for {
				if _, err := f.Next(ctx); err != nil {
					return
				}
			}
		}()
	}
	op := notify.Publish{Connection: "agent", Key: "k", Content: notify.Content{Title: "Build finished",
		Body: "The build of the service took 12.3 s; 1,204 tests passed, none failed. The report is in the artefacts of the job and the next step is the review."}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Do(ctx, agent, op); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	cancel()
	for range feeds {
		<-done
	}
}

func BenchmarkPublish(b *testing.B) {
	for _, feeds := range []int{0, 1, 100} {
		b.Run(fmt.Sprintf("feeds=%d", feeds), func(b *testing.B) { benchPublish(b, center.Config{}, feeds) })
	}
	b.Run("masked", func(b *testing.B) { benchPublish(b, center.Config{Mask: mask.Content}, 0) })
}

func BenchmarkPublishParallel(b *testing.B) {
	c := open(b, center.Config{})
	b.SetParallelism(32)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := c.Do(b.Context(), agent, publish("k", "Build finished")); err != nil {
				b.Error(err)
				return
			}
		}
	})
}
