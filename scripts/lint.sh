#!/bin/bash
# gofmt, go vet and staticcheck over everything, the journeys included. All
# have their say before it fails. `make vuln` is apart, since it asks a
# database on the network.
set -uo pipefail
cd "$(dirname "$0")/.."
bad=0

unformatted=$(git ls-files -co --exclude-standard '*.go' | xargs -r gofmt -l)
if [ -n "$unformatted" ]; then
	printf 'gofmt -w is needed for:\n%s\n' "$unformatted"
	bad=1
fi
for script in .ci/run scripts/*.sh; do
	bash -n "$script" || bad=1
done
go mod verify || bad=1
go vet -tags "$TAGS,e2e" ./... || bad=1
go run "$STATICCHECK" -tags "$TAGS,e2e" -checks "$STATICCHECKS" ./... || bad=1

[ $bad -eq 0 ] && echo "lint: nothing to say"
exit $bad
