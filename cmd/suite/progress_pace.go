package main

import (
	"time"

	"example.com/suite/runner"
)

// pace corrects what a run is expected to take by what it has taken: starting programs,
// set-ups and open gates are in no plan, and of short cases they are most of the time.
type pace struct {
	now   func() time.Time
	began time.Time
	first int     // cases that were done when it began: a resumed run
	share float64 // never smaller than it was
}

// enough cases to know their pace: one window, whose cases end together.
const enough = 8

// mostOpen is the share of a run in which cases are open, however much longer than
// planned it takes.
const mostOpen = 0.99

// of gives where the run stands with time left and share as far as they can be known.
func (p *pace) of(at runner.Progress) runner.Progress {
	if p.began.IsZero() {
		p.began, p.first = p.now(), at.Done
	}
	if at.Total > enough && at.Done > 0 {
		at.Share = min(at.Share, float64(at.Done+enough)/float64(at.Total)) // those of a window are under way
	}
	if done := at.Done - p.first; done >= enough && at.Total > at.Done {
		at.Left = p.now().Sub(p.began) / time.Duration(done) * time.Duration(at.Total-at.Done)
		at.Share = float64(at.Done) / float64(at.Total)
	}
	if at.Done < at.Total {
		at.Share = min(at.Share, mostOpen)
	}
	p.share = max(p.share, at.Share)
	at.Share = p.share
	return at
}
