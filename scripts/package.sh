#!/bin/bash
# dist/signalbox-VERSION-linux-ARCH.tar.xz: both programs with what a desktop
# wants to know of them, and a Makefile that installs it under a prefix.
set -euo pipefail
cd "$(dirname "$0")/.."
id=io.signalbox.Signalbox
name=signalbox-$VERSION-linux-$(go env GOARCH)
out=dist/$name
rm -rf "$out" && mkdir -p "$out/bin"

go build -buildvcs=false $PACKAGE_FLAGS -tags "$TAGS" -ldflags "-s -w -X main.version=$VERSION" -o "$out/bin/signalbox" .
CGO_ENABLED=0 go build -buildvcs=false $PACKAGE_FLAGS -ldflags "-s -w -X main.version=$VERSION" -o "$out/bin/sigbox" ./cmd/sigbox

install -Dm644 packaging/$id.desktop "$out/share/applications/$id.desktop"
install -Dm644 packaging/$id.metainfo.xml "$out/share/metainfo/$id.metainfo.xml"
install -Dm644 packaging/sigbox.service "$out/lib/systemd/user/sigbox.service"
for px in 16 24 32 48 64 128 256 512; do
	install -Dm644 assets/app/icon-$px.png "$out/share/icons/hicolor/${px}x$px/apps/$id.png"
done
install -Dm644 assets/app/icon.svg "$out/share/icons/hicolor/scalable/apps/$id.svg"
install -Dm644 LICENSE "$out/share/doc/signalbox/LICENSE"
[ ! -f README.md ] || install -m644 README.md "$out/share/doc/signalbox/README.md"
install -m644 packaging/install.mk "$out/Makefile"

# The unit has its own checker; these two say whether a software center would take the entry.
desktop-file-validate "$out/share/applications/$id.desktop"
appstreamcli validate --no-net "$out/share/metainfo/$id.metainfo.xml"

# The same files give the same archive.
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct 2>/dev/null || echo 0)" \
	-C dist -cJf "dist/$name.tar.xz" "$name"
rm -rf "$out"
ls -l "dist/$name.tar.xz"
