package result

import (
	"fmt"
	"slices"

	"example.com/suite/internal/units"
)

// Division is how the cases of a run were divided among shards, each of which one
// machine measures. All shards of a division record the same one, except for Index, Engine,
// Job and Machines.
type Division struct {
	Index     int            `json:"index,omitempty"`    // of the shard that this document is, from 1; absent if shards were merged
	Engine    string         `json:"engine,omitempty"`   // that has started the shard, such as Slurm; empty: not known
	Job       string         `json:"job,omitempty"`      // its name there
	Count     int            `json:"count"`              // of shards
	Plan      string         `json:"plan"`               // sha256:… of what all shards together measure and judge
	Hash      string         `json:"hash"`               // sha256:… of which shard has which case
	Durations Durations      `json:"durations"`          // that the shards were balanced with
	Seed      string         `json:"seed,omitempty"`     // that all shards were asked to use; absent: each drew its own
	Cases     []Portion      `json:"cases"`              // of all shards, in the order of the suite files
	Machines  []ShardMachine `json:"machines,omitempty"` // that measured the shards of a merged document, in the order of the shards
}

// Durations is where the durations of cases came from.
type Durations struct {
	From     string `json:"from"`               // forecast, history or result
	Recorded int    `json:"recorded,omitempty"` // cases whose duration is not a forecast
}

// Portion is a case of a division.
type Portion struct {
	Suite   string  `json:"suite"`
	Name    string  `json:"case"`
	Kind    Kind    `json:"kind"`
	Shard   int     `json:"shard"`   // from 1
	Seconds float64 `json:"seconds"` // expected
}

// ShardMachine is a shard of a merged document, and the machine that measured it.
type ShardMachine struct {
	Shard   int     `json:"shard"` // from 1
	Machine Machine `json:"machine"`
	Seed    string  `json:"seed"` // of its draws, 32 hexadecimal digits
	Seconds float64 `json:"seconds"`
}

// IsShard reports whether the document is one shard of several.
func (d *Document) IsShard() bool { return d.Division != nil && d.Division.Index > 0 }

// MachineOf is the machine that measured a case, and the seed of its draws. Both are empty if
// the shard of the case is missing.
func (d *Document) MachineOf(c *Case) (m Machine, seed string) {
	if d.Division != nil && len(d.Division.Machines) > 0 && c.Shard > 0 {
		for _, one := range d.Division.Machines {
			if one.Shard == c.Shard {
				return one.Machine, one.Seed
			}
		}
		return Machine{}, ""
	}
	return d.Machine, d.Seed
}

// IsPartial reports whether the document lacks cases that other shards have.
func (d *Document) IsPartial() bool {
	return d.Division != nil && d.Division.Count > max(1, len(d.Division.Machines))
}

// isEmpty reports whether a document is a shard for which no case was left.
func (d *Document) isEmpty() bool {
	return d.IsShard() && !slices.ContainsFunc(d.Division.Cases, func(p Portion) bool { return p.Shard == d.Division.Index })
}

// unfitText counts the sentinels that found their machine unfit, if there are several.
func (d *Document) unfitText(unfit int) string {
	if d.Division == nil || len(d.Division.Machines) < 2 {
		return "this machine finds a difference where there is none"
	}
	return fmt.Sprintf("%s of %s found a difference where there is none", units.Plural(unfit, "sentinel"), units.Plural(len(d.Division.Machines), "machine"))
}

// shard adds to the line of an outcome that it is only of a shard.
func (d *Document) shard() string {
	if !d.IsShard() || d.isEmpty() {
		return ""
	}
	return fmt.Sprintf("; shard %d of %d", d.Division.Index, d.Division.Count)
}

// Stamp returns a copy of a shard in which all that depends on the machine is marked with
// its number, so that Join can put shards together and nobody mixes up their machines.
func (d *Document) Stamp() *Document {
	index := d.Division.Index
	out := *d
	division := *d.Division
	division.Index = 0
	division.Machines = []ShardMachine{{Shard: index, Machine: d.Machine, Seed: d.Seed, Seconds: d.Seconds}}
	out.Division = &division
	out.Cases = slices.Clone(d.Cases)
	for i := range out.Cases {
		out.Cases[i].Shard = index
	}
	out.Calibrations = slices.Clone(d.Calibrations)
	for i := range out.Calibrations {
		out.Calibrations[i].Shard = index
	}
	out.Suites = slices.Clone(d.Suites)
	for i := range out.Suites {
		s := &out.Suites[i]
		s.EditSentinels(func(n *Sentinel) { n.Shard = index })
		s.Sentinel, s.Sentinels = nil, s.AllSentinels()
	}
	return &out
}

func isStamped(d *Document) bool { return d.Division != nil && len(d.Division.Machines) > 0 }

// merged is the division of documents that are all stamped, nil if one is not.
func merged(docs []*Document) *Division {
	var out *Division
	for _, d := range docs {
		if !isStamped(d) {
			return nil
		}
		if out == nil {
			first := *d.Division
			first.Machines = nil
			out = &first
		}
		out.Machines = append(out.Machines, d.Division.Machines...)
	}
	return out
}
