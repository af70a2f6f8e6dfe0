package main

import (
	"crypto/sha256"
	"encoding/hex"
)

// digest names bytes.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
