package runner

import (
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
)

// takePairs turns the readings of a block of pairs into samples of both sides, with the
// same row for both batches of a pair. A pair that lacks a batch has no row.
func (t *track) takePairs(request *wire.Request, r *wire.Readings, discard int, at time.Duration) {
	b := t.base
	t.answered(r)
	attribute(r, t.remote.Stopped)
	t.together(r)
	whole := min(len(r.ID)/2, request.Pairs)
	for _, s := range t.sides() {
		s.alone(r, len(t.sides()), whole)
		s.reports(r)
	}
	for i := range r.ID {
		one := batch{r, i}
		switch {
		case i >= 2*request.Pairs:
			if r.ID[i] != t.id && r.ID[i] != b.id && one.stop() == 0 {
				t.loopTimes.add(&t.overhead, r, i, t.units(r.N[i]))
			}
		case i >= 2*discard && i < 2*whole:
			s := t.sideOf(r.ID[i])
			s.row(one, at)
			s.Sampled += one.took()
			if i%2 == 1 {
				t.closePair(r, i-1)
			}
		}
		at += one.wall()
	}
	if whole > discard {
		t.closeBlock()
		b.closeBlock()
		t.freshFirst = t.result.Pairs.First[len(t.result.Pairs.First)-(whole-discard):]
	}
}

// together takes what a block reports of both sides without telling them apart.
func (t *track) together(r *wire.Readings) {
	t.leaks(r.Leaked, r.Left)
	t.remain(r)
	t.result.Retried += r.Retried
	t.watch(r)
	t.sharing(r.Share)
}

// alone takes what a block reports of one side: the time of its batches, and half of the
// time that belongs to neither.
func (t *side) alone(r *wire.Readings, sides, whole int) {
	own, rest := time.Duration(0), time.Duration(r.Elapsed)
	for i, id := range r.ID {
		one := batch{r, i}
		took := one.took()
		rest -= took
		if id == t.id {
			own += took
			t.countRun(one)
		}
	}
	own += max(rest, 0) / time.Duration(sides)
	t.Used += own
	t.Batch = own / time.Duration(max(whole, 1))
	t.measureReadings(r, t.id)
}

func (t *track) sideOf(id int) *side {
	if id == t.base.id {
		return t.base
	}
	return t.side
}

// closePair notes who went first in the pair that begins at a row of the readings.
// A stop of the process spoils both of its sides, wherever it fell.
func (t *track) closePair(r *wire.Readings, first int) {
	p := t.result.Pairs
	who := 1
	if r.ID[first] == t.base.id {
		who = 0
	}
	p.First, p.Samples = append(p.First, who), t.base.result.Samples
	if stop := max(batch{r, first}.stop(), batch{r, first + 1}.stop()); stop > 0 {
		for _, s := range t.sides() {
			s.spoil("beside one that was " + stoppedFor(stop))
		}
		p.Samples = t.base.result.Samples
	}
}

// spoil marks the last sample as disturbed, if it is not marked yet.
func (t *side) spoil(cause string) {
	s := &t.result.Samples
	row, n := s.Len()-1, len(s.Disturbed)
	if (n == 0 || s.Disturbed[n-1].Index != row) && !isCensored(s, row) {
		s.Disturbed = append(s.Disturbed, result.Disturbed{Index: row, Cause: cause})
	}
}

func isCensored(s *result.Samples, row int) bool {
	n := len(s.Censored)
	return n > 0 && s.Censored[n-1] == row
}
