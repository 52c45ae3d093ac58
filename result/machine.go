package result

// Machine identifies the computer of the run.
type Machine struct {
	OS         string `json:"os"`
	Arch       string `json:"arch"`
	Kernel     string `json:"kernel,omitempty"`
	CPU        string `json:"cpu,omitempty"` // model name
	CPUs       int    `json:"cpus"`
	GOMAXPROCS int    `json:"gomaxprocs"`
	Memory     int64  `json:"memory,omitempty"` // bytes
	Virtual    string `json:"virtual,omitempty"`
	Load       string `json:"load,omitempty"` // load averages at the start
}

// Calibration is the cost of timing in the hosts of one binary.
type Calibration struct {
	Suite      string    `json:"suite"`
	Host       string    `json:"host"`   // go or command
	Binary     string    `json:"binary"` // sha256:… of the host program
	Clock      ClockInfo `json:"clock"`
	Direct     *LoopCost `json:"direct,omitempty"`
	Indirect   *LoopCost `json:"indirect,omitempty"`
	SpawnFloor *Spawn    `json:"spawn_floor,omitempty"` // command hosts only
	Seconds    float64   `json:"seconds"`               // how long calibrating took
	Counter    *Counter  `json:"counter,omitempty"`     // cycle subtimer, absent for null
	// Skipped are the preferred cycle subtimers that could not be used.
	Skipped []Skipped `json:"skipped,omitempty"`
	Shard   int       `json:"shard,omitempty"` // in a merged document: the shard of the machine
}

// ClockInfo describes the clock that "time" was read from.
type ClockInfo struct {
	Name       string    `json:"name"`
	Resolution float64   `json:"resolution"` // seconds, smallest step seen
	Cost       float64   `json:"cost"`       // seconds between two readings in direct succession
	CostError  float64   `json:"cost_error"` // seconds, half of its 99% interval
	Skipped    []Skipped `json:"skipped,omitempty"`
}

// Skipped is a preferred subtimer that could not be used, and why.
type Skipped struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// LoopCost is the cost of an empty loop, per batch and per iteration, in seconds,
// each with half of its 99% interval.
type LoopCost struct {
	Batch          float64 `json:"batch"`
	BatchError     float64 `json:"batch_error"`
	Iteration      float64 `json:"iteration"`
	IterationError float64 `json:"iteration_error"`
}

// Counter is the cycle counter that was read in addition to the clock.
type Counter struct {
	Name      string    `json:"name"`
	Unit      string    `json:"unit"`                // ticks or cycles
	Frequency Cost      `json:"frequency"`           // counts per second of wall time while calibrating
	Cost      Cost      `json:"cost"`                // counts between two readings in direct succession
	Direct    *LoopCost `json:"direct,omitempty"`    // in counts
	Indirect  *LoopCost `json:"indirect,omitempty"`  // in counts
	UserOnly  bool      `json:"user_only,omitempty"` // it excludes the kernel
}

// Spawn is the floor of commands: the time to start and reap a program that does
// nothing, and the peak memory that every child has at least.
type Spawn struct {
	Program string  `json:"program"`
	Time    float64 `json:"time"`           // seconds, the least of several runs
	Wait    float64 `json:"wait,omitempty"` // seconds that a run was ready and waited for a CPU, median
	RSS     float64 `json:"rss"`            // bytes: no child can report less
}

// Cost is a number with half of its 99% interval.
type Cost struct {
	Value float64 `json:"value"`
	Error float64 `json:"error"`
}

// Division is how the cases of a run were divided among shards, each of which one
// machine measures. All shards of a division record the same one, except for Index, Engine,
// Job and Machines.
type Division struct {
	// of the shard that this document is, from 1; absent if shards were merged
	Index     int       `json:"index,omitempty"`
	Engine    string    `json:"engine,omitempty"` // that has started the shard, such as Slurm; empty: not known
	Job       string    `json:"job,omitempty"`    // its name there
	Count     int       `json:"count"`            // of shards
	Plan      string    `json:"plan"`             // sha256:… of what all shards together measure and judge
	Hash      string    `json:"hash"`             // sha256:… of which shard has which case
	Durations Durations `json:"durations"`        // that the shards were balanced with
	Seed      string    `json:"seed,omitempty"`   // that all shards were asked to use; absent: each drew its own
	Cases     []Portion `json:"cases"`            // of all shards, in the order of the suite files
	// that measured the shards of a merged document, in the order of the shards
	Machines []ShardMachine `json:"machines,omitempty"`
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
