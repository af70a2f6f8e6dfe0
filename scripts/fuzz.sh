#!/bin/bash
# Runs every fuzz target for $FUZZTIME each (default 10s), one after the other.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t dirs < <(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -r -n1 dirname | sort -u)
n=0
for dir in "${dirs[@]}"; do
	for name in $(grep -h '^func Fuzz' "$dir"/*_test.go | sed 's/^func \(Fuzz[A-Za-z0-9_]*\).*/\1/'); do
		echo "fuzz: $dir $name"
		CGO_ENABLED=0 go test -run '^$' -fuzz "^$name\$" -fuzztime "${FUZZTIME:-10s}" "$dir"
		n=$((n + 1))
	done
done
echo "fuzz: $n targets"
