package gate

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/suite/internal/sim"
	"example.com/suite/result"
)

// inBlocks divides the pairs of a case into blocks of n pairs.
func inBlocks(c result.Case, n int) result.Case {
	for i := range c.Samples.Block {
		c.Samples.Block[i], c.Pairs.Samples.Block[i] = i/n, i/n
	}
	return c
}

// Two blocks are only two draws of the memory's addresses, however many pairs they
// have.
func TestPairsOfTwoBlocksDecideNothing(t *testing.T) {
	g := verdict(t, inBlocks(timed(spread(100, 100, 1.5, 1)), 50), "not worse(time, 3%)")
	if g.Verdict != result.Inconclusive || !strings.HasSuffix(g.Reason, "it takes 9 blocks, and there are 2") {
		t.Errorf("%s: %s", g.Verdict, g.Reason)
	}
	k, _ := with(t, inBlocks(timed(spread(100, 100, 1.5, 1)), 10))
	if o := k.Comparison("time"); o.Change != result.Worse || o.Blocks != 10 || o.Pairs != 100 || o.Used != 100 {
		t.Errorf("ten blocks that agree: %+v", o)
	}
	g = verdict(t, ofCommand(timed(spread(9, 9, 1.5, 1))), "not worse(time, 3%)")
	if g.Verdict != result.Fail || !strings.Contains(g.Reason, "9 of 9 pairs") {
		t.Errorf("runs of a command stand for themselves: %s: %s", g.Verdict, g.Reason)
	}
}

// A setup counts with its median: a minority of its pairs has no effect.
func TestASetUpIsWorthItsMedian(t *testing.T) {
	k := inBlocks(timed(spread(120, 120, 1.01, 1)), 10)
	for i := range 120 {
		if i%10 < 4 {
			k.Samples.Columns["time"][i] = 2e-3
		}
	}
	if g := verdict(t, k, "not worse(time, 3%)"); g.Verdict != result.Pass {
		t.Errorf("%s: %s", g.Verdict, g.Reason)
	}
}

// drawn is a case of identical code. Each setup of a side draws a normal offset of 3
// %, as if by the addresses of its memory. Pairs of one setup vary by 1 %.
func drawn(rng *rand.Rand, setUps int) result.Case {
	const pairs = 10
	var base, own []float64
	for range setUps {
		b, o := 0.03*rng.NormFloat64(), 0.03*rng.NormFloat64()
		for range pairs {
			base = append(base, 1e-3*math.Exp(b+0.01*rng.NormFloat64()))
			own = append(own, 1e-3*math.Exp(o+0.01*rng.NormFloat64()))
		}
	}
	return inBlocks(timed(base, own), pairs)
}

// Addresses of memory make identical code differ. With a setup as one observation it
// is called different as seldom as promised, and with the same pairs as observations
// most of the time.
func TestWhereMemoryLiesIsNoDifference(t *testing.T) {
	const alpha, few = 0.01, 100
	rng := rand.New(rand.NewPCG(61, 62))
	byBlock, byPair := 0, 0
	kept, cases := sim.Promise{Share: 2 * alpha, Confidence: 0.99, Trials: 1000}.Kept(func(from, to int) int {
		for i := from; i < to; i++ {
			k := drawn(rng, 40)
			byBlock += different(t, k)
			if i < few {
				byPair += different(t, inBlocks(k, 1))
			}
		}
		return byBlock
	})
	if !kept {
		t.Errorf("by blocks %d of %d are called different", byBlock, cases)
	}
	if byPair < few/4 {
		t.Errorf("by pairs only %d of %d are called different: the test has no teeth", byPair, few)
	}
}

func different(t *testing.T, c result.Case) int {
	t.Helper()
	k, _ := with(t, c, "not worse(time, 0)")
	change := k.Comparison("time").Change
	return countIf(change == result.Worse || change == result.Better)
}

func countIf(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
