package main

import (
	"os/exec"
	"path/filepath"
	"strings"

	"example.com/suite/spec"
)

// doubts warns about parts of suite files that are correct but have no effect.
func (e env) doubts(plans []*spec.Plan) {
	for _, plan := range plans {
		for _, d := range plan.Doubts() {
			e.say("warning: %s: %s (%s)", d.Place, d.Message, d.Hint)
		}
	}
}

// missingPrograms warns once about each program of a command that does not exist. It is no
// error, because build or setup may make it.
func (e env) missingPrograms(plans []*spec.Plan) {
	warned := map[string]bool{}
	for _, plan := range plans {
		for i := range plan.Cases {
			c := &plan.Cases[i]
			if len(c.Argv) == 0 || warned[c.Argv[0]] {
				continue
			}
			name := c.Argv[0]
			if strings.ContainsRune(name, filepath.Separator) && !filepath.IsAbs(name) {
				name = filepath.Join(c.Cwd, name)
			}
			if _, err := exec.LookPath(name); err != nil {
				warned[c.Argv[0]] = true
				e.say("warning: %s: program %q of case %q is not there (unless build or setup makes it, the case will fail)", c.Place, c.Argv[0], c.Name)
			}
		}
	}
}
