// Package wire is the protocol between a controller and its hosts, the processes in which
// measured code runs: the requests and answers, the frames in which they travel, the two
// pipes, and what both sides have to agree on. It measures nothing and starts nothing.
// Hosts are built from it, so it imports little.
package wire

import "time"

// Version of the protocol. Controller and host must agree on it.
const Version = 2

// Kinds of host. Commands have a host process of their own, whose memory stays small,
// because the peak memory of a child starts at its parent's.
const (
	KindGo      = "go"
	KindCommand = "command"
)

// Request is what the controller asks for; Op decides which fields count. One
// request is in flight per host.
type Request struct {
	// repeated in the answer, so that the controller knows which request it answers
	Seq int `json:"seq"`
	// hello, list, calibrate, prepare, size, once, run, allocs, pegs, profile, count, finish, serve, served, stop, quit
	Op    string   `json:"op"`
	Clock []string `json:"clock,omitempty"` // hello: preferred clocks
	Cycle []string `json:"cycle,omitempty"` // hello: preferred cycle counters
	Kind  string   `json:"kind,omitempty"`  // hello: go or command
	// hello: file in which the number of the running batch is kept, while there are pairs
	Mark string `json:"mark,omitempty"`
	// hello: ids of cases begin after this one, so that no two hosts share an id
	After    int       `json:"after,omitempty"`
	Function *Function `json:"function,omitempty"` // prepare
	Command  *Command  `json:"command,omitempty"`  // prepare
	Service  *Service  `json:"service,omitempty"`  // serve
	GoTest   *GoTest   `json:"gotest,omitempty"`   // prepare
	Harness  *Harness  `json:"harness,omitempty"`  // prepare
	ID       int       `json:"id,omitempty"`       // size, once, allocs, pegs, profile, count, finish
	N        int       `json:"n,omitempty"`        // once: iterations to begin with; pegs, profile, count: of a batch
	Goal     int64     `json:"goal,omitempty"`     // once, pegs, profile: ns that the pass has to last
	Batches  []Batch   `json:"batches,omitempty"`  // run: in this order
	Pairs    int       `json:"pairs,omitempty"`    // run: the first 2*Pairs batches are pairs
	// run: of pairs of commands, bytes of PaddingVariable for each batch; empty: none
	Pads []int `json:"pads,omitempty"`
	// run: its one batch, of a function, is one of several requests: the collector stays as it is until another comes
	Hold bool `json:"hold,omitempty"`
	// run: the batches are too short for clocks of CPU time, which are not read
	Brief bool `json:"brief,omitempty"`
	// calibrate: what the host does is recorded, and its times are not kept
	Traced bool `json:"traced,omitempty"`
	// calibrate: of an earlier host of this kind, kept if they are still right
	Known *Costs `json:"known,omitempty"`
	// size, once, run, pegs, profile: begin no batch after so many ns; count: a run of a program is killed after so
	// many
	Limit int64    `json:"limit,omitempty"`
	Pegs  []string `json:"pegs,omitempty"` // pegs: the points that are wanted; empty: all
	// pegs: so many batches, or runs of a program; 0: as many as fill Goal; count: how often a harness is asked
	Runs   int     `json:"runs,omitempty"`
	Folder string  `json:"folder,omitempty"` // pegs: of programs: an empty folder for what they write
	Expect *Output `json:"expect,omitempty"` // run: what the command has to print, if Prepare did not include it
	// profile: the kinds, in this order; each has a pass of its own, but mutex and block share one
	Profiles []string `json:"profiles,omitempty"`
	Rate     int      `json:"rate,omitempty"` // profile: of the CPU profile, in Hz
	// count: of programs: the program, with its arguments, that counts the run
	Wrap    []string `json:"wrap,omitempty"`
	WrapEnv []string `json:"wrap_env,omitempty"` // count: NAME=value, added to the environment of the run
}

// Functions of package testing in test binaries, see internal/build/inside/inside.go, before which callgrind forgets what
// it has counted, writes it as a part of a sample, or writes that the parts before do not count. CountEnds is also why
// callgrind writes what a host has counted of a function.
const (
	CountBegins = "suiteCountBegins"
	CountEnds   = "suiteCountEnds"
	CountResets = "suiteCountResets"
)

// CountedMemory is the heap, bytes, from which on garbage is collected while instructions are counted, as with
// GOMEMLIMIT. Without it a benchmark that makes garbage all the time would need all memory of the machine.
const CountedMemory = 1 << 30

// IDs of the empty loops, which are always prepared: timed next to a body of a
// few nanoseconds, they measure what the loop around it costs at that moment.
const (
	EmptyDirect   = 0
	EmptyIndirect = -1
)

// Batch asks for n iterations of a prepared case, or of an empty loop.
type Batch struct {
	ID int `json:"id"`
	N  int `json:"n"`
	// functions with inputs: iterations whose inputs are made together; 0: as sizing chose
	Part int `json:"part,omitempty"`

	// functions with arrivals: from now on they are a Poisson process that is drawn from this; 0: they go on
	// as before
	Seed uint64 `json:"seed,omitempty"`
	// functions with arrivals: it is thrown away, so its iterations run one after the other
	Warm bool `json:"warm,omitempty"`
}

// Follows reports whether a batch continues a row of batches: it asks for nothing new.
func (b Batch) Follows(first Batch) bool {
	return b.ID == first.ID && b.Seed == 0 && b.Warm == first.Warm
}

// MostInputs is how many bytes the inputs that are made together for iterations of a
// function allocate at most, unless a single one is larger.
const MostInputs = 64 << 20

// LongBatch is the length in nanoseconds above which a sample counts as disturbed
// if it waited for a CPU, and no longer if it had one involuntary switch: nearly
// every longer sample has a switch on a busy machine.
const LongBatch = 5_000_000

// Patience is how long a host may take to finish its batch after a signal to end.
const Patience = 2 * time.Second

// ServiceGrace is how long a service may take to end.
const ServiceGrace = 5 * time.Second

// Complaint begins the line with which a host ends, with exit status 3, when it
// cannot talk to its controller.
const Complaint = "suite: host:"
