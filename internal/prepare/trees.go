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
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/executed"
	"example.com/suite/internal/judge"
	"example.com/suite/internal/tree"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// Trees are the folders with the other version of the code that plans are compared with,
// until they are closed.
type Trees struct {
	open []*tree.Tree
	left map[*tree.Tree][]*spec.Plan // plans that are still to be built in each tree
}

// Comparison describes what plans are compared with, and contains what is needed to build it.
type Comparison struct {
	Asked    string   // a git revision, or a folder
	Exact    bool     // compare with the revision itself and not with its merge base with HEAD
	AllCases bool     // also compare cases that no change affects
	Measured bool     // the cases are measured afterwards, and what then differs although no change affects it is named
	Written  []string // files and folders that the run writes, which are no changes

	AcceptGates bool // gates of the base that this tree removed or relaxed do not judge

	// Observer runs cases of the base to find out what they depend on; nil: nothing is run, so only inputs: can show
	// that nothing has changed.
	Observer Observer
	Executed *executed.Runs // what cases execute; nil: nothing is run
	// Builds is set if the builds of both trees are run before the cases are observed. Otherwise cases of a plan with a
	// build are not observed.
	Builds bool

	// Program is the absolute path of what replaces the programs of commands in a revision, a full hash; nothing is
	// built then. nil: each revision has its own programs.
	Program func(revision string) string

	// Wants reports whether a case is asked for: others are not observed; nil: all are.
	Wants func(*spec.Case) bool

	Hosts     *Hosts
	Gates     *judge.Gates
	Catalogue spec.Catalogue
	Overrides spec.Overrides
}

// Observer finds out what cases depend on, as observed.Observer does.
type Observer interface {
	// Build runs the builds of a plan in trees, before the cases of the plan are observed.
	Build(ctx context.Context, plan *spec.Plan, trees ...*tree.Tree)
	// Stale returns a file that has changed since earlier builds, "" if there is none.
	Stale() string
	// Differing sets what reports whether the program in which suite runs a case of the base is another one here.
	Differing(differs func(c *spec.Case) bool)
	// Compare compares what a case of a plan in the tree base looks at with the tree here. asked are further cases
	// whose observation may serve at once.
	Compare(ctx context.Context, plan *spec.Plan, c *spec.Case, asked []*spec.Case, base, here string) (
		reads []string, why *result.Evidence)
	// State names a case and all that it was observed to look at in the tree base, "" if that is not known.
	State(plan *spec.Plan, c *spec.Case, base string) string
	// Adopt notes that a case of a plan in the tree here does what its counterpart in the tree base was observed to
	// do. It returns its State there.
	Adopt(plan *spec.Plan, c *spec.Case, base string, own *spec.Plan, as *spec.Case, here string) (state string)
	// Measure takes samples of a function in a host that a command starts, of n iterations, or of as many as the case
	// asks for if n is 0, and returns how many iterations a sample had.
	Measure(ctx context.Context, plan *spec.Plan, c *spec.Case, host []string, n int64, life time.Duration) (
		iterations int64, err error)
}

// comparison is one call of Compare or Between.
type comparison struct {
	*Comparison
	ctx    context.Context
	recipe string
	from   *tree.Tree // the tree of the candidate, if that is a revision too; nil: the user's own
}

// BaseError reports that the base cannot be made ready. Its problems are in the files of the
// other tree, so no edit of this tree solves them.
type BaseError struct {
	Problems diag.Problems // in its files
	Err      error         // with a hint
}

func (e *BaseError) Error() string { return e.Err.Error() }

// Compare compares each plan with its counterpart in the other tree: its cases get their
// counterparts, and a gate each. Problems of the plans are diag.Problems, problems of the
// other tree a *BaseError. If ctx ends, the error is its cause.
//
// What is started in the trees inherits the environment of this process, from which the
// program has removed what tree.Environ removes.
func (t *Trees) Compare(ctx context.Context, plans []*spec.Plan, with *Comparison) error {
	err := t.compare(ctx, plans, with)
	if !t.closeStale(err, with.Hosts, with.Asked) {
		return err
	}
	for _, plan := range plans {
		again, problems := Load(plan.File, with.Catalogue, with.Overrides, with.Gates)
		if len(problems) > 0 {
			return problems.Err()
		}
		*plan = *again
	}
	return t.compare(ctx, plans, with)
}

func (t *Trees) compare(ctx context.Context, plans []*spec.Plan, with *Comparison) error {
	c := &comparison{Comparison: with, ctx: ctx, recipe: recipe(plans)}
	var problems diag.Problems
	for _, plan := range plans {
		found, err := t.find(ctx, plan, c)
		if err == nil {
			var more diag.Problems
			more, err = c.plan(plan, found)
			problems = append(problems, more...)
			t.expect(found, plan.Other)
		}
		if ctx.Err() != nil { // the error is a consequence of the signal
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
	}
	for _, plan := range plans {
		t.builtBefore(plan.Other)
	}
	return problems.Unique().Err()
}

// builtBefore records that plans were built before their cases were observed: by build:, or only as their benchmarks were
// listed. All plans of the trees are expected by then.
func (t *Trees) builtBefore(plans ...*spec.Plan) {
	for _, plan := range plans {
		if plan != nil && (plan.Built || plan.Build == nil) {
			t.Built(plan)
		}
	}
}

// Close lets other runs use the trees.
func (t *Trees) Close() {
	for _, one := range t.open {
		_ = one.Close() // if it fails, the lock ends with this process
	}
	t.open = nil
}

// Keep closes the trees of all revisions but these, and removes them and their programs from the
// cache.
func (t *Trees) Keep(hosts *Hosts, revisions ...string) {
	t.open = slices.DeleteFunc(t.open, func(one *tree.Tree) bool {
		if slices.Contains(revisions, one.Revision) {
			return false
		}
		delete(t.left, one)
		hosts.Forget(one.Root)
		_ = one.Discard() // if it fails, the lock ends with this process, and the tree is removed in a week
		return true
	})
}

// Built records that a plan has been built. Once all plans of a tree are built, it keeps the
// output of their builds for the next run.
func (t *Trees) Built(plan *spec.Plan) {
	for one, left := range t.left {
		at := slices.Index(left, plan)
		if at < 0 {
			continue
		}
		t.left[one] = slices.Delete(left, at, at+1)
		if len(t.left[one]) == 0 {
			_ = one.Built() // if it fails, the next run builds everything again
		}
	}
}

// find returns the tree that a plan is compared with, and opens it if no earlier plan of the
// same repository has.
func (t *Trees) find(ctx context.Context, plan *spec.Plan, c *comparison) (*tree.Tree, error) {
	if one := t.openFor(ctx, plan); one != nil {
		return one, nil
	}
	one, err := tree.Open(ctx, tree.Options{Dir: filepath.Dir(plan.File), Against: c.Asked,
		Exact: c.Exact, Cache: c.Hosts.Cache, Written: c.Written, Recipe: c.recipe})
	if err != nil {
		return nil, err
	}
	t.open = append(t.open, one)
	for _, note := range one.Notes {
		c.Hosts.Say("--against %s: %s", c.Asked, note)
	}
	return one, nil
}

// openFor returns the open tree of the repository of a plan, nil if there is none.
func (t *Trees) openFor(ctx context.Context, plan *spec.Plan) *tree.Tree {
	for _, one := range t.open {
		if one.Holds(ctx, filepath.Dir(plan.File)) {
			return one
		}
	}
	return nil
}

// expect records that a plan is still to be built in a tree.
func (t *Trees) expect(other *tree.Tree, plan *spec.Plan) {
	if plan == nil || len(builds(plan)) == 0 {
		return
	}
	if t.left == nil {
		t.left = map[*tree.Tree][]*spec.Plan{}
	}
	t.left[other] = append(t.left[other], plan)
}

// recipe returns a text that identifies how the other tree is built: the commands, the
// programs that they start, and the environment. A later run with the same recipe uses the
// output of the builds again. It is "" if nothing is built.
func recipe(plans []*spec.Plan) string {
	var commands [][]string
	for _, plan := range plans {
		for _, argv := range builds(plan) {
			commands = append(commands, append([]string{program(argv[0])}, argv...))
		}
	}
	if len(commands) == 0 {
		return ""
	}
	text, _ := json.Marshal([]any{commands, steady(tree.Environ(os.Environ()))}) // words always can be
	return string(text)
}

// builds returns the commands that build the programs of a plan: build:, and those of harnesses that build before they
// list, as cargo bench does.
func builds(plan *spec.Plan) (commands [][]string) {
	if plan.Build != nil {
		commands = append(commands, plan.Build.Argv)
	}
	for i := range plan.Cases {
		c := &plan.Cases[i]
		isSame := func(argv []string) bool { return slices.Equal(argv, c.Argv) }
		if c.Harness != nil && len(c.Harness.Program) > 0 && !slices.ContainsFunc(commands, isSame) {
			commands = append(commands, c.Argv)
		}
	}
	return commands
}

// program identifies the program that builds a plan by its path and its time. make does not
// build again if make itself was replaced, so the recipe must differ.
func program(name string) string {
	path, err := exec.LookPath(name)
	if err != nil || filepath.Base(name) != name { // a path: the program is a file of the tree
		return name
	}
	info, err := os.Stat(path)
	if err != nil {
		return path
	}
	return strings.Join([]string{path, info.ModTime().UTC().String()}, " ")
}

// passing lists variables, in addition to those that tree.Environ removes, that differ between terminals and CI jobs but
// do not affect builds.
var passing = []string{"PWD", "COLUMNS", "LINES", "TERM", "TERM_PROGRAM", "SSH_AUTH_SOCK"}

// steady returns an environment without the passing variables, sorted.
func steady(environ []string) []string {
	left := slices.DeleteFunc(slices.Clone(environ), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return slices.Contains(passing, name)
	})
	slices.Sort(left)
	return left
}

// named adds the name of the revision to the places of problems in its files, as git does:
// main:bench/suite.yaml.
func named(problems diag.Problems, other *tree.Tree) diag.Problems {
	for i := range problems {
		at := &problems[i].Place
		if rel, err := filepath.Rel(other.Root, at.File); err == nil && filepath.IsLocal(rel) && other.Revision != "" {
			at.File = fmt.Sprintf("%s:%s", other.Asked, filepath.ToSlash(rel))
		}
	}
	return problems
}
