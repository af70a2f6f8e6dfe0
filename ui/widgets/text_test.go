package widgets

import (
	"testing"

	"fyne.io/fyne/v2"
)

// The toolkit throws away renderers that were not drawn for a minute; the one made then shows the text.
func TestATextComesBackWithANewRenderer(t *testing.T) {
	x := NewText("May I install pnpm?", LookBody)
	x.Resize(fyne.NewSize(200, 40))
	if n := len(x.CreateRenderer().Objects()); n == 0 {
		t.Error("the new renderer is blank until the size changes")
	}
}

// A key that is drawn around a digit has no glyph here: the digit says it. What is in it otherwise stays.
func TestNoEmptyBoxForAKeycap(t *testing.T) {
	for s, want := range map[string]string{"1️⃣ first": "1 first", "#⃣": "#", "❤️ shipped": "❤️ shipped"} {
		if got := NewText(s, LookBody).Content(); got != want {
			t.Errorf("%q is drawn as %q", s, got)
		}
		x := NewText("", LookBody)
		x.SetText(s)
		if got := x.Content(); got != want {
			t.Errorf("%q is drawn as %q when it is set", s, got)
		}
	}
}
