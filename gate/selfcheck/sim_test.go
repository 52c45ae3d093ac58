package selfcheck

import (
	"context"
	"example.com/suite/internal/benchcase"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/suite/internal/sim"
	"example.com/suite/result"
	"example.com/suite/runner"
	"example.com/suite/spec"
)

// simulated measures plans on a machine that is made up, in blocks of ten pairs and
// as long as gates are open, as a run does.
type simulated struct {
	noise   sim.Noise
	partial float64 // what the candidate takes more, whatever it runs: no machine may
	end     int     // cases that are measured before an interrupt; 0: all
	rng     *rand.Rand
	now     time.Time
}

func (m *simulated) measure(_ context.Context, plan *spec.Plan, steer runner.Steerer) *result.Document {
	doc := &result.Document{}
	for i := range plan.Cases {
		doc.Cases = append(doc.Cases, m.one(&plan.Cases[i], steer))
	}
	if m.end > 0 {
		for i := m.end; i < len(doc.Cases); i++ {
			doc.Cases[i].Stop = "interrupted"
		}
	}
	return doc
}

func (m *simulated) one(s *spec.Case, steer runner.Steerer) result.Case {
	c := result.Case{Suite: suiteName, Name: s.Name, Kind: s.Kind, Status: result.Measured, Stop: "samples.max", Seconds: 0.1, Unit: "op", Work: 1,
		Samples: result.Samples{Columns: map[string]result.Column{}}}
	m.now = m.now.Add(100 * time.Millisecond)
	if s.Base == "" {
		return c
	}
	effect := m.partial
	if s.Function != "" {
		effect += math.Log(s.Params[0].Value.Number / steps)
	}
	c.Pairs = &result.Pairs{Base: s.Base, Iterations: 1, Samples: result.Samples{Columns: map[string]result.Column{}}}
	machine := m.noise.Machine(m.rng)
	for c.Samples.Len() < s.Settings.SamplesMax {
		for range 10 {
			m.pair(&c, machine, effect)
		}
		if open, decided := steer.Open(&c); open == 0 && decided > 0 && c.Samples.Len() >= s.Settings.SamplesMin {
			c.Stop = "decided"
			break
		}
	}
	return c
}

// blockOf is the block of a row: each run of a command has one for itself.
func blockOf(kind result.Kind, row int) int {
	if kind == result.KindGo {
		return row / 10
	}
	return row
}

func (m *simulated) pair(c *result.Case, machine sim.Machine, effect float64) {
	who := int(m.rng.Uint64() & 1)
	base, own := &c.Pairs.Samples, &c.Samples
	var slots [2]sim.Batch
	if who == 0 {
		slots[0], slots[1] = machine.Pair(0, effect)
	} else {
		slots[1], slots[0] = machine.Pair(effect, 0)
	}
	c.Pairs.First = append(c.Pairs.First, who)
	for i, side := range []*result.Samples{base, own} {
		if slots[i].Disturbed {
			side.Disturbed = append(side.Disturbed, result.Disturbed{Index: side.Len()})
		}
		side.Columns["time"] = append(side.Columns["time"], 1e-6*math.Exp(slots[i].Log))
		side.Block = append(side.Block, blockOf(c.Kind, side.Len()))
	}
}

func (m *simulated) check(t *testing.T, length time.Duration) *Report {
	t.Helper()
	m.rng, m.now = rand.New(rand.NewPCG(1, 2)), time.Unix(0, 0)
	r, err := Run(context.Background(), Options{Time: length, Command: []string{"/bin/true"}, Catalogue: spec.Catalogue{Functions: benchcase.Names()},
		Measure: m.measure, Now: func() time.Time { return m.now }})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
