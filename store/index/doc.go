// Package index finds documents by terms, newest first, among millions, and in a time that does not
// grow with them.
//
// It is an inverted index in segments, as search engines have it: a document is its place in the
// order of lists (an instant and an id) and its terms; each term of a segment has the set of its
// documents as a compressed bitmap, numbered in the order of places. A query is a few
// intersections of such sets, read from the newest end. New documents gather in memory and become a
// segment file when there are enough; small segments are merged into bigger ones behind the scenes. A
// document that is removed or moves is marked as deleted where it was.
//
// Everything here is derived: the owner of an index tells it, at each Apply, up to which change of
// its own log it has come, and after a start it asks how far that was and goes on from there. What
// is missing or damaged is told as ErrDamaged, and the owner builds it anew. Files are checked by
// checksums as they are read; memory holds the newest documents, where the blocks of terms begin,
// and the marks of deletion.
//
// It was chosen over bleve, which ranks and sorts every match of a query before it returns the first
// page, and over rows in Badger, where two frequent terms that never meet cost a walk through both.
package index
