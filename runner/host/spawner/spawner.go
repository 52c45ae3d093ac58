// Package spawner is the process that starts measured commands: it forks, waits
// and reads the clock, and does nothing else. A host sends it over a socket what to
// start.
//
// A child is born with the peak memory of the process that forks it, because exec
// keeps the mark of the old image. So the spawner has to be small, and it is the
// same program as suite, which is not. It takes over while this package is
// initialised. That happens before other packages of the program, because this one
// imports nothing: Go initialises packages in the order of dependencies, and of
// import paths if there are none. There it forks once more, which drops the threads
// of the Go runtime and all pages mapped from a file: 0.7 MiB remain, or 0.9 if
// suite is linked with C, of a host's 10 to 12 MiB.
//
// From then on there is no runtime to help. Nothing may be allocated, no stack
// may grow, the scheduler must not be entered: every function is nosplit, and the
// only memory is the variables of this package.
package spawner

// Name is what the spawner is called: its only argument.
const Name = "suite-spawner"

// Descriptors that the spawner inherits: a socket of the kind SOCK_SEQPACKET, and
// the block, a file of BlockSize bytes in memory.
const (
	SocketFD = 3
	BlockFD  = 4
)

// BlockSize of the file in which the host puts path, folder, arguments and
// environment, bytes. The kernel takes at most 6 MiB of both.
const BlockSize = 8 << 20

// Hello is the first message of the spawner.
type Hello struct {
	PID   int64
	Block uint64 // address of the block in the spawner
}

// Request asks for one run, or, without a path, for none: that is answered at once.
// Path, folder, arguments and environment are addresses in the spawner, as execve
// takes them. Standard input, output and error are sent along as descriptors.
type Request struct {
	Path, Dir, Argv, Env uint64
	CPU                  int64 // the spawner stays on CPU-1; 0: on any
	Alone                int64 // 0: the run stays there too; 1: it may use every CPU that the spawner began with
}

// MostCPUs that a request can name.
const MostCPUs = 1024

// Answer is what is known of a run, as the kernel reports it. SIGTERM makes the
// spawner kill the current run.
type Answer struct {
	Errno     int64 // of a program that could not be started, else 0
	Wall      int64 // ns from before the fork to the end of the wait
	Stopped   int64 // ns for which it was stopped by signals
	Status    int64 // of wait4
	Leaked    int64 // processes that outlived it, killed
	Unpinned  int64 // errno of staying on a CPU, else 0
	Usage     [18]int64
	Schedstat Text // files of /proc, read before it was reaped
	IO        Text
	Left      [MostLeft]Text // of the first processes that outlived it: /proc/PID/cmdline, or comm if that is empty
}

// MostLeft processes that outlive a run are named; the others are counted.
const MostLeft = 4

// Text is a small file; N is 0 if it could not be read.
type Text struct {
	N     int64
	Bytes [248]byte
}

// String returns the text.
func (t *Text) String() string { return string(t.Bytes[:min(max(t.N, 0), int64(len(t.Bytes)))]) }
