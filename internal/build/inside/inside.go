//go:build ignore

// This file becomes a part of package testing in the test binaries that suite builds, see ../resident.go. It does
// nothing unless suite asks for samples: then package testing runs one benchmark again and again in this process, a
// sample for each request, in the way in which it always runs benchmarks. Everything before and after it, TestMain
// and the benchmarks that contain it, happens as in go test.

package testing

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// server takes samples of one benchmark.
type server struct {
	name          string   // of the benchmark
	in            *os.File // requests: a number of iterations on a line
	out           *os.File // answers, a line each
	busy, ended   bool     // a sample is being taken; the benchmark was served
	before, after syscall.Rusage
	collections   uint32
}

// served is nil unless suite asks for samples. It is set before the initialisers of all packages that import this
// one, so that what they start neither inherits the pipes nor takes itself for a server.
var served = func() *server {
	const variable = "SUITE_BENCHMARK"
	name, asked := os.LookupEnv(variable)
	if !asked {
		return nil
	}
	os.Unsetenv(variable)
	syscall.CloseOnExec(3)
	syscall.CloseOnExec(4)
	return &server{name: name, in: os.NewFile(3, "requests"), out: os.NewFile(4, "answers")}
}()

// serve takes the samples of b that are asked for, and reports whether suite asks for samples at all. Then no other
// benchmark is run.
func (s *server) serve(b *B) bool {
	if s == nil {
		return false
	}
	if s.ended || b.name != s.name {
		return true
	}
	s.ended = true
	for !b.failed && !b.skipped {
		n, ok := s.request()
		if !ok {
			break
		}
		runtime.GOMAXPROCS(cpuList[0])
		b.benchTime.n, b.output, s.busy = n, nil, true
		go func() {
			defer func() { b.signal <- true }()
			b.runN(n)
		}()
		<-b.signal
		s.busy = false
		s.answer(b)
	}
	return true
}

// request waits for a number of iterations. A pipe that is closed ends the benchmark.
func (s *server) request() (n int, ok bool) {
	var line [32]byte
	size, err := s.in.Read(line[:])
	if err != nil {
		return 0, false
	}
	n, err = strconv.Atoi(strings.TrimSpace(string(line[:size])))
	return n, err == nil
}

// begin and end are called where runN starts and stops the clock.
func (s *server) begin() {
	if s == nil || !s.busy {
		return
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s.collections = m.NumGC
	syscall.Getrusage(syscall.RUSAGE_SELF, &s.before)
}

func (s *server) end() {
	if s == nil || !s.busy {
		return
	}
	syscall.Getrusage(syscall.RUSAGE_SELF, &s.after)
	s.collections = memStats.NumGC - s.collections // as StopTimer has read it
}

// answer describes the last sample: how it ended, its iterations, its collections, what the process has used, and
// then pairs of a value and its unit.
func (s *server) answer(b *B) {
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
	for _, x := range [...]int64{int64(b.N), int64(s.collections), s.after.Utime.Nano() - s.before.Utime.Nano(), s.after.Stime.Nano() - s.before.Stime.Nano(),
		int64(s.after.Maxrss), int64(s.after.Minflt - s.before.Minflt), int64(s.after.Majflt - s.before.Majflt),
		int64(s.after.Nvcsw - s.before.Nvcsw), int64(s.after.Nivcsw - s.before.Nivcsw)} {
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
}
