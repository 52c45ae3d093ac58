package build

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// pkg is a package in the output of go list.
type pkg struct {
	Dir, ImportPath, Name          string
	Standard                       bool
	Match                          []string
	GoFiles, CgoFiles              []string
	TestGoFiles, XTestGoFiles      []string
	IgnoredGoFiles, InvalidGoFiles []string
	Imports, Deps                  []string
	Error                          *struct {
		Pos, Err    string
		ImportStack []string
	}
	Module *struct {
		Path, Dir string
		Main      bool
	}
}

// list finds the packages of the patterns that register benchmarks.
func (b *building) list(ctx context.Context) error {
	args := append([]string{"list", "-e", "-json=Dir,ImportPath,Name,Standard,Match,GoFiles,CgoFiles,TestGoFiles," +
		"XTestGoFiles,IgnoredGoFiles,InvalidGoFiles,Imports,Deps,Error,Module"}, b.flags...)
	args = append(args, "--")
	for _, p := range b.wanted {
		args = append(args, p.form)
	}
	out, text, err := b.tool.run(ctx, args...)
	if err != nil {
		return b.tree.failed(text, err)
	}
	found, err := decode(out)
	if err != nil {
		return err
	}
	var problems []Problem
	for _, p := range b.wanted {
		problems = append(problems, b.choose(p, found)...)
	}
	if len(problems) > 0 {
		return &Error{unique(problems)}
	}
	slices.SortFunc(b.packages, func(x, y *pkg) int { return cmp.Compare(x.ImportPath, y.ImportPath) })
	return nil
}

func decode(text string) (found []*pkg, err error) {
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		p := new(pkg)
		switch err := d.Decode(p); {
		case errors.Is(err, io.EOF):
			return found, nil
		case err != nil:
			return nil, fmt.Errorf("go list: %w", err)
		}
		found = append(found, p)
	}
}

// choose takes the packages that a pattern matches. A named package must register
// something; of the packages that a wildcard matches, those that do are taken.
func (b *building) choose(p pattern, found []*pkg) (problems []Problem) {
	matched, taken := 0, 0
	for _, k := range found {
		if !slices.Contains(k.Match, p.form) {
			continue
		}
		matched++
		examine := b.examine
		if b.tests {
			examine = b.examineTests
		}
		problem, fits := examine(p, k)
		switch {
		case fits:
			taken++
			if !slices.Contains(b.packages, k) {
				b.packages = append(b.packages, k)
			}
		case problem != nil:
			problems = append(problems, *problem)
		}
	}
	switch {
	case taken > 0 || len(problems) > 0:
	case matched == 0:
		problems = append(problems, wrong(p.text, fmt.Sprintf("%q matches no package", p.text), "go list "+p.text))
	case b.tests:
		problems = append(problems, wrong(p.text, fmt.Sprintf("no package that %q matches has a benchmark in its tests",
			p.text), hintBenchmark))
	default:
		problems = append(problems,
			wrong(p.text, fmt.Sprintf("no package that %q matches imports %s, so none registers a function", p.text,
				benchPath), hintRegister))
	}
	return problems
}

const hintRegister = `in an init function: bench.Register("name", func(c *bench.Case) bench.Loop { … })`

// examine reports whether a package can be part of a host, and why not. A package that only
// a wildcard matches is not a problem.
func (b *building) examine(p pattern, k *pkg) (problem *Problem, fits bool) {
	bad := func(message, hint string) (*Problem, bool) {
		problem := wrong(p.text, fmt.Sprintf("package %q %s", k.ImportPath, message), hint)
		return &problem, false
	}
	files := len(k.GoFiles) + len(k.CgoFiles)
	tests := len(k.TestGoFiles) + len(k.XTestGoFiles)
	switch {
	case p.wild() && k.Error == nil && (k.Name == "main" || files == 0 || !k.registers()):
		return nil, false
	case k.Name == "main":
		return bad("is a program, which cannot be imported",
			"move the functions that register benchmarks to a package of their own")
	case files == 0 && tests > 0:
		return bad("has only tests, which a host cannot import",
			fmt.Sprintf("for existing benchmarks write gotest: %s instead; functions for go: are registered in files "+
				"that are no _test.go", p.text))
	case files == 0 && len(k.IgnoredGoFiles) > 0:
		return bad("has no Go file for this system and these tags", "toolchain: {tags: […]}")
	case files == 0 && (k.Error == nil || strings.HasPrefix(k.Error.Err, "no Go files")):
		return bad("has no Go file", "")
	case k.Error != nil:
		problem := b.packageError(p, k)
		return &problem, false
	case !k.registers():
		return bad("does not import "+benchPath+", so it registers nothing", hintRegister)
	}
	return nil, true
}

// registers reports whether a package can register something, itself or through a package
// that it imports.
func (k *pkg) registers() bool {
	return k.ImportPath != benchPath && (slices.Contains(k.Imports, benchPath) || slices.Contains(k.Deps, benchPath))
}

// packageError converts what go list found wrong with a package.
func (b *building) packageError(p pattern, k *pkg) Problem {
	text := k.Error.Err
	if strings.HasPrefix(text, "import cycle") {
		text += ": " + strings.Join(k.Error.ImportStack, " imports ")
	}
	if k.Error.Pos != "" && !strings.HasPrefix(text, k.Error.Pos) {
		text = k.Error.Pos + ": " + text
	}
	problem := b.tree.read(text)[0]
	problem.Subject = p.text
	return problem
}

// The files of a package become absolute paths.
func (k *pkg) sourceFiles() (files []string) {
	for _, name := range slices.Concat(k.GoFiles, k.CgoFiles) {
		files = append(files, filepath.Join(k.Dir, name))
	}
	return files
}

// unique removes problems that two patterns both found.
func unique(problems []Problem) (kept []Problem) {
	seen := map[string]bool{}
	for _, p := range problems {
		if text := p.Problem.Error(); !seen[text] {
			seen[text], kept = true, append(kept, p)
		}
	}
	return kept
}
