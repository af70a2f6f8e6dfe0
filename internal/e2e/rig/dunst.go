//go:build linux

package rig

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// Toasts stay until they are closed or the app lets them go, so that a test can look at them.
const dunstConfig = `[global]
monitor = 0
width = (300, 380)
origin = top-right
offset = 12x12
notification_limit = 20
font = DejaVu Sans 10
markup = full
format = "<b>%%s</b>\n%%b"
history_length = 1000
idle_threshold = 0
show_indicators = yes
dmenu = %s
mouse_left_click = do_action, close_current
mouse_middle_click = do_action
mouse_right_click = close_current

[urgency_low]
timeout = 0
[urgency_normal]
timeout = 0
[urgency_critical]
timeout = 0
`

// dunst's menu of actions is a program that reads lines "#Label (summary) [id,key]" and prints the
// one chosen. This one chooses the line that has the key that the test left in a file.
const dunstMenu = `#!/bin/sh
key=$(cat %s)
grep -F ",$key]" | head -n 1
`

// StartDunst starts the notification daemon and waits until it answers.
func (r *Rig) StartDunst() *Process {
	r.t.Helper()
	menu, conf := filepath.Join(r.dir, "dunst-menu"), filepath.Join(r.dir, "config", "dunst", "dunstrc")
	r.write(menu, fmt.Sprintf(dunstMenu, r.dunstChoice()))
	r.must("chmod", "700", menu)
	r.write(conf, fmt.Sprintf(dunstConfig, menu))
	r.Dunst = r.Run("dunst", nil, "dunst", "-config", conf)
	r.Eventually("dunst", func() bool {
		return r.call(notifyName, notifyPath, notifyName+".GetServerInformation").Err == nil
	})
	return r.Dunst
}

func (r *Rig) dunstChoice() string { return filepath.Join(r.dir, "dunst-choice") }

// Shown is how many toasts dunst shows now.
func (r *Rig) Shown() int {
	r.t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(r.must("dunstctl", "count", "displayed")))
	if err != nil {
		r.fail("dunstctl count: " + err.Error())
	}
	return n
}

// CloseToast closes the newest toast, as the person does.
func (r *Rig) CloseToast() { r.t.Helper(); r.must("dunstctl", "close") }

// CloseToasts closes all of them.
func (r *Rig) CloseToasts() { r.t.Helper(); r.must("dunstctl", "close-all") }

// ActToast invokes the default action of the newest toast, as a click on it does.
func (r *Rig) ActToast() { r.t.Helper(); r.must("dunstctl", "action", "0") }

// ChooseToast invokes an action by its key, from those of all toasts shown.
func (r *Rig) ChooseToast(key string) {
	r.t.Helper()
	r.write(r.dunstChoice(), key)
	r.must("dunstctl", "context")
}

// DunstEntry is a toast that dunst has closed.
type DunstEntry struct {
	ID            int
	Summary, Body string
	App           string
}

// DunstHistory is what dunst has closed, the newest first.
func (r *Rig) DunstHistory() []DunstEntry {
	r.t.Helper()
	type val struct{ Data any }
	var doc struct{ Data [][]map[string]val }
	if err := json.Unmarshal([]byte(r.must("dunstctl", "history")), &doc); err != nil {
		r.fail("dunstctl history: " + err.Error())
	}
	var out []DunstEntry
	str := func(v val) string { s, _ := v.Data.(string); return s }
	for _, list := range doc.Data {
		for _, e := range list {
			id, _ := e["id"].Data.(float64) // JSON's numbers
			out = append(out, DunstEntry{int(id), str(e["summary"]), str(e["body"]), str(e["appname"])})
		}
	}
	return out
}
