// Command gen draws every picture and makes every sound in assets, so that
// each can be changed by changing a number. It needs no font, no tool and no network:
//
//	go run ./assets/gen            writes into ./assets
//	go run ./assets/gen -sheet f   writes a contact sheet to look at
//
// Its output is committed; a test in assets holds the files against the set of names.
package main

import (
	"flag"
	"fmt"
	"image"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

var (
	linuxSizes   = []int{22, 24, 32, 48, 64}
	windowsSizes = []int{16, 20, 24, 32, 48}
	darwinSizes  = []int{22, 44}
	appSizes     = []int{16, 24, 32, 48, 64, 128, 256, 512}
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	dir := flag.String("dir", "assets", "the folder of the assets package")
	sheet := flag.String("sheet", "", "write a contact sheet to this PNG file and nothing else")
	flag.Parse()
	if *sheet != "" {
		check(os.WriteFile(*sheet, pngBytes(contactSheet()), 0o644))
		return
	}
	put := func(name string, data []byte) {
		p := filepath.Join(*dir, filepath.FromSlash(name))
		check(os.MkdirAll(filepath.Dir(p), 0o755))
		check(os.WriteFile(p, data, 0o644))
	}
	for _, name := range slices.Sorted(maps.Keys(symbols)) {
		put("icons/"+name+".svg", svg(24, layerOf("#000000", symbols[name])))
	}
	put("app/icon.svg", svg(64, appIcon()...))
	for _, px := range appSizes {
		put(fmt.Sprintf("app/icon-%d.png", px), pngBytes(appPNG(px)))
	}
	put("app/icon.ico", ico(appPNG(16), appPNG(24), appPNG(32), appPNG(48), appPNG(64)))
	for _, state := range trayStates {
		for _, px := range linuxSizes {
			put(fmt.Sprintf("tray/linux/%s-%d.png", state, px), pngBytes(trayIcon(state, px)))
		}
		for _, px := range darwinSizes {
			put(fmt.Sprintf("tray/darwin/%s-%d.png", state, px), pngBytes(templateIcon(state, px)))
		}
		var all []*image.NRGBA
		for _, px := range windowsSizes {
			all = append(all, trayIcon(state, px))
		}
		put("tray/windows/"+state+".ico", ico(all...))
	}
	for _, name := range slices.Sorted(maps.Keys(sounds)) {
		put("sounds/"+name+".wav", wav(soundRate, synth(sounds[name])))
	}
}

func appPNG(px int) *image.NRGBA {
	if px <= 32 {
		return raster(px, 16, appIconSmall()...)
	}
	return raster(px, 64, appIcon()...)
}
