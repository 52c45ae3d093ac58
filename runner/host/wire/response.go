package wire

import (
	"example.com/suite/peg/pegfile"
	"example.com/suite/timer"
)

// Response answers a request. If the request could not be carried out, Failure is
// set, and Readings contains what was taken before the failure.
type Response struct {
	Seq       int        `json:"seq"`
	Failure   *Failure   `json:"failure,omitempty"`
	Hello     *Hello     `json:"hello,omitempty"`
	Names     []string   `json:"names,omitempty"`
	Costs     *Costs     `json:"costs,omitempty"`
	Prepared  *Prepared  `json:"prepared,omitempty"`
	Served    *Served    `json:"served,omitempty"` // serve, served, stop
	Sized     *Sized     `json:"sized,omitempty"`
	Readings  *Readings  `json:"readings,omitempty"`
	Allocated *Allocated `json:"allocated,omitempty"`
	Pegged    *Pegged    `json:"pegged,omitempty"`
	Profiled  *Profiled  `json:"profiled,omitempty"`
	// what the first run of a command printed, if all have to print the same
	Output *Output `json:"output,omitempty"`
}

// Hello introduces a host.
type Hello struct {
	Version    int             `json:"version"`
	Hash       string          `json:"hash"` // of the sources of host, timer, bench and peg
	Clock      string          `json:"clock"`
	Counter    string          `json:"counter,omitempty"`   // cycle subtimer, empty for none
	Unit       timer.Unit      `json:"unit,omitempty"`      // of the counter
	UserOnly   bool            `json:"user_only,omitempty"` // the counter leaves out what happens in the kernel
	Skipped    []timer.Skipped `json:"skipped,omitempty"`
	GOMAXPROCS int             `json:"gomaxprocs"`
	Go         string          `json:"go"`
}

// Costs are what calibration found.
type Costs struct {
	Resolution int64 `json:"resolution"` // ns
	// Empty is what each column reads for a batch of no iterations: the cost of
	// the readings inside it, subtracted from every sample.
	Empty    map[string]timer.Estimate `json:"empty,omitempty"`
	Reading  timer.Estimate            `json:"reading"`         // ns between two readings
	Count    *timer.Estimate           `json:"count,omitempty"` // counts between two readings of the counter
	Direct   *timer.Overhead           `json:"direct,omitempty"`
	Indirect *timer.Overhead           `json:"indirect,omitempty"`
	Floor    *Floor                    `json:"floor,omitempty"` // command hosts
	Elapsed  int64                     `json:"elapsed"`         // ns
}

// OwnFloor is the name of the program that a host writes to measure a Floor.
const OwnFloor = "static program of suite"

// Floor is what a program that does nothing costs here.
type Floor struct {
	Program string `json:"program"`
	Time    int64  `json:"time"` // ns, the least of several runs
	Wait    int64  `json:"wait"` // ns that a run was ready and waited for a CPU, median
	RSS     int64  `json:"rss"`  // bytes: every child starts with this peak
}

// Prepared describes a case that is ready to run.
type Prepared struct {
	ID       int      `json:"id"`
	Indirect bool     `json:"indirect,omitempty"` // its loop was made by bench.Each
	Work     float64  `json:"work,omitempty"`     // declared by the setup
	Unit     string   `json:"unit,omitempty"`
	Unread   []string `json:"unread,omitempty"` // parameters that the setup never read
	Program  string   `json:"program,omitempty"`
	Unpinned string   `json:"unpinned,omitempty"` // why its runs cannot be kept on one CPU, if they were to be
	// its loop was made by Try: a reading of the clock for each iteration
	Trial bool `json:"trial,omitempty"`
	// ns that reading the clock after an iteration costs, if single ones are timed
	Iteration *timer.Estimate `json:"iteration,omitempty"`
	Inputs    bool            `json:"inputs,omitempty"` // its loop was made by Fresh or Reset
	// Skipped are the counters that were asked for and do not work here, UserOnly
	// the counters that leave out what happens in the kernel.
	Skipped  []timer.Skipped `json:"skipped,omitempty"`
	UserOnly []string        `json:"user_only,omitempty"`
	// NoWitness is why instructions cannot be counted here, if Witness asked for them; empty
	// if they can.
	NoWitness string `json:"no_witness,omitempty"`
}

// Sized is the outcome of warm-up and sizing.
type Sized struct {
	N       int      `json:"n"`             // iterations of every batch from now on
	Time    int64    `json:"time"`          // ns that a batch of n takes
	Thread  string   `json:"thread"`        // locked or free
	GCShare float64  `json:"gc_share"`      // share of warm-up batches with a collection
	GCMixed bool     `json:"gc_mixed"`      // some samples contain a collection, others do not
	Elapsed int64    `json:"elapsed"`       // ns
	Batches int      `json:"batches"`       // run for it
	Cut     bool     `json:"cut,omitempty"` // the limit ended it
	Leaked  int      `json:"leaked,omitempty"`
	Left    []string `json:"left,omitempty"`   // as in Readings
	Killed  int      `json:"killed,omitempty"` // of those batches, runs that the timeout ended
	Said    string   `json:"said,omitempty"`   // last words of the last of them
	// Empty is what a batch of no iterations costs this case alone, by column. A batch of a
	// function with inputs pays it for each of its parts.
	Empty map[string]timer.Estimate `json:"empty,omitempty"`

	Part      int   `json:"part,omitempty"`       // functions with inputs: iterations whose inputs are made together
	InputSize int64 `json:"input_size,omitempty"` // bytes that making an input allocates
}

// Allocated is the outcome of the allocation pass.
type Allocated struct {
	N      int     `json:"n"`      // iterations of each of its three batches
	Allocs float64 `json:"allocs"` // per iteration
	Bytes  float64 `json:"bytes"`
	Exact  bool    `json:"exact"` // the three differ by at most one allocation

	ExactBytes bool `json:"exact_bytes"` // and batches with equally many allocations have equally many bytes

	Slack      float64 `json:"slack,omitempty"`       // how many more per iteration the largest of the three had
	SlackBytes float64 `json:"slack_bytes,omitempty"` // and bytes
}

// Served is the state of a service.
type Served struct {
	PID    int    `json:"pid"` // of its process, and of its group if the system has groups
	Ended  bool   `json:"ended,omitempty"`
	Exit   int    `json:"exit,omitempty"`   // if it has ended
	Signal string `json:"signal,omitempty"` // that ended it
	Killed bool   `json:"killed,omitempty"` // it did not end by its signal
}

// Pegged is the outcome of the pass with pegs: the batches of a
// function, or the runs of a program, with its pegs on. None of them is a sample.
type Pegged struct {
	Document *pegfile.Document `json:"document,omitempty"` // nil: the program wrote none
	// points that were hit, those among them that were not asked for
	Known      []string `json:"known,omitempty"`
	Batches    int      `json:"batches"`    // or runs
	Iterations int64    `json:"iterations"` // of all of them, on all goroutines
	Elapsed    int64    `json:"elapsed"`    // ns that the batches took
}

// Remains are entries that appeared in a folder while runs were made, and stayed.
// Others may have made them: this process sees names, and not who wrote them.
type Remains struct {
	Dir   string   `json:"dir"`
	Count int      `json:"count"`
	Names []string `json:"names"` // of the first few, in alphabetical order
}
