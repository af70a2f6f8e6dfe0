//go:build !linux

package main

import "time"

// processAge is not known here.
func processAge() time.Duration { return 0 }
