package prepare

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
	"example.com/suite/internal/judge"
	"example.com/suite/internal/tree"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// Unable is why a case cannot be measured in a revision: the revision does not build, or it
// has no such case.
type Unable struct {
	Revision string // full hash
	Reason   string // one line
	Problems diag.Problems
}

func (u *Unable) Error() string { return u.Reason }

// Between makes a plan that compares the only case of a plan in two revisions, neither of
// which is the user's tree: the case in candidate, paired with itself in base. Both are
// full hashes. The user's suite file defines the case on both sides. Its gates and its base
// are left out, and so is all that the plan compares otherwise.
//
// The error is an *Unable if the case cannot be measured in one of the revisions. If ctx
// ends, the error is its cause. The environment is as for Compare.
func (t *Trees) Between(
	ctx context.Context, plan *spec.Plan, candidate, base string, with *Comparison,
) (*spec.Plan, error) {
	made, left, err := t.BetweenAll(ctx, plan, candidate, base, with)
	if err != nil {
		return nil, err
	}
	for _, unable := range left {
		return nil, unable
	}
	return made, nil
}

// BetweenAll is Between for all cases of a plan. Those that cannot be measured in one of the
// revisions are left out: left has the reason of each by its name. The error is an *Unable if that
// is all of them, for one reason.
func (t *Trees) BetweenAll(
	ctx context.Context, plan *spec.Plan, candidate, base string, with *Comparison,
) (made *spec.Plan, left map[string]*Unable, err error) {
	own := with.at(candidate)
	own.Gates = &judge.Gates{} // the gates of the suite file are not judged
	c := &comparison{Comparison: own, ctx: ctx, recipe: recipe([]*spec.Plan{plan})}
	made, left, err = t.pair(ctx, plan, candidate, base, c)
	if t.closeStale(err, with.Hosts, display.Commit(base)) {
		made, left, err = t.pair(ctx, plan, candidate, base, c)
	}
	if ctx.Err() != nil { // then no revision is at fault
		return nil, nil, context.Cause(ctx)
	}
	return made, left, err
}

// at is a comparison with the revision itself, not with its merge base with HEAD.
func (c *Comparison) at(revision string) *Comparison {
	exact := *c
	exact.Asked = revision
	exact.Exact = true
	return &exact
}

func (t *Trees) pair(
	ctx context.Context, plan *spec.Plan, candidate, base string, c *comparison,
) (made *spec.Plan, left map[string]*Unable, err error) {
	here, err := t.revision(ctx, plan, c)
	if err != nil {
		return nil, nil, err
	}
	made, left, err = c.alone(plan, here)
	if err != nil || len(made.Cases) == 0 {
		return made, left, err
	}
	t.expect(here, made)
	other := &comparison{Comparison: c.Comparison.at(base), ctx: ctx, recipe: c.recipe, from: here}
	there, err := t.revision(ctx, plan, other)
	if err != nil {
		return nil, nil, err
	}
	made.Against = &result.Against{Asked: display.Commit(base), Kind: result.AgainstRevision, Revision: base}
	e := &otherTree{comparison: other, tree: there, adopted: true}
	was, err := e.plan(made, made)
	if err != nil {
		return nil, nil, unable(base, err)
	}
	problems, err := other.match(made, keepOnly(was, made.Names()), e)
	switch {
	case err != nil:
		return nil, nil, unable(base, err)
	case len(problems) > 0:
		return nil, nil, unable(base, problems)
	}
	t.expect(there, made.Other)
	t.builtBefore(made, made.Other)
	made.Cases = slices.DeleteFunc(made.Cases, func(one spec.Case) bool {
		if one.Other != nil || one.Counterpart.IsUnaffected() {
			return false
		}
		left[one.Name] = &Unable{Revision: base, Reason: one.Counterpart.Unmatched(), Problems: e.failed}
		return true
	})
	return made, left, nil
}

// revision opens the tree of a revision, or finds it among the open ones.
func (t *Trees) revision(ctx context.Context, plan *spec.Plan, c *comparison) (*tree.Tree, error) {
	for _, one := range t.open {
		if one.Revision == c.Asked && one.Holds(ctx, filepath.Dir(plan.File)) {
			return one, nil
		}
	}
	one, err := tree.Open(ctx, tree.Options{Dir: filepath.Dir(plan.File), Against: c.Asked, Exact: true,
		Cache: c.Hosts.Cache, Recipe: c.recipe})
	if err != nil {
		return nil, err
	}
	t.open = append(t.open, one)
	return one, nil
}

// alone makes the cases of a plan cases of a revision, and builds what it takes to measure them.
// It leaves out those that the revision cannot run, and returns why.
func (c *comparison) alone(plan *spec.Plan, here *tree.Tree) (*spec.Plan, map[string]*Unable, error) {
	e := &otherTree{comparison: c, tree: here, adopted: true}
	own, err := e.plan(plan, plan)
	if err != nil {
		return nil, nil, unable(here.Revision, err)
	}
	left := map[string]*Unable{}
	own = keepOnly(own, plan.Names())
	for _, name := range plan.Names() {
		if slices.Contains(own.Names(), name) {
			continue
		}
		reason := fmt.Sprintf("there is no case %q in %s", name, display.Commit(here.Revision))
		if len(e.failed) > 0 {
			reason = display.FirstLine(e.failed[0].Message)
		}
		left[name] = &Unable{Revision: here.Revision, Reason: reason, Problems: e.failed}
	}
	own.Budget = 0
	own.Removed = nil
	var functions []string
	var problems diag.Problems
	if own.Packages != nil && slices.ContainsFunc(own.Cases, func(one spec.Case) bool {
		return one.Kind == result.KindGo
	}) {
		functions, problems = c.Hosts.Functions(own.Dir, *own.Packages)
		if len(problems) > 0 {
			functions, problems = e.buildable(own)
		}
	}
	own.Cases = slices.DeleteFunc(own.Cases, func(one spec.Case) bool {
		why := e.lacks(own, &one)
		if why == "" && one.Kind == result.KindGo && own.Packages != nil && !slices.Contains(functions, one.Function) {
			why = fmt.Sprintf("there is no function %s", one.Function)
			if len(problems) > 0 {
				why = display.FirstLine(problems[0].Message)
			}
		}
		if why != "" {
			left[one.Name] = &Unable{Revision: here.Revision, Reason: why, Problems: problems}
		}
		return why != ""
	})
	for i := range own.Cases {
		one := &own.Cases[i]
		one.Gates = nil
		one.Base = ""
		one.OutputName = ""
	}
	return own, left, nil
}

// lacks names the file without which a case cannot run and which the revision lacks; "" if it has
// all.
func (e *otherTree) lacks(own *spec.Plan, one *spec.Case) string {
	for _, file := range needs(one, own.Build != nil) {
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) && e.ofOther(file) {
			rel, _ := filepath.Rel(e.tree.Root, file) // cannot fail: ofOther has checked it
			return fmt.Sprintf("there is no %s", filepath.ToSlash(rel))
		}
	}
	return ""
}

// keepOnly is a plan with some of its cases.
func keepOnly(plan *spec.Plan, names []string) *spec.Plan {
	kept := *plan
	kept.Cases = nil
	for _, c := range plan.Cases {
		if slices.Contains(names, c.Name) {
			kept.Cases = append(kept.Cases, c)
		}
	}
	return &kept
}

// unable is the reason of an error in its first line. An error of git or of the machine is
// returned as it is: no other revision would mend it.
func unable(revision string, err error) error {
	problems, is := diag.AsProblems(err)
	var base *BaseError
	if errors.As(err, &base) {
		problems, is = base.Problems, true
	}
	if !is || len(problems) == 0 {
		return err
	}
	return &Unable{Revision: revision, Reason: display.FirstLine(problems[0].Message), Problems: problems}
}
