package timer

import (
	"runtime"
	"unsafe"
)

// CanDump reports whether CallgrindDump does anything if valgrind runs this program.
const CanDump = true

// InValgrind reports whether valgrind runs this program.
func InValgrind() bool { return inValgrind() }

const (
	// callgrindZero is the request CALLGRIND_ZERO_STATS: callgrind forgets what it has counted, of all threads.
	callgrindZero = 'C'<<24 | 'T'<<16 | 1
	// callgrindDumpAt is the request CALLGRIND_DUMP_STATS_AT: callgrind writes what it has counted since the last request,
	// of all threads, into the next of its files, with a text, and goes on from zero.
	callgrindDumpAt = 'C'<<24 | 'T'<<16 | 3
	// callgrindStart is the request CALLGRIND_START_INSTRUMENTATION.
	callgrindStart = 'C'<<24 | 'T'<<16 | 4
)

// CallgrindStart makes callgrind count from now on, from zero. Before the first time valgrind has less to do. It does
// nothing outside of callgrind.
func CallgrindStart() {
	valgrindRequest(&[6]uint64{callgrindStart})
	valgrindRequest(&[6]uint64{callgrindZero})
}

// CallgrindDump makes callgrind write what it has counted since the last dump, as the next part of its output, in which
// name is the reason. It does nothing outside of callgrind.
func CallgrindDump(name string) {
	text := append([]byte(name), 0)
	valgrindRequest(&[6]uint64{callgrindDumpAt, uint64(uintptr(unsafe.Pointer(&text[0])))})
	runtime.KeepAlive(text)
}
