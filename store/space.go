package store

// Space is what the system says of the file system at a path.
type Space struct {
	Free   int64  // bytes that this user may still write
	Kind   string // such as ext4, apfs; empty: unknown
	Remote bool   // a network file system
}
