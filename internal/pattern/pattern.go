// Package pattern compiles regular expressions when they are first needed: an agent starts sigbox for each of its events, and
// each start would pay for them otherwise. It owns nothing else.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy returns the expression, which is compiled by the first call and must be valid: it panics otherwise.
func Lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
