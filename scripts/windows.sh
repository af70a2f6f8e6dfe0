#!/bin/bash
# The desktop app for Windows, built on Linux. clang compiles, because gcc
# takes nine minutes; mingw's gcc links, because clang's linker lacks an option that Go passes.
set -euo pipefail
cd "$(dirname "$0")/.."
export GOOS=windows GOARCH=amd64
CGO_ENABLED=1 CC="clang --target=x86_64-w64-mingw32 -Wno-unused-command-line-argument" \
	go build -buildvcs=false -tags "$TAGS" -ldflags "-X main.version=$VERSION -H windowsgui -extld=x86_64-w64-mingw32-gcc" -o bin/windows/signalbox.exe .
CGO_ENABLED=0 go build -buildvcs=false -ldflags "-X main.version=$VERSION" -o bin/windows/sigbox.exe ./cmd/sigbox
ls -l bin/windows
