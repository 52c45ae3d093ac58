//go:build ignore

// This file becomes a part of package testing as inside.go does, on processors for which valgrind is asked here.

package testing

// suiteValgrind passes a request to valgrind, if that runs this program.
func suiteValgrind(args *[6]uint64) uint64

// init lets callgrind count nothing until the first sample, as package callgrind has asked: until then valgrind has
// less to do.
func init() {
	const startInstrumentation = 'C'<<24 | 'T'<<16 | 4
	startCounting = func() { suiteValgrind(&[6]uint64{startInstrumentation}) }
}
