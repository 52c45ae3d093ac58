package verify

import (
	"fmt"

	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/runner/draw"
)

// coins draws again, from the seed of each machine, which side went first in every pair, and
// compares.
func (c *checker) coins() error {
	seeds := map[int]string{0: c.doc.Seed}
	if c.doc.Division != nil {
		for _, m := range c.doc.Division.Machines {
			seeds[m.Shard] = m.Seed
		}
	}
	for shard, text := range seeds {
		seed, err := draw.ParseSeed(text)
		if err != nil {
			return err
		}
		c.seeds[shard] = seed
	}
	for i := range c.doc.Cases {
		k := &c.doc.Cases[i]
		c.label = c.doc.Label(k)
		if k.Pairs != nil {
			c.pairs(k, k.Shard)
			k.Forget()
		}
	}
	return nil
}

// pairs compares the coins of a case with the ones drawn again, and checks that the base and the
// case have the same launches and blocks.
func (c *checker) pairs(k *result.Case, shard int) {
	seed := c.seeds[shard]
	var wrong []int
	for i, first := range k.Pairs.First {
		if c.report.Coins++; first != seed.Coin(k.Suite, k.Name, k.Samples.Launch[i], i) {
			wrong = append(wrong, i)
		}
	}
	if n := len(wrong); n > 0 {
		at := wrong[0]
		c.differ(fmt.Sprintf("%s of %d (the first: pair %d)", units.Plural(n, "coin"), len(k.Pairs.First), at+1),
			first(k.Pairs.First[at]), first(1-k.Pairs.First[at]))
	}
	c.order(k)
	c.layouts(k, seed)
	own, base := &k.Samples, &k.Pairs.Samples
	for i := range base.Block {
		if own.Block[i] != base.Block[i] || own.Launch[i] != base.Launch[i] {
			c.differ(fmt.Sprintf("pair %d", i+1), "a base of another block or launch", "one of the same")
			return
		}
	}
	if k.Pairs.Iterations != k.Iterations && len(k.Pairs.First) > 0 { // else the sides have not been made even
		c.differ("iterations of its pairs", fmt.Sprint(k.Pairs.Iterations), fmt.Sprint(k.Iterations))
	}
}

// order checks that the side that was to go first in a pair also began first. If the two sides of
// a document were exchanged, their times would be exchanged too.
func (c *checker) order(k *result.Case) {
	own, base := k.Samples.At, k.Pairs.Samples.At
	for i, who := range k.Pairs.First {
		if who == 0 && base[i] > own[i] || who == 1 && own[i] > base[i] {
			c.differ(fmt.Sprintf("pair %d: when its batches began", i+1), first(1-who), first(who))
			return
		}
	}
}

func first(who int) string {
	return [...]string{"base first", "case first"}[who]
}
