package widgets

import (
	"fmt"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"signalbox/notify"
	"signalbox/ui/internal/sample"
	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

// BenchmarkRefresh is one refresh of a rail of 1,000 items, of which a window shows about eight.
func BenchmarkRefresh(b *testing.B) {
	app := test.NewTempApp(b)
	app.Settings().SetTheme(theme.New(theme.Light, 1))
	s := &vm.Snapshot{Connections: sample.Connections(), At: sample.Now}
	for i := range 1000 {
		s.Rail.Application = append(s.Rail.Application, sample.Record(fmt.Sprint("r", i), "ci", "", time.Duration(i)*time.Second, fmt.Sprint("Item ", i), func(r *notify.Record) {
			r.Body = "Some **text** with `code` and a [link](https://example.com)."
		}))
	}
	m := &vm.Memory{}
	f := NewFeed(&Env{Tr: func(m vm.Msg) string { return m.Key }, Now: func() time.Time { return sample.Now }})
	win := test.NewTempWindow(b, f)
	win.Resize(fyne.NewSize(720, 800))
	for i := 0; b.Loop(); i++ {
		s.At = sample.Now.Add(time.Duration(i) * time.Second)
		f.Set(vm.Rail(s, m, vm.RailFilter{}).Rows)
	}
}

// BenchmarkScroll is one step of the wheel over the same rail.
func BenchmarkScroll(b *testing.B) {
	app := test.NewTempApp(b)
	app.Settings().SetTheme(theme.New(theme.Light, 1))
	s := &vm.Snapshot{Connections: sample.Connections(), At: sample.Now}
	for i := range 1000 {
		s.Rail.Application = append(s.Rail.Application, sample.Record(fmt.Sprint("r", i), "ci", "", time.Duration(i)*time.Second, fmt.Sprint("Item ", i), nil))
	}
	f := NewFeed(&Env{Tr: func(m vm.Msg) string { return m.Key }, Now: func() time.Time { return sample.Now }})
	win := test.NewTempWindow(b, f)
	win.Resize(fyne.NewSize(720, 800))
	f.Set(vm.Rail(s, &vm.Memory{}, vm.RailFilter{}).Rows)
	for i := 0; b.Loop(); i++ {
		f.scroll.Offset.Y = float32(i * 40 % 60000)
		f.settle(false)
	}
}
