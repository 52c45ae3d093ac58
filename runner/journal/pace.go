package journal

import "time"

// Pace keeps the time spent waiting for the disk below a share of all time. Writing a
// line to the disk (fdatasync) took 0.45 ms at the median, and 2 to 30 ms at the 99th
// percentile. A block lasts 10 ms, so the disk is waited for after every block. On a
// rotating disk, and on a Mac, a wait takes 10 to 30 ms, and a case would take three times
// as long: there a power cut may lose the blocks of the last 0.1 to 0.3 s.
type Pace struct {
	cost time.Duration // of a sync, smoothed: one slow one changes little
	last time.Time
}

const syncShare = 10 // of the time at most goes into waiting: one part in so many

// Due reports whether the disk is waited for after a line that is written now.
func (p *Pace) Due(now time.Time) bool { return now.Sub(p.last) >= syncShare*p.cost }

// Took records how long the disk was waited for.
func (p *Pace) Took(start, end time.Time) {
	took := end.Sub(start)
	if p.cost == 0 {
		p.cost = took
	}
	p.cost += (took - p.cost) / 8
	p.last = end
}
