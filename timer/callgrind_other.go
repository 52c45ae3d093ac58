//go:build !linux || !amd64

package timer

// CanDump reports whether CallgrindDump does anything if valgrind runs this program.
const CanDump = false

// InValgrind reports whether valgrind runs this program: that is not known here.
func InValgrind() bool { return false }

// CallgrindStart does nothing here.
func CallgrindStart() {}

// CallgrindDump does nothing here.
func CallgrindDump(string) {}
