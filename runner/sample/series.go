// Package sample turns the readings of hosts into the samples of one side of a case: the cost
// of the clock and of the loop is taken off, numbers are per unit of work, and what was odd
// about a batch is marked. It asks no host, and knows neither turns nor verdicts.
package sample

import (
	"slices"
	"time"

	"example.com/suite/result"
	"example.com/suite/result/summary"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
	"example.com/suite/runner/target"
	"example.com/suite/timer"
)

// Series is the samples of a side, as they are taken. Its fields are grouped by how long
// they are valid: for the whole case, in one host, or until the journal has them.
type Series struct {
	Target target.Target
	Result *result.Case

	Recorded
	LoopTimes LoopTimes
	Folds     *summary.Folds   // if only a summary is kept
	Passed    []result.Summary // metrics from a pass of their own
	collected float64          // share of the warm-up batches that contained a collection
	Shared    bool             // the runs of a block share what was drawn for them

	ID        int            // of the case in its host
	Host      *client.Client // that readings come from
	SampledIn *client.Client // the last one that samples came from
	Overhead  overhead

	Keeps     bool  // there is a journal
	fresh     Fresh // that the journal does not have yet
	keptRows  int   // rows of the samples that are no part of the next block
	stretches stretches
}

// NewSeries makes the series of a side that has no samples.
func NewSeries(t target.Target) Series {
	s := Series{Target: t, Result: t.Describe()}
	if t.Spec.Settings.Keep == "summary" {
		s.Folds = summary.NewFolds()
	}
	return s
}

// BlockSize is the number of samples that a case takes in a row.
const BlockSize = 10

// Recorded is what a run that was interrupted needs of a side, in addition to its result
// and its samples, to go on with it. The journal keeps it after each block as it is: a field
// that is added here is written and restored without further code.
type Recorded struct {
	Round  int    `json:"round"`            // of the window, after the last turn
	N      int    `json:"n"`                // iterations of a batch, 0 before sizing
	Thread string `json:"thread,omitempty"` // locked or free, as the first sizing found
	// of a batch by the chosen clock when its size was found
	Sized time.Duration `json:"sized"`
	// that a batch is expected to take, with all that belongs to it
	Batch   time.Duration  `json:"batch"`
	Used    time.Duration  `json:"used"`              // of max_time
	Sampled time.Duration  `json:"sampled"`           // wall time of all samples
	Blocks  int            `json:"blocks"`            // so far
	Waited  time.Duration  `json:"waited"`            // for a CPU, over requests for which that is known
	Watched time.Duration  `json:"watched"`           // length of those requests
	Mixed   bool           `json:"mixed,omitempty"`   // some samples contain a collection
	Leaked  int            `json:"leaked,omitempty"`  // processes that its runs have left
	Left    []string       `json:"left,omitempty"`    // command lines of the first few of them
	Remains []wire.Remains `json:"remains,omitempty"` // in the folders that its runs use
	Looked  int            `json:"looked,omitempty"`  // runs after which these folders were looked at
	Stops   int            `json:"stops,omitempty"`   // samples during which the process was stopped
	Stopped time.Duration  `json:"stopped,omitempty"` // the longest of these stops
	SetUp   bool           `json:"set_up,omitempty"`  // its setup hook ran, so its cleanup hook has to
	Runs    int            `json:"runs,omitempty"`    // of a command, warm-up and discarded ones included
	Killed  int            `json:"killed,omitempty"`  // of these runs, by the timeout
	Said    string         `json:"said,omitempty"`    // last words of the last killed run
	Part    int            `json:"part,omitempty"`    // iterations whose inputs are made together
	Waiting int64          `json:"waiting,omitempty"` // iterations that are due and have not begun
	// iterations that were due and never begun, of earlier hosts
	Unserved int64 `json:"unserved,omitempty"`
	// unit of the cycle counter: ticks, cycles, empty for none
	Counter string                    `json:"counter,omitempty"`
	Events  map[string]timer.Estimate `json:"events,omitempty"` // costs of readings that are the case's own
}

// Negative reports whether a count or a time is below 0, which no run writes.
func (r *Recorded) Negative() bool {
	return r.N < 0 || r.Stops < 0 || r.Stopped < 0 || r.Blocks < 0 || r.Round < 0 || r.Used < 0 || r.Sampled < 0 ||
		r.Killed < 0 || r.Killed > r.Runs
}

// Fresh is what a block has brought, until the journal has it.
type Fresh struct {
	Samples *result.Samples
	Latency []*result.Latency // of the batches of the block
	First   []int             // of a base: who went first in the pairs of the block
	Loops   []float64         // as in LoopTimes
	Counts  []float64
}

// HasFresh reports whether there are samples that the journal does not have.
func (s *Series) HasFresh() bool { return s.fresh.Samples != nil }

// Flush returns what the journal does not have, and notes that it will have it.
func (s *Series) Flush() Fresh {
	f := s.fresh
	s.fresh = Fresh{}
	f.Loops, f.Counts = s.LoopTimes.flush()
	return f
}

// Restore takes over what the journal has of a side, whose result has its samples.
func (s *Series) Restore(had *Recorded, loops, counts []float64) {
	s.Recorded, s.keptRows = *had, s.Result.Samples.Len()
	s.LoopTimes = LoopTimes{Loops: loops, Counts: counts, keptLoops: len(loops), keptCounts: len(counts)}
}

// CountRuns counts the runs of a request, and those that the timeout has ended.
func (s *Series) CountRuns(r *wire.Readings) {
	for i := range r.ID {
		s.countRun(Batch{r, i})
	}
}

func (s *Series) countRun(b Batch) {
	if !s.Target.IsCommand() {
		return
	}
	s.Runs++
	if b.wasKilled() {
		s.Killed++
		s.Said = b.of.Said
	}
}

// mostLeft names of processes that outlive a case are enough to find the code that
// starts them.
const mostLeft = 4

// Leaks adds processes that outlived runs. names are the command lines of the first.
func (r *Recorded) Leaks(count int, names []string) {
	r.Leaked += count
	for _, name := range names {
		if len(r.Left) < mostLeft && !slices.Contains(r.Left, name) {
			r.Left = append(r.Left, name)
		}
	}
}

// Remain adds up the files that stayed after a block, by folder.
func (r *Recorded) Remain(readings *wire.Readings) {
	r.Looked += len(readings.ID)
	for _, more := range readings.Remains {
		i := slices.IndexFunc(r.Remains, func(had wire.Remains) bool { return had.Dir == more.Dir })
		if i < 0 {
			r.Remains = append(r.Remains, more)
			continue
		}
		had := &r.Remains[i]
		had.Count += more.Count
		had.Names = append(had.Names, more.Names[:min(len(more.Names), max(mostLeft-len(had.Names), 0))]...)
	}
}
