// Package delivery tells the owner: of what, when, how, and whether it arrived.
//
// It owns the announcements: it follows the change feed, asks the pure policy of the rules for each
// provider, claims a row of the ledger before it sends, settles it afterwards, tries again what
// failed, takes back what ended, gathers storms into summaries and quiet times into digests, and
// reminds of what waits. It promises that one occurrence is told once per provider, over restarts and
// races (A2); that a provider which is slow, hung or gone delays nobody else; that every failure is
// visible and tried again when that changes (A12); and that every item can say why it was announced or
// not (A11).
//
// It never changes content or status of a record, never decides a rule, and takes no delivery as proof
// that the owner was told. Providers live in the packages below; the engine knows them as [Provider].
package delivery
