package widgets

import (
	"testing"

	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

// A lamp of a list shows the same few symbols again and again, and reads each once; in another light they are others.
func TestALampReadsASymbolOnce(t *testing.T) {
	app := test.NewTempApp(t)
	app.Settings().SetTheme(theme.New(theme.Light, 1))
	l := NewLamp(vm.Sign{Tone: vm.ToneInfo, Icon: "info"})
	test.NewTempWindow(t, l)
	shown := func() *canvas.Image {
		t.Helper()
		i, ok := test.WidgetRenderer(l).Objects()[2].(*canvas.Image)
		if !ok || i.Image == nil || i.Size().IsZero() {
			t.Fatalf("it shows %+v", i)
		}
		return i
	}
	first := shown()
	drawn := first.Image
	l.Set(vm.Sign{Tone: vm.ToneError, Icon: "warning"}, false)
	if shown() == first {
		t.Error("another sign is read into the same image")
	}
	l.Set(vm.Sign{Tone: vm.ToneInfo, Icon: "info"}, false)
	if i := shown(); i != first || i.Image != drawn {
		t.Error("the first is read once more")
	}
	app.Settings().SetTheme(theme.New(theme.Dark, 1))
	l.Refresh()
	if shown() == first {
		t.Error("in the dark it is as in the light")
	}
}
