package vm_test

import (
	"maps"
	"slices"
	"testing"

	"signalbox/notify"
	"signalbox/ui/internal/sample"
	"signalbox/ui/vm"
)

// A form starts with the defaults, and what it says is wrong is what the center would refuse.
//
// Proves: I1, I3
func TestFormsAreCheckedByTheRulesOfTheCenter(t *testing.T) {
	r := sample.Form()
	d := vm.NewDraft(r.Interaction)
	if d.Values["date"] != "2026-03-12" || d.Values["share"] != "10" {
		t.Fatalf("defaults: %+v", d.Values)
	}
	for _, test := range []struct {
		name   string
		change func(*vm.Draft)
		want   []string
	}{
		{"no option chosen", func(*vm.Draft) {}, []string{"option"}},
		{"all is well", func(d *vm.Draft) { d.Option = "go" }, nil},
		{"a comment is required", func(d *vm.Draft) { d.Option = "hold" }, []string{"comment"}},
		{"the comment is there", func(d *vm.Draft) { d.Option, d.Comment = "hold", "not yet" }, nil},
		{"no number", func(d *vm.Draft) { d.Option = "go"; d.Values["share"] = "ten" }, []string{"share"}},
		{"out of range", func(d *vm.Draft) { d.Option = "go"; d.Values["share"] = "101" }, []string{"share"}},
		{"no date", func(d *vm.Draft) { d.Option = "go"; d.Values["date"] = "12 March" }, []string{"date"}},
		{"an unknown choice", func(d *vm.Draft) { d.Option = "go"; d.Values["regions"] = "eu-west\nmoon" }, []string{"regions"}},
		{"two choices", func(d *vm.Draft) { d.Option = "go"; d.Values["regions"] = "eu-west\nus-east" }, nil},
		{"two faults", func(d *vm.Draft) { d.Option = "go"; d.Values["share"] = "x"; d.Values["date"] = "y" }, []string{"date", "share"}},
		{"a boolean", func(d *vm.Draft) { d.Option = "go"; d.Values["notify"] = "true" }, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := vm.Draft{Values: maps.Clone(vm.NewDraft(r.Interaction).Values)}
			test.change(&d)
			got := slices.Sorted(maps.Keys(vm.Problems(r, d.Answer(r.Interaction), sample.Now)))
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// Who declines is not made to fill in a form first, nor to take back what was begun in it.
//
// Proves: I1
func TestARefusalNeedsNoField(t *testing.T) {
	r := sample.Form()
	r.Interaction.Fields[0].Default = nil
	r.Interaction.Options = []notify.Option{{ID: "accept", Label: "Send"}, {ID: "decline", Label: "Decline", SkipsFields: true}}
	for _, test := range []struct {
		option, date string
		fine         bool
	}{{"accept", "", false}, {"accept", "soon", false}, {"accept", "2026-03-12", true}, {"decline", "", true}, {"decline", "soon", true}} {
		d := vm.Draft{Option: test.option, Values: map[string]string{"date": test.date, "notify": "true"}}
		a, problems := vm.AnswerOf(r, d, sample.Now)
		if (len(problems) == 0) != test.fine || string(a.Fields["notify"]) != "true" {
			t.Errorf("%s %q: %+v, problems %v", test.option, test.date, a, problems)
		}
	}
}

func TestAnswersHaveTheTypesOfTheirFields(t *testing.T) {
	in := sample.Form().Interaction
	d := vm.Draft{Option: "go", Values: map[string]string{"date": " 2026-03-12 ", "share": "25", "regions": "eu-west\n\nus-east", "notify": "false"}}
	want := map[string]string{"date": `"2026-03-12"`, "share": `25`, "regions": `["eu-west","us-east"]`, "notify": `false`}
	for id, v := range d.Answer(in).Fields {
		if string(v) != want[id] {
			t.Errorf("%s: got %s, want %s", id, v, want[id])
		}
	}
}

func TestFreeTextNeedsText(t *testing.T) {
	r := sample.Question()
	r.Interaction.Options = nil
	if p := vm.Problems(r, vm.Draft{}.Answer(r.Interaction), sample.Now); p["comment"] == "" {
		t.Errorf("got %v", p)
	}
	if p := vm.Problems(r, vm.Draft{Comment: "yes"}.Answer(r.Interaction), sample.Now); len(p) != 0 {
		t.Errorf("got %v", p)
	}
}

func TestEveryTroubleHasAWord(t *testing.T) {
	for _, c := range []notify.Code{notify.CodeRevisionConflict, notify.CodeTerminal, notify.CodeAlreadyAnswered, notify.CodeNotDismissible,
		notify.CodeStorageFull, notify.CodeUnavailable, notify.CodeActionUnavailable, notify.CodeAnswerInvalid, notify.CodeInternal, notify.CodeForbidden} {
		if vm.Trouble(notify.Errorf(c, "Safe.")).IsZero() {
			t.Errorf("%s has none", c)
		}
	}
}
