package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/saved"
	"example.com/suite/internal/tree"
	"example.com/suite/spec"
)

// trees are the other trees of a run.
type trees struct {
	open  []*tree.Tree
	left  map[*tree.Tree][]*spec.Plan // in each, those that are still to be built there
	saved *saved.Base                 // a result in place of trees
}

// close lets others use them.
func (t *trees) close() {
	for _, one := range t.open {
		_ = one.Close() // a lock that ends with this process at the latest
	}
	t.open = nil
}

// built is told of a plan that has been built, and keeps what builds have left in a
// tree once all of them have come to their end.
func (t *trees) built(plan *spec.Plan) {
	for one, left := range t.left {
		at := slices.Index(left, plan)
		if at < 0 {
			continue
		}
		if t.left[one] = slices.Delete(left, at, at+1); len(t.left[one]) == 0 {
			_ = one.Built() // without it the next run builds all anew
		}
	}
}

// find gives the tree that stands beside that of a suite file, which suite files of
// one repository share.
func (t *trees) find(ctx context.Context, plan *spec.Plan, c *comparing) (*tree.Tree, error) {
	for _, one := range t.open {
		if one.Holds(ctx, filepath.Dir(plan.File)) {
			return one, nil
		}
	}
	one, err := tree.Open(ctx, tree.Options{Dir: filepath.Dir(plan.File), Against: c.loading.against.asked,
		Exact: c.loading.against.exact, Cache: c.cache(), Recipe: c.recipe})
	if err != nil {
		return nil, err
	}
	t.open = append(t.open, one)
	for _, note := range one.Notes {
		c.say("--against %s: %s", c.loading.against.asked, note)
	}
	return one, nil
}

// cache is the folder that was chosen for what suite can do without; empty: that
// of the user.
func (e env) cache() string {
	folder, _ := e.lookup(cacheVariable)
	return folder
}

// expect notes that a plan is going to be built in a tree.
func (t *trees) expect(other *tree.Tree, plan *spec.Plan) {
	if plan == nil || plan.Build == nil {
		return
	}
	if t.left == nil {
		t.left = map[*tree.Tree][]*spec.Plan{}
	}
	t.left[other] = append(t.left[other], plan)
}

// untie drops the variables that tie git to one repository, as a hook of git has
// them: commands are to find that of their own tree, and to have one environment.
func untie() {
	kept := tree.Environ(os.Environ())
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); !slices.Contains(kept, e) {
			_ = os.Unsetenv(name) // fails for no name that was set
		}
	}
}
