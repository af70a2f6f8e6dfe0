#!/bin/bash
# Installs the system packages of the lists named (build, test, package, cross)
# that are missing, and only those. Where there is no apt-get it says what is
# needed and goes on: the build then shows what is missing.
set -euo pipefail
cd "$(dirname "$0")"

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
	case "$(uname -s)" in
	Linux) cat <<-'EOF' ;;
		No apt-get here, so nothing is installed. The app needs clang, pkg-config and the development files of OpenGL and X11:
		  Fedora    sudo dnf install clang pkgconf-pkg-config libX11-devel libXcursor-devel libXrandr-devel libXinerama-devel libXi-devel libXxf86vm-devel libxkbcommon-devel mesa-libGL-devel
		  Arch      sudo pacman -S clang pkgconf libx11 libxcursor libxrandr libxinerama libxi libxxf86vm libxkbcommon mesa
		  openSUSE  sudo zypper install clang pkg-config libX11-devel libXcursor-devel libXrandr-devel libXinerama-devel libXi-devel libXxf86vm-devel libxkbcommon-devel Mesa-libGL-devel
		The journey tests need Xvfb, xdotool, wmctrl, openbox, ImageMagick, dbus-daemon, dunst and lxqt-panel too.
		EOF
	Darwin) echo 'macOS needs the command line tools of Xcode: xcode-select --install' ;;
	*) echo 'Windows needs a C compiler that Go can use: MSYS2 with mingw-w64-ucrt-x86_64-gcc, or LLVM-MinGW, on the PATH.' ;;
	esac
	exit 0
fi

wanted=()
for list in "$@"; do
	while read -r name _; do
		case $name in '' | '#'*) ;; *) wanted+=("$name") ;; esac
	done <"packages-$list.txt"
done

missing=()
for name in "${wanted[@]}"; do
	# "installed" is the last word of the state; a removed package keeps an entry without it.
	case $(dpkg-query -W -f '${Status}' "$name" 2>/dev/null || true) in
	*' installed') ;;
	*) missing+=("$name") ;;
	esac
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "Missing system packages: ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
	if ! command -v sudo >/dev/null; then
		echo "Neither root nor sudo: install them as root and run this again:" >&2
		echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
		exit 1
	fi
	as_root=(sudo)
fi
apt() { ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 "$@" </dev/null; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { apt update && apt install --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
	cat "$log" >&2
	exit 1
fi
echo "Installed ${#missing[@]} packages."
