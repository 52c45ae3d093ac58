package main

import (
	"errors"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/filter"
	"example.com/suite/internal/kept"
	"example.com/suite/internal/pegview"
	"example.com/suite/peg/pegfile"
	"example.com/suite/report/about"
	"example.com/suite/report/flow"
	"example.com/suite/report/page"
	"example.com/suite/report/pegs"
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
	env              env
	sort, tpt, lanes bool
	path             []string
	format, against  string
}

func (cmd *pegsCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use: "pegs [RESULT.json|SUITE.yaml] [CASE…]", Short: "show where the time goes inside cases", Long: pegsHelp,
		Example:           pegsExample,
		ValidArgsFunction: completer{cmd.env}.resultCases,
		RunE:              func(_ *cobra.Command, args []string) error { return cmd.run(args) },
	}
	c.Flags().BoolVar(&cmd.sort, "sort", false, "one line for each arc, the greatest total first, with a header")
	c.Flags().BoolVar(&cmd.tpt, "tpt", false, "use the layout of the program tpt, in µs")
	c.Flags().BoolVar(&cmd.lanes, "lanes", false, "one line for each lane of an arc")
	c.Flags().StringSliceVar(&cmd.path, "path", nil, "add up the arcs along these points: `A,B,C`")
	c.Flags().StringVar(&cmd.against, "against", "",
		"show how arcs differ from the arcs of `OTHER.json`; the word base means the result's own base")
	c.Flags().StringVar(&cmd.format, "format", pegText, "`FORMAT`: text, json, or dot for Graphviz")
	complete(c, "format", choices(pegFormats))
	complete(c, "path", completer{cmd.env}.points)
	complete(c, "against", cobra.FixedCompletions([]string{pegview.OfBase}, cobra.ShellCompDirectiveDefault))
	return c
}

const pegText = "text"

var pegFormats = []string{pegText, "json", "dot"}

// checkFlags refuses unknown values, and flags that ask for two layouts at once.
func (cmd *pegsCommand) checkFlags() error {
	if err := diag.OneOf("format", cmd.format, pegFormats); err != nil {
		return err
	}
	var layouts []string
	for _, l := range []struct {
		name  string
		given bool
	}{{"--sort", cmd.sort}, {"--tpt", cmd.tpt}, {"--path", cmd.path != nil && cmd.format != "json"},
		{"--against", cmd.against != "" && cmd.format != "json"},
		{"--format " + cmd.format, cmd.format != pegText}} {
		if l.given {
			layouts = append(layouts, l.name)
		}
	}
	switch {
	case len(layouts) > 1:
		return diag.Hinted(strings.Join(layouts, " and ")+" cannot be had at once", "leave one of them out")
	case cmd.lanes && len(layouts) > 0 && !cmd.sort:
		return diag.Hinted("--lanes has no meaning for "+layouts[0],
			"use it with --sort or alone; json always has them")
	case cmd.path != nil && len(cmd.path) < 2:
		return diag.Hinted("--path needs two points at least", "for example --path parse,check,emit")
	case slices.Contains(cmd.path, ""):
		return diag.Hinted("--path names nothing between two commas", "for example --path parse,check,emit")
	}
	return nil
}

func (cmd *pegsCommand) run(args []string) error {
	if err := cmd.checkFlags(); err != nil {
		return err
	}
	path, patterns, isKept, err := pegsPath(cmd.env, args)
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
	cases, err := pegview.Choose(doc, path, patterns, filter.Match)
	if err != nil {
		return err
	}
	if cmd.against != "" {
		cases, err = pegview.WithBase(cases, cmd.against, kept.IsResult)
		if err != nil {
			return err
		}
	}
	err = cmd.show(cases)
	var missing *arcs.Missing
	if errors.As(err, &missing) {
		return diag.Hinted(missing.Message, missing.Hint)
	}
	return err
}

func (cmd *pegsCommand) show(cases []flow.Pegged) error {
	switch {
	case cmd.format == "json":
		return pegs.JSON(cmd.env.stdout.Report("json"), cases, cmd.path)
	case cmd.format == "dot":
		return pegs.DOT(cmd.env.stdout.Report("pegs"), cases)
	case cmd.path != nil:
		blocks, err := about.PathSums(cases, cmd.path)
		if err != nil {
			return err
		}
		return cmd.env.printPage(blocks...)
	case cmd.sort:
		return pegs.ArcLines(cmd.env.stdout.Report("pegs"), cases, cmd.lanes)
	case cmd.tpt:
		return pegs.Tpt(cmd.env.stdout.Report("pegs"), cases)
	}
	var blocks []page.Block
	for _, c := range cases {
		f := flow.Of(c.Label, c.Case, flow.Options{Lanes: cmd.lanes})
		if cmd.against != "" {
			f = flow.NewChanges(c, cmd.baseName())
		}
		blocks = append(blocks, about.Flow(&f))
	}
	return cmd.env.printPage(blocks...)
}

// The other side of a comparison is the base or a file.
func (cmd *pegsCommand) baseName() string {
	if cmd.against == pegview.OfBase {
		return "the base"
	}
	return cmd.against
}

// pegsPath is kept.Store.Resolve, and also finds a value of SUITE_PEGS: no file may have that name
// itself, because processes write path.ANYTHING.
func pegsPath(e env, args []string) (path string, rest []string, isKept bool, err error) {
	if len(args) > 0 && !kept.IsSuite(args[0]) && !kept.IsResult(args[0]) {
		if _, err := pegfile.ReadAll(args[0]); err == nil {
			return args[0], args[1:], false, nil
		}
	}
	return e.results().Resolve(args)
}
