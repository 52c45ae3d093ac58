// Package pegfile is the document in which an instrumented program reports what its pegs
// have measured, docs/pegs.md: reading and checking it, and adding documents up. It starts
// nothing and keeps no state. Package peg records what is in the document; programs in other
// languages write it themselves.
package pegfile

import "embed"

// Source holds the files of this package, so that hosts of other modules are built
// with it.
//
//go:embed *.go
var Source embed.FS
