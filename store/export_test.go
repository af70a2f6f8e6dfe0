package store

// CopyTree copies a folder, with holes where it has holes.
var CopyTree = copyTree
