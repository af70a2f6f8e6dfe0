// Package bridge serves the center over HTTP on the loopback: to agents, to
// scripts, and to whatever looks at the center from outside.
//
// It owns the guard (who may come in), the routes (one table, [Server.routes]),
// the translation between the wire's shapes and the domain's, the event streams
// and the callbacks. It promises that nothing reaches the center that did not
// pass the guard, that a handler decides no rule (a handler decodes, makes one
// command or query, and encodes), that no slow, dead or hostile client delays
// another, and that no token and no content is logged.
//
// Order of the guard, before a body is read: the peer is on the loopback, Host
// is ours, no page in a browser asks (Origin, Sec-Fetch-Site), the body is JSON,
// the bearer token is right. Host comes first because it is the check that
// counts: a page whose name was rebound to the loopback sends no Origin with a
// GET, and Origin equals Host in all it sends.
package bridge
