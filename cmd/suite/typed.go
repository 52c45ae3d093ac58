package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/suitefiles"
	"example.com/suite/internal/typed"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
)

// typedFlags are the flags of commands that are measured without a suite file.
type typedFlags struct {
	input    typed.Input
	commands []string
	ignore   bool
	write    string
	given    func() []string // the names of the flags that were given, --write included
}

func (f *typedFlags) flags(c *cobra.Command) {
	own := c.Flags()
	in := &f.input
	own.StringArrayVar(&f.commands, "command", nil, "measure this `LINE`, split into words by its quotes, without a file; repeatable: the first one is the base of the others")
	own.StringArrayVarP(&in.Names, "name", "n", nil, "`NAME` of a command in reports; repeatable, in the order of the commands")
	own.StringArrayVar(&in.Matrix, "matrix", nil, "measure the commands with each value of a parameter, `N=1..5`, N=1..1000*10 or N=a,b,c; {N} and ${N} in a command are the value; repeatable")
	own.BoolVar(&in.Shell, "shell", false, "commands, and those of the flags below, are texts for sh")
	own.StringArrayVarP(&in.Setup, "setup", "s", nil, "run this `LINE` once before each command is measured; repeatable, one for each command")
	own.StringArrayVarP(&in.Prepare, "prepare", "p", nil, "run this `LINE` before every run, untimed; repeatable, one for each command")
	own.StringArrayVarP(&in.Conclude, "conclude", "C", nil, "run this `LINE` after every run, untimed; repeatable, one for each command")
	own.StringArrayVarP(&in.Cleanup, "cleanup", "c", nil, "run this `LINE` once after each command was measured; repeatable, one for each command")
	own.StringVar(&in.Build, "build", "", "run this `LINE` before anything is measured, with --against in both trees")
	own.StringVar(&in.Stdin, "stdin", "", "`FILE` that the commands read")
	own.StringVar(&in.Stdout, "stdout", "", "`FILE` that the commands write")
	own.StringVar(&in.ExitCodes, "exit-codes", "", "`LIST` of the exit statuses of commands that mean success, such as 0,1, or any")
	own.BoolVarP(&f.ignore, "ignore-failure", "i", false, "any exit status of a command means success")
	own.StringVar(&f.write, "write", "", "measure nothing, and write the commands and settings to `FILE`, a suite file")
	f.given = func() (names []string) {
		for _, name := range typedFlagNames {
			if own.Changed(name) {
				names = append(names, name)
			}
		}
		return names
	}
	for _, name := range []string{"command", "name", "matrix", "setup", "prepare", "conclude", "cleanup", "build"} {
		complete(c, name, cobra.NoFileCompletions)
	}
	complete(c, "stdin", anyFile)
	complete(c, "stdout", anyFile)
	complete(c, "write", filesEnding("yaml", "yml"))
	complete(c, "exit-codes", cobra.FixedCompletions([]string{"any"}, cobra.ShellCompDirectiveNoFileComp))
}

// typedFlagNames are the flags that have a meaning for commands without a suite file only.
var typedFlagNames = []string{"command", "name", "matrix", "shell", "setup", "prepare", "conclude", "cleanup", "build", "stdin", "stdout", "exit-codes", "ignore-failure", "write"}

// runArgs accepts suite files, or commands: the commands of --command, and the commands after --,
// which also separates them from each other.
func runArgs(c *cobra.Command, args []string) error {
	if c.ArgsLenAtDash() >= 0 || c.Flags().Changed("command") {
		return nil
	}
	err := suiteFileArgs(c, args)
	if hint := diag.HintOf(err); hint != "" {
		return diag.Hinted(err.Error(), hint+"; without a file: suite run -- ls -l")
	}
	return err
}

// read takes the commands from the arguments, of which the first dash ones are in front of
// the --. It returns false if there are none.
func (f *typedFlags) read(args []string, dash int) (bool, error) {
	for _, line := range f.commands {
		f.input.Commands = append(f.input.Commands, typed.Command{Line: line})
	}
	files := args
	if dash >= 0 {
		files = args[:dash]
		f.input.Commands = append(f.input.Commands, separated(args[dash:])...)
	}
	given := f.given()
	switch {
	case len(f.input.Commands) > 0 && len(files) > 0 && f.halfMatrix() != "":
		return false, diag.Hinted(fmt.Sprintf("--matrix %q: want NAME=VALUES", f.halfMatrix()), fmt.Sprintf("--matrix %s=%s", f.halfMatrix(), files[0]))
	case len(f.input.Commands) > 0 && len(files) > 0:
		return false, diag.Hinted(fmt.Sprintf("suite files and commands in one run: %q and a command", files[0]), "measure them one after the other")
	case len(f.input.Commands) == 0 && len(given) > 0:
		return false, diag.Hinted(fmt.Sprintf("--%s has a meaning for commands, and there is none", given[0]), fmt.Sprintf("suite run --%s … -- COMMAND; a suite file has keys for it", given[0]))
	case f.ignore && f.input.ExitCodes != "":
		return false, diag.Hinted("--ignore-failure and --exit-codes contradict each other", "leave one of them out")
	case len(f.input.Commands) == 0:
		return false, seemsCommand(files)
	}
	if f.ignore {
		f.input.ExitCodes = "any"
	}
	return true, nil
}

// halfMatrix returns the first value of --matrix that is only a name, as in
// hyperfine's --parameter-list n 1,2.
func (f *typedFlags) halfMatrix() string {
	i := slices.IndexFunc(f.input.Matrix, func(text string) bool { return !strings.Contains(text, "=") })
	if i < 0 {
		return ""
	}
	return f.input.Matrix[i]
}

// separated splits words at each --.
func separated(words []string) (commands []typed.Command) {
	for {
		at := slices.Index(words, "--")
		if at < 0 {
			return append(commands, typed.Command{Words: append([]string{}, words...)}) // not nil
		}
		commands = append(commands, typed.Command{Words: append([]string{}, words[:at]...)})
		words = words[at+1:]
	}
}

// seemsCommand rejects arguments that are programs or command lines: hyperfine takes
// commands as arguments.
func seemsCommand(args []string) error {
	for _, arg := range args {
		words := strings.Fields(arg)
		if len(words) == 0 {
			continue
		}
		if _, err := os.Stat(arg); err == nil {
			if looksLikeProgram(arg) {
				return diag.Hinted(fmt.Sprintf("%q is a program, not a suite file", arg), "a command follows --: suite run -- "+strings.Join(args, " "))
			}
			continue
		}
		if _, err := exec.LookPath(words[0]); err == nil {
			hint := "a command follows --, or --command: suite run -- " + arg
			if len(args) > 1 {
				hint = "suite run" + asCommands(args)
			}
			return diag.Hinted(fmt.Sprintf("no file %q", arg), hint)
		}
	}
	return nil
}

// asCommands writes each line as the value of a flag --command.
func asCommands(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&b, " --command '%s'", line)
	}
	return b.String()
}

// looksLikeProgram reports whether a file has no name of a suite file, and the system can
// execute it: it is a script, or contains a zero byte.
func looksLikeProgram(path string) bool {
	if suitefiles.IsName(filepath.Base(path)) || !paths.IsProgram(path) {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 512)
	n, _ := io.ReadFull(f, head) // a shorter file is fine
	return bytes.HasPrefix(head[:n], []byte("#!")) || bytes.IndexByte(head[:n], 0) >= 0
}

// suite writes the commands as the text of a suite file.
func (f *typedFlags) suite(e env, paired bool) (*typed.Text, error) {
	f.input.Paired, f.input.Env = paired, e.lookup
	text, problems := f.input.Suite(typed.Options{})
	return text, problems.Err()
}

// settled replaces the places of cases, which are lines of a text that nobody wrote, and
// refuses programs that do not exist and that nothing could make.
func settled(plans []*spec.Plan, text *typed.Text) diag.Problems {
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
	if _, err := exec.LookPath(name); err == nil || errors.Is(err, exec.ErrDot) {
		return problems
	}
	hint := ""
	switch {
	case len(c.Argv) == 1 && len(strings.Fields(name)) > 1:
		hint = fmt.Sprintf("without quotes: -- %s; or as one line: --command '%s'", name, name)
	case cases == 1 && !slices.ContainsFunc(c.Argv, func(word string) bool { return len(strings.Fields(word)) < 2 }):
		hint = "one command in each pair of quotes:" + asCommands(c.Argv)
	case paths.IsProgram("./" + name):
		hint = "the one in this folder is ./" + name
	case joined != "":
		hint = "-- separates commands; one with a -- in it: --command " + joined
	case cases > 1:
		hint = "-- separates commands; --command LINE is one that has a -- in it"
	}
	return append(problems, diag.Problem{Place: c.Place, Message: fmt.Sprintf("there is no program %s", diag.Quote(name)), Hint: hint})
}

// missingInput is the problem of a file for --stdin that cannot be read, nil if there is
// none.
func missingInput(path string) *diag.Problem {
	p := diag.Problem{Place: diag.Place{File: "--stdin"}}
	info, err := os.Stat(path)
	switch {
	case err != nil && filepath.Base(path) == "-":
		p.Message, p.Hint = "every run reads its input from the beginning, so it must be a file", "write the input to a file: --stdin FILE"
	case err != nil:
		p.Message, p.Hint = fmt.Sprintf("there is no file %s", diag.Quote(path)), paths.DidYouMean(path)
	case info.IsDir():
		p.Message, p.Hint = fmt.Sprintf("%s is a folder", diag.Quote(path)), "--stdin FILE"
	default:
		return nil
	}
	return &p
}

// writeSuite writes what was typed to a new file, which nothing has read yet.
func (f *typedFlags) writeSuite(e env, overrides spec.Overrides) error {
	name := filepath.Base(f.write)
	if f.write == "-" {
		name = "FILE"
	}
	o := typed.Options{Settings: settingsOf(overrides), Edit: true,
		Head: []string{"Commands that were typed: suite run --write. Measure them: suite run " + name, "All keys and their defaults: suite schema suite, docs/suite-file.md"}}
	folder, err := filepath.Abs(filepath.Dir(f.write))
	if err != nil {
		return err
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	if f.write != "-" && folder != here {
		o.Folder, err = filepath.Rel(folder, here)
		if err != nil {
			o.Folder = here
		}
		if f.input.Build != "" {
			return diag.Hinted(fmt.Sprintf("--build runs in the folder of the suite file, and %q is in another one", f.write), "write the file into the current folder")
		}
	}
	text, problems := f.input.Suite(o)
	if problems != nil {
		return problems.Err()
	}
	if f.write == "-" {
		_, err := e.stdout.Write(text.Bytes())
		return err
	}
	if _, problems := spec.Parse(f.write, text.Bytes(), nil); problems != nil {
		return text.Explain(f.write, problems).Err()
	}
	if err := createSuite(f.write, text.Bytes()); err != nil {
		return err
	}
	e.say("wrote %s with %s: suite run %s measures it", f.write, units.Plural(text.Cases, "case"), f.write)
	return nil
}

// createSuite writes a file that does not exist yet.
func createSuite(name string, text []byte) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	switch {
	case errors.Is(err, fs.ErrExist):
		return diag.Hinted(fmt.Sprintf("--write %q: there is such a file", name), "give another name: no file is replaced")
	case err != nil:
		return diag.Hinted(fmt.Sprintf("--write %q: %v", name, withoutPath(err)), "name a file in a folder that can be written; --write - prints it")
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

// settingOrder is the order of settings in a file that is written. Others follow by name.
var settingOrder = []string{"warmup", "samples.min", "samples.max", "target_time", "max_time", "timeout"}

func settingsOf(overrides spec.Overrides) (all []typed.Setting) {
	var keys []string
	for key := range overrides {
		keys = append(keys, key)
	}
	rank := func(key string) string {
		if i := slices.Index(settingOrder, key); i >= 0 {
			return fmt.Sprint(i)
		}
		return key
	}
	slices.SortFunc(keys, func(a, b string) int { return strings.Compare(rank(a), rank(b)) })
	for _, key := range keys {
		all = append(all, typed.Setting{Key: key, Value: overrides[key]})
	}
	return all
}
