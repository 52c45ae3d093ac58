package timer

// valgrindRequest executes the sequence of instructions that valgrind takes for
// a request and that does nothing on a processor: four rotations that make 128
// bits, and an exchange of a register with itself. It gives what valgrind
// answers, else 0.
//
//go:noescape
func valgrindRequest(args *[6]uint64) uint64

// runningOnValgrind is the request VG_USERREQ__RUNNING_ON_VALGRIND; the answer is how
// many valgrinds there are, one inside the other.
const runningOnValgrind = 0x1001

func inValgrind() bool { return valgrindRequest(&[6]uint64{runningOnValgrind}) != 0 }
