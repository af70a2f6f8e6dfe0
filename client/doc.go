// Package client is the Go SDK of the bridge, for producers and for whatever
// looks at the center from outside.
//
// It owns finding the center ([Discover]), proving whom it talks to before it
// shows a token, one method for every route ([Client]), streams that resume
// ([Client.Events]), asking and waiting for an answer over restarts of either
// side ([Client.Ask]), and telling the owner without ever harming the caller's
// work ([Sink]).
//
// A refusal by the center is a *wire.Problem, found with errors.As or [Code].
// A center that cannot be reached is [ErrUnreachable]. It never retries a
// request that may have been taken, except those that are safe to repeat, never
// follows a redirect and uses no proxy.
package client
