package daemon

import (
	"os"
	"path/filepath"
	"testing"

	"signalbox/notify"
)

// BenchmarkFsync is the floor: one small record appended and synced.
func BenchmarkFsync(b *testing.B) {
	f, err := os.Create(filepath.Join(b.TempDir(), "log"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	record := make([]byte, 400)
	for b.Loop() {
		if _, err := f.Write(record); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPublish publishes durably through the center, by one client and by 64.
func BenchmarkPublish(b *testing.B) {
	d, err := Start(b.Context(), Options{Home: b.TempDir(), Listen: "127.0.0.1:0"})
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	if _, err := d.Center.Do(b.Context(), notify.Owner, notify.CreateConnection{ID: "a", Label: "A"}); err != nil {
		b.Fatal(err)
	}
	op := notify.Publish{Connection: "a", Content: notify.Content{Title: "Build finished", Severity: notify.SeveritySuccess,
		Body: "The build of the service took 12.3 s; 1,204 tests passed, none failed. The report is in the artefacts of the job and the next step is the review."}}
	one := func(b *testing.B) {
		if _, err := d.Center.Do(b.Context(), notify.Producer("a"), op); err != nil {
			b.Error(err)
		}
	}
	b.Run("clients=1", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			one(b)
		}
	})
	b.Run("clients=64", func(b *testing.B) {
		b.ReportAllocs()
		b.SetParallelism(32)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				one(b)
			}
		})
	})
}
