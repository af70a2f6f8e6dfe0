package widgets

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"signalbox/notify"
	"signalbox/ui/internal/sample"
	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

// on puts a column of objects on the ground of a window.
func on(objs ...fyne.CanvasObject) fyne.CanvasObject {
	return container.NewStack(newBox(theme.ColorGround, 0).Rectangle, NewColumn(12, objs...).Padded(16, 16))
}

func cardFor(t *testing.T, r *notify.Record, change func(*vm.Card)) fyne.CanvasObject {
	t.Helper()
	c := NewCard(env(t))
	card := vm.CardOf(r, vm.Context{Now: sample.Now, Chip: &vm.ChipView{Label: "Claude Code", Color: "#d97757"}})
	chosen := false
	if change != nil {
		change(&card)
		chosen = card.ID == "chosen"
	}
	c.Set(card, chosen, card.ID == "marked", chosen, nil)
	return c
}

func TestCardLooks(t *testing.T) {
	long := strings.Repeat("Donaudampfschifffahrtsgesellschaftskapitän", 4)
	for _, c := range []struct {
		name string
		h    float32
		make func(*testing.T) []fyne.CanvasObject
	}{
		{"card-severities", 640, func(t *testing.T) (out []fyne.CanvasObject) {
			for _, s := range []notify.Severity{"info", "success", "warning", "error", "critical"} {
				out = append(out, cardFor(t, sample.Record("x", "c", "", 3*time.Minute, "The "+string(s)+" of a notice", func(r *notify.Record) { r.Severity, r.Body = s, "What happened, in a line." }), nil))
			}
			return out
		}},
		{"card-states", 1010, func(t *testing.T) []fyne.CanvasObject {
			note := func(change func(*notify.Record), adapt func(*vm.Card)) fyne.CanvasObject {
				return cardFor(t, sample.Record("x", "c", "", time.Hour, "One title, several states", change), adapt)
			}
			return []fyne.CanvasObject{
				note(func(r *notify.Record) { r.Read = true }, nil),
				note(nil, func(c *vm.Card) { c.ID = "chosen" }),
				note(nil, func(c *vm.Card) { c.ID = "marked" }),
				note(func(r *notify.Record) { r.Muted = true }, nil),
				note(func(r *notify.Record) { r.SnoozeUntil = sample.Now.Add(time.Hour); r.Muted = true }, nil),
				note(func(r *notify.Record) { r.Dismissible, r.Kind = false, notify.KindStatus }, nil),
				note(nil, func(c *vm.Card) {
					c.Edited, c.Parts = vm.MN("ago.minutes", 2), []vm.Msg{vm.M("part.title"), vm.M("part.text")}
				}),
				note(func(r *notify.Record) {
					r.Chip = &notify.Chip{Glyph: "*", Label: "nightly", Color: "#a85cc0"}
					r.PlusOnes = []notify.PlusOne{{At: sample.Now.Add(-time.Hour)}, {At: sample.Now.Add(-2 * time.Minute)}}
				}, nil),
				note(func(r *notify.Record) {
					r.Kind, r.Progress = notify.KindProgress, &notify.Progress{Text: "2,114 files so far"}
					r.ContentAt = sample.Now.Add(-12 * time.Minute)
				}, nil),
			}
		}},
		{"card-asks", 1400, func(t *testing.T) []fyne.CanvasObject {
			refused := sample.Question()
			refused.InteractionError = "v1 is switched off next week"
			asked := sample.Permission()
			asked.SetAsideUntil, asked.UpdatedAt = notify.SetAsideForever, sample.Now.Add(-5*time.Minute)
			return []fyne.CanvasObject{cardFor(t, sample.Permission(), nil), cardFor(t, sample.Plan(), nil), cardFor(t, refused, nil),
				cardFor(t, asked, func(c *vm.Card) {
					c.Asked = []vm.Asked{{Session: "Finish the checkout flow", Result: vm.M("status.waiting")}, {Session: "Docs for the public API", Result: vm.M("outcome.answered")}}
				}), cardFor(t, sample.Permission(), func(c *vm.Card) { c.ID, c.Armed = "chosen", 1 })}
		}},
		{"card-answers", 800, func(t *testing.T) []fyne.CanvasObject {
			open := func(r *notify.Record, option string) fyne.CanvasObject {
				draft := vm.NewDraft(r.Interaction)
				draft.Option = option
				c := NewCard(env(t))
				c.Set(vm.CardOf(r, vm.Context{Now: sample.Now}), true, false, true, NewAnswerForm(env(t), r.Interaction, draft, vm.FormTextOf(r)))
				return c
			}
			several := sample.Form()
			several.Title, several.Body = "Asks: Which board is it?", "**Date**, **Share of traffic, in percent**, **Regions**, **Tell the customers**"
			several.Interaction.Options = []notify.Option{{ID: "send", Label: "Send", Style: "primary"}}
			terminal := sample.Record("x", "c", "", time.Minute, "Waits for permission: kiosk", func(r *notify.Record) {
				r.Severity, r.Event = notify.SeverityWarning, &notify.Event{Type: notify.EventClarificationRequested, Occurrence: "1"}
				r.Lines = []string{"Answer it in its terminal."}
			})
			return []fyne.CanvasObject{open(sample.Permission(), "deny"), open(several, ""), cardFor(t, terminal, nil)}
		}},
		{"card-quotes", 560, func(t *testing.T) []fyne.CanvasObject {
			edit := sample.Permission()
			edit.Title, edit.Interaction.Prompt = "Wants to change infra/main.tf", "Wants to change infra/main.tf"
			edit.Body = "```diff\ninfra/main.tf\n- replicas = 1\n- image    = \"shop:4.1\"\n+ replicas = 3\n+ image    = \"shop:4.2\"\n… and 12 lines more\n```"
			return []fyne.CanvasObject{cardFor(t, edit, nil), cardFor(t, sample.Record("x", "c", "", time.Minute, "Build failed", func(r *notify.Record) {
				r.Severity, r.Body = notify.SeverityError, "| test | time |\n|---|---|\n| TestMerge | 2.1 s |\n| TestOpen | 0.3 s |\n\n1️⃣ is the first, 2️⃣ the second."
			}), nil)}
		}},
		{"card-long", 700, func(t *testing.T) []fyne.CanvasObject {
			return []fyne.CanvasObject{
				cardFor(t, sample.Record("x", "c", "", time.Minute, long, func(r *notify.Record) {
					r.Body, r.Sender = long+" "+long, long
					r.Actions = []notify.Action{{ID: "a", Label: long, Style: "primary"}, {ID: "b", Label: "Short"}}
					r.Chip = &notify.Chip{Label: long}
				}), func(c *vm.Card) { c.Chip.Label = long }),
				cardFor(t, sample.Record("x", "c", "", time.Minute, "Progress without an end", func(r *notify.Record) {
					r.Kind, r.Progress = notify.KindProgress, &notify.Progress{Text: long}
				}), nil),
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			golden(t, c.name, 560, c.h, func() fyne.CanvasObject { return on(c.make(t)...) })
		})
	}
}

func TestPieceLooks(t *testing.T) {
	golden(t, "buttons", 560, 300, func() fyne.CanvasObject {
		row := func(small bool) *Row {
			var objs []fyne.CanvasObject
			for _, s := range []Style{Plain, Primary, Danger, Quiet} {
				b := NewButton(string(s), s, nil)
				b.Small = small
				b.Key = "1"
				objs = append(objs, b)
			}
			off := NewButton("disabled", Plain, nil)
			off.Disabled, off.Small = true, small
			return NewRow(8, append(objs, off)...)
		}
		focused := NewButton("has the keyboard", Plain, nil)
		focused.focused = true
		chosen := NewButton("chosen", Plain, nil)
		chosen.Chosen = true
		hot := NewButton("under the pointer", Primary, nil)
		hot.hot = true
		return on(row(false), row(true), NewRow(8, focused, chosen, hot, NewIconButton("bell", "with a symbol", nil), NewIconButton("x", "", nil)))
	})
	golden(t, "pieces", 560, 520, func() fyne.CanvasObject {
		half, none := NewMeter(), NewMeter()
		half.Set(true, 0.5, "success")
		none.Step()
		tabs := NewTabs(env(t))
		tabs.Set(vm.Rail(snapshot(), &vm.Memory{}, vm.RailFilter{}).Tabs)
		snack := NewSnack()
		snack.Say("2 dismissed · 1 left waiting for you", "Undo", nil)
		return on(tabs, half, none,
			NewBanner("warning", "warning", "No notification service answers on this desktop. Items appear here, without pop-ups.", "Why?", nil, func() {}),
			NewBanner("error", "error", "Stored records were damaged. 12 could not be read.", "", nil, nil),
			NewRow(8, NewChip("Claude Code", LineColour("#d97757", ""), ""), NewChip("connected", nil, "success"), NewChip(strings.Repeat("long ", 20), nil, "")),
			snack, NewPair("Name", "A value that is rather long and needs more than a line to be said in full, as values do."),
			NewSwatches([]string{"#d97757", "#3f8fd0", "#35a063"}, "#3f8fd0", nil))
	})
	golden(t, "empty", 420, 340, func() fyne.CanvasObject {
		e := NewEmptyState(env(t))
		e.Set(vm.Empty{Icon: "connection", Title: vm.M("empty.first.title"), Text: vm.M("empty.first.text"), Action: vm.M("empty.first.action"), Do: "connect"})
		return container.NewStack(newBox(theme.ColorGround, 0).Rectangle, e)
	})
	golden(t, "form", 460, 560, func() fyne.CanvasObject {
		in := sample.Form().Interaction
		d := vm.NewDraft(in)
		d.Option = "hold"
		f := NewAnswerForm(env(t), in, d, vm.FormText{})
		f.Problems(map[string]string{"comment": "is required with this option", "share": "must be at most 100"})
		return on(f)
	})
	golden(t, "fold", 560, 130, func() fyne.CanvasObject {
		row := func(f vm.Fold, chosen bool) fyne.CanvasObject {
			r := newFoldRow(env(t), nil, nil)
			r.set(f, chosen)
			return r
		}
		return on(row(vm.Fold{Key: "a", From: "nightly build", Count: 297, Clear: 297, Unread: 12}, false), row(vm.Fold{Key: "b", From: strings.Repeat("long ", 30), Count: 2, Clear: 1, Open: true}, true))
	})
	golden(t, "form-choices", 520, 520, func() fyne.CanvasObject {
		r := sample.Choices()
		d := vm.NewDraft(r.Interaction)
		d.Values["question-1"], d.Values["question-2"] = "date-fns", "Billing"
		f := NewAnswerForm(env(t), r.Interaction, d, vm.FormTextOf(r))
		f.parts[f.from[2]].FocusGained()
		return on(f)
	})
	golden(t, "markdown", 460, 640, func() fyne.CanvasObject {
		return on(Markdown(vm.Markdown(sample.Plan().Body+"\n\n| Table | Rows |\n|---|---|\n| orders | 1204 |\n| refunds | 17 |\n\n---\n\n![a picture that is not fetched](https://example.com/x.png) and **bold**, *italic*, `code`."), nil))
	})
	golden(t, "history", 620, 320, func() fyne.CanvasObject {
		col := NewColumn(0)
		s := snapshot()
		for i, r := range append([]*notify.Record{sample.Permission()}, sample.Many(4)...) {
			h := NewHistoryRow(env(t))
			h.Set(vm.HistoryRowOf(r, s, sample.Now), i == 1, i == 2)
			col.Add(h)
		}
		return container.NewStack(newBox(theme.ColorGround, 0).Rectangle, col)
	})
	golden(t, "matrix", 560, 220, func() fyne.CanvasObject {
		m := NewMatrix([]string{"In the app", "Desktop", "Sound", "webhook:phone"})
		for _, row := range vm.Matrix(nil, []string{"a", "b", "c", "d"}) {
			m.Row(env(t).Tr(row.Label), []bool{true, true, false, false}, func(int, bool) {})
		}
		return on(m)
	})
}

// At twice the pixels and twice the text nothing is cut off that is not meant to be.
func TestLooksAtOtherScales(t *testing.T) {
	for _, c := range []struct {
		name        string
		text, scale float32
		w, h        float32
	}{{"scale-2", 1, 2, 480, 420}, {"text-2", 2, 1, 560, 700}} {
		img := draw(t, theme.Light, c.text, c.scale, c.w, c.h, func() fyne.CanvasObject {
			return on(cardFor(t, sample.Permission(), nil), cardFor(t, sample.Question(), nil))
		})
		goldenImage(t, c.name+"-light.png", img)
	}
}

// Code sits on the line with its feet whole, what reads from the right is put where it is read, and only what opens
// looks like a link.
func TestInlineLooks(t *testing.T) {
	text := "`TestDecimalComma` expects **1.5**, got *15*, see `importer/money_gypq.go`, and run `go test ./importer -run Decimal` again; a_very_long_name_that_has_to_break_somewhere/`because_it_is_code_and_wider_than_any_line_of_this_picture_could_be()`.\n\n" +
		"- one `gy_pq` item with a [link that opens](https://example.com/a)\n- another with [a script](javascript:alert(1))\n\n" +
		"Mixed: the label שלום עולם (42) is `right-to-left` in **bold שלום** text.\n\nשלום `code` עולם with English **inside** the line 12."
	golden(t, "inline", 520, 300, func() fyne.CanvasObject {
		return on(Markdown(vm.Refused(vm.Markdown(text), nil), nil))
	})
	goldenImage(t, "inline-2-light.png", draw(t, theme.Light, 1, 2, 520, 300, func() fyne.CanvasObject {
		return on(Markdown(vm.Refused(vm.Markdown(text), nil), nil))
	}))
}
