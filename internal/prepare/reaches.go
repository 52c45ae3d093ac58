package prepare

import (
	"context"
	"errors"
	"strings"

	"example.com/suite/internal/build"
	"example.com/suite/internal/reach"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// comparedReach compares the benchmarks of two builds of a test binary, or says why nothing is known.
type comparedReach struct {
	*reach.Comparison
	err error
}

// reaches returns why a benchmark is measured whose test binary differs: the way to what it can reach of
// the difference, or that this is not known. It is nil if it can reach nothing of it.
func (u *unchanged) reaches(ctx context.Context, c *spec.Case) *result.Evidence {
	here, there := c.GoTest.Program, c.Other.Case.GoTest.Program
	pair := [2]string{there, here}
	compared, done := u.reach[pair]
	if !done {
		compared.Comparison, compared.err = u.compareReach(ctx, there, here)
		if u.reach == nil {
			u.reach = map[[2]string]comparedReach{}
		}
		u.reach[pair] = compared
	}
	if compared.err != nil {
		return &result.Evidence{Cause: result.EvidenceUnread, Subject: compared.err.Error()}
	}
	function, _, _ := strings.Cut(c.GoTest.Benchmark, "/")
	difference, err := compared.Benchmark(function)
	switch {
	case err != nil:
		return &result.Evidence{Cause: result.EvidenceUnread, Subject: err.Error()}
	case difference != nil:
		return &result.Evidence{Cause: result.EvidenceReaches, Subject: strings.Join(difference.Path, " → "), Change: difference.Place}
	}
	return nil
}

func (u *unchanged) compareReach(ctx context.Context, there, here string) (*reach.Comparison, error) {
	base, own := u.Hosts.tested[there], u.Hosts.tested[here]
	if base == nil || own == nil {
		return nil, errors.New("suite has not built the test binary")
	}
	if err := build.LinkedAlike(base, own); err != nil {
		return nil, err
	}
	before, err := base.Archives(ctx)
	if err != nil {
		return nil, err
	}
	after, err := own.Archives(ctx)
	if err != nil {
		return nil, err
	}
	compared, err := reach.New(before, after)
	if err == nil && !own.IsCurrent(ctx) { // nobody but suite writes into the other tree
		err = errors.New("its source has changed since it was built")
	}
	return compared, err
}
