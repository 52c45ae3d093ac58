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

// comparedReach compares the benchmarks of two builds of a test binary, or explains why nothing is known.
type comparedReach struct {
	*reach.Comparison
	err error
}

// reaches returns why a Go function or a benchmark is measured whose program differs: the way to what it can
// reach of the difference, or that this is not known. It is nil if it can reach nothing of it. Functions that
// are registered count as one program.
func (u *unchanged) reaches(ctx context.Context, c *spec.Case) *result.Evidence {
	pair := u.programs(c)
	compared, done := u.reach[pair]
	if !done {
		compared.Comparison, compared.err = compareReach(ctx, u.Hosts.bins[pair[0]], u.Hosts.bins[pair[1]])
		if u.reach == nil {
			u.reach = map[[2]string]comparedReach{}
		}
		u.reach[pair] = compared
	}
	if compared.err != nil {
		return &result.Evidence{Cause: result.EvidenceUnread, Subject: compared.err.Error()}
	}
	difference, err := compared.of(c)
	switch {
	case err != nil:
		return &result.Evidence{Cause: result.EvidenceUnread, Subject: err.Error()}
	case difference != nil:
		return evidence(result.EvidenceReaches, difference)
	}
	return nil
}

func evidence(cause result.EvidenceCause, d *reach.Difference) *result.Evidence {
	return &result.Evidence{Cause: cause, Subject: strings.Join(d.Path, " → "), Change: d.Place}
}

// programs returns the programs of a case in the other tree and in this one, "" for those that suite has not built.
func (u *unchanged) programs(c *spec.Case) (pair [2]string) {
	if c.GoTest != nil {
		pair = [2]string{c.Other.Case.GoTest.Program, c.GoTest.Program}
	} else if here, there := u.Hosts.Program(u.plan), u.Hosts.Program(u.plan.Other); here != nil && there != nil {
		pair = [2]string{there.Path, here.Path}
	}
	return pair
}

func (r comparedReach) of(c *spec.Case) (*reach.Difference, error) {
	if c.GoTest == nil {
		return r.Program()
	}
	function, _, _ := strings.Cut(c.GoTest.Benchmark, "/")
	return r.Benchmark(function)
}

// sameReach reports whether two builds of a program can reach nothing that differs.
func (u *unchanged) sameReach(base, own build.Binary) bool {
	compared, err := compareReach(u.ctx, base, own)
	if err != nil {
		return false
	}
	difference, err := compared.Program()
	return err == nil && difference == nil
}

func compareReach(ctx context.Context, base, own build.Binary) (*reach.Comparison, error) {
	if base == nil || own == nil {
		return nil, errors.New("suite has not built the program")
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
	if err != nil {
		return nil, err
	}
	compared.Linked(build.File(base), build.File(own))
	compared.SplitBy(func(pkg string) ([2]reach.Units, error) { return build.Split(ctx, base, own, pkg) })
	return compared, nil
}
