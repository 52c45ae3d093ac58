package runner

import (
	"slices"
	"time"

	"example.com/suite/result"
	"example.com/suite/spec"
)

// guards makes the track of the sentinel of a plan, nil if it has none. It is measured
// like a case, in the window of the case that it copies, but is none of the cases.
func guards(plan *spec.Plan) *track {
	if plan.Sentinel == nil {
		return nil
	}
	t := newTrack(plan, plan.Sentinel)
	t.guard = true
	pairUp(plan, []*track{t})
	return t
}

// withGuard adds the sentinel to others that are treated alike.
func withGuard(tracks []*track, guard *track) []*track {
	if guard == nil {
		return tracks
	}
	return append(slices.Clone(tracks), guard)
}

// joins reports whether a sentinel is measured in the window of these cases: after the one
// that it is a copy of, whose hooks have made what it needs.
func (t *track) joins(tracks []*track) bool {
	return t != nil && slices.ContainsFunc(tracks, func(o *track) bool { return o.target.Spec.Name == t.guarded() })
}

// guardShare is the part of the time of a window that its sentinel may take.
const guardShare = 0.1

// hasTurn reports whether the sentinel of a window takes a turn in this round: while it
// takes its share of the time at most, and if both of its layouts are linked, which they are
// in every second draw (see layoutOf).
func (w *window) hasTurn(guard *track) bool {
	if guard.drawn && (w.rig.drawing.draw%2 == 0 || w.rig.drawing.served > 1) {
		return false
	}
	if guard.wantsSentinel() {
		return true
	}
	spent := guard.spent()
	if spent == 0 {
		spent = 2 * guard.target.Warmup() // which its first turn takes
	}
	var others time.Duration
	for _, t := range w.rig.tracks {
		if t != guard {
			others += t.spent()
		}
	}
	return float64(spent) <= guardShare*float64(others+spent)
}

// needsGuarded reports whether a sentinel is still to be measured which needs what the hooks
// of a case make.
func (w *window) needsGuarded(t *track) bool {
	return slices.ContainsFunc(w.rig.tracks, func(o *track) bool {
		return o.guard && !o.final && !o.done && o.guarded() == t.target.Spec.Name
	})
}

// The sentinel's verdict is left to the gates. The result is nil without a sentinel.
func sentinel(plan *spec.Plan, guard *track) *result.Sentinel {
	if guard == nil {
		return nil
	}
	return &result.Sentinel{Case: *guard.result, Builds: max(1, plan.Builds)}
}

// isNeeded reports whether a case is the base of one that is still to be measured.
func (w *window) isNeeded(t *track) bool {
	return w.needsGuarded(t) || slices.ContainsFunc(w.rig.tracks, func(o *track) bool {
		return !o.final && !o.done && w.rig.ownTrack(o) == t
	})
}
