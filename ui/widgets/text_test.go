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
