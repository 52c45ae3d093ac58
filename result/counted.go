package result

// Counted are the instructions of one side, which valgrind has counted in runs of their own.
type Counted struct {
	// Runs has the instructions of one unit of work in each run, in the order of the runs. Each run is a new process.
	Runs       []float64 `json:"runs"`
	Iterations int64     `json:"iterations"` // of a run; 1 for commands
	// Unplaced means that the case differs from its base by these runs, which all have functions and data at the same
	// places, and that too few were counted with other places in each run. The difference may be a matter of places, so
	// nothing is judged by it. It is false in Pairs.
	Unplaced bool `json:"unplaced,omitempty"`
	// Moved has the functions whose instructions differ most from the base's, the largest difference first, at most
	// MostMoved. It is empty without a base.
	Moved []MovedFunction `json:"moved,omitempty"`
}

// MovedFunction is what a function executes for one unit of work, without what it calls, in the last run of each side.
type MovedFunction struct {
	Function  string  `json:"function"`
	Base      float64 `json:"base"` // 0 if it executes nothing there
	Candidate float64 `json:"candidate"`
}

// MostMoved is how many functions a document has of a case.
const MostMoved = 10

// WithinAlpha is the chance of error, each way, of an interval of a ratio, and of the verdict that a change is not
// beyond the tolerance. The chance of a false alarm is divided among the calls of a suite, and a verdict in favour of
// the code is not an alarm: with 176 calls it would take nine counted runs of each side in place of five, or 18
// launches in place of 11.
const WithinAlpha = 0.005

// CountedRuns returns the counted runs of both sides of a comparison, as many of each. It reports false if a side
// was not counted.
func (c *Case) CountedRuns() (base, own []float64, ok bool) {
	if c.Counted == nil || c.Pairs == nil || c.Pairs.Counted == nil {
		return nil, nil, false
	}
	base, own = c.Pairs.Counted.Runs, c.Counted.Runs
	n := min(len(base), len(own))
	return base[:n], own[:n], n > 0
}

// JudgedByInstructions reports whether no times are taken of the case.
func (c *Case) JudgedByInstructions() bool { return c.Settings.Judge == JudgeInstructions }

// IsCounted reports whether the instructions of the case are counted by valgrind, and not in its samples.
func (c *Case) IsCounted() bool { return c.Settings.Callgrind || c.Counted != nil }

// MainMetric returns the name of the metric that a case is judged by unless a gate names another.
func (c *Case) MainMetric() string {
	if c.JudgedByInstructions() {
		return Instructions
	}
	return "time"
}

// MainComparison returns the comparison of the main metric, nil if there is none.
func (c *Case) MainComparison() *Comparison { return c.Comparison(c.MainMetric()) }
