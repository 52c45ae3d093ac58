// Package peg shows where the time goes inside a program: named points, and the
// arcs between them, each with count, sum, least, greatest, deviation and a
// histogram. It uses the standard library only and is safe to leave in production
// code: while pegs are off, a hit costs a load and a branch, and a build with the
// tag nopeg has none of it.
//
//	var (
//		parse = peg.New("parse")
//		emit  = peg.New("emit")
//	)
//
//	func work(lane *peg.Lane) {
//		lane.Hit(parse) // begins the next arc
//		…
//		lane.Hit(emit) // ends the arc parse → emit, and begins the next
//	}
//
// A hit reads the clock once and writes the reading into the log of its lane. What
// hits take is measured when pegs are first switched on and lies in no arc, whatever
// number of them an arc spans, nor does the time in which a full log is worked off.
// What remains of that, the residue, is stated. The first hits of a program, and hits
// after a pause, find the caches cold and cost more: arcs with such hits have a residue
// of their own, which is measured as well. If other work comes to the core, or goes, each
// hit costs up to a third more, or less, and an arc over many hits shows it for each of
// them.
package peg
