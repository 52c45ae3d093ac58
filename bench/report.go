package bench

// Direction is which values of a metric are better.
type Direction int

// The directions of a metric.
const (
	Lower  Direction = iota + 1 // fewer is better: misses, bytes, retries
	Higher                      // more is better: hits, records, a ratio of compression
)

// Report adds a metric of the benchmark's own to the results: x under name. Tables, gates
// and comparisons have it as they have the time, and every sample of the case has one value
// of it.
//
// Call Report from the loop, as a rule once after it, with a number that does not depend on n:
//
//	return func(n int) {
//		hits := 0
//		for i := range n {
//			if cache.Has(keys[i%len(keys)]) {
//				hits++
//			}
//		}
//		c.Report("hits", float64(hits)/float64(n), bench.Higher)
//	}
//
// suite takes x as it is: it divides it neither by n nor by the work of an iteration. The
// value of a batch is the mean of all calls with the same name during that batch, also of
// calls from several goroutines (parallel in the suite file) and of iterations that Try
// declares void. So Report may also be called in each iteration; a call takes about 20 ns,
// which are part of the time. A batch without a call has no value, and the metric of the case
// is summarised over the batches that have one: its median, its interval and so on, as for
// the time. What is reported in the warm-up counts for nothing.
//
// A name consists of ASCII letters, digits and _, and begins with a letter, because gates
// write it: `hits.median > 0.9`, `not worse(hits, 5%)`. better decides what worse means
// there. A metric is a plain number without a unit; a unit can be part of the name (wait_us).
//
// The case fails if x is NaN, infinite or larger than 1e100, if the name is not as described,
// is a metric of suite itself (time, allocs, heap …) or a word of gates (case, ratio …), if
// two calls with the same name disagree on better, and if Report is called from the setup or
// from a cleanup, in which no batch runs. Outside of samples, while suite counts allocations or
// measures the arcs between pegs, calls have no effect.
//
// Report allocates nothing after the first call with a name, and may be called from several
// goroutines at once.
func (c *Case) Report(name string, x float64, better Direction) {
	if better != Lower && better != Higher {
		c.Fatalf("Report(%q): better is %d, want bench.Lower or bench.Higher", name, better)
	}
	if problem := c.host.Report(name, x, better == Higher); problem != "" {
		c.Fatalf("Report(%q): %s", name, problem)
	}
}
