// Package assets owns what is embedded in the programs: the app icon, the tray
// icons, the symbols of the windows, the sounds and the translations.
//
// It promises that every name in AppIconSizes, TrayStates, IconNames and
// SoundNames has its file, which a test holds, and answers nil for any other
// name; it never panics. It imports nothing of ours. Apart from the
// translations, all files are made by assets/gen:
//
//	go run ./assets/gen
//
// Callers must not change the bytes that they get.
package assets

import (
	"embed"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Translations holds translations/LANG.json, one flat file of texts for each language.
//
//go:embed translations/*.json
var Translations embed.FS

//go:embed app tray icons sounds
var files embed.FS

// AppIconSizes are the widths, in pixels, in which the app icon is drawn.
var AppIconSizes = []int{16, 24, 32, 48, 64, 128, 256, 512}

// States of the tray icon besides the counts.
const (
	TrayIdle    = "idle"    // nothing is active
	TrayWaiting = "waiting" // an agent waits for the owner
	TrayError   = "error"   // an error is active, or the center is damaged
	TrayMuted   = "muted"   // do not disturb
	TrayOffline = "offline" // the center cannot be reached
)

// TrayCount is the state that shows how many items are active: "1" to "9",
// "9plus" above, and TrayIdle for none.
func TrayCount(n int) string {
	switch {
	case n <= 0:
		return TrayIdle
	case n > 9:
		return "9plus"
	}
	return strconv.Itoa(n)
}

// TrayStates is the fixed set of tray states.
func TrayStates() []string {
	return []string{TrayIdle, "1", "2", "3", "4", "5", "6", "7", "8", "9", "9plus", TrayWaiting, TrayError, TrayMuted, TrayOffline}
}

var traySizes = map[string][]int{"linux": {22, 24, 32, 48, 64}, "darwin": {22, 44}}

// AppIcon is the app icon as PNG, 256 pixels wide.
func AppIcon() []byte { return AppIconSize(256) }

// AppIconSize is the app icon as PNG in the smallest drawn size that is at
// least px wide, or the largest.
func AppIconSize(px int) []byte {
	return read("app/icon-" + strconv.Itoa(atLeast(AppIconSizes, px)) + ".png")
}

// AppIconSVG is the app icon in its own colours.
func AppIconSVG() []byte { return read("app/icon.svg") }

// AppIconICO is the app icon for Windows, in several sizes.
func AppIconICO() []byte { return read("app/icon.ico") }

// TrayIcon is the icon of a state for a system's tray: for "windows" an ICO
// of several sizes, for "darwin" a PNG template (black and alpha), else a PNG
// of the smallest drawn size that is at least size wide, or the largest. An
// unknown state is nil.
func TrayIcon(state, goos string, size int) []byte {
	switch goos {
	case "windows":
		return read("tray/windows/" + state + ".ico")
	case "darwin":
	default:
		goos = "linux"
	}
	return read("tray/" + goos + "/" + state + "-" + strconv.Itoa(atLeast(traySizes[goos], size)) + ".png")
}

// Icon is a symbol as SVG: one path in black on a grid of 24, to be given a
// theme's colour. An unknown name is nil.
func Icon(name string) []byte { return read("icons/" + name + ".svg") }

// IconNames are the names that Icon knows, sorted.
func IconNames() []string { return names("icons", ".svg") }

// Sound is a sound as 16-bit mono WAV: one of SoundNames. An unknown name is nil.
func Sound(name string) []byte { return read("sounds/" + name + ".wav") }

// SoundNames are the names that Sound knows, sorted: failure, finished,
// permission, question, reminder.
func SoundNames() []string { return names("sounds", ".wav") }

func read(name string) []byte {
	if name != path.Clean(name) || strings.Count(name, "/") > 2 {
		return nil // a name with a separator or dots in it is no name of ours
	}
	b, err := files.ReadFile(name)
	if err != nil {
		return nil
	}
	return b
}

func names(dir, ext string) []string {
	entries, err := files.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		if n, ok := strings.CutSuffix(e.Name(), ext); ok {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

func atLeast(sizes []int, px int) int {
	for _, s := range sizes {
		if s >= px {
			return s
		}
	}
	return sizes[len(sizes)-1]
}
