// Package host is the process in which measured code runs. It reads requests
// from a pipe and answers with readings: it prepares cases, finds batch sizes and
// times batches in the order of the request. It shares a process with the
// measured code, so it imports little and knows nothing of suite files, verdicts
// or reports.
package host

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"example.com/suite/internal/benchcase"
	"fmt"
	"io"

	"example.com/suite/timer"
)

// Version of the protocol. Controller and host must agree on it.
const Version = 2

// MaxFrame is the size limit of one message, bytes.
const MaxFrame = 16 << 20

// Request is what the controller asks for; Op decides which fields count. One
// request is in flight per host.
type Request struct {
	Seq      int       `json:"seq"`                // repeated in the answer, which is thereby known to be this request's
	Op       string    `json:"op"`                 // hello, list, calibrate, prepare, size, once, run, allocs, pegs, finish, serve, served, stop, quit
	Clock    []string  `json:"clock,omitempty"`    // hello: preferred clocks
	Cycle    []string  `json:"cycle,omitempty"`    // hello: preferred cycle counters
	Kind     string    `json:"kind,omitempty"`     // hello: go or command
	Mark     string    `json:"mark,omitempty"`     // hello: file in which the number of the running batch is kept, while there are pairs
	After    int       `json:"after,omitempty"`    // hello: ids of cases begin after this one, so that no two hosts share an id
	Function *Function `json:"function,omitempty"` // prepare
	Command  *Command  `json:"command,omitempty"`  // prepare
	Service  *Service  `json:"service,omitempty"`  // serve
	GoTest   *GoTest   `json:"gotest,omitempty"`   // prepare
	ID       int       `json:"id,omitempty"`       // size, once, allocs, pegs, finish
	N        int       `json:"n,omitempty"`        // once: iterations to begin with; pegs: of a batch
	Goal     int64     `json:"goal,omitempty"`     // once, pegs: ns that the pass has to last
	Batches  []Batch   `json:"batches,omitempty"`  // run: in this order
	Pairs    int       `json:"pairs,omitempty"`    // run: the first 2*Pairs batches are pairs
	Pads     []int     `json:"pads,omitempty"`     // run: of pairs of commands, bytes of PaddingVariable for each batch; empty: none
	Hold     bool      `json:"hold,omitempty"`     // run: its one batch, of a function, is one of several requests: the collector stays as it is until another comes
	Known    *Costs    `json:"known,omitempty"`    // calibrate: of an earlier host of this kind, kept if they are still right
	Limit    int64     `json:"limit,omitempty"`    // size, once, run, pegs: begin no batch after so many ns
	Pegs     []string  `json:"pegs,omitempty"`     // pegs: the points that are wanted; empty: all
	Runs     int       `json:"runs,omitempty"`     // pegs: so many batches, or runs of a program; 0: as many as fill Goal
	Folder   string    `json:"folder,omitempty"`   // pegs: of programs: an empty folder for what they write
	Expect   *Output   `json:"expect,omitempty"`   // run: what the command has to print, if Prepare did not include it
}

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
}

// Function asks for a registered benchmark with its parameters and settings.
// Times are nanoseconds.
type Function struct {
	Name       string                     `json:"name"` // of the case
	Function   string                     `json:"function"`
	Params     map[string]benchcase.Param `json:"params,omitempty"`
	Batch      int                        `json:"batch,omitempty"` // fixed iterations, 0: find them
	Warmup     int64                      `json:"warmup"`
	SampleTime int64                      `json:"sample_time"`
	Coalesce   float64                    `json:"coalesce"` // shortest batch in clock costs
	GC         string                     `json:"gc"`       // on, between, off
	Spread     bool                       `json:"spread"`   // collections may fall into any batch: none grows to contain one
	Thread     string                     `json:"thread"`   // auto, locked, free
	Parallel   int                        `json:"parallel"` // goroutines, at least 1
	Long       bool                       `json:"long"`     // known to have batches over LongBatch; sizing finds it out as well
	Counters   []string                   `json:"counters,omitempty"`
	Quorum     float64                    `json:"quorum,omitempty"` // share of iterations that have to count, of loops made by Try

	WarmupBatches int `json:"warmup_batches,omitempty"` // replaces Warmup if it is not 0: batches of the n that was found
}

// Command asks for a program that is started once per sample.
type Command struct {
	Name      string   `json:"name"`
	Argv      []string `json:"argv"`
	Env       []string `json:"env,omitempty"` // NAME=value in addition to the host's own
	Dir       string   `json:"dir"`
	Stdin     string   `json:"stdin,omitempty"`  // path; empty: the null device
	Input     string   `json:"input,omitempty"`  // text that it reads, if Stdin is empty
	Stdout    string   `json:"stdout,omitempty"` // path; empty: the null device
	ExitCodes []int    `json:"exit_codes"`
	Warmup    int64    `json:"warmup"`
	Timeout   int64    `json:"timeout"` // per run and per hook
	Prepare   []string `json:"prepare,omitempty"`
	Conclude  []string `json:"conclude,omitempty"`
	Told      []string `json:"told,omitempty"` // NAME=value for Prepare and Conclude alone
	Runs      int      `json:"runs,omitempty"` // of the case, in earlier launches
	Counters  []string `json:"counters,omitempty"`
	Reject    []int    `json:"reject,omitempty"` // exit statuses that declare a run void
	Quorum    float64  `json:"quorum,omitempty"` // share of runs that have to count
	Pin       string   `json:"pin,omitempty"`    // on: runs stay on one CPU; auto: only the process that starts them does; else neither
	Metrics   []Metric `json:"metrics,omitempty"`
	// SameOutput requires all runs to print the same: Expect, or, if that is nil,
	// what the first of them prints.
	SameOutput bool    `json:"same_output,omitempty"`
	Expect     *Output `json:"expect,omitempty"`

	WarmupBatches int  `json:"warmup_batches,omitempty"` // replaces Warmup if it is not 0: runs
	AnyExit       bool `json:"any_exit,omitempty"`       // every exit status means success
}

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
	Output    *Output    `json:"output,omitempty"` // what the first run of a command printed, if all have to print the same
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

// Floor is what a program that does nothing costs here.
type Floor struct {
	Program string `json:"program"`
	Time    int64  `json:"time"` // ns, median
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
	Trial    bool     `json:"trial,omitempty"`    // its loop was made by Try: a reading of the clock for each iteration
	// Skipped are the counters that were asked for and do not work here, UserOnly
	// the counters that leave out what happens in the kernel.
	Skipped  []timer.Skipped `json:"skipped,omitempty"`
	UserOnly []string        `json:"user_only,omitempty"`
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
	// Empty is what a batch of no iterations costs this case alone, by column.
	Empty map[string]timer.Estimate `json:"empty,omitempty"`
}

// Readings are one column per quantity, one row per batch. Times are
// nanoseconds of the whole batch, nothing subtracted. What a row does not have
// is timer.Absent; a column that no row has is absent.
type Readings struct {
	ID      []int              `json:"id"`
	N       []int              `json:"n"`
	Columns map[string][]int64 `json:"columns"`
	Values  map[string]Values  `json:"values,omitempty"`  // metrics of commands, SI base units, by name
	Elapsed int64              `json:"elapsed"`           // ns of the whole request
	Waited  *int64             `json:"waited,omitempty"`  // functions: ns of it spent ready and without a CPU, if known
	Stopped bool               `json:"stopped,omitempty"` // an interrupt ended it early
	Leaked  int                `json:"leaked,omitempty"`  // processes that outlived their runs, killed
	Left    []string           `json:"left,omitempty"`    // command lines of the first few of them
	Remains []Remains          `json:"remains,omitempty"` // commands: files that appeared in the folders they use, and stayed
	Peak    int64              `json:"peak,omitempty"`    // bytes: peak memory of this host, the least that a child can have
	Retried int64              `json:"retried,omitempty"` // batches run again because a reading of the counter was disturbed
	Killed  []int              `json:"killed,omitempty"`  // rows of runs that the timeout ended, ascending: they took at least as long
	Said    string             `json:"said,omitempty"`    // last words of the last of them
	Stops   []int64            `json:"stops,omitempty"`   // ns that each run was stopped by signals (SIGSTOP), if any was
	Share   *float64           `json:"share,omitempty"`   // of its time that the least lucky counter was on the hardware, if that is below 1
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

// Failure is why a request could not be carried out.
type Failure struct {
	Phase   string `json:"phase"`   // start, setup, prepare, warmup, run, metrics, output, conclude, finish
	Cause   string `json:"cause"`   // panic, error, exit, signal, timeout, missing, memory, rejected, differs, protocol
	Message string `json:"message"` // one line
	Detail  string `json:"detail,omitempty"`
	Batch   int    `json:"batch,omitempty"` // 1-based, within the request
	Exit    *int   `json:"exit,omitempty"`
	Signal  string `json:"signal,omitempty"`
}

// Error returns the message.
func (f *Failure) Error() string { return f.Message }

// ErrFrame is the error of a message that breaks the protocol.
var ErrFrame = errors.New("not a message of suite's host protocol")

// WriteMessage writes v as one frame: a little-endian length and JSON.
func WriteMessage(w io.Writer, v any) error {
	var buf bytes.Buffer
	buf.Write(make([]byte, 4))
	if err := json.NewEncoder(&buf).Encode(v); err != nil {
		return err
	}
	size := buf.Len() - 4
	if size > MaxFrame {
		return fmt.Errorf("%w: %d bytes are over the limit of %d", ErrFrame, size, MaxFrame)
	}
	binary.LittleEndian.PutUint32(buf.Bytes(), uint32(size))
	_, err := w.Write(buf.Bytes())
	return err
}

// ReadMessage reads one frame into v. It returns io.EOF if the other side closed
// the pipe between two frames. A frame that is too long, cut off or not the JSON
// of v is ErrFrame; one that is cut off is io.ErrUnexpectedEOF as well.
func ReadMessage(r io.Reader, v any) error {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return cutOff(err)
	}
	size := binary.LittleEndian.Uint32(head[:])
	if size > MaxFrame {
		return fmt.Errorf("%w: a length of %d bytes is over the limit of %d", ErrFrame, size, MaxFrame)
	}
	// The buffer grows while reading, so that a wrong length costs no memory.
	var body bytes.Buffer
	if n, err := io.CopyN(&body, r, int64(size)); err != nil {
		return fmt.Errorf("%w: %w after %d of %d bytes", ErrFrame, io.ErrUnexpectedEOF, n, size)
	}
	if err := json.Unmarshal(body.Bytes(), v); err != nil {
		return fmt.Errorf("%w: %v", ErrFrame, err)
	}
	return nil
}

// cutOff turns an end of the pipe inside a length into ErrFrame, and leaves an end
// between two frames as it is.
func cutOff(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: %w inside a length", ErrFrame, err)
	}
	return err
}
