package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/judge"
	"example.com/suite/internal/saved"
	"example.com/suite/internal/tree"
	"example.com/suite/result"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
)

// againstFlags say what cases are compared with, besides their bases.
type againstFlags struct {
	asked string
	given func() bool // also where asked is empty, as that of an unset variable is
	exact bool

	allCases bool // those that nothing has changed of, too
}

func (a *againstFlags) flags(c *cobra.Command) {
	c.Flags().StringVar(&a.asked, "against", "", "compare each case with itself in `REV`, a git revision (where HEAD has left it), in a folder, or with a saved result.json")
	a.given = func() bool { return c.Flags().Changed("against") }
	c.Flags().BoolVar(&a.exact, "exact", false, "compare with the revision of --against itself, also where HEAD has left it long ago")
	c.Flags().BoolVar(&a.allCases, "all-cases", false, "measure cases that nothing has changed of, too")
}

// check refuses flags that have no meaning together.
func (a *againstFlags) check(offline bool) error {
	switch {
	case a.asked == "" && a.given():
		return hinted{"--against names nothing", "a revision such as main, v1.2 or HEAD~1, a folder such as ../old, or a saved result.json"}
	case a.exact && a.asked == "":
		return hinted{"--exact says which commit --against means, and there is no --against", "--against main --exact"}
	case a.allCases && (a.asked == "" || a.isResult()):
		return hinted{"--all-cases has a meaning where trees are compared", "--against main --all-cases"}
	case a.exact && a.isResult():
		return hinted{"--exact has no meaning for a saved result", "leave one of them out"}
	case offline && a.asked != "" && !a.isResult():
		return hinted{"--against builds what it compares, and --offline builds nothing", "leave one of them out"}
	}
	return nil
}

// isResult says that a saved result is meant. A branch of such a name is
// refs/heads/NAME.
func (a *againstFlags) isResult() bool { return strings.EqualFold(filepath.Ext(a.asked), ".json") }

// compared compares plans with what was asked for: their cases get their
// counterparts and the gates that come from that, of which the calls are counted.
func (e env) compared(ctx context.Context, plans []*spec.Plan, l *loading, catalogue spec.Catalogue) error {
	if l.against.asked == "" {
		return nil
	}
	if err := e.against(ctx, plans, l, catalogue); err != nil {
		return err
	}
	var problems diag.Problems
	for _, plan := range plans {
		calls, wrong := judge.Check(plan, true)
		plan.Calls = calls
		problems = append(problems, wrong...)
	}
	return problems.Err()
}

func (e env) against(ctx context.Context, plans []*spec.Plan, l *loading, catalogue spec.Catalogue) error {
	if l.against.isResult() {
		base, err := saved.Compare(l.against.asked, plans)
		if l.trees != nil {
			l.trees.saved = base
		}
		return err
	}
	return l.trees.compare(ctx, plans, &comparing{env: e, ctx: ctx, loading: l, catalogue: catalogue, recipe: e.recipe(plans)})
}

// comparing is what it takes to compare plans with other trees.
type comparing struct {
	env
	ctx       context.Context
	loading   *loading
	catalogue spec.Catalogue
	recipe    string
}

// compare compares each plan with its counterpart in the other tree.
func (t *trees) compare(ctx context.Context, plans []*spec.Plan, c *comparing) error {
	untie()
	var problems diag.Problems
	for _, plan := range plans {
		found, err := t.find(ctx, plan, c)
		if err == nil {
			var more diag.Problems
			more, err = c.plan(plan, found)
			problems = append(problems, more...)
			t.expect(found, plan.Other)
		}
		if err := c.interrupted(ctx); err != nil { // which is no fault of the trees
			return err
		}
		if err != nil {
			return err
		}
	}
	return problems.Unique().Err()
}

// interrupted says that a signal came before anything was run, if one did.
func (e env) interrupted(ctx context.Context) error {
	if name := interruptName(ctx); name != "" {
		e.say("%s before anything was run", name)
		return status(result.InterruptStatus(name))
	}
	return nil
}

// named puts the name of a revision in front of the files in it, as git does.
func named(problems diag.Problems, other *tree.Tree) diag.Problems {
	for i := range problems {
		at := &problems[i].Place
		if rel, err := filepath.Rel(other.Root, at.File); err == nil && filepath.IsLocal(rel) && other.Revision != "" {
			at.File = fmt.Sprintf("%s:%s", other.Asked, filepath.ToSlash(rel))
		}
	}
	return problems
}
