package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"example.com/suite/internal/manual"
	"example.com/suite/report"
	"github.com/spf13/cobra"
)

const rootHelp = `suite runs benchmarks declared in YAML files, Go functions and commands alike, and
judges them by pass/fail expressions.

Exit statuses: 0 measured, every gate passed; 1 a gate failed; 2 bad command
line or suite file, nothing was run; 3 something could not be measured or
written; 4 no comparing gate was decided, a gate with on_inconclusive: fail
was undecided, --strict refused the run, or this machine cannot judge; 129, 130
and 143 interrupted by SIGHUP, SIGINT and SIGTERM.`

const rootExample = `  suite init                                a first suite file for this folder
  suite run suites/quickstart.yaml          measure, judge, report
  suite run -- ls -l                        a command, without a file
  suite run --out junit=report.xml bench/   every suite of a folder, for CI
  suite check --plan suite.yaml             what would be run, and why
  suite list suite.yaml                     the cases of a suite`

// helpWidth is the width of help texts, in columns.
const helpWidth = 100

// usage prints the part of a help text below the description: usage, examples, commands
// and flags. It replaces cobra's template, whose reflection keeps the linker from removing
// unused code.
func usage(c *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage:\n  %s\n", c.UseLine())
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	if !c.HasParent() {
		fmt.Fprintf(&b, "\nCommands:\n")
		for _, sub := range c.Commands() {
			fmt.Fprintf(&b, "  %-12s%s\n", sub.Name(), sub.Short)
		}
		fmt.Fprintf(&b, "\nsuite COMMAND --help describes a command and its flags.\n")
	} else if c.HasAvailableLocalFlags() {
		fmt.Fprintf(&b, "\nFlags:\n%s", c.LocalFlags().FlagUsagesWrapped(helpWidth))
	}
	_, err := io.WriteString(c.OutOrStdout(), b.String())
	return err
}

// helpless runs suite without a command. It prints the help and fails: nothing was
// measured, and a script that has lost its arguments must not look as if it passed.
func helpless(e env) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, _ []string) error {
		c.SetOut(e.stderr)
		if err := c.Help(); err != nil {
			return err
		}
		return status(exitUsage)
	}
}

// helpCommand is suite help.
type helpCommand struct {
	env env
	man string // manHere, or the folder of all pages; empty: text
}

func (cmd *helpCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use: "help [COMMAND]", Short: "describe a command",
		Long: `Describe a command. COMMAND --help does the same.

--man prints the manual page in place of the text, and --man=FOLDER writes the pages of
all commands to a folder: suite.1, suite-run.1 and so on.`,
		Example: "  suite help run\n  suite help --man run | man -l -\n  suite help " +
			"--man=/usr/local/share/man/man1",
		ValidArgsFunction: commandNames,
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return noSuchCommand(c, args[len(args)-1:])
			}
			switch cmd.man {
			case "":
				about.InitDefaultHelpFlag()
				return about.Help()
			case manHere:
				_, err := io.WriteString(cmd.env.stdout.Report("roff"), manual.Page(about, version()))
				return err
			}
			return writeManPages(cmd.env, c.Root(), cmd.man)
		},
	}
	c.Flags().StringVar(&cmd.man, "man", "", "print the manual page, or write all pages to `FOLDER`")
	c.Flags().Lookup("man").NoOptDefVal = manHere
	complete(c, "man", folders)
	return c
}

// manHere is the value of --man without a folder.
const manHere = "-"

// commandNames completes the first argument with commands.
func commandNames(c *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
	if len(args) == 0 {
		for _, sub := range c.Root().Commands() {
			names = append(names, sub.Name()+"\t"+sub.Short)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// writeManPages writes the pages of all commands to a folder, which may not exist yet.
func writeManPages(e env, root *cobra.Command, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var failed error
	for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
		path := filepath.Join(folder, manual.Name(c)+".1")
		failed = errors.Join(failed, report.WriteFile(path, func(w io.Writer) error {
			_, err := io.WriteString(w, manual.Page(c, version()))
			return err
		}))
	}
	if failed != nil {
		return e.fail(failed)
	}
	return nil
}
