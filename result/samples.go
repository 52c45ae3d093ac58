package result

import (
	"fmt"
	"math"
	"slices"

	"example.com/suite/internal/units"

	"example.com/suite/internal/spill"
)

// Samples contains the raw numbers, one row per batch in the order in which they were
// taken. Columns are named after metrics. They are without the cost of timing and, if
// the metric is, per unit of work; every column has as many rows as Block.
type Samples struct {
	Launch    []int             `json:"launch"`    // from 0
	Block     []int             `json:"block"`     // from 0, counted over the whole case
	At        []float64         `json:"at"`        // seconds since the start of the run
	Columns   map[string]Column `json:"columns"`   // "time" has a number in every row, others may have gaps
	Disturbed []Disturbed       `json:"disturbed"` // ascending by Index
	// Taken is the number of samples taken if only a summary of them is kept
	// (samples: {keep: summary}); then each row contains the medians of one block
	// or of several in a row. If it is 0, every row is a sample.
	Taken int `json:"taken,omitempty"`
	// Censored lists the rows of commands that were killed by their timeout,
	// ascending. Their numbers are only bounds of the values that the finished run
	// would have had, see Ends. These rows are never disturbed.
	Censored []int `json:"censored,omitempty"`

	stored *spill.Block // the bytes of the rows, if they are in the file of a Store
}

// NoSamples returns a table without rows and columns.
func NoSamples() Samples {
	return Samples{
		Launch:    []int{},
		Block:     []int{},
		At:        []float64{},
		Columns:   map[string]Column{},
		Disturbed: []Disturbed{},
	}
}

// Len is the number of rows.
func (s *Samples) Len() int { return len(s.Block) }

// Count is the number of samples taken: Taken if only a summary of them is kept, else
// the number of rows.
func (s *Samples) Count() int {
	if s.Taken > 0 {
		return s.Taken
	}
	return s.Len()
}

// Column returns one number per row for a metric, NaN in rows without one. It is nil
// if no row has a number. Throughput is 1 ÷ time unless the samples have a column of
// it.
func (s *Samples) Column(metric string) Column {
	name := metric
	if metric == "throughput" && s.Columns[metric] == nil { // a Go benchmark may have printed MB/s
		name = "time"
	}
	col := s.Columns[name]
	if col.empty() {
		return nil
	}
	if name == metric {
		return col
	}
	rates := make(Column, len(col))
	for i, t := range col {
		rates[i] = 1 / t
	}
	return rates
}

// Headline returns the samples that the summary of a metric is computed from, in
// order, and the block of each. xs has no NaN. Disturbed samples are left out if at
// least half of the samples remain and no run was killed; otherwise all is true.
// Killed runs are never disturbed, so leaving out others would raise their share.
func (s *Samples) Headline(metric string) (xs []float64, blocks []int, all bool) {
	col := s.Column(metric)
	xs, blocks = s.rows(col, s.Disturbed)
	if len(s.Disturbed) == 0 {
		return xs, blocks, false
	}
	if every, of := s.rows(col, nil); 2*len(xs) < len(every) || len(s.Censored) > 0 {
		return every, of, true
	}
	return xs, blocks, false
}

// rows returns the numbers of a column and the block of each, without gaps and the
// rows in leftOut, which ascend.
func (s *Samples) rows(col Column, leftOut []Disturbed) (xs []float64, blocks []int) {
	xs, blocks = make([]float64, 0, len(col)), make([]int, 0, len(col))
	for i, x := range col {
		switch {
		case len(leftOut) > 0 && leftOut[0].Index == i:
			leftOut = leftOut[1:]
		case !absent(x):
			xs, blocks = append(xs, x), append(blocks, s.Block[i])
		}
	}
	return xs, blocks
}

// Middle is the median of a metric over all rows, including disturbed ones, for
// showing two sides next to each other. It is false if no row has a number. No
// verdict uses it: verdicts rest on Headline and on pairs.
func (s *Samples) Middle(metric string) (float64, bool) {
	xs := slices.Sorted(slices.Values(s.Column(metric).Present()))
	n := len(xs)
	if n == 0 {
		return 0, false
	}
	return xs[(n-1)/2]/2 + xs[n/2]/2, true
}

// Ends returns bounds of each sample of Headline, in order, and its block. If no run
// was killed, low and high are equal. The time of a killed run has no upper bound
// (high is +Inf), and its rate has the lower bound 0. Metrics that killed runs lack,
// such as the exit status, have only the samples of the other runs.
func (s *Samples) Ends(metric string) (low, high []float64, blocks []int) {
	xs, blocks, _ := s.Headline(metric)
	if len(s.Censored) == 0 {
		return xs, xs, blocks
	}
	low, high = slices.Clone(xs), slices.Clone(xs)
	i := 0 // into xs, which has the rows with a number
	for row, x := range s.Column(metric) {
		if absent(x) {
			continue
		}
		switch _, censored := slices.BinarySearch(s.Censored, row); {
		case censored && metric == "throughput":
			low[i] = 0
		case censored:
			high[i] = math.Inf(1)
		}
		i++
	}
	return low, high, blocks
}

// Part is the median of one block of samples, or of one launch.
type Part struct {
	Number int     // of the block, or of the launch
	Rows   int     // samples in it
	Median float64 // of their values
}

// manyLaunches is the number of launches from which on each launch is one
// observation, in place of each block: an interval of 95 % needs six.
const manyLaunches = 6

// Parts returns the observations that intervals are computed from, in order: the
// medians of launches if there are at least six, else the medians of blocks. It uses
// the samples of Headline, and returns nil if there are none. Each run of a command
// is a block.
func (s *Samples) Parts(metric string) []Part {
	xs, blocks, _ := s.Headline(metric)
	if len(xs) == 0 {
		return nil
	}
	if n := s.launches(); n >= manyLaunches && n < len(xs) {
		for i, row := range s.HeadlineRows(metric) {
			blocks[i] = s.Launch[row]
		}
	}
	var parts []Part
	for start := 0; start < len(xs); {
		end := start + 1
		for end < len(xs) && blocks[end] == blocks[start] {
			end++
		}
		parts = append(parts, Part{blocks[start], end - start, middleOf(xs[start:end])})
		start = end
	}
	return parts
}

func (s *Samples) launches() int {
	return len(slices.Compact(slices.Sorted(slices.Values(s.Launch))))
}

// HeadlineRows returns the row of each sample of Headline.
func (s *Samples) HeadlineRows(metric string) []int {
	numbered := *s
	numbered.Block = make([]int, s.Len())
	for i := range numbered.Block {
		numbered.Block[i] = i
	}
	_, rows, _ := numbered.Headline(metric)
	return rows
}

func middleOf(xs []float64) float64 {
	xs = slices.Sorted(slices.Values(xs))
	n := len(xs)
	return xs[(n-1)/2]/2 + xs[n/2]/2
}

// Disturbed marks one sample, with the reason. docs/method.md, "The headline",
// describes which samples are disturbed.
type Disturbed struct {
	Index   int         `json:"index"`
	Cause   Disturbance `json:"cause"`
	Count   int64       `json:"count,omitempty"`   // how often it was preempted
	Seconds float64     `json:"seconds,omitempty"` // for which it waited or was stopped, 0 if not known
}

// Disturbance is a kind of reason for which a sample is disturbed.
type Disturbance string

const (
	Preempted    Disturbance = "preempted"     // the thread lost its CPU
	Waited       Disturbance = "waited"        // it was ready and had no CPU for too long
	Stopped      Disturbance = "stopped"       // a signal stopped the process
	OtherStopped Disturbance = "other-stopped" // a signal stopped the process of the other side of its pair
)

// String describes the reason: preempted twice, waited 31 ms for a CPU.
func (d Disturbed) String() string {
	stopped := "stopped"
	if d.Seconds > 0 {
		stopped += " for " + units.ShortTime(d.Seconds)
	}
	switch {
	case d.Cause == Preempted && d.Count == 1:
		return "preempted once"
	case d.Cause == Preempted && d.Count > 1:
		return fmt.Sprintf("preempted %d times", d.Count)
	case d.Cause == Waited:
		return fmt.Sprintf("waited %s for a CPU", units.ShortTime(d.Seconds))
	case d.Cause == Stopped:
		return stopped
	case d.Cause == OtherStopped:
		return "paired with one that was " + stopped
	}
	return string(d.Cause)
}
