#!/bin/bash
# gofmt, go vet and staticcheck over everything, the journeys included.
# `make vuln` is apart, since it asks a database on the network.
set -euo pipefail
cd "$(dirname "$0")/.."

unformatted=$(git ls-files -co --exclude-standard '*.go' | xargs -r gofmt -l)
if [ -n "$unformatted" ]; then
	printf 'gofmt -w is needed for:\n%s\n' "$unformatted" >&2
	exit 1
fi
for script in .ci/run scripts/*.sh; do
	bash -n "$script"
done
go mod verify
go vet -tags "$TAGS,e2e" ./...
# Without a work tree's go.mod of its own: the pinned tool, at its own versions of its libraries.
go run "$STATICCHECK" -tags "$TAGS,e2e" -checks "$STATICCHECKS" ./...
echo "lint: nothing to say"
