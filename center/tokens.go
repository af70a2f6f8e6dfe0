package center

import (
	"crypto/sha256"
	"crypto/subtle"
	"sync/atomic"

	"signalbox/notify"
)

// tokenTable finds the connection of a token by the token's SHA-256. It is replaced whole when a
// connection's hash changes, so that reading takes no lock.
type tokenTable struct {
	byHash atomic.Pointer[map[[sha256.Size]byte]tokenOwner]
}

type tokenOwner struct {
	connection string
	hash       []byte
}

func (t *tokenTable) rebuild(live *notify.Memory) {
	table := map[[sha256.Size]byte]tokenOwner{}
	for c := range live.Connections() {
		if len(c.TokenHash) == sha256.Size && !c.Revoked {
			table[[sha256.Size]byte(c.TokenHash)] = tokenOwner{c.ID, c.TokenHash}
		}
	}
	t.byHash.Store(&table)
}

// follow takes up what changes say of connections.
func (t *tokenTable) follow(changes []notify.Change, live *notify.Memory) {
	table := *t.byHash.Load()
	for i := range changes {
		c := changes[i].Connection
		if c == nil {
			continue
		}
		known := false
		if len(c.TokenHash) == sha256.Size {
			owner, ok := table[[sha256.Size]byte(c.TokenHash)]
			known = ok && owner.connection == c.ID
		}
		// A connection that stays as it is known, which is what a hello or a publication gives, costs
		// nothing. Anything else is rare.
		if !known || c.Revoked || changes[i].Removed {
			t.rebuild(live)
			return
		}
	}
}

// Authenticate finds the connection of a token. It answers false for an unknown token and for one that
// was rotated or revoked. The table is keyed by a digest, whose bytes say nothing about how near a guess
// came; the comparison after it takes the same time for every token.
func (c *Center) Authenticate(token string) (connection string, ok bool) {
	sum := sha256.Sum256([]byte(token))
	owner, found := (*c.tokens.byHash.Load())[sum]
	if !found || subtle.ConstantTimeCompare(owner.hash, sum[:]) != 1 {
		return "", false
	}
	return owner.connection, true
}
