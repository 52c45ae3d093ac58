package runner

import (
	"context"
	"math"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/binary"
)

// filesInUse is how many files the launches of a window need at the same time: the files of
// both sides of each case.
const filesInUse = 2*windowSize + 2

// drawing is the draw that the launches of a window run in.
type drawing struct {
	draw    int           // the current one
	served  int           // launches that ran in it
	planned int           // launches that it serves
	linked  time.Duration // what its links took
	began   time.Time     // of the last round, after its links
	round   time.Duration // how long the last round took, without links
}

// draws reports whether each launch of a case gets a new file and a new layout: of Go
// functions in a program that was built for the suite, and of existing benchmarks.
func (r *run) draws(t *track) bool {
	if t.base == nil || r.Link == nil {
		return false
	}
	switch t.spec.Kind {
	case result.KindGo:
		return t.isApart() || t.plan.Packages != nil
	case result.KindGoTest:
		return true
	}
	return false
}

// isRelaunched reports whether a case starts new hosts, or new files, in each round.
func (t *track) isRelaunched() bool { return t.isApart() || t.drawn }

// nextDraw links what the next launches run from. It is called between rounds, so that
// nothing is measured meanwhile. A draw serves several launches if links take far longer
// than rounds: their number is sqrt(cost of a draw ÷ cost of a round), which is best if draws
// vary as much as launches do (T. Kalibera, R. Jones, Rigorous Benchmarking in Reasonable
// Time, ISMM 2013, §5). Such launches are one observation.
func (w *window) nextDraw(ctx context.Context, first bool) {
	d := &w.drawing
	if !d.began.IsZero() {
		d.round = w.Now().Sub(d.began)
	}
	switch {
	case first:
		d.draw = w.resumedDraw()
	case d.served < d.planned:
		d.served++
		d.began = w.Now()
		return
	default:
		d.draw++
	}
	d.served = 1
	var wanted []binary.Image
	for _, t := range w.waiting() {
		if !t.drawn || t.guard {
			continue
		}
		for _, s := range t.sides() {
			wanted = append(wanted, w.imageOf(s))
		}
	}
	if len(wanted) > 0 && ctx.Err() == nil {
		w.progress(nil, "link")
		before := w.Now()
		_ = w.images.LinkAll(ctx, wanted) // an ended context is seen by whoever measures next
		d.linked = w.Now().Sub(before)
		if w.allowance > 0 {
			w.chargeLinks()
		}
	}
	d.planned = w.launchesPerDraw()
	d.began = w.Now()
}

// isComplete reports whether a draw has served all of its launches. Before that nobody asks
// what they show: they are one observation, whose mean still moves.
func (d *drawing) isComplete() bool { return d.served >= d.planned }

// chargeLinks shares the time of links out to the cases that they are for. Without a
// budget nobody has to pay it: max_time is for what a case itself does.
func (w *window) chargeLinks() {
	share := w.shareOfLinks()
	for _, t := range w.waiting() {
		if t.drawn && !t.guard {
			t.charged(share)
		}
	}
}

// shareOfLinks is what the links of the current draw cost each of the cases that go on.
func (w *window) shareOfLinks() time.Duration {
	drawn := 0
	for _, t := range w.waiting() {
		if t.drawn && !t.guard {
			drawn++
		}
	}
	return w.drawing.linked / time.Duration(max(drawn, 1))
}

// mostLaunchesPerDraw keeps a draw from becoming the only one.
const mostLaunchesPerDraw = 20

func (w *window) launchesPerDraw() int {
	if w.drawing.linked <= 0 || w.drawing.round <= 0 {
		return 1
	}
	best := math.Sqrt(float64(w.drawing.linked) / float64(w.drawing.round))
	return max(1, min(int(best+0.5), mostLaunchesPerDraw))
}

// resumedDraw is the first draw that none of the cases has used before the run was
// interrupted.
func (w *window) resumedDraw() (draw int) {
	for _, t := range w.tracks {
		if p := t.result.Pairs; p != nil && len(p.Layouts) > 0 {
			draw = max(draw, p.Layouts[len(p.Layouts)-1].Draw+1)
		}
	}
	return draw
}

// A side of a case runs from this image in the current draw.
func (w *window) imageOf(t *side) binary.Image {
	return binary.Image{w.images.Original(w.programOf(t)), w.layoutOf(t)}
}

func (w *window) programOf(t *side) string {
	if t.isGoTest() {
		return t.spec.GoTest.Program
	}
	return w.program(t.kind())[0]
}

// layoutOf is the layout of a side of a case in the current draw. The two sides of a
// sentinel are one program: they take the layouts that the cases have in two draws, 0 and
// 1, 2 and 3, …, so that nothing has to be linked for it.
func (w *window) layoutOf(t *side) int64 {
	if t.isBase() && t.of.guard {
		return w.Seed.Layout(w.plan.Suite, w.drawing.draw^1)
	}
	return w.Seed.Layout(w.plan.Suite, w.drawing.draw)
}

// If no file can be made, fresh falls back to an old one, and the case gets a warning.
func (w *window) fresh(ctx context.Context, t *side) string {
	i := w.imageOf(t)
	_ = w.images.LinkAll(ctx, []binary.Image{i}) // it was linked, unless it had to be removed
	path, err := w.images.Fresh(i)
	if why := w.images.Fixed(i.Program); why != "" {
		t.of.warnOnce(result.WarnFixedLayout, "its launches share one order of functions: "+why, "")
	}
	if err != nil {
		t.of.warnOnce(result.WarnOldFile, "a launch ran from a file that another one had run from: "+err.Error(), "make room in the cache folder")
	}
	return path
}

// warnOnce warns unless the case has a warning of this code.
func (t *side) warnOnce(code result.WarningCode, message, hint string) {
	for _, w := range t.result.Warnings {
		if w.Code == code {
			return
		}
	}
	t.warn(code, message, hint)
}

// noteLayout records the draw that a launch ran in, once for all launches of the draw.
func (w *window) noteLayout(t *track) {
	p := t.result.Pairs
	if n := len(p.Layouts); n > 0 && p.Layouts[n-1].Draw == w.drawing.draw {
		return
	}
	l := result.Layout{Launch: t.result.Launches - 1, Draw: w.drawing.draw}
	if own := w.imageOf(t.side); w.images.Fixed(own.Program) == "" {
		l.Case = own.Layout
	}
	if base := w.imageOf(t.base); w.images.Fixed(base.Program) == "" {
		l.Base = base.Layout
	}
	p.Layouts = append(p.Layouts, l)
}
