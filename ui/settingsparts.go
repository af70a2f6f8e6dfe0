package ui

import (
	"fyne.io/fyne/v2"

	"signalbox/ui/theme"
	"signalbox/ui/widgets"
)

func (s *settingsWindow) lead(key string) {
	s.col.Add(widgets.NewText(s.u.t(key), widgets.LookBody))
}

func (s *settingsWindow) head(key string) {
	s.col.Add(widgets.NewGap(6), widgets.NewText(s.u.t(key), widgets.LookTitle))
}

func (s *settingsWindow) box(objs ...fyne.CanvasObject) {
	s.col.Add(widgets.NewFramed(widgets.NewColumn(10, objs...), theme.ColorCard, theme.ColorLine, 10, 16, 14))
}

func caption(text string) *widgets.Text {
	look := widgets.LookCaption
	look.Max = 0
	return widgets.NewText(text, look)
}

func body(text string) *widgets.Text {
	look := widgets.LookBody
	look.Color = theme.ColorInk
	return widgets.NewText(text, look)
}

func label(text string) fyne.CanvasObject { return widgets.NewChip(text, nil, "") }
