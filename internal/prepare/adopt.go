package prepare

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/tree"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// adopt compares a plan with a tree that has no suite file, such as a revision from before the
// file was added. It uses this tree's file for both trees. Cases that the other tree cannot run
// are new.
func (c *comparison) adopt(plan *spec.Plan, other *tree.Tree) (diag.Problems, error) {
	if plan.File != result.CommandLine { // commands that were typed are in no tree
		note := fmt.Sprintf("%s has no file %s, so this tree's is taken for both", plan.Against.Asked, plan.File)
		plan.Against.Notes = append(plan.Against.Notes, note)
		c.Hosts.Say("--against %s: %s", plan.Against.Asked, note)
	}
	there := &otherTree{comparison: c, tree: other, adopted: true}
	was, err := there.plan(plan, plan)
	if err != nil {
		return nil, err
	}
	return c.match(plan, was, there)
}

// lacking marks cases as new if the other tree lacks their program or their files. They would
// fail there, and it is no error to add a program.
func (e *otherTree) lacking(plan *spec.Plan) {
	if !e.adopted {
		return
	}
	for i := range plan.Cases {
		c := &plan.Cases[i]
		if c.Other == nil {
			continue
		}
		for _, file := range needs(&c.Other.Case, plan.Build != nil) {
			if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) && e.ofOther(file) {
				rel, _ := filepath.Rel(e.tree.Root, file) // cannot fail: ofOther has checked it
				e.isNew(c, fmt.Sprintf("there is no %s in %s%s", filepath.ToSlash(rel),
					plan.Against.Asked, orBuild(plan, c)))
				break
			}
		}
	}
}

// orBuild suggests a build if the suite has none, and the program of a case is here and
// contains zero bytes: a compiler wrote it, so git does not have it.
func orBuild(plan *spec.Plan, c *spec.Case) string {
	if plan.Build != nil || len(c.Argv) == 0 {
		return ""
	}
	program := c.Argv[0]
	if !filepath.IsAbs(program) {
		program = filepath.Join(c.Cwd, program)
	}
	f, err := os.Open(program)
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, 512)
	n, _ := io.ReadFull(f, head) // a shorter file is fine
	if bytes.IndexByte(head[:n], 0) < 0 {
		return ""
	}
	if plan.File == result.CommandLine {
		return "; --build LINE makes it in both trees"
	}
	return "; build: makes it in both trees"
}

// needs lists the files without which a case cannot run: its folder, its program and its
// standard input. If the plan has a build, it lists only the folder, because the build may
// make the others.
func needs(c *spec.Case, built bool) (files []string) {
	if c.Kind != result.KindCommand && c.Kind != result.KindShell {
		return nil
	}
	files = []string{c.Cwd}
	if built {
		return files
	}
	if len(c.Argv) > 0 && strings.ContainsAny(c.Argv[0], `/\`) {
		program := c.Argv[0]
		if !filepath.IsAbs(program) {
			program = filepath.Join(c.Cwd, program)
		}
		files = append(files, program)
	}
	if c.Stdin != "" {
		files = append(files, c.Stdin)
	}
	return files
}

// buildable builds a host from those packages that can be built in the other tree, and
// returns its functions. If no package can be built, it returns the problems of the last one.
func (e *otherTree) buildable(plan *spec.Plan) (functions []string, problems diag.Problems) {
	all := *plan.Packages
	plan.Packages = &all
	all.Patterns = slices.DeleteFunc(slices.Clone(all.Patterns), func(pattern string) bool {
		one := all
		one.Patterns = []string{pattern}
		_, found := e.Hosts.Functions(plan.Dir, one)
		if len(found) > 0 {
			problems = found
		}
		return len(found) > 0
	})
	if len(all.Patterns) == 0 {
		return nil, problems
	}
	return e.Hosts.Functions(plan.Dir, all)
}

// unbuilt marks the Go functions of a plan as new, because none of their packages can be built
// in the other tree. It may lack the packages, or parts of them.
func (e *otherTree) unbuilt(plan *spec.Plan, problems diag.Problems) {
	first := named(problems[:1], e.tree)[0]
	for i := range plan.Cases {
		if c := &plan.Cases[i]; c.Kind == result.KindGo && c.Other != nil {
			e.isNew(c, fmt.Sprintf("its packages cannot be built in %s: %s", plan.Against.Asked, first.Message))
		}
	}
	plan.Other.Packages = nil // so that no host is built
}

func (e *otherTree) isNew(c *spec.Case, reason string) {
	c.Other, c.Counterpart = nil, &result.Counterpart{State: result.CounterpartNew, Reason: reason}
}
