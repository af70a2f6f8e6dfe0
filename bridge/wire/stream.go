package wire

// Names of the events on a stream.
const (
	StreamCreated      = "created"
	StreamUpdated      = "updated"
	StreamCorroborated = "corroborated"
	StreamDismissed    = "dismissed"
	StreamResolved     = "resolved"
	StreamExpired      = "expired"
	StreamAnswered     = "answered"
	StreamCancelled    = "cancelled"
	StreamAction       = "action"
	StreamRead         = "read"
	StreamMuted        = "muted"
	StreamSnoozed      = "snoozed"
	StreamResurfaced   = "resurfaced"
	StreamPruned       = "pruned"
	StreamSession      = "session"
	StreamConnection   = "connection"
	StreamInvalidation = "invalidation"
	StreamAttention    = "attention"
	// StreamReset comes first when the changes asked for are gone already, or never
	// were: load everything anew. What is kept of the changes follows.
	StreamReset = "reset"
)

// StreamEvent is one event of a stream, or of a callback.
type StreamEvent struct {
	Name string `json:"event"` // the event's name
	StreamData
}

// StreamData is the data of an event: the change, and the object that the name
// says.
type StreamData struct {
	Change       int64          `json:"change"` // also the event's id
	At           Time           `json:"at"`
	Notification *Notification  `json:"notification,omitzero"`
	Action       *ActionInvoked `json:"action,omitzero"`
	Session      *Session       `json:"session,omitzero"`
	Connection   *Connection    `json:"connection,omitzero"`
	Invalidation *Invalidation  `json:"invalidation,omitzero"`
	Attention    *Attention     `json:"attention,omitzero"`
	Removed      bool           `json:"removed,omitzero"` // the object is gone; it is told as it last was
}

// ActionInvoked says which action of the notification was set off.
type ActionInvoked struct {
	ID       string `json:"id"`
	Revision int    `json:"revision"` // that the owner saw
}

// Headers of a callback: a POST of a StreamEvent.
const (
	// SignatureHeader holds "sha256=" and the lower-case hexadecimal
	// HMAC-SHA-256 of the body. The key is the SHA-256 of the token, as 32 bytes.
	SignatureHeader = "Signalbox-Signature"
	// ChangeHeader holds the change number, by which a repetition is known. A stream
	// has it too: the number after which it begins.
	ChangeHeader = "Signalbox-Change"
	// EventHeader holds the event's name.
	EventHeader = "Signalbox-Event"
)
