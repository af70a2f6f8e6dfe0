package widgets

import (
	"maps"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

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
	said  vm.FormText

	// OnSend gets the draft; OnCancel closes the form. OnChange follows what is typed, so that nothing is lost when
	// the card is drawn anew. OnResize: the height changed.
	OnSend   func(vm.Draft)
	OnCancel func()
	OnChange func(vm.Draft)
	OnResize func()

	// Canvas is that of the window; nil: the one it is drawn on.
	Canvas fyne.Canvas

	// Key is the key that chose the option: in an empty comment it sends, as pressing the button again does.
	Key rune

	sure     string // the dangerous option that was pressed once; empty: none
	problems map[string]*Text
	options  []*Button
	send     *Button // where there are no options
	renewed  bool    // it took the place of another: until its buttons are live, Return sends nothing
	comment  *commentEntry
	hint     *Text
	from     []int            // with which part each field begins
	fields   int              // how many of the parts are those of fields
	spent    bool             // Return did what it does, or led here, and no key went down since: it may be held
	parts    []fyne.Focusable // what takes the keyboard, in the order of Tab
}

// NewAnswerForm makes the form of an interaction for a draft. Its options are its buttons: one that takes a comment
// is pressed once to be asked for it, and again, or Return, to send. said is what the item's text says of its fields.
func NewAnswerForm(env *Env, in *notify.Interaction, draft vm.Draft, said vm.FormText) *AnswerForm {
	f := &AnswerForm{env: env, in: in, draft: draft, said: said, problems: map[string]*Text{}}
	f.Gap = 6
	if f.draft.Values == nil {
		f.draft.Values = map[string]string{}
	}
	for _, field := range in.Fields {
		f.from = append(f.from, len(f.parts))
		f.field(field)
	}
	f.fields = len(f.parts)
	f.hint = NewText("", LookCaption)
	f.comment = newCommentEntry()
	f.comment.SetText(draft.Comment)
	f.comment.OnChanged = func(s string) { f.draft.Comment = s; f.changed() }
	f.comment.key = f.formKey
	f.comment.OnSend = f.again
	f.comment.Sends = func(r rune, held bool) bool {
		if f.Key == 0 || r != f.Key {
			return false
		}
		if b := f.chosen(); !held && (b == nil || !b.Inert()) { // a key that is held is no second press
			f.again()
		}
		return true
	}
	f.part(f.comment)
	f.Add(f.hint, f.comment)
	f.problem("comment")
	f.problem("option")
	f.problem("")
	row := NewRow(8)
	for _, o := range in.Options {
		b := NewButton(OptionLabel(env, in, o), Style(vm.OptionStyle(o)), func() { f.press(o) })
		b.Env = env
		b.Arm()
		b.keys = f.formKey
		f.part(b)
		f.options = append(f.options, b)
		row.objs = append(row.objs, b)
	}
	if len(in.Options) == 0 {
		b := NewButton(env.T("form.send"), Primary, func() { call(f.OnSend, f.draft) })
		b.Env = env
		b.Arm()
		b.keys = f.formKey
		f.part(b)
		f.send = b
		row.objs = append(row.objs, b)
	}
	cancel := NewButton(env.T("form.cancel"), Quiet, func() { f.cancel() })
	cancel.keys = f.formKey
	f.part(cancel)
	row.objs = append(row.objs, cancel)
	f.Add(row)
	f.ExtendBaseWidget(f)
	f.mark()
	return f
}

// OptionLabel is what stands on an option: the agents' own "send the fields" is said in the owner's language.
func OptionLabel(env *Env, in *notify.Interaction, o notify.Option) string {
	if len(in.Fields) > 0 && o.Label == "Send" {
		return env.T("form.send")
	}
	return vm.OrID(o.Label, o.ID)
}

// takesComment reports whether an option asks for a comment before it is sent.
func takesComment(o notify.Option) bool { return o.Comment == "optional" || o.Comment == "required" }

// press chooses an option, and sends it where nothing more is to be said.
func (f *AnswerForm) press(o notify.Option) {
	takes := takesComment(o)
	if takes && f.draft.Option != o.ID {
		f.Key = 0
		f.choose(o.ID)
		f.Focus()
		return
	}
	if !takes && vm.OptionStyle(o) == "danger" && f.sure != o.ID {
		f.sure = o.ID
		f.Problems(map[string]string{"option": f.env.Tr(vm.MA("form.sure", vm.OrID(o.Label, o.ID)))})
		for i := range f.in.Options {
			if f.in.Options[i].ID == o.ID {
				f.options[i].Arm() // a double click is no second press
			}
		}
		return
	}
	f.draft.Option = o.ID
	d := f.draft
	if !takes {
		d.Comment = ""
	}
	call(f.OnSend, d)
}

// Arm makes the form inert for a moment, for keys too: it asks for something else than what was just there, or has
// come under the pointer.
func (f *AnswerForm) Arm() {
	f.renewed = true
	for _, b := range f.deciding() {
		b.Arm()
	}
}

func (f *AnswerForm) deciding() []*Button {
	if f.send != nil {
		return []*Button{f.send}
	}
	return f.options
}

// held reports whether Return must not send yet: what was typed may be meant for what was asked before.
func (f *AnswerForm) held() bool {
	return f.renewed && slices.ContainsFunc(f.deciding(), func(b *Button) bool { return b.Inert() })
}

// again sends what is chosen.
func (f *AnswerForm) again() {
	if f.held() || len(f.in.Options) > 0 && f.draft.Option == "" {
		return
	}
	call(f.OnSend, f.draft)
}

func (f *AnswerForm) chosen() *Button {
	for i, o := range f.in.Options {
		if o.ID == f.draft.Option {
			return f.options[i]
		}
	}
	return nil
}

func (f *AnswerForm) cancel() {
	if f.OnCancel != nil {
		f.OnCancel()
	}
}

// Comments reports whether a comment is asked for now.
func (f *AnswerForm) Comments() bool { return f.comment.Visible() }

// Focus gives the keyboard to the comment, else to the first field. The owner asked for the form.
func (f *AnswerForm) Focus() {
	switch {
	case f.Comments():
		f.focus(f.comment)
	case f.fields > 0:
		f.begin(0)
		_, f.spent = f.parts[0].(*choiceRow)
	}
}

// Focused reports whether a part of the form has the keyboard.
func (f *AnswerForm) Focused() bool {
	c := f.canvas()
	return c != nil && c.Focused() != nil && slices.Contains(f.parts, c.Focused())
}

// Typed takes a letter that was typed while the form is open but has not the keyboard.
func (f *AnswerForm) Typed(r rune) bool {
	if !f.Comments() {
		return false
	}
	f.Focus()
	f.comment.TypedRune(r)
	return true
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
	want, label := "none", ""
	if len(f.in.Options) == 0 && len(f.in.Fields) == 0 {
		want = "required"
	}
	for i, o := range f.in.Options {
		f.options[i].Chosen = o.ID == f.draft.Option && takesComment(o)
		if f.options[i].Chosen {
			want, label = o.Comment, f.options[i].Label
		}
	}
	for i, o := range f.in.Options { // while a comment is asked for, its own button is the one that stands out
		b := f.options[i]
		b.Style = Style(vm.OptionStyle(o))
		switch {
		case b.Chosen && b.Style != Danger:
			b.Style = Primary
		case label != "" && !b.Chosen:
			b.Style = Plain
		}
		b.Chosen = false
		b.Refresh()
	}
	look := Look{Size: theme.SizeCaption, Color: theme.ColorInkSoft, Bold: true, Max: 2}
	switch {
	case len(f.in.Options) == 0 && len(f.in.Fields) == 0:
		f.hint.Set(f.env.T("form.text"), look)
	case want == "required":
		f.hint.Set(f.env.Tr(vm.MA("form.comment_required", label)), look)
	case want == "optional":
		f.hint.Set(f.env.Tr(vm.MA("form.comment", label)), look)
	}
	if want == "none" || want == "" {
		f.hint.Hide()
		f.comment.Hide()
	} else {
		f.hint.Show()
		f.comment.Show()
		f.comment.SetPlaceHolder(f.env.T("form.comment_keys"))
	}
	f.Refresh()
}

// Problems says what is wrong, by field.
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
	label := vm.OrID(field.Label, field.ID)
	set := func(v string) { f.draft.Values[field.ID] = v; f.changed() }
	value := f.draft.Values[field.ID]
	switch field.Type {
	case notify.FieldBoolean:
		c := newFieldCheck(label, func(on bool) {
			if on {
				set("true")
			} else {
				set("false")
			}
		}, func(e *fyne.KeyEvent) bool {
			if f.formKey(e) {
				return true
			}
			returns := e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter
			if returns {
				f.goOn(f.behind(field.ID, false))
				f.spent = true
			}
			return returns
		})
		c.Checked = value == "true"
		f.part(c)
		f.Add(c)
	case notify.FieldChoice:
		f.head(field, label)
		if len(field.Choices) <= maxRows {
			f.choices(field, map[string]bool{value: value != ""}, false, set)
			break
		}
		s := newFieldSelect(field.Choices, set, f.formKey)
		s.PlaceHolder = f.env.T("form.choose")
		if value != "" {
			s.Selected = value
		}
		f.part(s)
		f.Add(s)
	case notify.FieldChoices:
		f.head(field, label)
		on := map[string]bool{}
		for l := range strings.SplitSeq(value, "\n") {
			on[l] = true
		}
		f.choices(field, on, true, set)
	default:
		f.head(field, label)
		e := newFieldEntry(f.formKey)
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
		e.OnSubmitted = func(string) {
			f.goOn(f.behind(field.ID, false))
			f.spent = true
		}
		f.part(e)
		f.Add(e)
	}
	f.problem(field.ID)
}

// head puts the label above a field, where the title does not say it already.
func (f *AnswerForm) head(field notify.Field, label string) {
	if field.ID != f.said.Said || field.Required {
		f.Add(f.label(label, field.Required))
	}
}

func bounds(f notify.Field) string {
	if len(f.Min) == 0 && len(f.Max) == 0 {
		return ""
	}
	return strings.TrimSpace(string(f.Min) + " – " + string(f.Max))
}
