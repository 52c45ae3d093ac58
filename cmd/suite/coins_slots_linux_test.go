package main

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"testing"

	"example.com/suite/result"
)

// recording is a suite that takes pairs of identical code and nothing else. Functions are
// set up anew for every ten pairs, as in every suite.
const recording = `
defaults: {warmup: 20ms, max_time: 1h, target_time: 1h, sample_time: 300us}
benchmarks:
  - {name: base, %[1]s, samples: {min: 1, max: 1}}
  - {name: again, %[1]s, base: base, samples: {min: %[2]d, max: %[2]d}}
`

// slots are the pairs of one body with itself, in blocks as they were measured.
type slots struct {
	kind   result.Kind
	blocks []block
}

// block has the times of two equal bodies: for functions all pairs of one setup, for
// commands one pair. Coins decide later which of the two is the base.
type block struct {
	times     [2][]float64
	first     []int // which of the two went first, for each pair
	disturbed [2][]bool
}

// recorded measures pairs of a body, half of them while another process is busy.
func recorded(t *testing.T, kind result.Kind, body string, pairs int) []slots {
	t.Helper()
	text := fmt.Sprintf(recording, body, pairs/2)
	quiet := slotsOf(kind, pairsIn(t, text))
	load := exec.Command("sh", "-c", "while :; do :; done")
	if err := load.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { load.Process.Kill(); load.Wait() }() // Wait returns the kill as an error
	return []slots{quiet, slotsOf(kind, pairsIn(t, text))}
}

// pairsIn runs a suite and returns its last case.
func pairsIn(t *testing.T, text string) *result.Case {
	t.Helper()
	doc := newProof(t).run(text)
	return &doc.Cases[len(doc.Cases)-1]
}

func slotsOf(kind result.Kind, c *result.Case) slots {
	s := slots{kind: kind}
	sides := [2]*result.Samples{&c.Pairs.Samples, &c.Samples}
	for from := 0; from < c.Samples.Len(); {
		to := from + 1
		for kind == result.KindGo && to < c.Samples.Len() && c.Samples.Block[to] == c.Samples.Block[from] {
			to++
		}
		b := block{first: c.Pairs.First[from:to]}
		for i, side := range sides {
			b.times[i] = side.Column("time")[from:to]
			b.disturbed[i] = make([]bool, to-from)
			for _, d := range side.Disturbed {
				if d.Index >= from && d.Index < to {
					b.disturbed[i][d.Index-from] = true
				}
			}
		}
		s.blocks = append(s.blocks, b)
		from = to
	}
	return s
}

// tossing is a way to decide which side of a pair is the base.
type tossing int

const (
	// byCoin decides as a run does. One coin decides for all pairs of a block which of
	// the two setups is the base's, because the memory of a setup affects all its pairs.
	// The recorded times stay as they are, so nothing is assumed about slots and setups.
	// The order within each pair was random when it was recorded. A command has no setup,
	// so its blocks are single pairs.
	byCoin tossing = iota
	// baseFirst makes the first of every pair the base, which a run must not do.
	baseFirst
	// byPair decides as byCoin does, but counts each pair as an observation. Pairs of one
	// setup are not independent, so this is wrong.
	byPair
)

// draw builds a case of so many consecutive blocks. It begins at a random block and
// goes on with the first after the last.
func (s *slots) draw(rng *rand.Rand, observations int, how tossing) result.Case {
	d := drawn{Case: result.Case{Kind: s.kind, Status: result.Measured}}
	from := rng.IntN(len(s.blocks))
	for i := range observations {
		b := &s.blocks[(from+i)%len(s.blocks)]
		who := rng.IntN(2)
		for pair, first := range b.first {
			if how == baseFirst {
				who = first
			}
			d.add(b, pair, who, i, how)
		}
	}
	return d.finish()
}

// drawn is a case that is built pair by pair.
type drawn struct {
	result.Case
	base      result.Samples
	times     []float64
	baseTimes []float64
	first     []int
}

// add appends a pair of a block. who is the side that is the base.
func (d *drawn) add(b *block, pair, who, number int, how tossing) {
	row := len(d.times)
	d.baseTimes = append(d.baseTimes, b.times[who][pair])
	d.times = append(d.times, b.times[1-who][pair])
	d.first = append(d.first, b.first[pair]^who)
	if how == byPair {
		number = row
	}
	d.Samples.Block = append(d.Samples.Block, number)
	for side, s := range []*result.Samples{&d.base, &d.Samples} {
		if b.disturbed[who^side][pair] {
			s.Disturbed = append(s.Disturbed, result.Disturbed{Index: row})
		}
	}
}

func (d *drawn) finish() result.Case {
	c := d.Case
	n := len(d.times)
	c.Samples.Launch = make([]int, n)
	c.Samples.At = make([]float64, n)
	c.Samples.Columns = map[string]result.Column{"time": d.times}
	d.base.Block = c.Samples.Block
	d.base.Launch = c.Samples.Launch
	d.base.At = c.Samples.At
	d.base.Columns = map[string]result.Column{"time": d.baseTimes}
	c.Pairs = &result.Pairs{Base: "base", Iterations: 1, First: d.first, Samples: d.base}
	return c
}

// penalised makes the second of each pair slower by the share more.
func (s slots) penalised(more float64) slots {
	s.blocks = slices.Clone(s.blocks)
	for i := range s.blocks {
		b := &s.blocks[i]
		for side := range b.times {
			b.times[side] = slices.Clone(b.times[side])
			for pair, first := range b.first {
				if first != side {
					b.times[side][pair] *= 1 + more
				}
			}
		}
	}
	return s
}
