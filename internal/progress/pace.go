package progress

import (
	"time"

	"example.com/suite/runner"
)

// pace estimates the time left from the time that a run has taken so far. A plan does not
// contain the start of programs, setups and open gates, which are most of the time of short
// cases.
type pace struct {
	now   func() time.Time
	began time.Time
	first int     // cases that were already done at the start of a resumed run
	share float64 // shown last; it never becomes smaller
}

// enough is the number of finished cases from which their pace is known: one window, whose
// cases end together.
const enough = 8

// mostOpen is the greatest share that is shown while cases are open, even if they take much
// longer than planned.
const mostOpen = 0.99

// estimate corrects Left and Share of the progress by the pace so far.
func (p *pace) estimate(at runner.Progress) runner.Progress {
	if p.began.IsZero() {
		p.began = p.now()
		p.first = at.Done
	}
	if at.Total > enough && at.Done > 0 {
		at.Share = min(at.Share, float64(at.Done+enough)/float64(at.Total)) // the cases of a window are all under way
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
