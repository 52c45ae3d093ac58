package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/tree"
	"example.com/suite/spec"
)

// recipe tells how the other tree will be built, for what builds leave there to be
// used again: the commands, the programs that they start, and the environment.
// Empty where no suite has a build:.
func (e env) recipe(plans []*spec.Plan) string {
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
