package prepare

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/judge"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/tree"
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

// unaffected finds the cases of a plan that cannot differ between the two trees, and marks
// them so that they are not measured:
//
//   - same-program: both trees build the same Go program, byte for byte, and no other file
//     that the benchmark could read has changed.
//   - same-inputs: no file that the case lists in inputs: has changed. If the case runs a Go
//     program, the program must be the same too.
//
// It leaves alone cases that other cases need, and cases with a gate that could fail although
// both sides are the same.
func (c *comparison) unaffected(ctx context.Context, plan *spec.Plan, other *tree.Tree) error {
	if c.AllCases || !slices.ContainsFunc(plan.Cases, func(one spec.Case) bool { return one.Other != nil }) {
		return nil
	}
	files, err := c.changed(ctx, other)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		c.Hosts.Say("--against %s: every case is measured, for the files that have changed are not known: %v", plan.Against.Asked, err)
		return nil
	}
	holdsIfAlike := c.Gates.HoldIfAlike(plan)
	u := &unchanged{comparison: c, plan: plan, other: other, files: files, needed: needed(plan)}
	for i := range plan.Cases {
		one := &plan.Cases[i]
		if one.Other == nil || u.needed[one.Name] || !holdsIfAlike(one.Name) {
			continue
		}
		rule, reason, ok := u.rule(one)
		if !ok {
			continue
		}
		one.Other = nil
		one.Counterpart = &result.Counterpart{Name: one.Counterpart.Name, State: result.CounterpartUnaffected, Rule: rule, Reason: reason}
	}
	return nil
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

// needed returns the names of the cases that other cases depend on: bases, cases that gates
// name, and cases whose output is compared. A geometric mean or an order of growth depends on
// every case.
func needed(plan *spec.Plan) map[string]bool {
	names := map[string]bool{}
	for i := range plan.Cases {
		c := &plan.Cases[i]
		names[c.Base] = true
		if c.OutputName != "" { // its output is compared with the output of other cases
			names[c.Name] = true
		}
		judge.LookedAt(c, names)
		for _, g := range c.Gates {
			if strings.Contains(g.Expr.Value, "geomean") || strings.Contains(g.Expr.Value, "order") {
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
	plan   *spec.Plan
	other  *tree.Tree
	files  []string            // files that differ, relative to the trees, with slashes
	needed map[string]bool     // names of cases that are measured although they did not change
	alone  map[string][]string // functions by package, for packages whose program is the same in both trees; nil: not built yet
	texts  map[string][]byte   // contents of programs that have been read, by path
}

// rule returns the rule by which a case cannot differ, and the reason in words. ok is false
// if the case can differ.
func (u *unchanged) rule(c *spec.Case) (rule result.UnaffectedRule, reason string, ok bool) {
	here, there := u.program(u.plan, c), u.program(u.plan.Other, &c.Other.Case)
	isCommand := c.Kind == result.KindCommand || c.Kind == result.KindShell
	same := here == there
	ofPackage := ""
	if !isCommand && !same {
		ofPackage = u.packageOf(c)
		if ofPackage == "" {
			return "", "", false
		}
	}
	switch {
	case len(c.Inputs) > 0:
		if u.missesInputs(c) || slices.ContainsFunc(u.files, func(file string) bool { return u.isInput(c, file) }) {
			return "", "", false
		}
		return result.SameInputs, "none of its inputs has changed", true
	case c.Setup != nil || c.Prepare != nil || c.Conclude != nil || c.Cleanup != nil: // a hook may write what the case reads
		return "", "", false
	case isCommand:
		return "", "", false
	case slices.ContainsFunc(u.files, func(file string) bool { return u.couldRead(c, file) }):
		return "", "", false
	case ofPackage != "":
		return result.SameProgram, "the program of package " + ofPackage + " is the same, byte for byte, and no other file that it could read has changed", true
	}
	return result.SameProgram, "its program is the same, byte for byte, and no other file that it could read has changed", true
}

// packageOf returns the package that registers the function of a case, if a program built
// from that package alone is the same in both trees, and "" if not. So a change in one package
// of a host does not affect the cases of its other packages.
func (u *unchanged) packageOf(c *spec.Case) string {
	if c.Kind != result.KindGo || u.plan.Packages == nil || u.plan.Other.Packages == nil {
		return ""
	}
	if u.alone == nil {
		u.alone = u.samePackages()
	}
	for name, functions := range u.alone {
		if slices.Contains(functions, c.Function) {
			return name
		}
	}
	return ""
}

// samePackages builds a program from each package alone, in both trees. It returns the
// functions of each package whose two programs are the same. A package that cannot be built
// alone counts as different.
func (u *unchanged) samePackages() map[string][]string {
	same := map[string][]string{}
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
		theirs, err := hosts.Alone(u.plan.Other, name)
		if err != nil || ours.Hash != theirs.Hash {
			continue
		}
		if functions, err := ours.Functions(u.ctx); err == nil {
			same[name] = functions
		}
	}
	return same
}

// isInput reports whether a file that has changed is one of the inputs of a case. It is true
// for every folder: a folder in the list is a submodule, and git does not list which of its
// files have changed.
func (u *unchanged) isInput(c *spec.Case, file string) bool {
	whole := filepath.Join(u.root(u.other), filepath.FromSlash(file))
	return paths.IsFolder(whole) || c.IsInput(whole)
}

// missesInputs reports whether a pattern in the inputs of a case matches no file of both
// trees. Such a pattern is misspelt, or matches only files that git ignores, and changes of
// those are not found.
func (u *unchanged) missesInputs(c *spec.Case) bool {
	for _, pattern := range c.Inputs {
		found, err := paths.Glob(pattern)
		known := slices.ContainsFunc(found, func(file string) bool {
			there, err := u.counterpart(u.other, file)
			if err != nil {
				return false
			}
			_, err = os.Stat(there)
			return err == nil
		})
		if err != nil || !known {
			u.Hosts.Say("%s: %s is measured: no file of both trees matches %s in its inputs", u.plan.File, c.Name, u.shown(pattern))
			return true
		}
	}
	return false
}

// shown returns a pattern relative to the suite file, if it was written so.
func (u *unchanged) shown(pattern string) string {
	if rel, err := filepath.Rel(paths.Real(u.plan.Dir), filepath.FromSlash(pattern)); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return pattern
}

// Files whose changes do not affect a benchmark: source files are part of the program, which
// is compared as a whole, and benchmarks do not read documentation or settings unless they name
// them. Every file in one of dataFolders counts as read.
var (
	sourceFiles = []string{".go", ".s", ".S", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".syso", ".mod", ".sum", ".work"}
	textFiles   = []string{".md", ".rst", ".adoc"}
	namedFiles  = []string{"readme", "license", "licence", "copying", "notice", "authors", "contributors", "changelog", "changes", "history", "contributing", "code_of_conduct", "security", "codeowners", "makefile"}
	dataFolders = []string{"testdata", "fixtures", "data"}
)

// couldRead reports whether the benchmark of a case could read a file. It is false for source
// files and suite files. For documentation, and for files whose name or folder begins with a
// dot, it is true only if the program, a parameter or the environment of the case names them.
// It is true for every file in a folder for test data.
func (u *unchanged) couldRead(c *spec.Case, file string) bool {
	folders := strings.Split(path.Dir(file), "/")
	if slices.ContainsFunc(folders, func(name string) bool { return slices.Contains(dataFolders, name) || strings.HasPrefix(name, "_") }) {
		return true
	}
	base := strings.ToLower(path.Base(file))
	stem, ext, _ := strings.Cut(base, ".")
	named := slices.Contains(namedFiles, stem) && (ext == "" || ext == "txt")
	switch {
	case slices.Contains(sourceFiles, path.Ext(file)) || u.isSuiteFile(file):
		return false
	case named || slices.Contains(textFiles, path.Ext(base)) || strings.HasPrefix(file, ".") || strings.Contains(file, "/."):
		return u.names(c, file)
	}
	return true
}

// names reports whether a parameter, the environment or the program of a case contains the name
// of a file, the name of its folder, or a pattern such as *.md that matches it.
func (u *unchanged) names(c *spec.Case, file string) bool {
	words := []string{path.Base(file)}
	if ext := path.Ext(file); ext != "" {
		words = append(words, "*"+ext)
	}
	if dir := path.Dir(file); dir != "." {
		words = append(words, path.Base(dir)+"/")
	}
	for _, word := range words {
		for _, p := range c.Params {
			if strings.Contains(p.Value.Text, word) {
				return true
			}
		}
		if strings.Contains(strings.Join(c.Env, "\n"), word) || u.knows(c, word) {
			return true
		}
	}
	return false
}

// isSuiteFile reports whether the plan was read from a file.
func (u *unchanged) isSuiteFile(file string) bool {
	there := filepath.Join(u.other.Root, filepath.FromSlash(file))
	is := func(name string) bool {
		path, err := u.other.Path(name)
		return err == nil && path == there
	}
	return is(u.plan.File) || slices.ContainsFunc(u.plan.Sources, func(s result.Source) bool { return is(s.File) })
}

// knows reports whether the program of a case contains a name. It is true if the program
// cannot be read.
func (u *unchanged) knows(c *spec.Case, name string) bool {
	program := ""
	if c.GoTest != nil {
		program = c.GoTest.Program
	} else if argv := u.Hosts.Argv(u.plan); argv != nil {
		program = argv[0]
	}
	text, known := u.texts[program]
	if !known {
		read, err := os.ReadFile(program)
		if err != nil {
			return true
		}
		text = read
		if u.texts == nil {
			u.texts = map[string][]byte{}
		}
		u.texts[program] = text
	}
	return bytes.Contains(text, []byte(name))
}
