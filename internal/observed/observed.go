// Package observed finds out by a short run under a tracer what a case looks at in its tree, and
// whether that is the same in another tree. What the run does not show is not known, so a case
// with any doubt has to be measured.
package observed

import (
	"cmp"
	"context"
	"debug/buildinfo"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"example.com/suite/internal/observe"
	"example.com/suite/result"
	"example.com/suite/runner"
	"example.com/suite/runner/draw"
	"example.com/suite/runner/process"
	"example.com/suite/spec"
	"golang.org/x/mod/modfile"
)

// Observer runs cases under a tracer.
type Observer struct {
	Host      []string // argv of suite itself, which starts commands
	HostHash  string   // see runner.Options
	HostOf    func(*spec.Plan) []string
	Processes *process.Set

	refused *observe.Error // why nothing can be traced here; nil: it is not known yet
	spent   time.Duration  // by all runs so far
}

const (
	limit    = 10 * time.Second // of a run under a tracer; a case that takes longer is measured
	limitAll = 2 * time.Minute  // of all runs together; cases after that are measured
)

// fds is how many descriptors a host inherits: its requests and its answers.
const fds = 2

// Compare runs a case of a plan, which belongs to the tree in the folder base, twice, and
// compares what it looked at with the tree in the folder here. It returns nil if nothing differs
// and nothing is in doubt, else the reason why the case has to be measured.
func (o *Observer) Compare(ctx context.Context, plan *spec.Plan, c *spec.Case, base, here string) *result.Evidence {
	if why := unseen(plan, c); why != nil {
		return why
	}
	if o.refused != nil {
		return &result.Evidence{Cause: result.EvidenceUntraced, Subject: o.refused.Error()}
	}
	if o.spent > limitAll {
		return &result.Evidence{Cause: result.EvidenceSlow, Subject: limitAll.String() + ", with those of the cases before"}
	}
	since := time.Now()
	defer func() { o.spent += time.Since(since) }()
	var first []observe.Access
	for try := range 2 {
		records, why := o.run(ctx, plan, c)
		if why != nil {
			return why
		}
		seen := accesses(records, base)
		if try > 0 && !reflect.DeepEqual(seen, first) {
			return &result.Evidence{Cause: result.EvidenceUnsteady, Subject: unsteady(first, seen)}
		}
		first = seen
		for _, r := range records {
			if why := judge(ctx, r, base, here); why != nil {
				return why
			}
			if program := installed(r, base, here, o.programs(plan, c)); program != "" {
				return &result.Evidence{Cause: result.EvidenceExecutesInstalled, Subject: program}
			}
		}
	}
	return nil
}

// programs are those in which suite runs a case, by their real paths.
func (o *Observer) programs(plan *spec.Plan, c *spec.Case) (all []string) {
	own := []string{o.Host[0]}
	if argv := o.HostOf(plan); argv != nil {
		own = append(own, argv[0])
	}
	if c.GoTest != nil {
		own = append(own, c.GoTest.Program)
	}
	for _, path := range own {
		all = append(all, real(path))
	}
	return all
}

// installed returns a Go program outside of both trees that was executed, and that was built from
// the module of the tree base: go install has made it from one of the trees, or from a third
// one. It is "" if there is none. known are programs of suite.
func installed(r *observe.Record, base, here string, known []string) string {
	text, err := os.ReadFile(filepath.Join(base, "go.mod"))
	module := modfile.ModulePath(text)
	if err != nil || module == "" {
		return ""
	}
	for _, a := range r.Files {
		if a.Use&observe.Exec == 0 || isBelow(a.Path, real(base)) || isBelow(a.Path, real(here)) || slices.Contains(known, real(a.Path)) {
			continue
		}
		if info, err := buildinfo.ReadFile(a.Path); err == nil && info.Main.Path == module {
			return a.Path
		}
	}
	return ""
}

// unseen is the reason why a run of a case cannot show what it depends on, nil if it can.
func unseen(plan *spec.Plan, c *spec.Case) *result.Evidence {
	because := func(subject string) *result.Evidence {
		return &result.Evidence{Cause: result.EvidenceUnseen, Subject: subject}
	}
	switch {
	case plan.Build != nil:
		return because("build")
	case c.Setup != nil:
		return because("setup")
	case c.Prepare != nil:
		return because("prepare")
	case c.Conclude != nil:
		return because("conclude")
	case c.Cleanup != nil:
		return because("cleanup")
	case len(c.Services) > 0:
		return because("service")
	}
	return nil
}

// run measures two samples of a case in a host under a tracer. Nothing of the result is used:
// it has to exist.
func (o *Observer) run(ctx context.Context, plan *spec.Plan, c *spec.Case) ([]*observe.Record, *result.Evidence) {
	failed := func(err error) *result.Evidence {
		return &result.Evidence{Cause: result.EvidenceUntraced, Subject: err.Error()}
	}
	dir, err := os.MkdirTemp("", "suite-observed-")
	if err != nil {
		return nil, failed(err)
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	wrap := func(argv []string) []string {
		if argv == nil {
			return nil
		}
		return observe.Wrap(o.Host[0], dir, fds, argv)
	}
	short := shortened(plan, c)
	doc := runner.Run(ctx, []*spec.Plan{short}, runner.Options{Host: wrap(o.Host), HostHash: o.HostHash, Seed: draw.NewSeed(), Processes: o.Processes,
		HostOf: func(*spec.Plan) []string { return wrap(o.HostOf(plan)) }})
	if ctx.Err() != nil {
		return nil, &result.Evidence{Cause: result.EvidenceSlow, Subject: limit.String()}
	}
	records, err := observe.Records(dir)
	if refused := (*observe.Error)(nil); errors.As(err, &refused) && refused.Cause != observe.Tracer && refused.Cause != observe.Start {
		o.refused = refused
	}
	if done := &doc.Cases[0]; done.Status != result.Measured {
		if done.Failure != nil {
			err = errors.New(done.Failure.Message)
		}
		return nil, failed(cmp.Or(err, errors.New(string(done.Status))))
	}
	if err != nil {
		return nil, failed(err)
	}
	return records, nil
}

// shortened is a plan of one case without gates, which takes two samples and nothing else.
func shortened(plan *spec.Plan, c *spec.Case) *spec.Plan {
	p, one := *plan, *c
	p.Against, p.Other, p.Sentinel, p.Budget, p.Traced = nil, nil, nil, 0, true
	one.Base, one.Other, one.Counterpart, one.Gates = "", nil, nil, nil
	one.Pegs, one.PegPoints, one.Callgrind, one.NoWitness, one.Counters = false, nil, false, true, nil
	s := &one.Settings
	s.Warmup, s.WarmupBatches, s.Precision, s.Latency, s.Arrivals = 0, 0, 0, false, 0
	s.SamplesMin, s.SamplesMax, s.TargetTime, s.MaxTime = 2, 2, 1, spec.Duration(limit)
	if c.Kind == result.KindCommand || c.Kind == result.KindShell { // it has been run to find out how long it takes
		s.SamplesMin, s.SamplesMax = 1, 1
	}
	s.Sampling, s.Keep = "many", "samples"
	p.Cases = []spec.Case{one}
	return &p
}

// judge returns why a record does not prove that a run in the tree here is the same as the one in
// the tree base, nil if it does.
func judge(ctx context.Context, r *observe.Record, base, here string) *result.Evidence {
	if len(r.Doubts) > 0 {
		d := r.Doubts[0]
		return &result.Evidence{Cause: result.EvidenceDoubt, Subject: cmp.Or(d.Detail, string(d.Cause))}
	}
	if len(r.Connections) > 0 {
		return &result.Evidence{Cause: result.EvidenceConnection, Subject: r.Connections[0]}
	}
	if len(r.Sockets) > 0 {
		return &result.Evidence{Cause: result.EvidenceConnection, Subject: r.Sockets[0]}
	}
	if shared := ofOther(r, base, here); shared != nil {
		return shared
	}
	differences, err := observe.Compare(ctx, r, base, here)
	if err != nil {
		return &result.Evidence{Cause: result.EvidenceUntraced, Subject: err.Error()}
	}
	if len(differences) > 0 {
		d := differences[0]
		return &result.Evidence{Cause: result.EvidenceReads, Subject: d.Path, Change: string(d.Kind)}
	}
	return nil
}

// ofOther returns the first file of the tree here that a run in the tree base has executed, or else
// read. base may be a folder within here.
func ofOther(r *observe.Record, base, here string) *result.Evidence {
	own, err := r.Below(here)
	if err != nil {
		return nil
	}
	inside, err := filepath.Rel(real(here), real(base))
	if err != nil {
		return nil
	}
	cause := result.EvidenceCause("")
	path := ""
	for _, a := range own {
		local := filepath.FromSlash(a.Path)
		if filepath.IsLocal(inside) && (local == inside || isBelow(local, inside)) || isBelow(inside, local) || local == "." {
			continue
		}
		switch {
		case a.Use&observe.Exec != 0:
			return &result.Evidence{Cause: result.EvidenceExecutesHere, Subject: a.Path}
		case a.Use&(observe.Read|observe.List) != 0 && cause == "":
			cause, path = result.EvidenceReadsHere, a.Path
		}
	}
	if cause == "" {
		return nil
	}
	return &result.Evidence{Cause: cause, Subject: path}
}

// isBelow reports whether a relative path lies below a folder.
func isBelow(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel) && rel != "."
}

func real(path string) string {
	if whole, err := filepath.EvalSymlinks(path); err == nil {
		return whole
	}
	return path
}

// accesses are those below a folder, of all records.
func accesses(records []*observe.Record, base string) (all []observe.Access) {
	for _, r := range records {
		below, _ := r.Below(base) // Compare reports the error
		all = append(all, below...)
	}
	slices.SortFunc(all, func(a, b observe.Access) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Use, b.Use)) })
	return slices.Compact(all)
}

// unsteady is the first path that only one of two runs has used so.
func unsteady(a, b []observe.Access) string {
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			return b[i].Path
		case i >= len(b) || a[i] != b[i]:
			return a[i].Path
		}
	}
	return ""
}
