// Package runner turns plans into results. It starts and stops host processes,
// decides who is measured next and when a case has enough, and summarises the
// samples. It knows no expressions and no renderers: what the gates still need
// it asks a Steerer.
package runner

import (
	"context"
	"runtime"
	"slices"

	"example.com/suite/result"
	"example.com/suite/runner/forecast"
	"example.com/suite/spec"
)

// Run measures the cases of all plans and returns the document without verdicts.
// When ctx ends, the running batch is finished, clean-ups run, and what was measured
// is returned with the rest marked as not run. The document is never nil; if nothing
// can be measured, each of its cases has a failure that explains why.
func Run(ctx context.Context, plans []*spec.Plan, o Options) *result.Document {
	r := newRun(o)
	ctx, r.cancel = context.WithCancelCause(ctx)
	defer r.cancel(nil)
	defer r.images.Remove()
	defer r.rows.Close()
	r.resume()
	for _, plan := range plans {
		r.total += len(plan.Cases)
		r.ahead += forecast.Usual(plan)
	}
	doc := &result.Document{Schema: result.Schema, Tool: o.Tool, Started: r.begun(), Seed: o.Seed.String(),
		Machine: o.Machine, Cases: []result.Case{}}
	doc.Machine.GOMAXPROCS = runtime.GOMAXPROCS(0)
	for _, plan := range plans {
		doc.Suites = append(doc.Suites, result.Suite{Name: plan.Suite, Description: plan.Description, File: plan.File,
			Hash: plan.Hash, OnInconclusive: plan.OnInconclusive, Report: plan.Report, Against: plan.Against,
			Floor: plan.Errors.Floor, Sources: plan.Sources})
		doc.Cases = append(doc.Cases, r.suite(ctx, plan)...)
		doc.Suites[len(doc.Suites)-1].Sentinel = r.sentinels[plan]
		doc.Cases = append(doc.Cases, vanished(plan)...)
	}
	doc.Calibrations, doc.Warnings = slices.Concat(r.calibrations, r.otherCalibrations), r.warnings
	doc.Seconds = r.elapsed().Seconds()
	return doc
}

// suite measures the cases of one plan, window by window.
func (r *run) suite(ctx context.Context, plan *spec.Plan) []result.Case {
	if len(plan.Cases) == 0 {
		return nil // nothing to build for
	}
	tracks := make([]*track, len(plan.Cases))
	for i := range plan.Cases {
		tracks[i] = newTrack(plan, &plan.Cases[i])
	}
	pairUp(plan, tracks)
	guard := guards(plan)
	everyone := withGuard(tracks, guard)
	for _, t := range everyone {
		t.drawn = r.draws(t)
		t.agree()
	}
	defer func() { r.sentinels[plan] = sentinel(plan, guard) }()
	if complete := r.takeOver(plan, everyone); complete {
		r.ahead -= forecast.Usual(plan)
		r.done += len(tracks)
		return cases(tracks)
	}
	if failure := r.buildAll(ctx, plan); failure != nil {
		for _, t := range everyone {
			if !t.final {
				t.failOrStop(ctx, failure)
				t.summarise()
				r.announce(t, len(tracks))
			}
		}
		r.ahead -= forecast.Usual(plan)
		r.done += len(tracks)
		return cases(tracks)
	}
	began := r.suiteBegan(plan)
	windows, left := groups(plan), sides(everyone)
	measured := make([]result.Case, len(tracks))
	for i, group := range windows {
		w := newWindow(newRig(r, plan, i))
		w.last = i == len(windows)-1
		for _, j := range group {
			w.rig.tracks = append(w.rig.tracks, tracks[j])
		}
		if guard.joins(w.rig.tracks) {
			w.rig.tracks = append(w.rig.tracks, guard)
		}
		w.allotted = allotted(plan, r.busy()-began, w.rig.tracks, left)
		w.shareOut()
		left -= sides(w.rig.tracks)
		r.current = w.rig.tracks
		for _, t := range w.rig.tracks {
			if t.guard && !t.wantsSentinel() {
				continue
			}
			r.ahead -= forecast.UsualTime(t.target.Spec, t.alpha())
		}
		w.measure(ctx)
		r.current, r.done = nil, r.done+len(group)
		for _, j := range group { // a track is several times as large as the rest of its case
			measured[j] = *tracks[j].result
			tracks[j] = nil
		}
	}
	return measured
}

func cases(tracks []*track) []result.Case {
	all := make([]result.Case, len(tracks))
	for i, t := range tracks {
		all[i] = *t.result
	}
	return all
}
