package prepare

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/judge"
	"example.com/suite/internal/tree"
	"example.com/suite/spec"
)

// Trees are the folders with the other version of the code that plans are compared with,
// until they are closed.
type Trees struct {
	open []*tree.Tree
	left map[*tree.Tree][]*spec.Plan // in each, those that are still to be built there
}

// Comparison is what plans are compared with, and what it takes to build that.
type Comparison struct {
	Asked    string // a git revision, or a folder
	Exact    bool   // the revision itself, also if HEAD has left it long ago
	AllCases bool   // cases that nothing has changed of are compared too

	Hosts     *Hosts
	Gates     *judge.Gates
	Catalogue spec.Catalogue
	Overrides spec.Overrides
}

// comparison is one call of Compare.
type comparison struct {
	*Comparison
	ctx    context.Context
	recipe string
}

// BaseError is a base that cannot be made ready: no edit of this tree mends that.
type BaseError struct {
	Problems diag.Problems // in its files
	Err      error         // with a hint
}

func (e *BaseError) Error() string { return e.Err.Error() }

// Compare compares each plan with its counterpart in the other tree: its cases get their
// counterparts, and a gate each. Problems of the plans are diag.Problems, problems of the
// other tree a *BaseError. If ctx ends, the error is its cause.
func (t *Trees) Compare(ctx context.Context, plans []*spec.Plan, with *Comparison) error {
	c := &comparison{Comparison: with, ctx: ctx, recipe: recipe(plans)}
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
		if ctx.Err() != nil { // which is no fault of the trees
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
	}
	return problems.Unique().Err()
}

// Close lets other runs use the trees.
func (t *Trees) Close() {
	for _, one := range t.open {
		_ = one.Close() // a lock that ends with this process at the latest
	}
	t.open = nil
}

// Built is called with each plan that has been built. It keeps what builds have left in a
// tree once all plans of the tree are built.
func (t *Trees) Built(plan *spec.Plan) {
	for one, left := range t.left {
		at := slices.Index(left, plan)
		if at < 0 {
			continue
		}
		t.left[one] = slices.Delete(left, at, at+1)
		if len(t.left[one]) == 0 {
			_ = one.Built() // without it the next run builds all anew
		}
	}
}

// Suite files of one repository share a tree.
func (t *Trees) find(ctx context.Context, plan *spec.Plan, c *comparison) (*tree.Tree, error) {
	for _, one := range t.open {
		if one.Holds(ctx, filepath.Dir(plan.File)) {
			return one, nil
		}
	}
	one, err := tree.Open(ctx, tree.Options{Dir: filepath.Dir(plan.File), Against: c.Asked,
		Exact: c.Exact, Cache: c.Hosts.Cache, Recipe: c.recipe})
	if err != nil {
		return nil, err
	}
	t.open = append(t.open, one)
	for _, note := range one.Notes {
		c.Hosts.Say("--against %s: %s", c.Asked, note)
	}
	return one, nil
}

// expect records that a plan is going to be built in a tree.
func (t *Trees) expect(other *tree.Tree, plan *spec.Plan) {
	if plan == nil || plan.Build == nil {
		return
	}
	if t.left == nil {
		t.left = map[*tree.Tree][]*spec.Plan{}
	}
	t.left[other] = append(t.left[other], plan)
}

// untie drops the variables that tie git to one repository, as a hook of git has them:
// commands have to find the repository of their own tree, and to have one environment.
func untie() {
	kept := tree.Environ(os.Environ())
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); !slices.Contains(kept, e) {
			_ = os.Unsetenv(name) // fails for no name that was set
		}
	}
}

// recipe identifies how the other tree is built: the commands, the programs that they
// start, and the environment. If it is the same next time, the output of the builds is
// used again. It is empty if no suite has a build.
func recipe(plans []*spec.Plan) string {
	var commands [][]string
	for _, plan := range plans {
		if plan.Build != nil {
			commands = append(commands, append([]string{program(plan)}, plan.Build.Argv...))
		}
	}
	if len(commands) == 0 {
		return ""
	}
	text, _ := json.Marshal([]any{commands, steady(tree.Environ(os.Environ()))}) // words always can be
	return string(text)
}

// program identifies the one that builds a plan: make does not notice that it was
// replaced itself.
func program(plan *spec.Plan) string {
	name := plan.Build.Argv[0]
	path, err := exec.LookPath(name)
	if err != nil || filepath.Base(name) != name { // it comes with the tree
		return name
	}
	info, err := os.Stat(path)
	if err != nil {
		return path
	}
	return strings.Join([]string{path, info.ModTime().UTC().String()}, " ")
}

// passing are variables that differ from one terminal and job to the next, and
// that no build hangs on.
var passing = []string{"_", "OLDPWD", "PWD", "SHLVL", "COLUMNS", "LINES", "TERM", "TERM_PROGRAM", "TERM_SESSION_ID", "WINDOWID", "SSH_AUTH_SOCK", "SSH_CLIENT", "SSH_CONNECTION", "SSH_TTY", "XDG_SESSION_ID"}

// steady is an environment without them, in alphabetical order.
func steady(environ []string) []string {
	left := slices.DeleteFunc(slices.Clone(environ), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return slices.Contains(passing, name)
	})
	slices.Sort(left)
	return left
}

// named puts the name of a revision in front of its files, as git does.
func named(problems diag.Problems, other *tree.Tree) diag.Problems {
	for i := range problems {
		at := &problems[i].Place
		if rel, err := filepath.Rel(other.Root, at.File); err == nil && filepath.IsLocal(rel) && other.Revision != "" {
			at.File = fmt.Sprintf("%s:%s", other.Asked, filepath.ToSlash(rel))
		}
	}
	return problems
}
