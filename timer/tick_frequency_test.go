package timer

// tickFrequency measures the ticks of a counter in a second of the clock, which must
// measure wall time, and the largest possible error. It takes ns nanoseconds and
// spins. The result is 0 if the counter could not be read, because the thread was
// moved for example: try again.
//
// A tick is read between two readings of the clock, at either end the closest
// of nine pairs, so that only an interruption of all nine can widen the error.
func tickFrequency(c Counter, clock Clock, ns int64) (hz, err float64) {
	from, ok := place(c, clock, T0)
	if !ok {
		return 0, 0
	}
	for clock.Now()-from.ns < ns {
	}
	to, ok := place(c, clock, T1)
	passed := float64(to.ns - from.ns)
	if !ok || passed <= 0 {
		return 0, 0
	}
	hz = float64(to.ticks-from.ticks) / passed * 1e9
	return hz, hz * float64(from.width+to.width) / 2 / passed
}

// placed is a reading of a counter at a moment that is known to half of width.
type placed struct {
	ticks     uint64
	ns, width int64
}

func place(c Counter, clock Clock, edge Edge) (best placed, ok bool) {
	var in Instant
	for range 9 {
		before := clock.Now()
		err := c.Read(&in, edge)
		after := clock.Now()
		if err == nil && (!ok || after-before < best.width) {
			best, ok = placed{in.Count, before + (after-before)/2, after - before}, true
		}
	}
	return best, ok
}
