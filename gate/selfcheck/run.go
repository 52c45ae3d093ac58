// Package selfcheck measures how reliable verdicts are on this machine. It compares
// code with itself, and with code that does a known amount of extra work, measured and
// judged as every suite is, and counts false alarms and found changes. The caller
// passes the function that measures; the package knows no hosts, no terminals and no
// exit statuses.
package selfcheck

import (
	"context"
	"slices"
	"time"

	"example.com/suite/gate"
	"example.com/suite/internal/defaults"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"example.com/suite/runner"
	"example.com/suite/spec"
)

// Options of a check. Catalogue, Measure and Now are required.
type Options struct {
	Time      time.Duration // that the check is to take; at least one cycle is run
	Command   []string      // a program that ends at once; empty: none is known here
	Catalogue spec.Catalogue
	// Measure runs a plan and returns its results. steer decides when a case has enough
	// samples; ctx ends the run.
	Measure func(ctx context.Context, plan *spec.Plan, steer runner.Steerer) *result.Document
	Now     func() time.Time
}

// Run runs cycles until the time is over or ctx ends, and returns a report of all
// comparisons made by then. The error is non-nil if the suite cannot be run.
func Run(ctx context.Context, o Options) (*Report, error) {
	r := &Report{Comparisons: []Comparison{}}
	began := o.Now()
	done := 0
	for cycles := 1; cycles > 0 && ctx.Err() == nil; {
		e := newExperiment(done+1, cycles, o.Command)
		if err := e.run(ctx, o, r); err != nil {
			return nil, err
		}
		done += cycles
		cycles = next(o.Time, o.Now().Sub(began), done)
	}
	r.Seconds = o.Now().Sub(began).Seconds()
	r.summarise()
	return r, nil
}

// next returns how many cycles to begin together, 50 at most, after done cycles have
// taken gone. It is half of the cycles that still fit: each start costs a calibration,
// so few starts are better, but a machine that has become slow must not take twice the
// time.
func next(whole, gone time.Duration, done int) int {
	fit := int((whole - gone) * time.Duration(done) / max(gone, 1))
	return min((fit+1)/2, 50)
}

func (e *experiment) run(ctx context.Context, o Options, r *Report) error {
	plan, err := e.plan(o.Catalogue)
	if err != nil {
		return err
	}
	compiled, problems := gate.Compile(sources(plan, "0%"), nil)
	if err := problems.Err(); err != nil {
		return err
	}
	doc := o.Measure(ctx, plan, compiled.Share(plan.Suite, defaults.Family, gates).Watch())
	r.Machine, r.Tool = doc.Machine, doc.Tool
	return r.addCases(e, plan, doc)
}

// sources returns the gates of the candidates at a tolerance.
func sources(plan *spec.Plan, tolerance string) (all []gate.Source) {
	for i := range plan.Cases {
		c := &plan.Cases[i]
		if c.Base != "" {
			all = append(all, gate.Source{
				Suite:          plan.Suite,
				Case:           c.Name,
				Kind:           c.Kind,
				ID:             tolerance,
				Base:           c.Base,
				Severity:       "fail",
				OnInconclusive: "list",
				Expr:           lang.Text{Value: "not worse(time, " + tolerance + ")"},
			})
		}
	}
	return all
}

// addCases judges the measured cases under each setting. It leaves out cases that an
// interrupt has cut short, for their missing verdict shows nothing about the machine.
func (r *Report) addCases(e *experiment, plan *spec.Plan, doc *result.Document) error {
	whole := slices.DeleteFunc(slices.Clone(doc.Cases), func(c result.Case) bool {
		r.note(&c)
		return c.Pairs == nil || c.Status != result.Measured || c.Stop == result.StopInterrupted || c.Samples.Len() == 0
	})
	at := map[setting][]result.Comparison{}
	for _, s := range []setting{alone, tolerant, shared, fixed} {
		judged, err := s.judge(plan, whole)
		if err != nil {
			return err
		}
		at[s] = judged
	}
	for i := range whole {
		r.Comparisons = append(r.Comparisons, newComparison(e.roles[whole[i].Name], &whole[i], at, i))
	}
	return nil
}

// note keeps the reason of a failed case, each reason once and five at most.
func (r *Report) note(c *result.Case) {
	if c.Failure == nil {
		return
	}
	what := c.Name + ": " + c.Failure.Message
	if len(r.Failures) < 5 && !slices.Contains(r.Failures, what) {
		r.Failures = append(r.Failures, what)
	}
}
