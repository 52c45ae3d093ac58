package timer

// CanDump reports whether CallgrindDump does anything where valgrind runs this program.
const CanDump = true

// callgrindDump is the request CALLGRIND_DUMP_STATS: callgrind writes what it has counted since
// the last one, of all threads, into the next of its files, and goes on from zero.
const callgrindDump = 'C'<<24 | 'T'<<16

// InValgrind reports whether valgrind runs this program.
func InValgrind() bool { return inValgrind() }

// CallgrindDump makes callgrind write what it has counted since the last dump, as the next part
// of its output. It does nothing outside of callgrind.
func CallgrindDump() { valgrindRequest(&[6]uint64{callgrindDump}) }
