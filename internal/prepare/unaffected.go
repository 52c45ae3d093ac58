package prepare

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.com/suite/internal/build"
	"example.com/suite/internal/executed"
	"example.com/suite/internal/judge"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/tree"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// sameProgram notes that the Go programs of both trees are the same: a difference between
// their functions is then no difference of the code.
func (c *comparison) sameProgram(plan *spec.Plan) {
	if c.from != nil { // two revisions of many: what is the same in them is no news
		return
	}
	some := false
	for i := range plan.Cases {
		one := &plan.Cases[i]
		ours, theirs := c.program(plan, one), ""
		if one.Other != nil {
			theirs = c.program(plan.Other, &one.Other.Case)
		}
		if ours == "" || theirs == "" {
			continue
		}
		some = true
		if ours != theirs {
			return
		}
	}
	const note = "the Go programs of both trees are the same, byte for byte"
	if some && !slices.Contains(plan.Against.Notes, note) {
		plan.Against.Notes = append(plan.Against.Notes, note)
		c.Hosts.Say("--against %s: %s", plan.Against.Asked, note)
	}
}

// program returns the file name of the Go program that a case runs, "" if it runs none. The
// name contains a hash of the program, so equal names mean equal programs.
func (c *comparison) program(plan *spec.Plan, one *spec.Case) string {
	switch {
	case one.GoTest != nil:
		return filepath.Base(one.GoTest.Program)
	case one.Kind == result.KindGo && plan.Packages != nil:
		return filepath.Base(c.Hosts.Argv(plan)[0])
	}
	return ""
}

// observesBuilt reports whether cases of a plan with a build are observed.
func (c *comparison) observesBuilt(plan *spec.Plan) bool {
	return plan.Build != nil && c.Builds && c.Observer != nil
}

// unaffected finds the cases of a plan that cannot differ between the two trees, and marks
// them so that they are not measured:
//
//   - same-inputs: no file that the case lists in inputs: has changed. If the case runs a Go
//     program, the program must be the same too.
//   - same-program: both trees build the same Go program, byte for byte, and nothing that the
//     case was observed to look at differs between the trees.
//   - cannot-reach: their programs differ, but not in what the case can reach: see package reach.
//   - did-not-execute: they differ in what the case can reach, but not in what it executes.
//   - same-files: the same as same-program of a command, whose program is one of the files.
//
// All others get the evidence for which they are measured. It leaves alone cases that nobody asks
// for, cases that other cases need, and cases with a gate that could fail although both sides are the
// same.
func (c *comparison) unaffected(ctx context.Context, plan *spec.Plan, other *tree.Tree) error {
	var paired []*spec.Case
	for i := range plan.Cases {
		if one := &plan.Cases[i]; one.Other != nil && c.wants(one) {
			paired = append(paired, one)
		}
	}
	if len(paired) == 0 {
		return nil
	}
	u := &unchanged{comparison: c, plan: plan, other: other, needed: c.needed(plan),
		holdsIfAlike: c.Gates.HoldIfAlike(plan),
		evidence:     plan.Unaffected.Stricter(plan.Other.Unaffected),
		observed:     map[*spec.Case]observation{}, ran: map[*spec.Case]*together{},
		idle: map[*spec.Case]*executed.Known{}}
	if c.observesBuilt(plan) {
		announced := time.AfterFunc(slowBuild, func() {
			c.Hosts.Say("--against %s: building both trees", plan.Against.Asked)
		})
		trees := []*tree.Tree{other}
		if c.from != nil {
			trees = append(trees, c.from)
		}
		c.Hosts.ran(trees)
		c.Observer.Build(ctx, plan, trees...)
		announced.Stop()
	}
	if n := len(paired); n > manyCases {
		c.Hosts.Say("--against %s: observing what %s", plan.Against.Asked, units.Plural(n, "case")+" read")
	}
	u.asked = paired
	differs := map[*spec.Case]bool{}
	for _, one := range paired {
		u.bases = append(u.bases, &one.Other.Case)
		differs[&one.Other.Case] = u.program(plan, one) != u.program(plan.Other, &one.Other.Case)
	}
	if c.Observer != nil {
		c.Observer.Differing(func(c *spec.Case) bool { return differs[c] })
	}
	count, stop := c.reportObserved(plan.Against.Asked, len(paired))
	defer stop()
	for i, one := range paired {
		count.Store(int64(i))
		rule, reason, why := u.rule(ctx, one)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if c.observesBuilt(plan) && c.Observer.Stale() != "" {
			return &staleError{c.Observer.Stale()}
		}
		if why != nil {
			rule = ""
		}
		u.adopt(one, rule)
		switch {
		case why != nil && why.IsShared():
			one.Other = nil
			one.Counterpart = &result.Counterpart{Name: one.Counterpart.Name,
				State: result.CounterpartUnable, Evidence: why,
				Reason: why.String() + "; a path relative to the suite file, such as ./bin/tool, is in the tree " +
					"of each side"}
		case c.AllCases, u.evidence == spec.Never:
			one.Counterpart.Rule = rule
		case u.isNeeded(one):
			one.Counterpart.Rule = rule
			one.Counterpart.Evidence = &result.Evidence{Cause: result.EvidenceNeeded}
		case why == nil:
			one.Other = nil
			one.Counterpart = &result.Counterpart{Name: one.Counterpart.Name, State: result.CounterpartUnaffected,
				Rule: rule, Reason: reason}
		default:
			one.Counterpart.Evidence = why
		}
	}
	return nil
}

const (
	// manyCases take seconds to be observed, 0.2 s each if each has a process of its own.
	manyCases = 10
	// slowObserve is the time between two lines of reportObserved. A build with coverage takes as long as a compilation
	// of all packages.
	slowObserve = 10 * time.Second
)

// reportObserved prints from time to time how many of so many cases have been observed, until stop is called.
func (c *comparison) reportObserved(asked string, of int) (count *atomic.Int64, stop func()) {
	count = &atomic.Int64{}
	ticker, over := time.NewTicker(slowObserve), make(chan struct{})
	var reporter sync.WaitGroup
	reporter.Go(func() {
		for {
			select {
			case <-ticker.C:
				c.Hosts.Say("--against %s: %d of %s observed", asked, count.Load(), units.Plural(of, "case"))
			case <-over:
				return
			}
		}
	})
	return count, func() {
		ticker.Stop()
		close(over)
		reporter.Wait()
	}
}

// changed lists the files that differ between the candidate's tree and another one.
func (c *comparison) changed(ctx context.Context, other *tree.Tree) ([]string, error) {
	if c.from != nil {
		return c.from.ChangedSince(ctx, other)
	}
	return other.Changed(ctx)
}

// root is the folder of the candidate's tree.
func (c *comparison) root(other *tree.Tree) string {
	if c.from != nil {
		return c.from.Root
	}
	return other.Own
}

// counterpart converts a file of the candidate's tree to its path in another tree.
func (c *comparison) counterpart(other *tree.Tree, file string) (string, error) {
	if c.from == nil {
		return other.Path(file)
	}
	rel, err := filepath.Rel(c.from.Root, file)
	if err == nil && !filepath.IsLocal(rel) {
		err = fmt.Errorf("%s is outside %s", file, c.from.Root)
	}
	return filepath.Join(other.Root, rel), err
}

func (c *comparison) wants(one *spec.Case) bool { return c.Wants == nil || c.Wants(one) }

// needed returns the names of the cases on which cases depend that are asked for: bases, cases that
// gates name, and cases whose output is compared. A geometric mean or an order of growth depends on
// every case.
func (c *comparison) needed(plan *spec.Plan) map[string]bool {
	names := map[string]bool{}
	for i := range plan.Cases {
		one := &plan.Cases[i]
		if !c.wants(one) {
			continue
		}
		names[one.Base] = true
		if one.OutputName != "" { // its output is compared with the output of other cases
			names[one.Name] = true
		}
		judge.LookedAt(one, names)
		for _, g := range one.Gates {
			if lang.UsesWord(g.Expr, func(w lang.Word) bool { return w.OfAll }) {
				for j := range plan.Cases {
					names[plan.Cases[j].Name] = true
				}
			}
		}
	}
	return names
}

// unchanged decides which cases of a plan are the same in both trees.
type unchanged struct {
	*comparison
	plan     *spec.Plan
	other    *tree.Tree
	asked    []*spec.Case    // cases about which it is asked
	bases    []*spec.Case    // the same in the other tree
	evidence spec.Unaffected // that is asked for
	// files that differ, relative to the trees, with slashes; nil: not asked yet
	files        []string
	needed       map[string]bool             // names of cases that other cases need
	holdsIfAlike func(name string) bool      // whether no gate of a case can fail if both sides are the same
	alone        []alonePackage              // packages whose program is the same in both trees; nil: not built yet
	found        map[string][]string         // files by pattern, see glob
	alike        map[string]bool             // whether files are the same in both trees, by relative path
	reach        map[[2]string]comparedReach // by the paths of the two test binaries
	observed     map[*spec.Case]observation
	ran          map[*spec.Case]*together       // benchmarks that were run together, by each of them
	idle         map[*spec.Case]*executed.Known // what cases execute that execute nothing of a difference
}

// observation is what a case was observed to read, and why that shows nothing, nil if it does.
type observation struct {
	reads []string
	why   *result.Evidence
}

// observe returns what a case was observed to read in the other tree.
func (u *unchanged) observe(ctx context.Context, c *spec.Case) observation {
	seen, done := u.observed[c]
	if !done {
		seen.reads, seen.why = u.Observer.Compare(ctx, u.plan.Other, &c.Other.Case, u.bases, u.other.Root,
			u.root(u.other))
		u.observed[c] = seen
	}
	return seen
}

// isNeeded reports whether a case is measured even if it is the same in both trees.
func (u *unchanged) isNeeded(c *spec.Case) bool { return u.needed[c.Name] || !u.holdsIfAlike(c.Name) }

// glob returns the files that match a pattern, none if it is wrong: such a pattern was refused before.
// Many cases have the same inputs, and nothing runs between the cases that could change them, apart
// from the runs that observe, which leave nothing behind.
func (u *unchanged) glob(pattern string) []string {
	pattern = filepath.ToSlash(pattern)
	files, ok := u.found[pattern]
	if !ok {
		files, _ = paths.Glob(pattern)
		if u.found == nil {
			u.found = map[string][]string{}
		}
		u.found[pattern] = files
	}
	return files
}

// same reports whether a file is the same in both trees.
func (u *unchanged) same(file string) bool {
	same, ok := u.alike[file]
	if !ok {
		name := filepath.FromSlash(file)
		same = paths.SameFiles(filepath.Join(u.root(u.other), name), filepath.Join(u.other.Root, name))
		if u.alike == nil {
			u.alike = map[string]bool{}
		}
		u.alike[file] = same
	}
	return same
}

// rule returns the rule by which a case cannot differ, and the reason in words, or why it is
// measured.
func (u *unchanged) rule(
	ctx context.Context, c *spec.Case,
) (rule result.UnaffectedRule, reason string, why *result.Evidence) {
	here, there := u.program(u.plan, c), u.program(u.plan.Other, &c.Other.Case)
	isCommand := c.Kind == result.KindCommand || c.Kind == result.KindShell
	program := "its program"
	if why := u.replaced(c); why != nil {
		return "", "", why
	}
	reached := false
	var reaches *result.Evidence
	if !isCommand && here != there {
		// What it can reach takes builds, and would change nothing.
		if u.evidence == spec.Never || u.isNeeded(c) || u.AllCases && !u.Measured {
			return "", "", nil
		}
		reached = true
		if reaches = u.reaches(ctx, c); reaches != nil {
			if one := u.packageOf(c); one != nil {
				reaches, program, reached = nil, "the program of package "+one.name, one.reached
			}
		}
	}
	if reaches != nil && !u.asksForExecution(reaches) {
		return "", "", reaches
	}
	var reads []string
	why = &result.Evidence{Cause: result.EvidenceUntraced, Subject: "nothing is run"}
	if u.Observer != nil {
		seen := u.observe(ctx, c)
		reads, why = seen.reads, seen.why
	}
	if reaches != nil {
		if why != nil {
			return "", "", unobserved(reaches, why)
		}
		if why := u.executes(ctx, c, reaches); why != nil {
			return "", "", why
		}
	}
	u.places(c, reads)
	if len(c.Inputs) > 0 {
		u.unlisted(c, reads)
		if why != nil && why.IsShared() {
			return "", "", why
		}
		return result.SameInputs, "none of its inputs has changed", u.input(ctx, c)
	}
	if isCommand {
		return result.SameFiles, "everything that it was observed to read is the same", why
	}
	if reaches != nil {
		return result.DidNotExecute, "it did not execute the change, and everything that it was observed to read " +
			"is the same", why
	}
	if reached {
		return result.CannotReach, "it cannot reach the change, and everything that it was observed to read " +
			"is the same", why
	}
	return result.SameProgram, program + " is the same, byte for byte, and so is everything that it was " +
		"observed to read", why
}

// places lists what a case reads in both trees: what it was observed to read, and its inputs.
func (u *unchanged) places(c *spec.Case, reads []string) {
	files := slices.Clone(reads)
	root := u.root(u.other)
	for _, pattern := range c.Inputs {
		for _, file := range u.glob(pattern) {
			if rel, err := filepath.Rel(root, file); err == nil && filepath.IsLocal(rel) {
				files = append(files, rel)
			}
		}
	}
	slices.Sort(files)
	for _, file := range slices.Compact(files) {
		c.Other.Files = append(c.Other.Files, [2]string{filepath.Join(root, file), filepath.Join(u.other.Root, file)})
	}
}

// unlisted notes a file that a case was observed to read although its inputs do not list it: the
// promise that nothing else counts may be wrong.
func (u *unchanged) unlisted(c *spec.Case, reads []string) {
	isTarget := func(file string) bool { // of a link that is listed
		whole := paths.Real(filepath.Join(u.root(u.other), file))
		return slices.ContainsFunc(c.Inputs, func(pattern string) bool {
			return slices.ContainsFunc(u.glob(pattern), func(listed string) bool { return paths.Real(listed) == whole })
		})
	}
	i := slices.IndexFunc(reads, func(file string) bool { return !u.isInput(c, file) && !isTarget(file) })
	if i < 0 {
		return
	}
	note := fmt.Sprintf("%s: reads %s, which its inputs do not list", c.Name, filepath.ToSlash(reads[i]))
	u.plan.Against.Notes = append(u.plan.Against.Notes, note)
	u.Hosts.Say("%s: %s", u.plan.File, note)
}

// input returns the input of a case that differs, or why that is not known.
func (u *unchanged) input(ctx context.Context, c *spec.Case) *result.Evidence {
	if u.files == nil {
		files, err := u.changed(ctx, u.other)
		if err != nil {
			return &result.Evidence{Cause: result.EvidenceUntraced,
				Subject: "the files that have changed are not known: " + err.Error()}
		}
		u.files = append([]string{}, files...)
	}
	if missed := u.missedInput(c); missed != "" {
		return &result.Evidence{Cause: result.EvidenceInputs, Subject: missed}
	}
	candidates := slices.DeleteFunc(slices.Clone(u.files), func(file string) bool { return !u.isInput(c, file) })
	for _, file := range slices.Concat(candidates, u.outputs(c)) {
		if !u.same(file) {
			return &result.Evidence{Cause: result.EvidenceInputs, Subject: file}
		}
	}
	return nil
}

// outputs returns the inputs of a case that are in both trees, and after a build also those in one of
// them, relative to the trees: git does not list a file that it ignores, such as the output of a build.
func (u *unchanged) outputs(c *spec.Case) (files []string) {
	count := map[string]int{}
	for _, root := range []string{u.root(u.other), u.other.Root} {
		for _, pattern := range c.Inputs {
			if root != u.root(u.other) {
				pattern, _ = u.counterpart(u.other, pattern) // missedInput has reported the error
			}
			for _, file := range u.glob(pattern) {
				if rel, err := filepath.Rel(root, file); err == nil && filepath.IsLocal(rel) &&
					!strings.HasPrefix(filepath.ToSlash(rel)+"/", ".git/") {
					count[filepath.ToSlash(rel)]++
				}
			}
		}
	}
	for file, n := range count {
		if n > 1 || u.plan.Build != nil {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	return files
}

// alonePackage is a package of a host of which a program of its own was built in both trees.
type alonePackage struct {
	name      string
	functions []string
	reached   bool // the programs differ, and the difference cannot be reached
}

// packageOf returns the package that registers the function of a case, if a program built from that
// package alone is the same in both trees, and nil if not. So a change in one package of a host does not
// affect the cases of its other packages.
func (u *unchanged) packageOf(c *spec.Case) *alonePackage {
	if c.GoTest != nil || c.Kind != result.KindGo || u.plan.Packages == nil || u.plan.Other.Packages == nil {
		return nil
	}
	if u.alone == nil {
		u.alone = u.samePackages()
	}
	at := slices.IndexFunc(u.alone, func(p alonePackage) bool { return slices.Contains(p.functions, c.Function) })
	if at < 0 {
		return nil
	}
	return &u.alone[at]
}

// samePackages builds a program from each package alone, in the other tree only if it may be another one there. It
// returns the packages whose two programs are the same. A package that cannot be built alone counts as different.
func (u *unchanged) samePackages() []alonePackage {
	same := []alonePackage{}
	hosts := u.Hosts
	here := hosts.Program(u.plan)
	there := hosts.Program(u.plan.Other)
	if here == nil || there == nil || len(here.Packages) < 2 {
		return same
	}
	for _, name := range here.Packages {
		if !slices.Contains(there.Packages, name) {
			continue
		}
		ours, err := hosts.Alone(u.plan, name)
		if err != nil {
			continue
		}
		reached := false
		if !build.SamePackage(u.ctx, there, here, ours, name) {
			theirs, err := hosts.Alone(u.plan.Other, name)
			reached = err == nil && ours.Hash != theirs.Hash
			if err != nil || reached && !u.sameReach(theirs, ours) {
				continue
			}
		}
		if functions, err := ours.Functions(u.ctx); err == nil {
			same = append(same, alonePackage{name, functions, reached})
		}
	}
	return same
}

// isInput reports whether a file that has changed is one of the inputs of a case. It is true
// for every folder: a folder in the list is a submodule, and git does not list which of its
// files have changed.
func (u *unchanged) isInput(c *spec.Case, file string) bool {
	whole := filepath.Join(u.root(u.other), filepath.FromSlash(file))
	info, err := os.Lstat(whole)
	return err == nil && info.IsDir() || c.IsInput(whole)
}

// missedInput returns a pattern in the inputs of a case that matches no file of both trees, "" if
// there is none. Such a pattern is misspelt, or matches only files that git ignores, and changes of
// those are not found.
func (u *unchanged) missedInput(c *spec.Case) string {
	for _, pattern := range c.Inputs {
		known := slices.ContainsFunc(u.glob(pattern), func(file string) bool {
			there, err := u.counterpart(u.other, file)
			if err != nil {
				return false
			}
			_, err = os.Stat(there)
			return err == nil
		})
		if !known {
			u.Hosts.Say("%s: %s is measured: no file of both trees matches %s in its inputs", u.plan.File,
				c.Name, shown(u.plan, pattern))
			return shown(u.plan, pattern)
		}
	}
	return ""
}

// shown returns a pattern relative to the suite file, if it was written so.
func shown(plan *spec.Plan, pattern string) string {
	if rel, err := filepath.Rel(paths.Real(plan.Dir), filepath.FromSlash(pattern)); err == nil &&
		filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return pattern
}
