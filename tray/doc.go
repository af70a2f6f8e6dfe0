// Package tray owns the icon and the menu in the system's notification area.
//
// [Model] is pure: what is active and what is known of the program in, a [Menu] out. [Tray] is the thin
// driver that puts a Menu on the screen through fyne.io/systray and turns clicks into [Command]s. The
// menu has a fixed number of lines, made once and then only renamed, shown and hidden, so that it is
// never rebuilt while it is open; every line acts on the item and the revision that it showed (P4).
//
// It promises to survive a session without a bus, without a tray host, and the end of the bus, and to
// say so ([Status]). It never reads or changes a record itself, and a click does nothing but enqueue.
package tray
