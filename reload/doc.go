// Package reload makes the app a consumer of refresh effects (E1, E2): it loads the list of sessions
// and the definitions of application actions from the addresses that a connection announced, whenever
// an invalidation asks for it, and again until it has worked.
//
// It promises that an invalidation is acknowledged only after a load that began later has succeeded, that
// a server that fails is asked again with growing pauses and never in a loop, that nothing is polled,
// and that a load never navigates or takes focus (E3). It never keeps what it loaded on the disk:
// sessions become commands to the center, actions are held in memory.
package reload
