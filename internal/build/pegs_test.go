package build

import "testing"

const pegged = `
-- a/a.go --
package a

import (
	"example.com/suite/bench"
	"example.com/suite/peg"
)

var parse = peg.New("parse")

func init() { bench.Register("a", func(*bench.Case) bench.Loop { return func(int) { parse.Hit() } }) }
`

// Packages of a user may have pegs: a host is built with those of this version of suite,
// whatever version their module asks for.
func TestPackagesWithPegsAreBuilt(t *testing.T) {
	lists(t, built(t, offline(tree(t, pegged), "./a")), "a")
	dir := tree(t, pegged+"-- go.work --\ngo 1.26.0\n\nuse .\n")
	r := offline(dir, "./a")
	r.Env = append(r.Env, "GOWORK="+dir+"/go.work")
	lists(t, built(t, r), "a")
}

// Without them a host is built by toolchain: {tags: [nopeg]}.
func TestPackagesWithPegsAreBuiltWithoutThem(t *testing.T) {
	r := offline(tree(t, pegged), "./a")
	r.Tags = []string{"nopeg"}
	lists(t, built(t, r), "a")
}
