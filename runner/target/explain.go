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
	"example.com/suite/spec"
)

// Explain adds to a failure what to try. If a program could not be started, the message
// becomes the reason: the system reports a script without an interpreter as missing.
func (t *Target) Explain(f *result.Failure, iterations int) {
	a := advice{t, f, iterations}
	if t.IsCommand() && f.Cause == result.FailedMissing {
		ExplainStart(f, a.argv(), t.Spec.Cwd)
	}
	f.Hint = a.hint()
}

// advice is what to try after a failure of a target, whose batches had so many iterations.
type advice struct {
	target     *Target
	failure    *result.Failure
	iterations int
}

// argv returns the command that has failed.
func (a advice) argv() []string {
	switch a.failure.Phase {
	case result.PhasePrepare:
		return hookArgv(a.target.Spec.Prepare)
	case result.PhaseConclude:
		return hookArgv(a.target.Spec.Conclude)
	}
	return a.target.Argv()
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
func (a advice) hint() string {
	f := a.failure
	switch {
	case f.Hint != "":
		return f.Hint
	case strings.HasPrefix(f.Message, scratch.NoFile):
		return scratch.Hint()
	case a.target.IsCommand() && f.Cause == result.FailedMissing && f.Phase == result.PhaseSetup &&
		!strings.HasPrefix(f.Message, "program "):
		return "" // a folder or a file: its path is enough
	case a.target.IsCommand() && f.Cause == result.FailedMissing && f.Phase == result.PhaseSetup:
		return "is it installed, and is it in PATH or relative to " + a.target.Spec.Cwd + "?"
	case a.target.IsCommand() && f.Cause == result.FailedMissing &&
		(f.Phase == result.PhasePrepare || f.Phase == result.PhaseConclude):
		return "is it installed, and is it in PATH or relative to " + a.target.Spec.Cwd +
			"? A line for a shell is written sh -c '…'"
	case a.target.IsCommand() && (f.Phase == result.PhasePrepare || f.Phase == result.PhaseConclude):
		return "run it by hand: " + process.CommandLine(a.target.Spec.Cwd, a.argv())
	case a.target.IsGoTest() && f.Cause == result.FailedTimeout:
		return "raise timeout, or run it by hand: " + a.byHand()
	case a.target.IsGoTest() && a.opensCompiledPath():
		return "both trees are built with -trimpath, so runtime.Caller returns the path of no file: at the top of " +
			"the suite file: toolchain: {flags: [-trimpath=false]}"
	case a.target.IsGoTest():
		return cmp.Or(a.notThereHint(), "run it by hand: "+a.byHand())
	case a.target.IsHarnessed() && f.Cause == result.FailedTimeout:
		return "raise timeout, or run it by hand: " + a.harnessByHand()
	case a.target.IsHarnessed():
		return "run it by hand: " + a.harnessByHand()
	case a.target.IsCommand() && f.Cause == result.FailedExit:
		return a.exitHint()
	case a.target.IsCommand() && f.Cause == result.FailedTimeout:
		return "raise timeout, or run it by hand: " + process.CommandLine(a.target.Spec.Cwd, a.target.Argv())
	case a.target.IsCommand():
		return "run it by hand: " + process.CommandLine(a.target.Spec.Cwd, a.target.Argv())
	}
	return ""
}

// exitHint suggests what to try after an exit status that does not mean success.
func (a advice) exitHint() string {
	f := a.failure
	if hint := a.notThereHint(); hint != "" {
		return hint
	}
	if fault := a.notStarted(); fault != nil {
		return fault.Message + ": " + fault.Hint
	}
	byHand := "run it by hand: " + process.CommandLine(a.target.Spec.Cwd, a.target.Argv())
	if f.Exit == nil {
		return byHand
	}
	codes := append(slices.Clone(a.target.Spec.ExitCodes), *f.Exit)
	slices.Sort(codes)
	list := make([]string, len(codes))
	for i, code := range codes {
		list[i] = strconv.Itoa(code)
	}
	allow := "exit_codes: [" + strings.Join(list, ", ") + "]"
	if cmp.Or(a.target.Of, a.target).Plan.File == result.CommandLine {
		allow = "--exit-codes " + strings.Join(list, ",")
	}
	return fmt.Sprintf("%s; if status %d means success too: %s", byHand, *f.Exit, allow)
}

// notStarted finds the program that a shell could not start. A shell ends with status 126 or
// 127 then, and the program is a word of its text.
func (a advice) notStarted() *executable.Fault {
	if exit := a.failure.Exit; exit == nil || *exit != 126 && *exit != 127 {
		return nil
	}
	for _, text := range a.target.Argv()[1:] {
		for _, word := range strings.Fields(text) {
			if !strings.ContainsRune(word, filepath.Separator) {
				continue
			}
			if fault := executable.Check(word, a.target.Spec.Cwd); fault != nil {
				return fault
			}
		}
	}
	return nil
}

// notThereHint suggests what to do about a file that the other tree lacks, "" if it lacks none.
func (a advice) notThereHint() string {
	name := a.notThere()
	if name == "" {
		return ""
	}
	how := "setup: or build:"
	if cmp.Or(a.target.Of, a.target).Plan.File == result.CommandLine {
		how = "--setup or --build"
	}
	return fmt.Sprintf("%s is not in %s: git ignores it or does not know it, so let %s make it, or commit it",
		diag.Quote(name), a.target.Tree, how)
}

// notThere returns the first argument of a command, or the first word of a benchmark's message, that names a file here,
// and none in the other tree in which it has failed. It is empty for a side of this tree.
func (a advice) notThere() string {
	if a.target.Tree == "" {
		return ""
	}
	words, dir := a.target.Argv(), func(c *spec.Case) string { return c.Cwd }
	if a.target.IsGoTest() {
		words, dir = a.messageWords(), func(c *spec.Case) string { return c.GoTest.Dir }
	}
	for _, word := range words {
		if word == "" || filepath.IsAbs(word) || !filepath.IsLocal(word) {
			continue
		}
		_, here := os.Stat(filepath.Join(dir(cmp.Or(a.target.Of, a.target).Spec), word))
		_, there := os.Stat(filepath.Join(dir(a.target.Spec), word))
		if here == nil && errors.Is(there, fs.ErrNotExist) {
			return word
		}
	}
	return ""
}

// messageWords are the words of the message, without what is around them.
func (a advice) messageWords() []string {
	words := strings.Fields(a.failure.Message)
	for i := range words {
		words[i] = strings.Trim(words[i], `:;,"'()`)
	}
	return words
}

// opensCompiledPath reports whether a benchmark has failed to open a file below the import path of its package, which
// is the folder of its sources in a program that is built with -trimpath.
func (a advice) opensCompiledPath() bool {
	return strings.Contains(a.failure.Message, "no such file") &&
		slices.ContainsFunc(a.messageWords(), func(word string) bool {
			return strings.HasPrefix(word, a.target.Spec.GoTest.Package+"/")
		})
}

// resultsByHand is where the results of a run by hand are, in its working folder.
const resultsByHand = "results"

// harnessByHand is the command that runs a sample of as many iterations without suite.
func (a advice) harnessByHand() string {
	request := a.target.harness().Load(a.target.harnessRequest(a.iterations), a.target.Spec.Harness.Module, nil)
	args, variables := request.With(resultsByHand)
	argv := slices.Concat(a.target.program(), args)
	if len(variables) > 0 {
		argv = slices.Concat([]string{"env"}, variables, argv)
	}
	if request.Input == "" {
		return process.CommandLine(a.target.Spec.Cwd, argv)
	}
	return process.CommandLine(a.target.Spec.Cwd, []string{"echo", strings.TrimSuffix(request.Input, "\n")}) +
		" | " + shellword.Join(argv)
}

// byHand is the command that runs batches of as many iterations without suite, or of those that the suite file asks
// for. If it is not known yet how many a batch has, package testing begins with one and takes more and more.
func (a advice) byHand() string {
	g := a.target.Spec.GoTest
	argv := []string{"go", "test", "-run=^$", "-bench=" + benchname.Only(g.Benchmark)}
	if n := max(a.iterations, int(a.target.Spec.Settings.Benchtime.N)); n > 0 {
		argv = append(argv, fmt.Sprintf("-benchtime=%dx", n))
	}
	return process.CommandLine(g.Dir, append(argv, fmt.Sprintf("-cpu=%d", a.target.Procs())))
}
