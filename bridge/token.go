package bridge

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"strings"

	"signalbox/notify"
)

// tokenBytes is the randomness of a token: 256 bits.
const tokenBytes = 32

// NewToken returns a new token from random bits of the system.
func NewToken() string {
	b := make([]byte, tokenBytes)
	rand.Read(b) // never fails: the runtime ends the process first
	return "sbx_" + base64.RawURLEncoding.EncodeToString(b)
}

// HashToken is what is stored of a connection's token, and the key with which
// its callbacks are signed.
func HashToken(token string) []byte {
	h := sha256.Sum256([]byte(token))
	return h[:]
}

// caller is who a request comes from.
type caller struct {
	// owner: everything is allowed. Otherwise connection says what is.
	owner      bool
	connection string
	// hash of the token that was shown.
	hash []byte
}

// actor is the caller as the rules know it.
func (c caller) actor() notify.Actor {
	if c.owner {
		return notify.Owner
	}
	return notify.Producer(c.connection)
}

// may says whether the caller may use what belongs to connection.
func (c caller) may(connection string) bool { return c.owner || c.connection == connection }

// stands says whether the caller's token is still that of the connection, which
// is given as it is now.
func (c caller) stands(now *notify.Connection) bool {
	return c.owner || !now.Revoked && subtle.ConstantTimeCompare(c.hash, now.TokenHash) == 1
}

// bearer returns the token of the Authorization header; there is no other way
// to show one, because addresses end up in logs and histories.
func bearer(r *http.Request) (string, bool) {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return "", false
	}
	scheme, token, ok := strings.Cut(values[0], " ")
	if !ok || !strings.EqualFold(scheme, "bearer") {
		return "", false
	}
	token = strings.TrimLeft(token, " ")
	return token, token != ""
}

// identify returns whose token it is. Comparing digests takes the same time for
// every token, and says nothing of how near a guess came.
func (s *Server) identify(token string) (caller, bool) {
	hash := HashToken(token)
	if subtle.ConstantTimeCompare(hash, s.ownerHash) == 1 {
		return caller{owner: true, hash: hash}, true
	}
	id, ok := s.cfg.Center.Authenticate(token)
	return caller{connection: id, hash: hash}, ok
}
