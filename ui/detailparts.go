package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"signalbox/ui/theme"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

func (d *detailPane) outcome(o *vm.OutcomeView) fyne.CanvasObject {
	u := d.u
	col := widgets.NewColumn(4)
	head := u.tr(o.Word)
	if o.Answer != "" {
		head += ": " + o.Answer
	}
	col.Add(widgets.NewText(head, widgets.Look{Size: theme.SizeTitle, Color: theme.Tone(string(o.Tone)), Bold: true}))
	col.Add(widgets.NewText(u.tr(o.By)+" · "+o.When, widgets.LookCaption))
	if o.Reason != "" {
		col.Add(widgets.NewText(o.Reason, widgets.LookBody))
	}
	if !o.Delivery.IsZero() {
		col.Add(widgets.NewText(u.tr(o.Delivery), widgets.LookCaption))
	}
	if o.Sent != "" {
		col.Add(widgets.NewText(u.t("detail.sent"), widgets.LookCaption), widgets.Code(o.Sent))
	}
	return widgets.NewFramed(col, theme.Tint(string(o.Tone)), "", 8, 12, 10)
}

func (d *detailPane) report(v *vm.Detail, add func(...fyne.CanvasObject)) {
	u := d.u
	col := widgets.NewColumn(8)
	if v.Report.Title != "" {
		col.Add(widgets.NewText(v.Report.Title, widgets.LookTitle))
	}
	from := u.tr(v.Report.From)
	if v.Report.Path != "" {
		from = strings.TrimPrefix(from+" · "+v.Report.Path, " · ")
	}
	if from != "" {
		col.Add(widgets.NewText(from, widgets.LookCaption))
	}
	if !v.Report.Failed.IsZero() {
		col.Add(widgets.NewBanner("warning", "warning", u.tr(v.Report.Failed), "", nil, nil))
	}
	if len(v.Report.Blocks) > 0 {
		col.Add(widgets.Markdown(v.Report.Blocks, d.link))
	}
	add(widgets.NewFramed(col, theme.ColorCard, theme.ColorLine, 8, 14, 12))
}

func (d *detailPane) file(f vm.FileView) fyne.CanvasObject {
	u := d.u
	label := f.Name
	if f.Note != "" {
		label += "  ·  " + f.Note
	}
	icon := "attachment"
	if f.Path == "" {
		icon = "link"
	}
	if f.Dead { // what would be refused doesn't look as if it opened
		if f.Address != f.Name {
			label += "  (" + f.Address + ")"
		}
		return widgets.NewText(label, widgets.LookBody)
	}
	btn := widgets.NewIconButton(icon, label, func() { u.confirmOpen(d.win, f.Address) })
	btn.Style = widgets.Plain
	row := widgets.NewRow(8, btn)
	if res := d.extra.images[f.Path]; res != nil && f.Image && d.extra.id == d.id {
		img := canvas.NewImageFromResource(res)
		img.FillMode = canvas.ImageFillContain
		img.SetMinSize(fyne.NewSize(80, 160))
		return widgets.NewColumn(6, row, img)
	}
	return row
}

func (d *detailPane) link(address string) { d.u.confirmOpen(d.win, address) }
