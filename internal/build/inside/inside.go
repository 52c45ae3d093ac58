//go:build ignore

// This file becomes a part of package testing in the test binaries that suite builds, see ../resident.go. It does
// nothing unless suite asks for samples: then package testing runs benchmarks again and again in this process, a
// sample for each request, in the way in which it always runs benchmarks. What happens before and after all
// benchmarks, such as TestMain, and around each of them, such as the benchmarks that contain it, is as in go test.

package testing

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// server takes samples.
type server struct {
	in            *bufio.Reader // requests: iterations of a benchmark, and those ahead if not one, on a line
	out           *os.File      // answers, a line each
	n             int           // iterations of the sample that is asked for, 0: none is
	ahead         int           // iterations before the first sample of the benchmark
	name          string        // of its benchmark
	path          []string      // the parts of the name that the running function serves
	crowded       bool          // the CPUs of the machine are busy
	passes        bool          // one call of a function serves all requests that come in its order
	given         int           // answers
	busy          bool          // a sample is being taken
	counts        bool          // valgrind counts its instructions
	counting      bool          // valgrind has been told to begin
	ends          bool          // it has written something of the sample
	shared        int64         // 1: goroutines share the iterations of the sample, or of the one before
	rested, idle  int64         // CPU time of the process at the last answer, and from then to the last request, ns
	goroutines    int           // before all benchmarks, as the two settings of the collector
	percent       int
	limit         int64
	before, after syscall.Rusage
	thread        string // in which it began, and how long that had run and had waited for a CPU, ns
	ran, waited   int64
	collections   uint32
	live          uint64 // bytes of the heap after the last collection
}

// served is nil unless suite asks for samples. It is set before the initialisers of all packages that import this
// one, so that what they start neither inherits the pipes nor takes itself for a server.
var served = func() *server {
	const variable = "SUITE_BENCHMARK"
	how, asked := os.LookupEnv(variable)
	if !asked {
		return nil
	}
	os.Unsetenv(variable)
	syscall.CloseOnExec(3)
	syscall.CloseOnExec(4)
	if how == "count" {
		moveHeap(len(os.Getenv("SUITE_PADDING")))
	}
	return &server{in: bufio.NewReader(os.NewFile(3, "requests")),
		out: os.NewFile(4, "answers"), counts: how == "count", passes: how == "pass", crowded: how == "crowded"}
}()

// startCounting makes callgrind count from now on. It is nil on processors on which callgrind does so from the start.
var startCounting func()

// Objects that stay on the heap.
var (
	heldBytes    [][]byte
	heldPointers [][]*byte
)

// moveHeap moves the small objects that are allocated from now on by up to n bytes within their pages. Assembly executes
// more if a short text is at the end of one.
func moveHeap(n int) {
	for range n % 16 { // those below 16 bytes share these
		heldBytes = append(heldBytes, make([]byte, 1))
	}
	for _, size := range [...]int{16, 24, 32, 48, 64} {
		for range n / size {
			heldBytes = append(heldBytes, make([]byte, size))
			heldPointers = append(heldPointers, make([]*byte, size/8))
		}
	}
}

// order yields the benchmarks that main, which contains all of them, runs: those that match, or, if suite asks for
// samples, one each time that a request names another benchmark than the last one. A request that no benchmark
// answers is the last.
func (s *server) order(main *B, matching, all []InternalBenchmark) func(yield func(int, InternalBenchmark) bool) {
	return func(yield func(int, InternalBenchmark) bool) {
		if s == nil {
			for i, one := range matching {
				if !yield(i, one) {
					return
				}
			}
			return
		}
		for s.next(); s.n > 0; {
			if s.given == 0 {
				s.remember()
			} else if !s.forget() {
				fmt.Fprintln(s.out, "LEFT")
				return
			}
			given := s.given
			s.path = strings.Split(s.name, "/")
			s.shared = 0
			function := s.path[0]
			main.bstate.match = newMatcher(nil, "", "", "")
			main.bstate.match.filter = s
			for i, one := range all {
				if one.Name == function && !yield(i, one) {
					return
				}
			}
			if s.given == given {
				return
			}
		}
	}
}

// remember keeps what forget compares with and restores.
func (s *server) remember() {
	s.goroutines, s.percent, s.limit = runtime.NumGoroutine(), debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	debug.SetGCPercent(s.percent)
}

// mostCounted is how much of the heap may be used when the next benchmark begins that is counted. From 1 GiB on
// garbage is collected meanwhile.
const mostCounted = 1 << 28

// forget gives memory that other benchmarks have used back to the system, so that the next one finds a heap as in a
// new process, and the peak is its own if the system can begin it anew. If instructions are counted it stays: a
// collection is some of the work of a short process, and what is allocated next is new either way. It reports whether
// all of their goroutines have ended, and there is room.
func (s *server) forget() bool {
	for wait := 0; runtime.NumGoroutine() > s.goroutines; wait++ {
		if wait == 50 {
			return false
		}
		time.Sleep(time.Millisecond)
	}
	debug.SetGCPercent(s.percent)
	debug.SetMemoryLimit(s.limit)
	if s.counts {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc < mostCounted
	}
	s.collect(debug.FreeOSMemory)
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
	return true
}

// matches selects the benchmark that is served, and those that contain it.
func (s *server) matches(name []string, _ func(pat, str string) (bool, error)) (ok, partial bool) {
	for i := range min(len(name), len(s.path)) {
		if name[i] != s.path[i] {
			return false, false
		}
	}
	return true, len(name) < len(s.path)
}

func (s *server) verify(string, func(pat, str string) (bool, error)) error { return nil }

// serve takes the samples of b that are asked for, until one fails or is of another benchmark, and reports whether
// suite asks for samples at all.
func (s *server) serve(b *B) bool {
	if s == nil {
		return false
	}
	for s.n > 0 && b.name == s.name {
		runtime.GOMAXPROCS(cpuList[0])
		b.benchTime.n, b.output, s.busy, s.ends = s.n, nil, true, false
		go func() {
			defer func() { b.signal <- true }()
			b.runN(s.n)
		}()
		<-b.signal
		s.busy = false
		s.answer(b)
		if b.failed || b.skipped {
			s.n = 0
			break
		}
		s.next()
	}
	return true
}

// next waits for a request. A pipe that is closed ends all.
func (s *server) next() {
	s.n = 0
	line, err := s.in.ReadString('\n')
	if err != nil {
		return
	}
	if s.given > 0 {
		s.idle = used() - s.rested
	}
	n, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
	name, ahead, _ := strings.Cut(rest, " ")
	s.n, _ = strconv.Atoi(n)
	s.name = name
	s.ahead, _ = strconv.Atoi(ahead)
	s.ahead = max(s.ahead, 1)
	if s.passes {
		s.path = strings.Split(s.name, "/")
	}
}

// begin and end are called where runN starts and stops the clock. begin collects garbage, as runN does in its place,
// unless that is not needed. Instructions that are counted do not depend on what is on the heap, and nothing else is
// asked for then.
func (s *server) begin() {
	if s != nil && s.counts {
		if s.busy && !s.counting && startCounting != nil {
			s.counting = true
			startCounting()
		}
		return
	}
	if s == nil || !s.busy {
		s.collect(runtime.GC)
		return
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if s.shared == 0 || m.HeapAlloc > muchGarbage*max(s.live, 4<<20) {
		s.collect(runtime.GC)
		runtime.ReadMemStats(&m)
		s.live = m.HeapAlloc
	}
	s.shared, s.collections = 0, m.NumGC
	s.thread, s.ran, s.waited = scheduled()
	syscall.Getrusage(syscall.RUSAGE_SELF, &s.before)
}

// muchGarbage is how many times as large as after the last collection a heap is that is collected before any sample.
// Iterations that goroutines share are not collected again before: that would empty pools, and by chance one of the
// goroutines fills its own anew, or takes what another one has put back, in each of the short samples. With its usual
// settings the collector begins by itself at twice the size, or at 4 MB.
const muchGarbage = 8

// smallHeap is a heap that one processor collects as fast as two.
const smallHeap = 1 << 24

// collect collects garbage by a function of the runtime. On busy CPUs a small heap is collected on one processor of the
// runtime: on several, goroutines of the collector wait for each other's threads, and these for a CPU. With 1 MB on two
// CPUs on which six processes run that takes 3 ms in place of 0.2, and uses a CPU for as long. On idle ones it gains
// nothing, and launches differ more.
func (s *server) collect(by func()) {
	if s != nil && s.crowded && s.live < smallHeap {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	}
	by()
}

func (s *server) end() {
	if s == nil || !s.busy || s.counts {
		return
	}
	syscall.Getrusage(syscall.RUSAGE_SELF, &s.after)
	thread, ran, waited := scheduled()
	if s.ran, s.waited = ran-s.ran, waited-s.waited; thread != s.thread || thread == "" {
		s.ran, s.waited = -1, -1
	}
	s.collections = memStats.NumGC - s.collections // as StopTimer has read it
}

// run calls a benchmark as runN does. What is ahead of all samples is one iteration, or what suite asks for: none if
// instructions are counted and the benchmark has others in it, which suite asks for if it is needed. If goroutines share
// iterations, one of them has had that iteration, so each gets some.
func (s *server) run(b *B) {
	isAhead := s != nil && !s.busy && b.name == s.name
	if isAhead && s.counts {
		return
	}
	if isAhead {
		b.N = s.ahead
	}
	b.benchFunc(b)
	if isAhead && s.shared != 0 && !s.passes && b.N < min(s.n, sharedAhead) {
		b.N = min(s.n, sharedAhead)
		b.benchFunc(b)
	}
}

// sharedAhead is as many iterations as are enough for each of several goroutines to have one.
const sharedAhead = 16

// When one of these functions is called, and suite counts by callgrind, that forgets what it has counted (Begins),
// writes it as a part of the sample (Ends), or writes that the parts before are none (Resets).
//
//go:noinline
func suiteCountBegins() {}

//go:noinline
func suiteCountEnds() {}

//go:noinline
func suiteCountResets() {}

// started, stops and reset are called where package testing has started its clock, before it stops the clock, and where
// it has reset what it has measured so far. Most samples are one part, so callgrind writes once, which takes 2 ms.
func (s *server) started() {
	if s != nil && s.busy {
		suiteCountBegins()
	}
}

func (s *server) stops() {
	if s != nil && s.busy {
		suiteCountEnds()
		s.ends = true
	}
}

func (s *server) reset() {
	if s == nil || !s.busy {
		return
	}
	if s.ends {
		suiteCountResets()
		s.ends = false
	}
	suiteCountBegins()
}

// shares is called where b.RunParallel begins.
func (s *server) shares() {
	if s != nil {
		s.shared = 1
	}
}

// scheduled returns the thread that runs the caller, for how long it has run, and for how long it was ready to run and
// had no CPU, ns. thread is empty if the system does not report it.
func scheduled() (thread string, ran, waited int64) {
	const here = "/proc/thread-self"
	thread, err := os.Readlink(here)
	if err != nil {
		return "", 0, 0
	}
	text, err := os.ReadFile(here + "/schedstat") // with the number of times that it ran
	if _, none := fmt.Sscan(string(text), &ran, &waited); err != nil || none != nil {
		return "", 0, 0
	}
	return thread, ran, waited
}

// used is the CPU time of this process so far, ns.
func used() int64 {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return r.Utime.Nano() + r.Stime.Nano()
}

// answer describes the last sample: how it ended, its iterations, its collections, the CPU time of the
// process since the answer before, how long its thread ran and waited for a CPU, -1 if that is not known, what the
// process has used, whether goroutines share the iterations, and then pairs of a value and its unit.
func (s *server) answer(b *B) {
	s.given++
	if b.failed || b.skipped {
		how := "FAIL"
		if !b.failed {
			how = "SKIP"
		}
		fmt.Fprintf(b.w, "--- %s: %s\n%s", how, b.name, b.output)
		fmt.Fprintln(s.out, how)
		return
	}
	line := []byte("ok")
	for _, x := range [...]int64{int64(b.N), int64(s.collections), s.idle, s.ran, s.waited,
		s.after.Utime.Nano() - s.before.Utime.Nano(), s.after.Stime.Nano() - s.before.Stime.Nano(),
		int64(s.after.Maxrss), int64(s.after.Minflt - s.before.Minflt), int64(s.after.Majflt - s.before.Majflt),
		int64(s.after.Nvcsw - s.before.Nvcsw), int64(s.after.Nivcsw - s.before.Nivcsw), s.shared} {
		line = strconv.AppendInt(append(line, ' '), x, 10)
	}
	add := func(x float64, unit string) {
		line = append(strconv.AppendFloat(append(line, ' '), x, 'g', -1, 64), ' ')
		line = append(line, unit...)
	}
	r := BenchmarkResult{b.N, b.duration, b.bytes, b.netAllocs, b.netBytes, b.extra}
	if _, own := r.Extra["ns/op"]; !own {
		add(float64(r.T.Nanoseconds())/float64(max(r.N, 1)), "ns/op")
	}
	if _, own := r.Extra["MB/s"]; !own && r.Bytes > 0 {
		add(r.mbPerSec(), "MB/s")
	}
	if _, own := r.Extra["B/op"]; !own {
		add(float64(r.AllocedBytesPerOp()), "B/op")
	}
	if _, own := r.Extra["allocs/op"]; !own {
		add(float64(r.AllocsPerOp()), "allocs/op")
	}
	for unit, x := range r.Extra {
		add(x, unit)
	}
	s.out.Write(append(line, '\n'))
	s.rested = used()
}
