package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/executed"
	"example.com/suite/internal/observed"
	"example.com/suite/internal/prepare"
	"example.com/suite/internal/saved"
	"example.com/suite/internal/signals"
	"example.com/suite/internal/tree"
	"example.com/suite/runner/host"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
)

// others holds what the cases of a run are compared with in addition to their bases.
type others struct {
	prepare.Trees
	saved *saved.Base // a result in place of trees
}

// againstFlags are the flags that choose what cases are compared with in addition to
// their bases.
type againstFlags struct {
	base  string
	given func() bool // true also if asked is empty, as in --against "$UNSET"
	exact bool

	allCases bool // also measure cases that no change affects

	acceptGates bool // do not judge by gates of the base that this tree removed or relaxed
}

func (a *againstFlags) flags(c *cobra.Command) {
	c.Flags().StringVar(&a.base, "against", "",
		"compare each case with itself in `REV`: a git revision (at its merge base with HEAD), a folder, or a saved "+
			"result.json")
	a.given = func() bool { return c.Flags().Changed("against") }
	complete(c, "against", completeRevision)
	c.Flags().BoolVar(&a.exact, "exact", false,
		"compare with the revision of --against itself, not with its merge base with HEAD")
	c.Flags().BoolVar(&a.allCases, "all-cases", false, "also measure cases that no change affects")
	c.Flags().BoolVar(&a.acceptGates, "accept-gates", false,
		"only list the gates of the base that this tree removed or relaxed; without it they judge too")
}

// checkFlags refuses flags that have no meaning together.
func (a *againstFlags) checkFlags(offline bool) error {
	switch {
	case a.base == "" && a.given():
		return diag.Hinted("--against names nothing",
			"a revision such as main, v1.2 or HEAD~1, a folder such as ../old, or a saved result.json")
	case a.exact && a.base == "":
		return diag.Hinted("--exact needs --against", "--against main --exact")
	case a.allCases && (a.base == "" || a.isResult()):
		return diag.Hinted("--all-cases has a meaning only if trees are compared", "--against main --all-cases")
	case a.acceptGates && (a.base == "" || a.isResult()):
		return diag.Hinted("--accept-gates has a meaning only if trees are compared", "--against main --accept-gates")
	case a.exact && a.isResult():
		return diag.Hinted("--exact has no meaning for a saved result", "leave one of them out")
	case offline && a.base != "" && !a.isResult():
		return diag.Hinted("--against builds what it compares, and --offline builds nothing", "leave one of them out")
	}
	return nil
}

// isResult reports whether --against names a saved result, by the ending .json. A branch
// whose name ends so can be given as refs/heads/NAME.
func (a *againstFlags) isResult() bool { return strings.EqualFold(filepath.Ext(a.base), ".json") }

// unsetGitVariables removes the variables that tie git to one repository, such as GIT_DIR, before anything
// is started. A git hook sets them, and then git commands in the other tree would use this
// tree's repository. Hosts, builds and commands of both trees inherit the environment.
func unsetGitVariables() {
	kept := tree.Environ(os.Environ())
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); !slices.Contains(kept, e) {
			_ = os.Unsetenv(name) // cannot fail for a name that is set
		}
	}
}

// hasRevision reports whether the revision of --against exists wherever files are. If not, compareAgainst explains it.
func (a *againstFlags) hasRevision(ctx context.Context, files []string) bool {
	for _, file := range files {
		if tree.Check(ctx, tree.Options{Dir: filepath.Dir(file), Against: a.base}) != nil {
			return false
		}
	}
	return true
}

// compareAgainst pairs the cases of plans with their counterparts in the tree or result of
// --against. The pairs add gates to the cases, so it compiles all gates again.
func compareAgainst(ctx context.Context, e env, plans []*spec.Plan, l *loading, catalogue spec.Catalogue) error {
	if l.against.base == "" {
		return nil
	}
	if err := findCounterparts(ctx, e, plans, l, catalogue); err != nil {
		return err
	}
	var problems diag.Problems
	for _, plan := range plans {
		wrong := l.gates.Compile(plan, true)
		if len(plan.Against.Gates) > 0 && !l.against.acceptGates { // the plan's own gates have been compiled before
			for i := range wrong {
				wrong[i].Message = "a gate of " + plan.Against.Asked +
					", which this tree removed or relaxed, cannot be judged: " +
					wrong[i].Message
				wrong[i].Hint = "keep what it reads, or run with --accept-gates"
			}
		}
		problems = append(problems, wrong...)
	}
	return problems.Err()
}

func findCounterparts(ctx context.Context, e env, plans []*spec.Plan, l *loading, catalogue spec.Catalogue) error {
	if l.against.isResult() {
		var base *saved.Base
		err := e.read(ctx, func() (err error) {
			base, err = saved.Compare(l.against.base, plans)
			return err
		})
		if l.trees != nil {
			l.trees.saved = base
		}
		return err
	}
	defer hashOwnProgram(e, l.hosts.Binaries)()
	with := newComparison(e, l.hosts, catalogue, l.overrides)
	with.Asked = l.against.base
	with.Exact = l.against.exact
	with.AllCases = l.against.allCases
	with.AcceptGates = l.against.acceptGates
	with.Measured = l.builds
	with.Builds = l.builds
	with.Written = l.written
	with.Gates = l.gates
	with.Wants = l.filter.Wants
	if slices.ContainsFunc(plans, l.filter.WantsRenamed) {
		l.hosts.LeavesOut = nil // the base has other names than those of the filter
	}
	err := l.trees.Compare(ctx, plans, with)
	if err := reportInterrupted(ctx, e); err != nil {
		return err
	}
	var base *prepare.BaseError
	if errors.As(err, &base) {
		e.printError(base.Problems)
		return e.fail(base.Err)
	}
	return err
}

// reportVanished prints which cases the base has and this tree lacks, before anything is
// measured: they will be errors. It returns exit status 3 if there are any.
func reportVanished(e env, plans []*spec.Plan) (err error) {
	for _, plan := range plans {
		if plan.Against == nil {
			continue
		}
		for _, name := range plan.Against.Vanished {
			err = e.fail(diag.Hinted(fmt.Sprintf("%s: %s has case %q, and it is gone", plan.File,
				plan.Against.Asked, name),
				plan.GoneHint(name)))
		}
	}
	return err
}

// reportInterrupted prints that nothing was run if a signal has arrived, and returns its exit
// status.
func reportInterrupted(ctx context.Context, e env) error {
	if name := signals.Name(ctx); name != "" {
		e.say("%s before anything was run", name)
		return interrupted(ctx)
	}
	return nil
}

// newComparison describes how cases are compared with another tree. The cases of the base run under a tracer.
func newComparison(
	e env, hosts *prepare.Hosts, catalogue spec.Catalogue, overrides spec.Overrides,
) *prepare.Comparison {
	return &prepare.Comparison{
		Hosts:     hosts,
		Catalogue: catalogue,
		Overrides: overrides,
		Executed:  &executed.Runs{Cache: e.cache()},
		Observer: &observed.Observer{
			Host:     e.host,
			HostHash: host.Hash(),
			HostOf:   hosts.Argv,
			Binaries: hosts.Binaries,
			Cache:    e.cache(),
		},
		Builds: true,
	}
}
