#!/bin/bash
# Does it hold together on the other systems? Everything without cgo is built
# and vetted for them; the desktop app, which needs their C compilers, is
# type-checked against the real libraries.
set -euo pipefail
cd "$(dirname "$0")/.."

# What can be built without cgo: all packages that neither are nor reach one that has nothing but cgo files.
pure() {
	go list -e -f '{{if not .DepsErrors}}{{if not .Error}}{{.ImportPath}}{{end}}{{end}}' ./... |
		grep -Ev "^signalbox(/tray|/ui.*|/internal/(e2e|bench).*|/scripts.*)?$"
}
for target in windows/amd64 windows/arm64 darwin/amd64 darwin/arm64 linux/arm64; do
	export GOOS=${target%/*} GOARCH=${target#*/} CGO_ENABLED=0
	mapfile -t pkgs < <(pure)
	go build -o /dev/null "${pkgs[@]}" 2>/dev/null || go build "${pkgs[@]}"
	[ "$GOARCH" = arm64 ] || go vet "${pkgs[@]}"
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
