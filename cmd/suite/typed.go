package main

import (
	"example.com/suite/internal/diag"
	"example.com/suite/internal/manual"
	"example.com/suite/internal/typed"
	"example.com/suite/internal/units"
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
	own.StringArrayVar(&f.commands, "command", nil,
		"measure this `LINE`, split into words by its quotes, without a file; repeatable: the first one is the base "+
			"of the others")
	own.StringArrayVarP(&in.Names, "name", "n", nil,
		"`NAME` of a command in reports; repeatable, in the order of the commands")
	own.StringArrayVar(&in.Matrix, "matrix", nil,
		"measure the commands with each value of a parameter, `N=1..5`, N=1..1000*10 or N=a,b,c; {N} and ${N} "+
			"in a command are the value; repeatable")
	own.BoolVar(&in.Shell, "shell", false, "commands, and those of the flags below, are texts for sh")
	own.StringArrayVarP(&in.Setup, "setup", "s", nil,
		"run this `LINE` once before each command is measured; repeatable, one for each command")
	own.StringArrayVarP(&in.Prepare, "prepare", "p", nil,
		"run this `LINE` before every run, untimed; repeatable, one for each command")
	own.StringArrayVarP(&in.Conclude, "conclude", "C", nil,
		"run this `LINE` after every run, untimed; repeatable, one for each command")
	own.StringArrayVarP(&in.Cleanup, "cleanup", "c", nil,
		"run this `LINE` once after each command was measured; repeatable, one for each command")
	own.StringVar(&in.Build, "build", "", "run this `LINE` before anything is measured, with --against in both trees")
	own.StringVar(&in.Stdin, "stdin", "", "`FILE` that the commands read")
	own.StringVar(&in.Stdout, "stdout", "", "`FILE` that the commands write")
	own.StringVar(&in.ExitCodes, "exit-codes", "",
		"`LIST` of the exit statuses of commands that mean success, such as 0,1, or any")
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
	complete(c, "exit-codes", choices([]string{"any"}))
}

// typedFlagNames are the flags that have a meaning for commands without a suite file only.
var typedFlagNames = []string{"command", "name", "matrix", "shell", "setup", "prepare", "conclude", "cleanup", "build",
	"stdin", "stdout", "exit-codes", "ignore-failure", "write"}

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

// withDash replaces the hint of a faulty flag if it seems to be a flag of a command that
// lacks the -- before it.
func withDash(c *cobra.Command, args []string, err error) error {
	first := manual.FirstWord(c, args)
	if err == nil || c.Name() != "run" || first < 0 {
		return err
	}
	if hint := typed.WithDash(args[first:]); hint != "" {
		return diag.Hinted(err.Error(), hint)
	}
	return err
}

// read takes the commands from the arguments, of which the first dash ones are in front of
// the --. It returns false if there are none.
func (f *typedFlags) read(args []string, dash int) (bool, error) {
	return f.input.Read(typed.Arguments{Lines: f.commands, Words: args, Dash: dash, Given: f.given(), Ignore: f.ignore})
}

// suite writes the commands as the text of a suite file.
func (f *typedFlags) suite(e env, paired bool) (*typed.Text, error) {
	f.input.Paired, f.input.Env = paired, e.lookup
	text, problems := f.input.Suite(typed.Options{})
	return text, problems.Err()
}

// writeSuite writes what was typed to a new file, which nothing has read yet.
func (f *typedFlags) writeSuite(e env, overrides spec.Overrides) error {
	cases, err := f.input.WriteFile(f.write, e.stdout.Report("yaml"), overrides)
	if err == nil && f.write != typed.Stdout {
		e.say("wrote %s with %s: suite run %s measures it", f.write, units.Plural(cases, "case"), f.write)
	}
	return err
}
