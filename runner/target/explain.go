package target

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/internal/benchname"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/executable"
	"example.com/suite/internal/scratch"
	"example.com/suite/internal/shellword"
	"example.com/suite/result"
	"example.com/suite/runner/process"
)

// Explain adds to a failure what to try. If a program could not be started, the message
// becomes the reason: the system reports a script without an interpreter as missing.
func (t *Target) Explain(f *result.Failure, iterations int) {
	if t.IsCommand() && f.Cause == result.FailedMissing {
		ExplainStart(f, t.argvOf(f.Phase), t.Spec.Cwd)
	}
	f.Hint = t.hint(f, iterations)
}

// argvOf returns the command that ran in a phase.
func (t *Target) argvOf(phase result.Phase) []string {
	switch phase {
	case result.PhasePrepare:
		return hookArgv(t.Spec.Prepare)
	case result.PhaseConclude:
		return hookArgv(t.Spec.Conclude)
	}
	return t.Argv()
}

// ExplainStart replaces the message of a command that could not be started by the reason, if
// one is found.
func ExplainStart(f *result.Failure, argv []string, dir string) {
	if len(argv) == 0 {
		return
	}
	if fault := executable.Check(argv[0], dir); fault != nil {
		f.Message, f.Hint = fault.Message, fault.Hint
	}
}

// hint suggests what to try when a case could not be measured.
func (t *Target) hint(f *result.Failure, iterations int) string {
	switch {
	case f.Hint != "":
		return f.Hint
	case strings.HasPrefix(f.Message, scratch.NoFile):
		return scratch.Hint()
	case t.IsCommand() && f.Cause == result.FailedMissing && f.Phase == result.PhaseSetup && !strings.HasPrefix(f.Message, "program "):
		return "" // a folder or a file: its path is enough
	case t.IsCommand() && f.Cause == result.FailedMissing && f.Phase == result.PhaseSetup:
		return "is it installed, and is it in PATH or relative to " + t.Spec.Cwd + "?"
	case t.IsCommand() && f.Cause == result.FailedMissing && (f.Phase == result.PhasePrepare || f.Phase == result.PhaseConclude):
		return "is it installed, and is it in PATH or relative to " + t.Spec.Cwd + "? A line for a shell is written sh -c '…'"
	case t.IsCommand() && (f.Phase == result.PhasePrepare || f.Phase == result.PhaseConclude):
		return "run it by hand: " + process.CommandLine(t.Spec.Cwd, t.argvOf(f.Phase))
	case t.IsGoTest() && f.Cause == result.FailedTimeout:
		return "raise timeout, or run it by hand: " + t.byHand(iterations)
	case t.IsGoTest():
		return "run it by hand: " + t.byHand(iterations)
	case t.IsHarnessed() && f.Cause == result.FailedTimeout:
		return "raise timeout, or run it by hand: " + t.harnessByHand(iterations)
	case t.IsHarnessed():
		return "run it by hand: " + t.harnessByHand(iterations)
	case t.IsCommand() && f.Cause == result.FailedExit:
		return t.exitHint(f)
	case t.IsCommand() && f.Cause == result.FailedTimeout:
		return "raise timeout, or run it by hand: " + process.CommandLine(t.Spec.Cwd, t.Argv())
	case t.IsCommand():
		return "run it by hand: " + process.CommandLine(t.Spec.Cwd, t.Argv())
	}
	return ""
}

// exitHint suggests what to try after an exit status that does not mean success.
func (t *Target) exitHint(f *result.Failure) string {
	if name := t.notThere(); name != "" {
		how := "setup: or build:"
		if cmp.Or(t.Of, t).Plan.File == result.CommandLine {
			how = "--setup or --build"
		}
		return fmt.Sprintf("%s is not in %s: git ignores it or does not know it, so let %s make it, or commit it", diag.Quote(name), t.Tree, how)
	}
	if fault := t.notStarted(f); fault != nil {
		return fault.Message + ": " + fault.Hint
	}
	byHand := "run it by hand: " + process.CommandLine(t.Spec.Cwd, t.Argv())
	if f.Exit == nil {
		return byHand
	}
	codes := append(slices.Clone(t.Spec.ExitCodes), *f.Exit)
	slices.Sort(codes)
	list := make([]string, len(codes))
	for i, code := range codes {
		list[i] = strconv.Itoa(code)
	}
	allow := "exit_codes: [" + strings.Join(list, ", ") + "]"
	if cmp.Or(t.Of, t).Plan.File == result.CommandLine {
		allow = "--exit-codes " + strings.Join(list, ",")
	}
	return fmt.Sprintf("%s; if status %d means success too: %s", byHand, *f.Exit, allow)
}

// notStarted finds the program that a shell could not start. A shell ends with status 126 or
// 127 then, and the program is a word of its text.
func (t *Target) notStarted(f *result.Failure) *executable.Fault {
	if f.Exit == nil || *f.Exit != 126 && *f.Exit != 127 {
		return nil
	}
	for _, text := range t.Argv()[1:] {
		for _, word := range strings.Fields(text) {
			if !strings.ContainsRune(word, filepath.Separator) {
				continue
			}
			if fault := executable.Check(word, t.Spec.Cwd); fault != nil {
				return fault
			}
		}
	}
	return nil
}

// notThere returns the first argument of a command that names a file here, and none in
// the other tree in which the command has failed. It is empty for a side of this tree.
func (t *Target) notThere() string {
	if t.Tree == "" {
		return ""
	}
	for _, word := range t.Argv() {
		if word == "" || filepath.IsAbs(word) || !filepath.IsLocal(word) {
			continue
		}
		_, here := os.Stat(filepath.Join(cmp.Or(t.Of, t).Spec.Cwd, word))
		_, there := os.Stat(filepath.Join(t.Spec.Cwd, word))
		if here == nil && errors.Is(there, fs.ErrNotExist) {
			return word
		}
	}
	return ""
}

// resultsByHand is where the results of a run by hand are, in its working folder.
const resultsByHand = "results"

// harnessByHand is the command that runs a sample of so many iterations without suite.
func (t *Target) harnessByHand(iterations int) string {
	request := t.harnessRequest(iterations)
	args, variables := request.With(resultsByHand)
	argv := slices.Concat(t.program(), args)
	if len(variables) > 0 {
		argv = slices.Concat([]string{"env"}, variables, argv)
	}
	if request.Input == "" {
		return process.CommandLine(t.Spec.Cwd, argv)
	}
	return process.CommandLine(t.Spec.Cwd, []string{"echo", strings.TrimSuffix(request.Input, "\n")}) + " | " + shellword.Join(argv)
}

// byHand is the command that runs batches of so many iterations without suite, or of those that the suite file asks for.
func (t *Target) byHand(iterations int) string {
	g := t.Spec.GoTest
	n := max(iterations, int(t.Spec.Settings.Benchtime.N), 1)
	return process.CommandLine(g.Dir, []string{"go", "test", "-run=^$", "-bench=" + benchname.Only(g.Benchmark), fmt.Sprintf("-benchtime=%dx", n), fmt.Sprintf("-cpu=%d", t.Procs())})
}
