package main

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"testing"

	"example.com/suite/result"
)

// recording takes pairs of identical code and nothing else: a set-up of both sides
// for every ten of them, as in every suite, where they are functions.
const recording = `
defaults: {warmup: 20ms, max_time: 1h, target_time: 1h, sample_time: 300us}
benchmarks:
  - {name: base, %[1]s, samples: {min: 1, max: 1}}
  - {name: again, %[1]s, base: base, samples: {min: %[2]d, max: %[2]d}}
`

// slots are the pairs of one body with itself, in the blocks in which they were taken.
type slots struct {
	kind   result.Kind
	blocks []block
}

// block is what runs of two equal bodies took: of functions the pairs of one set-up of
// both, of commands one pair. The two have no names yet: which is the base, coins say.
type block struct {
	times     [2][]float64
	first     []int // which of the two went first, for each pair
	disturbed [2][]bool
}

// recorded measures pairs of a body, half of them beside a busy process.
func recorded(t *testing.T, kind result.Kind, body string, pairs int) []slots {
	t.Helper()
	text := fmt.Sprintf(recording, body, pairs/2)
	quiet := slotsOf(kind, pairsIn(t, text))
	load := exec.Command("sh", "-c", "while :; do :; done")
	if err := load.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { load.Process.Kill(); load.Wait() }() // its end is what was asked for
	return []slots{quiet, slotsOf(kind, pairsIn(t, text))}
}

// pairsIn runs a suite and gives its last case.
func pairsIn(t *testing.T, text string) *result.Case {
	t.Helper()
	doc := newProof(t).run(text)
	return &doc.Cases[len(doc.Cases)-1]
}

// slotsOf cuts a case into its blocks.
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
			b.times[i], b.disturbed[i] = side.Column("time")[from:to], make([]bool, to-from)
			for _, d := range side.Disturbed {
				if d.Index >= from && d.Index < to {
					b.disturbed[i][d.Index-from] = true
				}
			}
		}
		s.blocks, from = append(s.blocks, b), to
	}
	return s
}

// tossing says who is the base.
type tossing int

const (
	// byCoin is how sides are measured. Coins toss again what they tossed then: which
	// of two set-ups is the base's, as a whole, for its memory is in all of its pairs.
	// Whatever slots and set-ups did is kept, so nothing about them is assumed; and who
	// is the base of a pair goes with it, for each pair was in an order by coin. A
	// command has no set-up, and a pair of its runs is tossed by itself.
	byCoin tossing = iota
	// baseFirst is how sides must not be measured: in every pair the first is the base.
	baseFirst
	// byPair tosses for set-ups, and takes each of their pairs for a piece of evidence
	// of its own, which it is not.
	byPair
)

// draw gives a case over so many blocks, from one of the blocks on and round again.
func (s *slots) draw(rng *rand.Rand, pieces int, how tossing) result.Case {
	d := drawn{Case: result.Case{Kind: s.kind, Status: result.Measured}}
	from := rng.IntN(len(s.blocks))
	for i := range pieces {
		b, who := &s.blocks[(from+i)%len(s.blocks)], rng.IntN(2)
		for pair, first := range b.first {
			if how == baseFirst {
				who = first
			}
			d.add(b, pair, who, i, how)
		}
	}
	return d.whole()
}

// drawn is a case that grows pair by pair.
type drawn struct {
	result.Case
	base        result.Samples
	own, theirs []float64
	first       []int
}

// add takes over a pair of a block; who of the two is the base.
func (d *drawn) add(b *block, pair, who, number int, how tossing) {
	row := len(d.own)
	d.theirs, d.own = append(d.theirs, b.times[who][pair]), append(d.own, b.times[1-who][pair])
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

func (d *drawn) whole() result.Case {
	c := d.Case
	n := len(d.own)
	c.Samples.Launch, c.Samples.At = make([]int, n), make([]float64, n)
	d.base.Block, d.base.Launch, d.base.At = c.Samples.Block, c.Samples.Launch, c.Samples.At
	c.Samples.Columns, d.base.Columns = map[string]result.Column{"time": d.own}, map[string]result.Column{"time": d.theirs}
	c.Pairs = &result.Pairs{Base: "base", Iterations: 1, First: d.first, Samples: d.base}
	return c
}

// penalised gives slots of which the second of each pair takes longer by a share.
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
