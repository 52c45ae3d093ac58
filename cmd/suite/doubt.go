package main

import (
	"os/exec"
	"path/filepath"
	"strings"

	"example.com/suite/spec"
)

// doubts says what is no mistake and will do nothing.
func (e env) doubts(plans []*spec.Plan) {
	for _, plan := range plans {
		for _, d := range plan.Doubts() {
			e.say("warning: %s: %s (%s)", d.Place, d.Message, d.Hint)
		}
	}
}

// missingPrograms says which programs of commands are not there, each once. It is no
// mistake: what builds or sets up the suite may make them.
func (e env) missingPrograms(plans []*spec.Plan) {
	said := map[string]bool{}
	for _, plan := range plans {
		for i := range plan.Cases {
			c := &plan.Cases[i]
			if len(c.Argv) == 0 || said[c.Argv[0]] {
				continue
			}
			name := c.Argv[0]
			if strings.ContainsRune(name, filepath.Separator) && !filepath.IsAbs(name) {
				name = filepath.Join(c.Cwd, name)
			}
			if _, err := exec.LookPath(name); err != nil {
				said[c.Argv[0]] = true
				e.say("warning: %s: program %q of case %q is not there (unless build or setup makes it, the case will fail)", c.Place, c.Argv[0], c.Name)
			}
		}
	}
}
