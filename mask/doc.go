// Package mask removes credentials from text before it is stored, logged or shown (S2).
//
// It owns the rules that tell a credential from other text: those of gitleaks, generated into
// rules.go and held against the library by a test, and a few of its own for what people paste into
// messages (rules_own.go). It promises that a text without a credential comes back unchanged and at
// little cost: most texts never reach a regular expression, and an expression is compiled when it is
// first needed. It replaces the secret part alone by [Mark], so that the rest stays readable.
//
// It never reads a file or an environment, keeps nothing of what it saw, and knows nothing of ours
// but notify's content.
package mask

//go:generate go run ./gen
