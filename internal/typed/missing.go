package typed

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/executable"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/shellword"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// CheckPrograms refuses programs that do not exist and that nothing could make. It also
// replaces the places of cases, which are lines of a text that nobody wrote.
func CheckPrograms(plans []*spec.Plan, text *Text) diag.Problems {
	var problems diag.Problems
	for _, plan := range plans {
		for i := range plan.Cases {
			c := &plan.Cases[i]
			if c.Setup == nil && c.Prepare == nil && plan.Build == nil {
				problems = append(problems, missing(c, len(plan.Cases), text.Joined(c.Place))...)
			}
			c.Place = diag.Place{File: result.CommandLine}
		}
	}
	return text.Explain(result.CommandLine, problems).Unique()
}

// missing finds files that a case needs and that do not exist. joined is the command with the
// one before it, if a -- between words may have been meant as an argument.
func missing(c *spec.Case, cases int, joined string) (problems diag.Problems) {
	if c.Stdin != "" {
		if p := missingInput(c.Stdin); p != nil {
			problems = append(problems, *p)
		}
	}
	if len(c.Argv) == 0 {
		return problems
	}
	name := c.Argv[0]
	if fault := executable.Check(name, ""); fault != nil {
		return append(problems, diag.Problem{Place: c.Place, Message: fault.Message, Hint: fault.Hint})
	}
	if _, err := exec.LookPath(name); err == nil || errors.Is(err, exec.ErrDot) {
		return problems
	}
	hint := ""
	switch {
	case len(c.Argv) == 1 && len(strings.Fields(name)) > 1:
		hint = fmt.Sprintf("without quotes: -- %s; or as one line: --command %s", name, shellword.Quote(name))
		if strings.Count(name, "'")%2 == 1 || strings.Count(name, `"`)%2 == 1 { // --command would refuse it too
			hint = "the program and its arguments are words of their own: -- ls -l"
		}
	case cases == 1 && !slices.ContainsFunc(c.Argv, func(word string) bool { return len(strings.Fields(word)) < 2 }):
		hint = "one command in each pair of quotes:" + asCommands(c.Argv)
	case strings.HasPrefix(name, "-") && joined == "":
		hint = "flags of suite run come before the --: suite run " + name + " … -- COMMAND"
	case paths.IsProgram("./" + name):
		hint = "the one in this folder is ./" + name
	case joined != "":
		hint = "-- separates commands; one with a -- in it: --command " + joined
		if strings.HasPrefix(name, "-") {
			hint += "; flags of suite run come before the first --"
		}
	case cases > 1:
		hint = "-- separates commands; --command LINE is one that has a -- in it"
	}
	return append(problems, diag.Problem{Place: c.Place,
		Message: fmt.Sprintf("there is no program %s", diag.Quote(name)), Hint: hint})
}

// missingInput is the problem of a file for --stdin that cannot be read, nil if there is
// none.
func missingInput(path string) *diag.Problem {
	p := diag.Problem{Place: diag.Place{File: "--stdin"}}
	info, err := os.Stat(path)
	switch {
	case err != nil && filepath.Base(path) == "-":
		p.Message, p.Hint = "every run reads its input from the beginning, so it must be a file", "write the input "+
			"to a file: --stdin FILE"
	case err != nil:
		p.Message, p.Hint = fmt.Sprintf("there is no file %s", diag.Quote(path)), paths.DidYouMean(path)
	case info.IsDir():
		p.Message, p.Hint = fmt.Sprintf("%s is a folder", diag.Quote(path)), "--stdin FILE"
	default:
		return nil
	}
	return &p
}
