package prepare

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/tree"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// plan pairs the cases of a plan with their counterparts in another tree. It returns the
// problems of the candidate's suite file. Problems of the base's suite file are a *BaseError.
func (c *comparison) plan(plan *spec.Plan, other *tree.Tree) (diag.Problems, error) {
	plan.Against = &result.Against{Asked: other.Asked, Kind: result.AgainstFolder, Revision: other.Revision,
		MergeBase: other.MergeBase, Dirty: other.Dirty, Notes: slices.Clone(other.Notes)}
	if other.Revision != "" {
		plan.Against.Kind = result.AgainstRevision
	}
	file, err := other.Path(plan.File)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) || plan.File == result.CommandLine {
		return c.adopt(plan, other)
	}
	was, problems := spec.LoadPlan(file, c.Catalogue, c.Overrides)
	if len(problems) > 0 {
		return nil, c.faulty(problems, other)
	}
	return c.match(plan, was, &otherTree{comparison: c, tree: other})
}

func (c *comparison) faulty(problems diag.Problems, other *tree.Tree) error {
	if c.ctx.Err() != nil { // the problems are a consequence of the signal
		return context.Cause(c.ctx)
	}
	hint := "mend it there, or compare with another tree"
	if other.Revision != "" {
		hint = "mend it there, or compare with another revision; files that git does not know or ignores are not there"
	}
	return &BaseError{named(problems, other),
		diag.Hinted(fmt.Sprintf("nothing was measured: the base, %s, cannot be made ready", other.Asked), hint)}
}

// match pairs the cases of a plan with the cases of the base's own file.
func (c *comparison) match(plan, was *spec.Plan, there *otherTree) (diag.Problems, error) {
	var err error
	plan.Other, err = there.plan(plan, was)
	if err != nil {
		return nil, err
	}
	names := was.Names()
	base := byName(was)
	twins := byName(plan.Other)
	found, problems := plan.Match(names, was.Removed, plan.Against)
	for i := range plan.Cases {
		one := &plan.Cases[i]
		if found[i] == "" {
			one.Counterpart = there.without(one)
			continue
		}
		plan.Pair(one, base[found[i]], was, twins[one.Name])
	}
	c.takeOffUnlisted(plan, base)
	for _, name := range plan.Against.Vanished {
		plan.Gone = append(plan.Gone, *base[name])
	}
	there.apart(plan)
	there.lacking(plan)
	if err := there.build(plan); err != nil {
		return nil, err
	}
	c.sameProgram(plan)
	before := map[string]*spec.Case{}
	for i := range plan.Cases {
		before[plan.Cases[i].Name] = base[found[i]]
	}
	problems = append(problems, plan.Compare()...)
	if !there.adopted { // else both trees have the gates of this tree's file
		problems = append(problems, plan.KeepGates(was, func(name string) *spec.Case {
			return before[name]
		}, c.AcceptGates)...)
		for i := range plan.Against.Gates {
			c.Hosts.Say("--against %s: gate %s", plan.Against.Asked, &plan.Against.Gates[i])
		}
	}
	return problems, c.unaffected(c.ctx, plan, there.tree)
}

// without is the counterpart of a case that the other tree does not list. A benchmark that is skipped there may miss a
// file that git ignores: it is not new.
func (e *otherTree) without(one *spec.Case) *result.Counterpart {
	if one.GoTest != nil {
		if why, is := e.Hosts.skipped(e.folder(one.GoTest.Dir), one.GoTest.Benchmark); is {
			return &result.Counterpart{State: result.CounterpartUnable,
				Reason: fmt.Sprintf("it is skipped in %s%s", e.Asked, reason(why))}
		}
	}
	return &result.Counterpart{State: result.CounterpartNew, Reason: "no case of this name in " + e.Asked}
}

// takeOffUnlisted takes benchmarks off the cases that have vanished if that is not known: their function printed no
// result in one of the trees when benchmarks were listed, because it failed, or took too long on a busy machine. Its
// other sub-benchmarks are not known there.
func (c *comparison) takeOffUnlisted(plan *spec.Plan, base map[string]*spec.Case) {
	type function struct{ pkg, name string }
	broken := map[function]string{} // where
	note := func(one *spec.Case, tree string) {
		if one.GoTest != nil && one.GoTest.Broken {
			broken[function{one.GoTest.Package, one.GoTest.Function()}] = tree
		}
	}
	for _, one := range base {
		note(one, "in "+plan.Against.Asked)
	}
	for i := range plan.Cases {
		note(&plan.Cases[i], "in this tree")
	}
	plan.Against.Vanished = slices.DeleteFunc(plan.Against.Vanished, func(name string) bool {
		g := base[name].GoTest
		if g == nil {
			return false
		}
		where, is := broken[function{g.Package, g.Function()}]
		if is && c.wants(base[name]) {
			text := fmt.Sprintf("%s: not known to be gone, because %s did not end %s when benchmarks were listed",
				name, g.Function(), where)
			plan.Against.Notes = append(plan.Against.Notes, text)
			c.Hosts.Say("--against %s: %s", plan.Against.Asked, text)
		}
		return is
	})
}

func byName(plan *spec.Plan) map[string]*spec.Case {
	all := make(map[string]*spec.Case, len(plan.Cases))
	for i := range plan.Cases {
		all[plan.Cases[i].Name] = &plan.Cases[i]
	}
	return all
}

// otherTree turns the candidate's suite file into a plan that is measured in the other tree.
type otherTree struct {
	*comparison
	tree    *tree.Tree
	adopted bool          // the other tree has no suite file, so this tree's file is used for both
	failed  diag.Problems // of listing the Go benchmarks of the other tree; not reported, because benchmarks may be new
}

// folder returns the counterpart of a folder in the other tree. A folder outside of this tree
// is its own counterpart.
func (e *otherTree) folder(dir string) string {
	if there, err := e.tree.Path(dir); err == nil {
		return there
	}
	return dir
}

// plan loads the candidate's file with the folders of the other tree. The packages are the
// ones that the base's own file lists, because packages that only the candidate lists may not
// exist there, and so is the evidence for which cases are not measured.
func (e *otherTree) plan(plan, was *spec.Plan) (*spec.Plan, error) {
	catalogue := e.Catalogue
	catalogue.Folder = e.folder
	catalogue.Build = nil
	catalogue.GoTests, catalogue.Harness = e.goTests, e.harness
	other, problems := spec.LoadPlan(plan.File, catalogue, e.Overrides)
	if len(problems) > 0 {
		return nil, e.faulty(problems, e.tree)
	}
	if other.Packages != nil && was.Packages != nil {
		p := *other.Packages
		p.Patterns = was.Packages.Patterns
		p.Place = was.Packages.Place
		p.Places = was.Packages.Places
		other.Packages = &p
	}
	other.Unaffected = was.Unaffected
	other.HostDir = e.hostDir(other.Dir)
	if e.Program != nil {
		other.Build = nil
		for i := range other.Cases {
			if c := &other.Cases[i]; len(c.Argv) > 0 {
				c.Argv = append([]string{e.Program(e.tree.Revision)}, c.Argv[1:]...)
			}
		}
	}
	return other, nil
}

// hostDir returns the folder in which functions of the other tree run: the counterpart of the
// current folder, so that each side reads its own files. If the other tree has no such folder,
// hostDir returns the folder of the suite file there. It returns "", which means the current
// folder, if that is outside of this tree.
func (e *otherTree) hostDir(suite string) string {
	here, err := os.Getwd()
	if err != nil {
		return ""
	}
	switch there := e.folder(here); {
	case there == here: // outside of the trees
		return ""
	case paths.IsFolder(there):
		return there
	}
	return suite
}

// goTests lists the Go benchmarks of the other tree. It keeps problems to itself: benchmarks
// that cannot be listed there may be new.
func (e *otherTree) goTests(p spec.Packages, q spec.GoTestQuery) ([]spec.GoBenchmark, diag.Problems) {
	q.Place.File, q.MatchPlace.File = e.file(q.Place.File), e.file(q.MatchPlace.File)
	found, problems := e.Hosts.GoTests(p, q)
	e.failed = append(e.failed, problems...)
	return found, nil
}

// harness lists the benchmarks of a program in the other tree. A program that does not list them there may be new, and
// its cases are; a build that fails is a problem of the tree.
func (e *otherTree) harness(q spec.HarnessQuery) (spec.Listing, diag.Problems) {
	if problems := e.Hosts.buildFirst(&q); len(problems) > 0 {
		return spec.Listing{}, problems
	}
	found, problems := e.Hosts.Harness(q)
	if len(problems) > 0 {
		e.Hosts.Say("%s: its benchmarks are new, as it lists none there: %s", e.Asked,
			display.FirstLine(problems[0].Message))
	}
	e.failed = append(e.failed, problems...)
	return found, nil
}

func (e *otherTree) file(name string) string {
	if there, err := e.tree.Path(name); err == nil && name != "" {
		return there
	}
	return name
}

// build builds the host of the other tree if one of its functions is measured. Cases
// whose function is missing there become new, or cannot be compared.
func (e *otherTree) build(plan *spec.Plan) error {
	if !slices.ContainsFunc(plan.Cases, func(c spec.Case) bool { return c.Kind == result.KindGo && c.Other != nil }) {
		plan.Other.Packages = nil // so that no host is built
		return nil
	}
	functions, problems := e.Hosts.Functions(plan.Other.Dir, *plan.Other.Packages)
	if len(problems) > 0 && e.adopted {
		functions, problems = e.buildable(plan.Other)
	}
	switch {
	case len(problems) > 0 && e.adopted && e.ctx.Err() == nil:
		e.unbuilt(plan, problems)
		return nil
	case len(problems) > 0:
		return e.faulty(problems, e.tree)
	}
	for i := range plan.Cases {
		c := &plan.Cases[i]
		if c.Kind == result.KindGo && c.Other != nil && !slices.Contains(functions, c.Function) {
			if e.adopted {
				e.isNew(c, fmt.Sprintf("there is no function %s in %s", c.Function, plan.Against.Asked))
				continue
			}
			c.Other, c.Counterpart = nil, &result.Counterpart{State: result.CounterpartUnable,
				Reason: fmt.Sprintf("with the toolchain: of this tree, %s is not among the functions of %s",
					c.Function, plan.Against.Asked)}
		}
	}
	return nil
}
