#!/bin/bash
# Does it hold together on the other systems? Everything without cgo is built
# and vetted for them; the desktop app, which needs their C compilers, is
# type-checked against the real libraries.
set -euo pipefail
cd "$(dirname "$0")/.."

# What builds without cgo on a system: all that doesn't reach the windows' driver, and on macOS neither toolkit nor tray.
pure() {
	local not='fyne\.io/fyne/v2/app( |$)'
	[ "$1" != darwin ] || not='fyne\.io/(fyne/v2|systray)( |$)'
	go list -e -f '{{.ImportPath}} {{join .Deps " "}}' ./... | grep -Ev "$not" | cut -d' ' -f1 | grep -Ev '/internal/e2e|/scripts/'
}
for target in windows/amd64 darwin/arm64; do
	export GOOS=${target%/*} GOARCH=${target#*/} CGO_ENABLED=0
	mapfile -t pkgs < <(pure "$GOOS")
	go build "${pkgs[@]}"
	go vet -tags "$TAGS" "${pkgs[@]}"
	echo "cross: $target builds ${#pkgs[@]} packages without cgo"
done
unset GOOS GOARCH CGO_ENABLED

for target in windows/amd64 darwin/arm64 linux/arm64; do
	go run ./scripts/xcheck -os "${target%/*}" -arch "${target#*/}" -tags "$TAGS" ./...
done

if command -v x86_64-w64-mingw32-gcc >/dev/null && command -v clang >/dev/null; then
	scripts/windows.sh
else
	echo "cross: no mingw here, so signalbox.exe is not linked (make windows installs it)"
fi
