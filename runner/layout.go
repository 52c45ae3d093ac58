package runner

import (
	"context"
	"math"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/binary"
	"example.com/suite/runner/draw"
)

// drawing is the layouts that the launches of a window run in: each draw links the programs
// of all cases that are drawn in a new order.
type drawing struct {
	run     *run
	suite   string
	draw    int                   // the current one
	served  int                   // launches that ran in it
	planned int                   // launches that it serves
	linked  time.Duration         // what its links took
	began   time.Time             // of the last round, after its links
	round   time.Duration         // how long the last round took, without links
	files   map[launchFile]string // of the current launch, that cases share
}

// launchFile is what a file of a launch is made for.
type launchFile struct {
	binary.Image
	base bool // side
}

// draws reports whether each launch of a case gets a new file and a new layout: of Go
// functions in a program that was built for the suite, and of existing benchmarks.
func (r *run) draws(t *track) bool {
	return r.isLinked(t) && !t.result.JudgedByInstructions()
}

// isLinked reports whether both sides of a case are Go programs that were built for the suite.
func (r *run) isLinked(t *track) bool {
	if t.base == nil || r.options.Link == nil {
		return false
	}
	switch t.target.Spec.Kind {
	case result.KindGo:
		return t.isApart() || t.target.Plan.Packages != nil
	case result.KindGoTest:
		return true
	}
	return false
}

// start links the first draw, which none of the cases has used before the run was
// interrupted. The cases that links are for share their time.
func (d *drawing) start(ctx context.Context, tracks []*track) {
	for _, t := range tracks {
		if p := t.result.Pairs; p != nil && len(p.Layouts) > 0 {
			d.draw = max(d.draw, p.Layouts[len(p.Layouts)-1].Draw+1)
		}
	}
	d.link(ctx, tracks)
}

// next links what the next launches run from. It is called between rounds, so that
// nothing is measured meanwhile. A draw serves several launches if links take far longer
// than rounds: their number is sqrt(cost of a draw ÷ cost of a round), which is best if draws
// vary as much as launches do (T. Kalibera, R. Jones, Rigorous Benchmarking in Reasonable
// Time, ISMM 2013, §5). Such launches are one observation.
func (d *drawing) next(ctx context.Context, tracks []*track) {
	d.round, d.files = d.run.options.Now().Sub(d.began), nil
	if d.served < d.planned {
		d.served++
		d.began = d.run.options.Now()
		return
	}
	d.draw++
	d.link(ctx, tracks)
}

// link links the current draw for all cases that go on.
func (d *drawing) link(ctx context.Context, tracks []*track) {
	d.served = 1
	var wanted []binary.Image
	for _, t := range tracks {
		if !d.serves(t) {
			continue
		}
		for _, s := range t.sides() {
			wanted = append(wanted, d.imageOf(s))
		}
	}
	if len(wanted) > 0 && ctx.Err() == nil {
		d.run.progress(nil, "link")
		_ = d.run.images.LinkAll(ctx, d.run.images.First(wanted)) // go is asked how it links, which no case pays for
		before := d.run.options.Now()
		_ = d.run.images.LinkAll(ctx, wanted) // an ended context is seen by whoever measures next
		d.linked = d.run.options.Now().Sub(before)
		d.charge(tracks)
	}
	d.planned = d.launches()
	d.began = d.run.options.Now()
}

// serves reports whether programs are linked for a case: a sentinel runs from what is
// linked for others.
func (d *drawing) serves(t *track) bool { return !t.done && t.drawn && !t.guard }

// isComplete reports whether a draw has served all of its launches. Before that nobody asks
// what they show: they are one observation, whose mean still moves.
func (d *drawing) isComplete() bool { return d.served >= d.planned }

// share is what the links of the current draw cost each of the cases that go on.
func (d *drawing) share(tracks []*track) time.Duration {
	served := 0
	for _, t := range tracks {
		if d.serves(t) {
			served++
		}
	}
	return d.linked / time.Duration(max(served, 1))
}

// charge shares the time of links out to the cases that they are for.
func (d *drawing) charge(tracks []*track) {
	share := d.share(tracks)
	for _, t := range tracks {
		if d.serves(t) {
			t.charged(share)
		}
	}
}

// mostLaunchesPerDraw keeps a draw from becoming the only one.
const mostLaunchesPerDraw = 20

// launches is how many launches the current draw serves.
func (d *drawing) launches() int {
	if d.linked <= 0 || d.round <= 0 {
		return 1
	}
	best := math.Sqrt(float64(d.linked) / float64(d.round))
	return max(1, min(int(best+0.5), mostLaunchesPerDraw))
}

// imageOf is what a side of a case runs from in the current draw.
func (d *drawing) imageOf(s *side) binary.Image {
	return binary.Image{Program: d.run.images.Original(d.run.programOf(s)), Layout: d.layoutOf(s)}
}

// programOf is the file of a Go program that contains a side.
func (r *run) programOf(s *side) string {
	if s.target.IsGoTest() {
		return s.target.Spec.GoTest.Program
	}
	return r.program(s.kind())[0]
}

// layoutOf is the layout of a side of a case in the current draw. The two sides of a
// sentinel are one program: they take the layouts that the cases have in two draws, 0 and
// 1, 2 and 3, …, so that nothing has to be linked for it.
func (d *drawing) layoutOf(s *side) draw.Layout {
	if s.target.IsBase() && s.of.guard {
		return d.run.options.Seed.Layout(d.suite, d.draw^1)
	}
	return d.run.options.Seed.Layout(d.suite, d.draw)
}

// shared is the file of the current launch of a side: of existing benchmarks that are taken by one process, all run
// from one.
func (d *drawing) shared(ctx context.Context, s *side) string {
	if !s.target.Stays() {
		return d.fresh(ctx, s)
	}
	key := launchFile{d.imageOf(s), s.target.IsBase()}
	if d.files[key] == "" {
		if d.files == nil {
			d.files = map[launchFile]string{}
		}
		d.files[key] = d.fresh(ctx, s)
	}
	return d.files[key]
}

// fresh makes a file for a launch of a side. If none can be made, fresh returns an old one,
// and the case gets a warning.
func (d *drawing) fresh(ctx context.Context, s *side) string {
	i := d.imageOf(s)
	_ = d.run.images.LinkAll(ctx, []binary.Image{i}) // it was linked, unless it had to be removed
	path, err := d.run.images.Fresh(i)
	if why := d.run.images.Fixed(i.Program); why != "" {
		s.of.result.WarnOnce(result.WarnFixedLayout, "its launches share one order of functions: "+why, "")
	}
	if err != nil {
		s.of.result.WarnOnce(result.WarnOldFile, "a launch ran from a file that another one had run from: "+err.Error(),
			"make room in the cache folder")
	}
	return path
}

// note records the draw that a launch of a case ran in, once for all launches of the draw.
func (d *drawing) note(t *track) {
	p := t.result.Pairs
	if n := len(p.Layouts); n > 0 && p.Layouts[n-1].Draw == d.draw {
		return
	}
	l := result.Layout{Launch: t.result.Launches - 1, Draw: d.draw}
	if own := d.imageOf(t.own); d.run.images.Fixed(own.Program) == "" {
		l.Case = own.Layout.Order
	}
	if base := d.imageOf(t.base); d.run.images.Fixed(base.Program) == "" {
		l.Base = base.Layout.Order
	}
	p.Layouts = append(p.Layouts, l)
}
