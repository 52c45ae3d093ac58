//go:build !nopeg

package peg

import (
	"testing"
	"time"

	"example.com/suite/peg/pegfile"
)

// All numbers beside each other in one run:
//
//	go test ./peg -run '^$' -bench . -count 5
//
// The clocks alone are what a hit cannot be cheaper than.

var sink uint64

func BenchmarkClockTicks(b *testing.B) {
	if !hasTicks() {
		b.Skip("no invariant time stamp counter here")
	}
	for b.Loop() {
		sink = readTicks()
	}
}

func BenchmarkClockWall(b *testing.B) {
	for b.Loop() {
		sink = uint64(time.Since(clockBase))
	}
}

func BenchmarkLoop(b *testing.B) {
	for range b.N {
	}
}

// enabled gives a registry of its own with this clock, and two points that are on.
func enabled(clock *clock) (r *registry, from, to *Point) {
	r = newRegistry()
	clock.calibrate()
	r.clock = clock
	from, to = r.addPoint("from", "", "", 0), r.addPoint("to", "", "", 0)
	r.enable(nil)
	return r, from, to
}

func benchmarkHit(b *testing.B, clock *clock) {
	r, from, to := enabled(clock)
	lane := &Lane{registry: r}
	b.ResetTimer()
	for range b.N {
		lane.Hit(from)
		lane.Hit(to)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2, "ns/hit")
}

func BenchmarkHitTicks(b *testing.B) { benchmarkHit(b, systemClock()) }
func BenchmarkHitWall(b *testing.B)  { benchmarkHit(b, wallClock()) }

func BenchmarkHitDefaultLane(b *testing.B) {
	_, from, to := enabled(systemClock())
	for b.Loop() {
		from.Hit()
		to.Hit()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2, "ns/hit")
}

func BenchmarkSpan(b *testing.B) {
	r, p, _ := enabled(systemClock())
	lane := &Lane{registry: r}
	for b.Loop() {
		lane.Begin(p).End()
	}
}

func BenchmarkHitDisabled(b *testing.B) {
	r, from, _ := enabled(systemClock())
	r.disable()
	lane := &Lane{registry: r}
	b.ResetTimer()
	for range b.N { // b.Loop has a cost of its own, as great as this
		lane.Hit(from)
	}
}

// BenchmarkNewLane is a lane as a server makes one for each request.
func BenchmarkNewLane(b *testing.B) {
	r, from, to := enabled(systemClock())
	for b.Loop() {
		lane := &Lane{registry: r, name: "request"}
		lane.Hit(from)
		lane.Hit(to)
		lane.Close()
	}
}

// BenchmarkLanes has one lane a processor, and then sixteen: the time of a hit, over all
// processors, stays as it is, for lanes have nothing in common.
func BenchmarkLanes(b *testing.B) {
	for _, lanes := range []int{1, 16} {
		b.Run(map[int]string{1: "1", 16: "16"}[lanes], func(b *testing.B) {
			r, from, to := enabled(systemClock())
			b.SetParallelism(lanes)
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				lane := &Lane{registry: r}
				for pb.Next() {
					lane.Hit(from)
					lane.Hit(to)
				}
			})
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2, "ns/hit")
		})
	}
}

// pauses are what comes before a pair of hits.
var pauses = map[string]func(){
	"in a row":            func() {},
	"after a sleep":       func() { time.Sleep(20 * time.Millisecond) },
	"after walking 32MiB": walk,
	"after writing 32MiB": write,
}

var walked = make([]byte, 32<<20)

// walk leaves nothing else in the caches.
func walk() {
	for i := 0; i < len(walked); i += 64 {
		sink += uint64(walked[i])
	}
}

// write leaves writes under way, too.
func write() {
	for i := 0; i < len(walked); i += 64 {
		walked[i]++
	}
}

// heldResidues returns the share of n arcs with nothing in them that are at most their
// residue.
func heldResidues(tb testing.TB, pause func(), n int) float64 {
	r, from, to := enabled(systemClock())
	lane := &Lane{registry: r}
	for range n {
		pause()
		lane.Hit(from)
		lane.Hit(to)
	}
	d := r.snapshot(true, false)
	for _, a := range d.Arcs {
		if a.From == "from" {
			return 1 - float64(timesAbove(a, max(d.Residue, a.Residue)))/float64(a.Count)
		}
	}
	tb.Fatal("no arc")
	return 0
}

// timesAbove counts the times in bins above a limit.
func timesAbove(a pegfile.Arc, limit float64) (n uint64) {
	for _, b := range a.Histogram {
		if b.Low > limit {
			n += b.Count
		}
	}
	return n
}

// BenchmarkResidue counts how often the residue holds, which should be in 99 of 100 hits:
//
//	go test ./peg -run '^$' -bench Residue -benchtime 200x -count 10
func BenchmarkResidue(b *testing.B) {
	for name, pause := range pauses {
		b.Run(name, func(b *testing.B) { b.ReportMetric(100*heldResidues(b, pause, b.N), "%held") })
	}
}
