// Package pegs contains the Go benchmarks of pegs.yaml: a server and a program of several
// stages that measure their own parts with pegs, and the cost of a peg. They are examples
// of how to use package peg.
package pegs
