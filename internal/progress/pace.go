package progress

import (
	"time"

	"example.com/suite/runner"
)

// pace estimates the time left from the time that a run has taken so far. A plan does not
// contain the start of programs, setups and open gates, which are most of the time of short
// cases.
type pace struct {
	now      func() time.Time
	began    time.Time
	first    int           // cases that were already done at the start of a resumed run
	spent    time.Duration // by cases at the start of a resumed run
	last     time.Time     // that the pace was estimated
	building bool          // then
	share    float64       // shown last; it never becomes smaller
}

// enough is the number of finished cases from which their pace is known: one window, whose
// cases end together.
const enough = 8

// mostOpen is the greatest share that is shown while cases are open, even if they take much
// longer than planned.
const mostOpen = 0.99

// steady is the time after which the pace predicts better than the plan.
const steady = 3 * time.Second

// rate is the wall time of each second that cases have taken: programs start and set up too.
func (p *pace) rate(spent time.Duration) float64 {
	return max(1, float64(p.now().Sub(p.began)+steady)/float64(spent+steady))
}

// estimate corrects Left and Share of the progress by the pace so far. Time in which programs are built, and linked for
// the first time, is no part of the pace.
func (p *pace) estimate(at runner.Progress) runner.Progress {
	now := p.now()
	switch {
	case p.began.IsZero():
		p.began, p.first, p.spent = now, at.Done, at.Spent
	case p.building:
		p.began = p.began.Add(now.Sub(p.last))
	}
	p.last, p.building = now, at.Phase == "build" || at.Phase == "link" && at.Spent == p.spent
	at.Left = time.Duration(float64(at.Left) * p.rate(at.Spent-p.spent))
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
