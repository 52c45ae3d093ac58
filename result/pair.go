package result

// Pairs are the batches of a base that were taken next to the batches of a case, in
// random order. Row i of Samples and row i of the case's own samples are a pair.
type Pairs struct {
	Base string `json:"base"` // name of the base: another case of the suite, or the case of Tree
	// the other tree as the user named it; empty if the base is a case of this tree
	Tree     string    `json:"tree,omitempty"`
	Identity *Identity `json:"identity,omitempty"` // of the case in the other tree
	// of the base in these pairs, in the order of the metric table; only with Tree
	Metrics    []Summary `json:"metrics,omitempty"`
	Iterations int64     `json:"iterations"` // of every batch, on both sides
	First      []int     `json:"first"`      // for each pair: 0 if the base ran first, 1 if the case did
	// drawn for the launches, in order; none: all launches ran from one file
	Layouts []Layout `json:"layouts,omitempty"`
	Samples Samples  `json:"samples"` // of the base

	// Busy is how launches count in which other work disturbed an eighth of the pairs or more: BusyMiddle, or empty in
	// documents of earlier versions, in which the median of the pairs counts.
	Busy string `json:"busy,omitempty"`

	// Placed is how many files that the two sides read were placed anew in memory for each block of
	// pairs, or for each launch; 0: none. A block of commands then counts once.
	Placed int `json:"placed,omitempty"`

	// Overhead is what timing and the loop cost the base in these pairs. It is nil for
	// commands, and in documents of earlier versions.
	Overhead *Overhead `json:"overhead,omitempty"`

	Collections *Collections `json:"collections,omitempty"` // of the base
	Latency     *Latency     `json:"latency,omitempty"`     // of single iterations of the base
	Counted     *Counted     `json:"counted,omitempty"`     // the base, by valgrind, if the case was counted too

	// NoInstructions is why the instructions of the two sides were not counted in the pairs.
	// It is empty if they were, if the suite file does not want it (counters: []), and in
	// documents of earlier versions.
	NoInstructions string `json:"no_instructions,omitempty"`
}

// BusyMiddle takes the middle of three ratios in a launch on a busy machine: of the medians of wall time and of CPU
// time, and of the fastest batches.
const BusyMiddle = "middle"

// Overhead is what timing and the empty loop cost a side of pairs. The fields are named as a Case's.
type Overhead struct {
	Loop       string  `json:"loop"`
	LoopCost   float64 `json:"loop_cost"`
	LoopError  float64 `json:"loop_error"`
	ClockError float64 `json:"clock_error,omitempty"`
	CountError float64 `json:"count_error,omitempty"`
	LoopCount  *Cost   `json:"loop_count,omitempty"`
}

// Collections is what garbage collections cost one side of the pairs. Most of its batches
// are too short to contain a collection, so the median of the time does not show the cost.
type Collections struct {
	Share float64 `json:"share"` // of the samples: those with a collection
	Time  float64 `json:"time"`  // mean cost of collections per unit of work, seconds
}

// Layout is one random choice of the file that a program is in and of the order of its
// functions: both change a time although the code is the same. It applies to the launches
// from Launch to the one before the next layout; these launches are one observation.
type Layout struct {
	Launch int   `json:"launch"` // the first one, from 0
	Draw   int   `json:"draw"`   // its number in the suite, from 0; with the seed it determines the order of functions
	Case   int64 `json:"case"`   // -randlayout of the linker; 0: all launches have the same order
	Base   int64 `json:"base"`   // likewise
}

// Draws returns the index of the layout of each row, nil if no layouts were drawn.
// launch is the column Launch of the samples.
func (p *Pairs) Draws(launch []int) []int {
	if len(p.Layouts) == 0 {
		return nil
	}
	draws, at := make([]int, len(launch)), 0
	for i, n := range launch {
		for at+1 < len(p.Layouts) && p.Layouts[at+1].Launch <= n {
			at++
		}
		draws[i] = at
	}
	return draws
}

// AreDrawn reports whether every layout has a random order of functions on both sides.
// Then no property of a single build is common to all pairs.
func (p *Pairs) AreDrawn() bool {
	for _, l := range p.Layouts {
		if l.Case == 0 || l.Base == 0 {
			return false
		}
	}
	return len(p.Layouts) > 0
}

// Frame copies what identifies the base and the batches, and leaves out samples,
// metrics and orders. It returns nil for nil.
func (p *Pairs) Frame() *Pairs {
	if p == nil {
		return nil
	}
	return &Pairs{
		Base:           p.Base,
		Tree:           p.Tree,
		Identity:       p.Identity,
		Iterations:     p.Iterations,
		Layouts:        p.Layouts,
		Placed:         p.Placed,
		NoInstructions: p.NoInstructions,
	}
}

// Summary is the base's summary of a metric, nil if it has none.
func (p *Pairs) Summary(metric string) *Summary {
	for i := range p.Metrics {
		if p.Metrics[i].Metric == metric {
			return &p.Metrics[i]
		}
	}
	return nil
}

// BaseName names the base in reports: the tree, or the other case.
func (p *Pairs) BaseName() string {
	if p.Tree != "" {
		return p.Tree
	}
	return p.Base
}
