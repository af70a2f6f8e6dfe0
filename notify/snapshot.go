package notify

// Snapshot is what the center keeps in memory, as the store reads it at start: everything but
// terminal records and the log.
type Snapshot struct {
	Sequence      int64 // of the last change; 0: none yet
	Connections   []*Connection
	Sessions      []*Session
	Pending       []*Record // in the order of their creation
	Invalidations []*Invalidation
	Settings      Settings
}
