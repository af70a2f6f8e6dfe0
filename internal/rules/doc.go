// Package rules holds the test that every rule of docs/rules.md is named by a test that proves it. It
// has no code.
package rules
