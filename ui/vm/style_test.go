package vm_test

import (
	"testing"

	"signalbox/notify"
	"signalbox/ui/vm"
)

// Red says that choosing is dangerous, by the producer's word: a refusal never is.
func TestOnlyWhatIsDangerousIsRed(t *testing.T) {
	for _, c := range []struct{ id, style, want string }{
		{"deny", "danger", "default"},
		{"deny-always", "danger", "default"},
		{"reject", "danger", "default"},
		{"deny", "", ""},
		{"delete", "danger", "danger"},
		{"allow", "danger", "danger"},
		{"allow", "primary", "primary"},
		{"allow", "", ""},
	} {
		if got := vm.OptionStyle(notify.Option{ID: c.id, Style: c.style}); got != c.want {
			t.Errorf("%s, %q: got %q, want %q", c.id, c.style, got, c.want)
		}
	}
}
