package tray

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"fyne.io/systray"
)

// title becomes the item's name on the bus and its id.
const title = "Signalbox"

// systrayBackend is fyne.io/systray, whose state is global: one for a process.
type systrayBackend struct{}

func (systrayBackend) add(click func()) item { return waitFor(systray.AddMenuItem("", ""), click) }

func (systrayBackend) under(parent item, click func()) item {
	return waitFor(parent.(textItem).AddSubMenuItem("", ""), click)
}

func waitFor(m *systray.MenuItem, click func()) item {
	// The library drops a click that nobody waits for, so one goroutine waits for each line for as long
	// as the program runs; the menu is never taken apart.
	go func() {
		for range m.ClickedCh {
			click()
		}
	}()
	return textItem{m}
}

// textItem is a line whose title is text: what menus read as the sign of an access key, an underscore or an
// ampersand, stays the character that it is.
type textItem struct{ *systray.MenuItem }

func (i textItem) SetTitle(s string) { i.MenuItem.SetTitle(menuText(s, runtime.GOOS)) }

// menuText is a title as the menus of a system write it.
func menuText(s, goos string) string {
	switch goos {
	case "windows":
		return strings.ReplaceAll(s, "&", "&&")
	case "darwin":
		return s
	}
	return strings.ReplaceAll(s, "_", "__")
}

func (systrayBackend) separator()              { systray.AddSeparator() }
func (systrayBackend) icon(b []byte)           { systray.SetTemplateIcon(b, b) }
func (systrayBackend) title(s string)          { systray.SetTitle(s) }
func (systrayBackend) tooltip(s string)        { systray.SetTooltip(s) }
func (systrayBackend) opened() <-chan struct{} { return systray.TrayOpenedCh }
func (systrayBackend) onTapped(f func())       { systray.SetOnTapped(f) }

// External prepares the tray for a toolkit that runs the loop, which macOS asks for: call it on the main
// goroutine before the loop; start when the loop runs and end before it stops, both on the main
// goroutine. The tray follows updates until ctx ends.
func (t *Tray) External(ctx context.Context) (start, end func()) {
	t.beforeStart()
	begin, finish := systray.RunWithExternalLoop(t.ready, nil)
	return func() {
			if err := safely(begin); err != nil {
				t.setStatus(Status{Problem: "the tray could not be started"})
				return
			}
			t.setStatus(Status{Available: true})
			go t.pump(ctx)
		}, func() {
			if err := safely(finish); err != nil {
				t.opt.Logger.Debug("tray end", "cause", err)
			}
		}
}

// ready makes the menu; the library calls it once, on a goroutine of its own.
func (t *Tray) ready() {
	t.make()
	t.poke()
}

// safely runs f and turns a panic into an error: without a session bus the library closes a connection
// that it does not have.
func safely(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("tray: %v", r)
		}
	}()
	f()
	return nil
}
