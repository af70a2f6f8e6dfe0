#!/bin/bash
# Holds what agents send in our tests, and what we print for them, against the
# agents' own published types (and Codex's schemas, with CODEX=yes), and runs
# the TypeScript that the documentation shows. Needs node and npm; the versions
# are pinned here. Cursor, VS Code, Aider and Copilot's permission and
# notification hooks publish none.
set -euo pipefail
cd "$(dirname "$0")/.."
work=bin/agent-types
packages=(
	@anthropic-ai/claude-agent-sdk@0.3.332
	@google/gemini-cli-core@0.61.0
	@opencode-ai/sdk@1.19.3
	@opencode-ai/plugin@1.18.33
	@github/copilot-sdk@1.0.14
)
[ -z "${CODEX:-}" ] || packages+=(@openai/codex@0.171.0-linux-x64)

mkdir -p "$work/node_modules"
tools=(typescript@6.0.3 ajv@8.20.0)
if [ "$(cat "$work/.tools" 2>/dev/null)" != "${tools[*]}" ]; then
	npm install --silent --no-save --no-package-lock --ignore-scripts --no-audit --no-fund --prefix "$work" "${tools[@]}"
	echo "${tools[*]}" >"$work/.tools"
fi
for p in "${packages[@]}"; do
	name=${p%@*} dir=$work/node_modules/${p%@*}
	[ "$(cat "$dir/.pinned" 2>/dev/null)" = "$p" ] && continue
	# The package alone: its types are read, and nothing of it is run.
	rm -rf "$dir" && mkdir -p "$dir"
	archive=$(npm pack --silent --pack-destination "$work" "$p" | tail -1)
	tar xzf "$work/$archive" -C "$dir" --strip-components=1
	rm "$work/$archive"
	echo "$p" >"$dir/.pinned"
done
CGO_ENABLED=0 go build -buildvcs=false -o "$work/sigbox" ./cmd/sigbox
node scripts/agent-types/example.mjs "$work" "$work/sigbox"
exec node scripts/agent-types/check.mjs "$work"
