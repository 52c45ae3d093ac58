// Package target has what the plan of a run asks of one side of a case, with all settings
// final: what is run, for how long at most, the requests that hosts get, how the document
// describes it, and what a user should try if it fails. It measures nothing.
package target

import (
	"fmt"
	"time"

	"example.com/suite/internal/harness"
	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
	"example.com/suite/spec"
)

// Target is what the plan asks of a side, and what follows from that alone. Nothing that is
// measured changes it, but Alone.
type Target struct {
	Plan   *spec.Plan // whose host runs it
	Spec   *spec.Case
	Tree   string  // the name of the other tree, if this is a base in one
	Paired bool    // it is one of two sides
	Of     *Target // the case that it is the base of, nil for the case itself
	Alone  bool    // each sample of an existing benchmark has to have a process of its own
}

// IsBase reports whether it is the base of its case, and not the case itself.
func (t *Target) IsBase() bool { return t.Of != nil }

// IsCommand reports whether the side is a process and not a function.
func (t *Target) IsCommand() bool { return t.Spec.Kind != result.KindGo }

// WireKind is the kind of its hosts in the protocol.
func (t *Target) WireKind() string {
	if t.IsCommand() {
		return wire.KindCommand
	}
	return wire.KindGo
}

// OwnTime is the side's half of max_time, or all of it without a base.
func (t *Target) OwnTime() time.Duration {
	if t.Paired {
		return time.Duration(t.Spec.Settings.MaxTime) / 2
	}
	return time.Duration(t.Spec.Settings.MaxTime)
}

// MaxTime is what the side may take, its share of a budget included.
func (t *Target) MaxTime(allowance time.Duration) time.Duration {
	limit := t.OwnTime()
	if allowance > 0 {
		limit = min(limit, allowance)
	}
	return limit
}

// Warmup is how long a block or a later launch may warm up. If the suite file has a number
// of batches, it is the time that a suite file has by default: longer batches are their own
// warm-up, and a run of a slow command is not thrown away in each block.
func (t *Target) Warmup() time.Duration {
	if t.Spec.Settings.WarmupBatches > 0 {
		return time.Duration(spec.Defaults().Warmup)
	}
	return time.Duration(t.Spec.Settings.Warmup)
}

// BaseName is what a failure calls the side of a base.
func (t *Target) BaseName() string {
	if t.Tree != "" {
		return "its base in " + t.Tree
	}
	return fmt.Sprintf("its base %q", t.Spec.Name)
}

// AsBase puts the name of the base before the message of a failure of the base.
func (t *Target) AsBase(f *result.Failure) *result.Failure {
	if f != nil {
		f.Message = t.OfBase() + f.Message
	}
	return f
}

// OfBase is the beginning of a message about a base, empty for other sides.
func (t *Target) OfBase() string {
	if !t.IsBase() {
		return ""
	}
	return t.BaseName() + ": "
}

// OutputKey is the key of what a command prints.
func (t *Target) OutputKey() OutputKey {
	if t.Spec.OutputName != "" {
		return OutputKey{suite: t.Plan.Suite, tree: t.Tree, shared: t.Spec.OutputName}
	}
	return OutputKey{suite: t.Plan.Suite, tree: t.Tree, alone: t.Spec.Name}
}

// IsGoTest reports whether the case is a benchmark of a test binary, which is a
// process too.
func (t *Target) IsGoTest() bool { return t.Spec.Kind == result.KindGoTest }

// IsHarnessed reports whether the case is a benchmark of another harness, which is a command too.
func (t *Target) IsHarnessed() bool { return t.Spec.Harness != nil }

// MarksItself reports whether the program of the case tells valgrind where the iterations begin and end that it counts.
func (t *Target) MarksItself() bool {
	if !t.IsHarnessed() {
		return false
	}
	_, is := t.harness().Harness.(harness.Marking)
	return is
}

// TimesItself reports whether the time of the case is what its process has printed, and not how long the process took.
func (t *Target) TimesItself() bool { return t.IsGoTest() || t.IsHarnessed() }

// HasArrivals reports whether the iterations of the side begin when they are due.
func (t *Target) HasArrivals() bool { return !t.IsCommand() && t.Spec.Settings.Arrivals > 0 }

// OutputKey is the key of an output, of one case or shared by several. The output of a
// case in another tree has its own key, because a change may be meant to change it.
type OutputKey struct{ suite, tree, shared, alone string }
