package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.com/suite/result"
	"example.com/suite/runner/client"
	"example.com/suite/runner/host/wire"
	"example.com/suite/spec"
)

// reports takes over the metrics that the loop of a function reports (bench.Case.Report).
func (s *side) reports(r *wire.Readings) {
	for _, m := range r.Reported {
		if m.ID != s.series.ID {
			continue
		}
		d := declaredOf(m)
		at := slices.IndexFunc(s.result.Declared, func(known result.Declared) bool { return known.Name == d.Name })
		message, hint := spec.MetricNameProblem(d.Name)
		switch {
		case message != "":
			s.refuseReport(d, message, hint)
		case at < 0:
			s.result.Declared = append(s.result.Declared, d)
			s.compareDirections(d)
		case s.result.Declared[at].Better != d.Better:
			s.refuseReport(d, fmt.Sprintf("%s is better now, and %s was before", d.Better,
				s.result.Declared[at].Better), "")
		}
	}
}

func declaredOf(m wire.Reported) result.Declared {
	d := result.Declared{Name: m.Name, Better: result.Lower}
	if m.Higher {
		d.Better = result.Higher
	}
	return d
}

// refuseReport fails the case because of a metric that it must not report.
func (s *side) refuseReport(d result.Declared, message, hint string) {
	s.of.fail(s.target.AsBase(&result.Failure{Phase: result.PhaseRun, Cause: result.FailedError,
		Message: fmt.Sprintf("Report(%q): %s", d.Name, message), Hint: hint}))
}

// compareDirections warns once if the two sides of the pairs disagree on which values of a
// metric are better. The gates use the direction of the case.
func (s *side) compareDirections(d result.Declared) {
	whole := s.of
	for _, other := range whole.sides() {
		if other == s {
			continue
		}
		at := slices.IndexFunc(other.result.Declared, func(o result.Declared) bool { return o.Name == d.Name })
		if at < 0 || other.result.Declared[at].Better == d.Better {
			continue
		}
		message := fmt.Sprintf("%s: the case and its base disagree on which values are better; gates take the word "+
			"of the case", d.Name)
		if !slices.ContainsFunc(whole.result.Warnings, func(w result.Warning) bool { return w.Message == message }) {
			whole.result.Warn(result.WarnDirection, message, "")
		}
	}
}

// ErrNoFunction is the error of a case whose function is not registered.
var ErrNoFunction = errors.New("its function is not registered")

// Reports starts a host, sets up the function of a case, runs one batch of one iteration, and
// returns the metrics that the loop reports, in the order of its first calls. argv starts the
// host, in the folder dir, empty for the current one.
func Reports(ctx context.Context, argv []string, dir string, c *spec.Case) ([]result.Declared, error) {
	host, err := client.Launch(argv, dir, nil, nil, nil)
	if err != nil {
		return nil, err
	}
	defer host.Quit()
	request := newTrack(&spec.Plan{}, c).own.request()
	request.Function.Counters = nil
	ask := func(request *wire.Request) (*wire.Response, error) {
		response, failure := host.Call(ctx, request, time.Duration(c.Settings.Timeout)+client.Grace)
		switch {
		case failure != nil && failure.Phase == result.PhaseSetup && failure.Cause == result.FailedMissing:
			return nil, ErrNoFunction
		case failure != nil:
			return nil, fmt.Errorf("%s: %s", failure.Phase, failure.Message)
		}
		return response, nil
	}
	if _, err = ask(&wire.Request{Op: "hello", Clock: []string{"wall"}, Kind: wire.KindGo}); err != nil {
		return nil, err
	}
	prepared, err := ask(request)
	if err != nil {
		return nil, err
	}
	id := prepared.Prepared.ID
	ran, err := ask(&wire.Request{Op: "run", Batches: []wire.Batch{{ID: id, N: 1}}, Limit: int64(c.Settings.Timeout)})
	if err != nil {
		return nil, err
	}
	var all []result.Declared
	for _, m := range ran.Readings.Reported {
		if message, _ := spec.MetricNameProblem(m.Name); message != "" {
			return nil, fmt.Errorf("Report(%q): %s", m.Name, message)
		}
		all = append(all, declaredOf(m))
	}
	_, err = ask(&wire.Request{Op: "finish", ID: id})
	return all, err
}
