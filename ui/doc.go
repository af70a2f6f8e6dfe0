// Package ui owns the windows: the rail with its sidebar and detail, the history, the settings, first
// run, doctor and about.
//
// It reaches the center only through [Port] and the feed of changes, so the same windows can look at
// a center in this process or elsewhere. It is a front end like any other: it loads fresh state when
// it opens (D5), hides a dismissed revision at once and keeps a dismissal cache (D3, D4), and decides
// nothing itself.
//
// It promises that nothing takes focus by itself (P2, E3), that nothing opens without the owner's
// click and only with an allowed scheme (S4), that a hidden window does no work, and that a burst of
// changes is few refreshes ([RefreshEvery]). What a frame costs, and what is left out for that, is in
// docs/adr/0007-what-a-frame-costs.md.
//
// All state of the windows belongs to the toolkit's main goroutine. Other goroutines hand over with
// one function, dispatch. Exported methods of [UI] may be called from any goroutine.
package ui
