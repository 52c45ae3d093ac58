// Package peg measures where a program spends its time. The program hits named points;
// the package records the arcs between them. An arc is the time from one point to the
// next on the same lane, and a lane is one thread of work. For each arc there are the
// number of times, their sum, minimum, maximum, standard deviation and a histogram.
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
// Pegs are off until the program calls Enable. If the environment variable SUITE_PEGS
// names a file, as it does when suite runs a case with pegs, they are on from the start,
// and the results are written to that file; call Flush at the end of main then. Pegs may
// stay in production code: while they are off, a hit takes a load and a branch, and a
// build with the tag nopeg has no pegs at all. The package needs only the standard
// library.
//
// # Accuracy
//
// A hit waits until the work before it is done, reads the clock once and writes the time
// into the log of its lane. The cost of a
// hit is measured when pegs are first switched on. It is subtracted from each arc for
// every hit that the arc spans, and so is the time in which a full log is processed. The
// error that remains is the residue, which the document states. The first hits of a
// program, and hits after a pause, find the caches cold and take longer: arcs with many
// such hits have a larger residue of their own.
//
// The cost can change by a third while other work runs on the same core. An arc that
// spans k hits then has k times that error.
package peg

import "embed"

// Source holds the files of this package, so that hosts of other modules are built
// with it.
//
//go:embed *.go *.s
var Source embed.FS
