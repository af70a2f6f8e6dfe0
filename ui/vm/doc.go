// Package vm turns what the center knows into what the windows show: rows, cards, sections, words and
// states. It also owns the front end's own small memory: hidden revisions (D3, D4), selection by id,
// what changed between revisions, filters and saved filters.
//
// Everything here is a plain function of its arguments: no toolkit, no clock (now is passed in), no
// files, no network. Texts for people are never written here but named: a [Msg] is a key of the
// translations with its arguments. Text from agents stays a string and is data, never markup.
package vm
