package main

import (
	"context"
	"errors"
	"io/fs"

	"example.com/suite/internal/manual"
	"github.com/spf13/cobra"
)

// execute runs one command line, prints its error and returns the exit status.
func execute(ctx context.Context, e env, args []string) int {
	root := newRoot(e)
	root.SetArgs(args)
	root.SetOut(e.words())
	root.SetErr(e.stderr)
	c, rest, err := root.Find(args)
	if err == nil && !c.DisableFlagParsing {
		err = withDash(c, rest, manual.SingleDash(c, rest))
		root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return withDash(c, rest, flagError(c, err)) })
	}
	if err == nil || c == nil {
		err = root.ExecuteContext(ctx)
	}
	var s status
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &s):
		return int(s)
	}
	e.printError(err)
	var unwritten *fs.PathError
	if errors.As(err, &unwritten) && unwritten.Op == "write" {
		return exitFail
	}
	return exitUsage
}

// subcommand is one command of suite: a value with the env that it runs in, and with the
// values of its flags once the command line is parsed. command describes it to cobra, and
// calls its method run.
type subcommand interface {
	command() *cobra.Command
}

func newRoot(e env) *cobra.Command {
	root := &cobra.Command{
		Use: "suite COMMAND", Short: "run declarative benchmark suites", Long: rootHelp, Example: rootExample,
		Version: fullVersion(), SilenceErrors: true, SilenceUsage: true, Args: noSuchCommand, RunE: helpless(e),
		DisableFlagsInUseLine: true,
	}
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(usage)
	root.CompletionOptions.DisableDefaultCmd = true
	for _, one := range []subcommand{
		&runCommand{env: e}, &initCommand{env: e}, &acceptCommand{env: e}, &checkCommand{env: e}, &listCommand{env: e},
		&timersCommand{env: e}, &schemaCommand{env: e},
		&mergeCommand{env: e}, &reportCommand{env: e}, &compareCommand{env: e}, &bisectCommand{env: e},
		&explainCommand{env: e}, &pegsCommand{env: e}, &verifyCommand{env: e},
		&historyCommand{env: e}, &trendCommand{env: e}, &siteCommand{env: e},
		&pushCommand{env: e}, &fleetCommand{env: e},
		&selfcheckCommand{env: e}, &pegCommand{env: e},
		&completionCommand{env: e}, &versionCommand{env: e},
	} {
		root.AddCommand(one.command())
	}
	root.SetHelpCommand((&helpCommand{env: e}).command())
	root.InitDefaultHelpCmd() // adds it; running a command line does the same later
	keepOrder(root)
	return root
}

// keepOrder makes help list the flags of a command, and of the commands below it, in the order of their
// declaration.
func keepOrder(c *cobra.Command) {
	c.Flags().SortFlags = false
	for _, sub := range c.Commands() {
		keepOrder(sub)
	}
}
