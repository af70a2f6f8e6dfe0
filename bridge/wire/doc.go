// Package wire is the language spoken on the bridge: the JSON shapes, the
// routes, the event names and the error codes.
//
// The server (bridge), the Go SDK (client) and the translators of agents'
// payloads (agents) share it, so that a name exists once. It imports nothing of
// ours, holds no behaviour besides encoding, and never validates: what a value
// may be is decided by the rules behind the bridge, not here.
//
// Conventions of every shape:
//
//   - Times are RFC 3339 in UTC with milliseconds (Time). A zero Time is absent.
//   - Durations are seconds as a JSON number; fractions are allowed.
//   - Absent and zero mean the same unless a field's comment says otherwise.
//   - Fields may be added, never renamed or dropped; readers of answers must
//     ignore fields that they do not know. Requests are read strictly.
package wire
