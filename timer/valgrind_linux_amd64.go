package timer

// valgrindRequest executes the sequence of instructions that valgrind recognises as
// a request: four rotations by 128 bits in all, and an exchange of a register with
// itself. It returns valgrind's answer. A processor does nothing, and it returns 0.
//
//go:noescape
func valgrindRequest(args *[6]uint64) uint64

// runningOnValgrind is the request VG_USERREQ__RUNNING_ON_VALGRIND; the answer is the
// number of valgrinds that run one inside the other.
const runningOnValgrind = 0x1001

func inValgrind() bool { return valgrindRequest(&[6]uint64{runningOnValgrind}) != 0 }
