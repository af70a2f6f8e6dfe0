package widgets

import (
	"maps"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"signalbox/notify"
	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

// AnswerForm is where an interaction with fields, free text or comments is answered, in its card.
type AnswerForm struct {
	Column
	env   *Env
	in    *notify.Interaction
	draft vm.Draft

	// OnSend gets the draft; OnCancel closes the form. OnChange follows what is typed, so that nothing is lost when
	// the card is drawn anew. OnResize: the height changed.
	OnSend   func(vm.Draft)
	OnCancel func()
	OnChange func(vm.Draft)
	OnResize func()

	problems map[string]*Text
	options  []*Button
	comment  *widget.Entry
	hint     *Text
	send     *Button
}

// NewAnswerForm makes the form of an interaction for a draft.
func NewAnswerForm(env *Env, in *notify.Interaction, draft vm.Draft) *AnswerForm {
	f := &AnswerForm{env: env, in: in, draft: draft, problems: map[string]*Text{}}
	f.Gap = 6
	if f.draft.Values == nil {
		f.draft.Values = map[string]string{}
	}
	for _, field := range in.Fields {
		f.field(field)
	}
	if len(in.Options) > 0 {
		row := NewRow(8)
		for _, o := range in.Options {
			b := NewButton(o.Label, Plain, func() { f.choose(o.ID) })
			b.Env = env
			if o.Label == "" {
				b.Label = o.ID
			}
			f.options = append(f.options, b)
			row.objs = append(row.objs, b)
		}
		f.Add(f.label(env.T("form.option"), false), row)
		f.problem("option")
	}
	f.hint = NewText("", LookCaption)
	f.comment = widget.NewMultiLineEntry()
	f.comment.Wrapping = fyne.TextWrapWord
	f.comment.SetMinRowsVisible(3)
	f.comment.SetText(draft.Comment)
	f.comment.OnChanged = func(s string) { f.draft.Comment = s; f.changed() }
	f.Add(f.hint, f.comment)
	f.problem("comment")
	f.problem("")
	f.send = NewButton(env.T("form.send"), Primary, func() {
		if f.OnSend != nil {
			f.OnSend(f.draft)
		}
	})
	f.send.Env = env
	f.send.Arm()
	f.Add(NewRow(8, f.send, NewButton(env.T("form.cancel"), Quiet, func() {
		if f.OnCancel != nil {
			f.OnCancel()
		}
	})))
	f.ExtendBaseWidget(f)
	f.mark()
	return f
}

func (f *AnswerForm) label(s string, required bool) *Text {
	if required {
		s += " *"
	}
	return NewText(s, Look{Size: theme.SizeCaption, Color: theme.ColorInkSoft, Bold: true, Max: 2})
}

func (f *AnswerForm) problem(id string) {
	t := NewText("", Look{Size: theme.SizeCaption, Color: theme.Tone("error"), Max: 3})
	t.Hide()
	f.problems[id] = t
	f.Add(t)
}

// HeightFor is the height at a width.
func (f *AnswerForm) HeightFor(width float32) float32 { return f.Column.HeightFor(width) }

func (f *AnswerForm) changed() {
	if f.OnChange != nil {
		f.OnChange(f.draft)
	}
}

func (f *AnswerForm) choose(option string) {
	f.draft.Option = option
	f.mark()
	f.changed()
	if f.OnResize != nil {
		f.OnResize()
	}
}

// mark shows which option is chosen, and whether it takes a comment.
func (f *AnswerForm) mark() {
	want := "required"
	if len(f.in.Options) > 0 || len(f.in.Fields) > 0 {
		want = "none"
	}
	for i, o := range f.in.Options {
		f.options[i].Chosen = o.ID == f.draft.Option
		if f.options[i].Chosen {
			want = o.Comment
		}
		f.options[i].Refresh()
	}
	look := Look{Size: theme.SizeCaption, Color: theme.ColorInkSoft, Bold: true, Max: 1}
	switch want {
	case "required":
		f.hint.Set(f.env.T("form.comment_required"), look)
	case "optional":
		f.hint.Set(f.env.T("form.comment"), look)
	}
	if len(f.in.Options) == 0 && len(f.in.Fields) == 0 {
		f.hint.Set(f.env.T("form.text"), look)
	}
	if want == "none" || want == "" {
		f.hint.Hide()
		f.comment.Hide()
	} else {
		f.hint.Show()
		f.comment.Show()
	}
	f.send.Disabled = len(f.in.Options) > 0 && f.draft.Option == ""
	f.send.Refresh()
	f.Refresh()
}

// Show says what is wrong, by field.
func (f *AnswerForm) Problems(by map[string]string) {
	for _, id := range slices.Sorted(maps.Keys(f.problems)) {
		t := f.problems[id]
		s := by[id]
		t.SetText(s)
		if s == "" {
			t.Hide()
		} else {
			t.Show()
		}
	}
	f.Refresh()
	if f.OnResize != nil {
		f.OnResize()
	}
}

func (f *AnswerForm) field(field notify.Field) {
	label := field.Label
	if label == "" {
		label = field.ID
	}
	set := func(v string) { f.draft.Values[field.ID] = v; f.changed() }
	value := f.draft.Values[field.ID]
	switch field.Type {
	case notify.FieldBoolean:
		c := widget.NewCheck(label, func(on bool) {
			if on {
				set("true")
			} else {
				set("false")
			}
		})
		c.Checked = value == "true"
		f.Add(c)
	case notify.FieldChoice:
		f.Add(f.label(label, field.Required))
		s := widget.NewSelect(field.Choices, set)
		s.PlaceHolder = f.env.T("form.choose")
		if value != "" {
			s.Selected = value
		}
		f.Add(s)
	case notify.FieldChoices:
		f.Add(f.label(label, field.Required))
		g := widget.NewCheckGroup(field.Choices, func(chosen []string) { set(strings.Join(chosen, "\n")) })
		g.Horizontal = len(strings.Join(field.Choices, "")) < 34
		g.Selected = nil
		for l := range strings.SplitSeq(value, "\n") {
			if slices.Contains(field.Choices, l) {
				g.Selected = append(g.Selected, l)
			}
		}
		f.Add(g)
	default:
		f.Add(f.label(label, field.Required))
		e := widget.NewEntry()
		e.SetText(value)
		switch field.Type {
		case notify.FieldDate:
			e.SetPlaceHolder(f.env.T("form.date"))
		case notify.FieldDuration:
			e.SetPlaceHolder(f.env.T("form.duration"))
		case notify.FieldNumber, notify.FieldInteger:
			e.SetPlaceHolder(bounds(field))
		}
		e.OnChanged = set
		f.Add(e)
	}
	f.problem(field.ID)
}

func bounds(f notify.Field) string {
	if len(f.Min) == 0 && len(f.Max) == 0 {
		return ""
	}
	return strings.TrimSpace(string(f.Min) + " – " + string(f.Max))
}
