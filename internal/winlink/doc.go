// Package winlink is the line between the process that runs the center and the one that shows its
// windows.
//
// It owns the frames on the line and the codec of commands. Windows run in a process of their own
// because the toolkit ends its process when there is no OpenGL, ticks sixty times a second for as long
// as it runs, and cannot be started twice; the center must outlive all of that. It promises that calls
// of both sides answer in any order, that a call ends with its context or the line, that a feed is
// pulled by its reader and so never fills a queue, and that what was a notify.Error on one side is
// one on the other. It never decides anything and opens nothing: it is given two ends.
package winlink
