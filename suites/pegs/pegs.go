// Package pegs holds the Go benchmarks of pegs.yaml: two programs that tell by
// pegs where their time goes, and what a peg costs. They show how a server and a
// program of several stages are instrumented; package peg itself is described where it is.
package pegs
