package prepare

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/executable"
	"example.com/suite/spec"
)

// Doubts returns the parts of suite files that are correct but have no effect.
func Doubts(plans []*spec.Plan) (all diag.Problems) {
	for _, plan := range plans {
		all = append(all, plan.Doubts()...)
	}
	return all
}

// MissingPrograms warns of each program and input of a command that does not exist. It is
// no error, because build or setup may make it.
func MissingPrograms(plans []*spec.Plan) (all diag.Problems) {
	warned := map[string]bool{}
	warn := func(c *spec.Case, message, hint string) {
		all = append(all, diag.Problem{Code: diag.NoProgram, Place: c.Place, Message: message, Hint: hint})
	}
	for _, plan := range plans {
		for i := range plan.Cases {
			c := &plan.Cases[i]
			if c.Stdin != "" && !warned[c.Stdin] {
				if _, err := os.Stat(c.Stdin); errors.Is(err, fs.ErrNotExist) {
					warned[c.Stdin] = true
					warn(c, fmt.Sprintf("the standard input of case %q is not there: %q", c.Name,
						shortened(c.Stdin, c.Cwd)),
						"unless build or setup makes it, the case will fail; stdin: {text: …} is a text")
				}
			}
			if len(c.Argv) == 0 || len(c.Missing) > 0 || warned[c.Argv[0]] {
				continue
			}
			name := c.Argv[0]
			if fault := executable.Check(name, c.Cwd); fault != nil {
				warned[name] = true
				warn(c, fmt.Sprintf("case %q: %s", c.Name, fault.Message),
					fault.Hint+"; unless build or setup does it, the case will fail")
				continue
			}
			if strings.ContainsRune(name, filepath.Separator) && !filepath.IsAbs(name) {
				name = filepath.Join(c.Cwd, name)
			}
			if _, err := exec.LookPath(name); err != nil {
				warned[c.Argv[0]] = true
				hint := "unless build or setup makes it, the case will fail"
				if words := strings.Fields(c.Argv[0]); len(c.Argv) == 1 && len(words) > 1 {
					hint = fmt.Sprintf("a list has one word in each item: [%s]", strings.Join(words, ", "))
				}
				warn(c, fmt.Sprintf("program %q of case %q is not there", c.Argv[0], c.Name), hint)
			}
		}
	}
	return all
}

// shortened is a path relative to a folder, if that is shorter.
func shortened(path, folder string) string {
	if rel, err := filepath.Rel(folder, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}
