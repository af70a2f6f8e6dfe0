// Package rig is the stage for journeys through the real programs: a screen
// (Xvfb), a window manager (openbox), a session bus of its own, a notification
// daemon (dunst, or one that the test scripts), a panel with a tray
// (lxqt-panel), and helpers to look at all of them and act on them as a person
// would. Linux only; it needs the packages of scripts/packages-test.txt.
//
// A journey:
//
//	//go:build e2e
//
//	func TestDismissFromTheTray(t *testing.T) {
//		r := rig.Start(t, rig.Options{})          // screen, bus, openbox, dunst, lxqt-panel
//		app := r.App("--hidden")                  // bin/signalbox with a data directory of its own
//		api := app.Bridge()                       // waits for bridge.json and health
//		r.Sigbox("notify", "--title", "Hello").Want(0)
//		toast := r.WaitToast("Hello")             // seen on the bus, with its time and id
//		item := r.TrayItem(app.Pid())             // waits until the panel has it
//		item.ClickMenu("Dismiss")                 // over D-Bus, as the panel does it
//		r.Eventually("the rail is empty", func() bool { … api.JSON("GET", "/v1/rail", nil, &rail) … })
//		app.Kill()                                // kill -9; r.App(…) again starts on the same data
//		r.Window("Signalbox").Screenshot("after") // dist/e2e/TestDismissFromTheTray/after.png
//	}
//
// Promises:
//   - Nothing of the person's own session is touched: HOME, the XDG folders, the display and the bus are the rig's.
//   - Whatever was started is ended by its pid when the test ends, latest first, also when the test fails; if the test
//     process itself dies, the kernel ends them.
//   - No fixed sleeps: everything waits for what it needs with a deadline (Options.Timeout), and failing says what was waited
//     for and leaves a picture of the screen and every program's log in the artefact folder.
//
// Artefacts go to dist/e2e/TESTNAME in the module, or below $SIGNALBOX_ARTEFACTS.
// The programs are $SIGNALBOX_BIN and $SIGBOX_BIN (what `make e2e` sets), else they are built into bin/ once.
//
// Don't run the app under the race detector here: the tray library has a race
// of its own that the first real panel brings out.
package rig
