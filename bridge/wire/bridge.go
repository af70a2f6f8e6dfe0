package wire

// BridgeFile is the name of the discovery file in the data directory.
const BridgeFile = "bridge.json"

// SocketFile is the name of the Unix socket in the data directory.
const SocketFile = "bridge.sock"

// DefaultAddress is where the bridge listens unless told otherwise.
const DefaultAddress = "127.0.0.1:8377"

// Bridge is the discovery file of a running center.
type Bridge struct {
	URL            string `json:"url"`
	Token          string `json:"token"` // the owner's
	PID            int    `json:"pid"`
	Instance       string `json:"instance"`        // random, of this run
	InstanceSecret string `json:"instance_secret"` // the key of Identity
	StartedAt      Time   `json:"started_at"`
	Version        string `json:"version"`
}

// Health says that the center answers.
type Health struct {
	Status  string `json:"status"` // ok
	Version string `json:"version"`
}

// Identity proves whom a client talks to before it shows a token. Proof is the
// lower-case hexadecimal HMAC-SHA-256 of the nonce as it was sent, keyed with
// the instance_secret of the discovery file as it is written there.
type Identity struct {
	Instance string `json:"instance"`
	Proof    string `json:"proof"`
}
