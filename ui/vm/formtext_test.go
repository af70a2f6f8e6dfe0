package vm_test

import (
	"reflect"
	"testing"

	"signalbox/notify"
	"signalbox/ui/internal/sample"
	"signalbox/ui/vm"
)

// What choices mean is read from the text under their question; a label that the title says is not said again.
func TestTheTextSaysWhatChoicesMean(t *testing.T) {
	got := vm.FormTextOf(sample.Choices())
	want := map[string]map[string]string{
		"question-1": {"date-fns": "Small functions, imported one by one. Already used by the reports.", "Luxon": "Time zones are first class.",
			"Temporal": "The coming standard; needs a polyfill of 20 kB in every browser that we support."},
		"question-2": {"Profile": "One form", "Billing": "Three tables and the invoices"},
	}
	if !reflect.DeepEqual(got.Notes, want) || got.Said != "question-1" {
		t.Errorf("got %+v", got)
	}
	r := sample.Form()
	r.Title, r.Body = "Which?", "- eu-west: near\n- elsewhere: far"
	if got := vm.FormTextOf(r); !reflect.DeepEqual(got.Notes, map[string]map[string]string{"regions": {"eu-west": "near"}}) || got.Said != "" {
		t.Errorf("without a question it says %+v", got)
	}
	r.Interaction = nil
	if got := vm.FormTextOf(r); len(got.Notes) != 0 {
		t.Errorf("of what asks nothing it says %+v", got)
	}
	same := &notify.Record{Content: notify.Content{Title: "Name?", Body: "- A: in both", Interaction: &notify.Interaction{Fields: []notify.Field{
		{ID: "a", Label: "First", Choices: []string{"A"}}, {ID: "b", Label: "Second", Choices: []string{"A"}}}}}}
	if got := vm.FormTextOf(same); got.Notes["a"]["A"] != "in both" || got.Notes["b"]["A"] != "in both" {
		t.Errorf("of two it says %+v", got.Notes)
	}
}

func TestNextField(t *testing.T) {
	fields := []notify.Field{{ID: "q-1"}, {ID: "q-1-other"}, {ID: "q-2"}, {ID: "q-2-why", Required: true}}
	for _, c := range []struct {
		from   string
		chosen bool
		want   int
	}{{"q-1", false, 1}, {"q-1", true, 2}, {"q-1-other", false, 2}, {"q-2", true, 3}, {"q-2-why", false, 4}} {
		if got := vm.NextField(fields, c.from, c.chosen); got != c.want {
			t.Errorf("from %s, chosen %v: field %d, want %d", c.from, c.chosen, got, c.want)
		}
	}
}
