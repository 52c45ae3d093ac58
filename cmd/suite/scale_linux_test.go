package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"example.com/suite/bench"
	"example.com/suite/internal/testfile"
)

// samplesVariable is the number of samples of each case that BenchmarkRunCases takes.
const samplesVariable = "SUITE_SAMPLES"

// weightVariable names the file to which suite-weighed writes its weight.
const weightVariable = "WEIGHT"

// weight is what a process of suite has used, without its hosts.
type weight struct {
	Allocated uint64 // bytes, all in all
	Peak      int64  // bytes of memory
	CPU       time.Duration
}

// weighed is suite with the fake host. It records its weight.
func weighed() {
	status := runCommandLine(system(hostWith(fakeClock)), os.Args[1:])
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	var u syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	text, _ := json.Marshal(weight{m.TotalAlloc, u.Maxrss << 10, time.Duration(u.Utime.Nano() + u.Stime.Nano())})
	if err == nil {
		err = os.WriteFile(os.Getenv(weightVariable), text, 0o666)
	}
	if err != nil {
		panic(err)
	}
	os.Exit(status)
}

func init() {
	ofSystem["suite-weighed"] = weighed
	bench.Register("fake/random", func(c *bench.Case) bench.Loop { // no two samples are alike
		x := uint64(c.Int("i"))
		return func(n int) {
			x = x*6364136223846793005 + 1442695040888963407
			fake.Advance(int64(n) * int64(1e6+x>>44))
		}
	})
}

// runMany runs a suite of so many cases with so many samples each. It returns what suite has
// used, and the size of the result.
func runMany(tb testing.TB, cases, samples int) (w weight, size int64) {
	tb.Helper()
	p := &proof{dir: tb.TempDir()}
	text := fmt.Sprintf(`
defaults: {batch: 1, warmup: 0s, target_time: 1ms, max_time: 1h, samples: %d}
benchmarks:
  - name: case ${i}
    go: fake/random
    matrix: {i: 1..%d}
    expect: time.median < 1s
`, samples, cases)
	testfile.Write(tb, p.path("suite.yaml"), text)
	cmd := p.command("suite-weighed", "run", "--quiet", "--out", "json="+p.path("result.json"), "suite.yaml")
	cmd.Env = append(cmd.Env, weightVariable+"="+p.path("weight.json"))
	if said, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("%v\n%.2000s", err, said)
	}
	said, err := os.ReadFile(p.path("weight.json"))
	if err == nil {
		err = json.Unmarshal(said, &w)
	}
	if err != nil {
		tb.Fatal(err)
	}
	result, err := os.Stat(p.path("result.json"))
	if err != nil {
		tb.Fatal(err)
	}
	return w, result.Size()
}

// BenchmarkRunCases runs suites of more and more cases. What suite needs for one of them does
// not depend on their number. SUITE_SAMPLES=1000 takes hours.
func BenchmarkRunCases(b *testing.B) {
	samples := 20
	if n, err := strconv.Atoi(os.Getenv(samplesVariable)); err == nil {
		samples = n
	}
	for _, cases := range []int{100, 1000, 10_000} {
		b.Run(strconv.Itoa(cases), func(b *testing.B) {
			var sum weight
			var size int64
			for b.Loop() {
				w, written := runMany(b, cases, samples)
				sum.Allocated += w.Allocated
				sum.CPU += w.CPU
				sum.Peak = max(sum.Peak, w.Peak)
				size = written
			}
			all := float64(b.N * cases)
			b.ReportMetric(0, "ns/op") // of the hosts too, which wait for each other
			b.ReportMetric(float64(sum.CPU.Nanoseconds())/all, "ns/case")
			b.ReportMetric(float64(sum.Allocated)/all, "B/case")
			b.ReportMetric(float64(sum.Peak)/1e6, "peak-MB")
			b.ReportMetric(float64(size)/1e6, "result-MB")
		})
	}
}

// What suite allocates for a case does not grow with the number of cases. The difference of
// two runs leaves out what is allocated once.
func TestAllocationsOfARunGrowWithItsCases(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long")
	}
	const samples = 10
	few, _ := runMany(t, 20, samples)
	more, _ := runMany(t, 70, samples)
	many, _ := runMany(t, 170, samples)
	first := float64(more.Allocated-few.Allocated) / 50
	later := float64(many.Allocated-more.Allocated) / 100
	if later > 1.3*first {
		t.Errorf("%.0f bytes for each of 50 more cases, and %.0f for each of 100 more", first, later)
	}
}
