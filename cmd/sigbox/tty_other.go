//go:build !unix

package main

// terminalPath is the terminal that the hook's agent runs in; here, terminals are known by the environment alone.
func terminalPath() string { return "" }
