package config

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
)

// Sample is the documented file that a new data directory gets.
//
//go:embed sample.toml
var Sample string

// Duration is a time.Duration written as 30s, 24h, 90d or 2w.
type Duration time.Duration

// UnmarshalText reads a duration. Days have 24 hours.
func (d *Duration) UnmarshalText(b []byte) error {
	s := strings.TrimSpace(string(b))
	for unit, length := range map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour} {
		if number, ok := strings.CutSuffix(s, unit); ok {
			n, err := strconv.ParseFloat(number, 64)
			if err != nil || !(n >= 0 && n <= 1e5) { // NaN is neither
				return fmt.Errorf("%q is no duration such as 30s, 24h or 90d", s)
			}
			*d = Duration(n * float64(length))
			return nil
		}
	}
	n, err := time.ParseDuration(s)
	if err != nil || n < 0 {
		return fmt.Errorf("%q is no duration such as 30s, 24h or 90d", s)
	}
	*d = Duration(n)
	return nil
}

// Std is d for the standard library.
func (d Duration) Std() time.Duration { return time.Duration(d) }

// Size is a number of bytes, written as 64 MiB or 1 GB.
type Size uint64

// UnmarshalText reads a size.
func (s *Size) UnmarshalText(b []byte) error {
	n, err := humanize.ParseBytes(string(b))
	if err != nil || n > 1<<50 {
		return fmt.Errorf("%q is no size such as 64 MiB", b)
	}
	*s = Size(n)
	return nil
}
