// Package store keeps the center's state in Badger.
//
// It owns the key layout (keys.go), the codec of values (codec.go), the indexes, the checks at
// start, snapshots, and the maintenance of the folder. It promises that a commit which returned is on
// the disk, whole; that whatever acknowledged change the disk lost is reported in plain words; and
// that [Open] always returns a store that can be used, one that is empty and refuses writes when
// the folder cannot be opened. It never decides anything about a notification, never removes a
// damaged folder, never touches a folder written by a newer schema, and logs no content.
//
// The folder:
//
//	DIR/lock            held while a store is open
//	DIR/highwater       the newest change that was acknowledged; outside of db on purpose
//	DIR/opening         there while db is being opened: found at start, the last open died
//	DIR/damaged         there when a check found damage: the next start reads every table
//	DIR/checked         when a check found none
//	DIR/schema          the number of the layout
//	DIR/db/             Badger
//	DIR/db.bad-TIME/    damaged folders, the newest two
//	DIR/index/          the search index: derived, rebuilt when it is missing or damaged
//	DIR/snapshots/      backups, newest kept
package store
