package main

import (
	"errors"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/pegview"
	"example.com/suite/report/flow"
	"example.com/suite/result/arcs"
	"github.com/spf13/cobra"
)

const pegsHelp = `Show where the time goes inside the cases of a result that were measured with
pegs: true, arc by arc, grouped by where arcs start, in time order.

Without a result, the last run of this folder is shown, and with a suite file its last run.
CASE is the name of a case, the name above several cases (NAME/…), or a pattern in
which * matches any text; without CASE, all cases with pegs. A file that a program
wrote by itself because of SUITE_PEGS can be read too, with the files of its children
in the same folder.

The table leaves out columns for which a terminal has no room, and into a pipe none,
unless COLUMNS is set.

--sort is for pipes: times are in nanoseconds, columns are separated by spaces, and
a name that contains spaces is quoted, with each space as \x20. Pegs are measured in
a pass of their own; only gates that name an arc use it.`

const pegsExample = `  suite pegs
  suite pegs result.json
  suite pegs result.json 'server/*' --sort | head
  suite pegs result.json parser --path tokenise,parse,emit
  suite pegs result.json parser --against base
  suite pegs result.json parser --format dot | dot -Tsvg -o parser.svg`

// pegsCommand is suite pegs.
type pegsCommand struct {
	env    env
	layout pegview.Layout
}

func (cmd *pegsCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use: "pegs [RESULT.json|SUITE.yaml] [CASE…]", Short: "show where the time goes inside cases", Long: pegsHelp,
		Example:           pegsExample,
		ValidArgsFunction: completer{cmd.env}.resultCases,
		RunE:              func(_ *cobra.Command, args []string) error { return cmd.run(args) },
	}
	c.Flags().BoolVar(&cmd.layout.Sort, "sort", false, "one line for each arc, the greatest total first, with a header")
	c.Flags().BoolVar(&cmd.layout.Tpt, "tpt", false, "use the layout of the program tpt, in µs")
	c.Flags().BoolVar(&cmd.layout.Lanes, "lanes", false, "one line for each lane of an arc")
	c.Flags().StringSliceVar(&cmd.layout.Path, "path", nil, "add up the arcs along these points: `A,B,C`")
	c.Flags().StringVar(&cmd.layout.Against, "against", "",
		"show how arcs differ from the arcs of `OTHER.json`; the word base means the result's own base")
	c.Flags().StringVar(&cmd.layout.Format, "format", formatText, "`FORMAT`: text, json, or dot for Graphviz")
	complete(c, "format", choices(pegview.Formats()))
	complete(c, "path", completer{cmd.env}.points)
	complete(c, "against", cobra.FixedCompletions([]string{pegview.OfBase}, cobra.ShellCompDirectiveDefault))
	return c
}

func (cmd *pegsCommand) run(args []string) error {
	if err := cmd.layout.Check(); err != nil {
		return err
	}
	path, patterns, isKept, err := pegview.Resolve(cmd.env.results(), args)
	if err != nil {
		return err
	}
	doc, err := pegview.Read(path)
	if err != nil {
		return err
	}
	if isKept {
		sayKept(cmd.env, doc)
	}
	cases, err := pegview.Choose(doc, path, patterns)
	if err == nil && cmd.layout.Against != "" {
		cases, err = pegview.WithBase(cases, cmd.layout.Against)
	}
	if err != nil {
		return err
	}
	err = cmd.show(cases)
	var missing *arcs.Missing
	if errors.As(err, &missing) {
		return diag.Hinted(missing.Message, missing.Hint)
	}
	return err
}

func (cmd *pegsCommand) show(cases []flow.Pegged) error {
	if format, write := cmd.layout.ForPrograms(); write != nil {
		return write(cmd.env.stdout.Report(format), cases)
	}
	blocks, err := cmd.layout.Page(cases)
	if err != nil {
		return err
	}
	return cmd.env.printPage(blocks...)
}
