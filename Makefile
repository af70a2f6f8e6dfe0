# Signalbox. `make run` builds and starts the app, `make test` runs everything;
# both install the system packages that they miss (scripts/packages-*.txt).
SHELL := /bin/bash
.DEFAULT_GOAL := help

# gcc takes five minutes for what clang compiles in one; CC is part of Go's cache key, so it's the same everywhere.
ifeq ($(origin CC),default)
CC := clang
endif
export CC

# The app is written for Fyne's checked threading; a plain `go build` doesn't read that from FyneApp.toml. Fyne's own
# animations are left out: a cursor that fades draws whole windows anew, a tenth of a core for as long as one types.
export TAGS := migrated_fynedo,no_animations
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
export VERSION
export STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
# All but the checks of how comments and names are styled: those are for people.
export STATICCHECKS := all,-ST1000,-ST1003,-ST1005,-ST1013,-ST1016,-S1016,-ST1020,-ST1021,-ST1022
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.9.0

# Released files name no folder of the machine that built them. Everything is compiled anew for that, so CI goes without.
export PACKAGE_FLAGS ?= -trimpath

LDFLAGS := -X main.version=$(VERSION)
BUILD := go build -buildvcs=false
# Tests see no screen and no bus but their own, and no settings that change how Fyne draws.
CLEAN_ENV := env -u DISPLAY -u WAYLAND_DISPLAY -u FYNE_THEME -u FYNE_SCALE -u FYNE_FONT -u SIGNALBOX_HOME -u SIGNALBOX_URL -u SIGNALBOX_TOKEN \
	DBUS_SESSION_BUS_ADDRESS=disabled: LANG=en_US.UTF-8

.PHONY: help run build test unit e2e frames soak powercut bench bench-go lint vuln golden package fuzz agent-types cross windows assets check clean deps-build deps-test

help: ## this list
	@grep -E '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

run: build ## build and start the app; ARGS='--hidden' and the like are handed on
	exec ./bin/signalbox $(ARGS)

build: deps-build ## bin/signalbox and bin/sigbox
	$(BUILD) -tags '$(TAGS)' -ldflags '$(LDFLAGS)' -o bin/signalbox .
	CGO_ENABLED=0 $(BUILD) -ldflags '$(LDFLAGS)' -o bin/sigbox ./cmd/sigbox

test: unit e2e ## everything: all packages with the race detector, then the journeys

unit: deps-build ## tests of all packages, with the race detector
	$(CLEAN_ENV) go test -race -shuffle=on -timeout 15m -tags '$(TAGS)' $$(go list ./... | grep -v /internal/e2e)

e2e: deps-test build ## journeys through the real programs on a screen and a bus of their own
	$(CLEAN_ENV) SIGNALBOX_BIN=$(CURDIR)/bin/signalbox SIGBOX_BIN=$(CURDIR)/bin/sigbox \
	  go test -count=1 -p 1 -timeout 20m -tags 'e2e,$(TAGS)' ./internal/e2e/...

frames: deps-test build ## how long frames take while 100,000 rows scroll, and a row until it is on the screen; ROWS=n chooses
	$(CLEAN_ENV) SIGNALBOX_ROWS=$(ROWS) SIGNALBOX_BIN=$(CURDIR)/bin/signalbox SIGBOX_BIN=$(CURDIR)/bin/sigbox \
	  go test -count=1 -v -timeout 20m -tags 'e2e,frames,$(TAGS)' -run '^(TestFramesOf.*|TestPublishToScreen)$$' ./internal/e2e/journey

soak: ## the long run: 200 rounds of kill -9
	$(CLEAN_ENV) CGO_ENABLED=0 SIGNALBOX_KILL_ROUNDS=200 go test -count=1 -timeout 60m -run '^TestKill$$' -v ./store

powercut: ## POWER_CUTS (20) power cuts while a store is written to; needs root, for a file system of its own
	@test "$$(id -u)" = 0 || { echo "make powercut mounts a file system of its own, which only root may: nothing was tested." >&2; exit 1; }
	$(CLEAN_ENV) CGO_ENABLED=0 SIGNALBOX_POWER_CUTS=$(or $(POWER_CUTS),20) go test -count=1 -timeout 60m -tags powercut -run '^TestPowerCut' -v ./store

bench: ## prints one table of figures and goals, in one run; BENCH="-quick -only queries" chooses
	CGO_ENABLED=0 go run ./internal/bench $(BENCH)

bench-go: ## Go's own benchmarks; BENCH=pattern chooses
	CGO_ENABLED=0 go test -run '^$$' -bench '$(or $(BENCH),.)' -benchmem $$(go list ./... | grep -Ev '^signalbox$$|/tray|/ui($$|/)')

lint: deps-build ## gofmt, go vet, staticcheck
	scripts/lint.sh

vuln: deps-build ## known vulnerabilities of what we use; asks the Go vulnerability database
	go run $(GOVULNCHECK) -tags '$(TAGS)' ./...

golden: ## write the pictures and files that tests compare with anew; look at each before you commit it
	$(CLEAN_ENV) CGO_ENABLED=0 go test -count=1 -tags '$(TAGS)' \
	  $$(grep -rl --include='*_test.go' 'flag.Bool("update"' . | xargs -n1 dirname | sort -u) -update

package: deps-build ## dist/signalbox-VERSION-linux-ARCH.tar.xz
	@scripts/packages.sh package
	scripts/package.sh

fuzz: ## every fuzz target for FUZZTIME (10s) each
	scripts/fuzz.sh

agent-types: ## what agents send and hear, against their own published types (from npm), and the TypeScript of the docs; CODEX=yes: Codex's schemas too
	scripts/agent-types.sh

cross: ## build, vet or type-check everything for Windows, macOS and ARM
	scripts/cross.sh

windows: ## bin/windows: both programs for Windows
	@scripts/packages.sh build cross
	scripts/windows.sh

assets: ## draw icons and sounds anew from assets/gen
	CGO_ENABLED=0 go run ./assets/gen

check: lint test cross ## what has to pass before a change is done

clean: ## remove what was built
	rm -rf bin dist

deps-build:
	@scripts/packages.sh build

deps-test:
	@scripts/packages.sh build test
