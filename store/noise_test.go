package store_test

import (
	"encoding/base64"
	"math/rand/v2"
)

// noise returns texts that don't compress, of n bytes each, the same for the same seed.
func noise(seed byte) func(n int) string {
	rnd := rand.NewChaCha8([32]byte{seed})
	return func(n int) string {
		b := make([]byte, n*3/4)
		_, _ = rnd.Read(b)
		return base64.StdEncoding.EncodeToString(b)
	}
}
