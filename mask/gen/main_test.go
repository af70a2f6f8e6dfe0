package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/zricethezav/gitleaks/v8/config"
)

func TestRulesAreThoseOfThePinnedLibrary(t *testing.T) {
	want, err := generate(config.DefaultConfig)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../rules.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("rules.go differs from what the library says: run go generate ./mask")
	}
}
