package main

import (
	"errors"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/filter"
	"example.com/suite/internal/pegview"
	"example.com/suite/report/pegs"
	"example.com/suite/report/table"
	"example.com/suite/report/text"
	"example.com/suite/result/arcs"
	"github.com/spf13/cobra"
)

const pegsHelp = `Show where the time goes inside the cases of a result that were measured with
pegs: true, arc by arc, grouped by where arcs start, in time order.

Without a result, the last run of all is shown, and with a suite file its last run.
CASE is the name of a case, the name above several cases (NAME/…), or a pattern in
which * matches any text; without CASE, all cases with pegs. A file that a program
wrote by itself because of SUITE_PEGS can be read too, with the files of its children
in the same folder.

--sort is for pipes: times are in nanoseconds, columns are separated by spaces, and
a name that contains spaces is quoted, with each space as \x20. Pegs are measured in
a pass of their own; only gates that name an arc use it.`

const pegsExample = `  suite pegs
  suite pegs result.json
  suite pegs result.json 'server/*' --sort | head
  suite pegs result.json parser --path tokenise,parse,emit
  suite pegs result.json parser --against base
  suite pegs result.json parser --format dot | dot -Tsvg -o parser.svg`

// pegView holds the flags of suite pegs.
type pegView struct {
	sort, tpt, lanes bool
	path             []string
	format, against  string
}

func (e env) pegsCommand() *cobra.Command {
	var v pegView
	c := &cobra.Command{
		Use: "pegs [RESULT.json|SUITE.yaml] [CASE…]", Short: "show where the time goes inside cases", Long: pegsHelp, Example: pegsExample,
		ValidArgsFunction: e.resultCases,
		RunE:              func(_ *cobra.Command, args []string) error { return e.pegs(args, v) },
	}
	c.Flags().BoolVar(&v.sort, "sort", false, "one line for each arc, the greatest total first, with a header")
	c.Flags().BoolVar(&v.tpt, "tpt", false, "use the layout of the program tpt, in µs")
	c.Flags().BoolVar(&v.lanes, "lanes", false, "one line for each lane of an arc")
	c.Flags().StringSliceVar(&v.path, "path", nil, "add up the arcs along these points: `A,B,C`")
	c.Flags().StringVar(&v.against, "against", "", "show how arcs differ from the arcs of `OTHER.json`; the word base means the result's own base")
	c.Flags().StringVar(&v.format, "format", pegText, "`FORMAT`: text, json, or dot for Graphviz")
	complete(c, "format", cobra.FixedCompletions(pegFormats, cobra.ShellCompDirectiveNoFileComp))
	complete(c, "path", e.completePoints)
	complete(c, "against", cobra.FixedCompletions([]string{pegview.OfBase}, cobra.ShellCompDirectiveDefault))
	return c
}

const pegText = "text"

var pegFormats = []string{pegText, "json", "dot"}

// check refuses unknown values, and flags that ask for two layouts at once.
func (v *pegView) check() error {
	if !slices.Contains(pegFormats, v.format) {
		return unknown("format", v.format, pegFormats)
	}
	var layouts []string
	for _, l := range []struct {
		name  string
		given bool
	}{{"--sort", v.sort}, {"--tpt", v.tpt}, {"--path", v.path != nil && v.format != "json"}, {"--against", v.against != "" && v.format != "json"},
		{"--format " + v.format, v.format != pegText}} {
		if l.given {
			layouts = append(layouts, l.name)
		}
	}
	switch {
	case len(layouts) > 1:
		return diag.Hinted(strings.Join(layouts, " and ")+" cannot be had at once", "leave one of them out")
	case v.lanes && len(layouts) > 0 && !v.sort:
		return diag.Hinted("--lanes has no meaning for "+layouts[0], "use it with --sort or alone; json always has them")
	case v.path != nil && len(v.path) < 2:
		return diag.Hinted("--path needs two points at least", "for example --path parse,check,emit")
	case slices.Contains(v.path, ""):
		return diag.Hinted("--path names nothing between two commas", "for example --path parse,check,emit")
	}
	return nil
}

func (e env) pegs(args []string, v pegView) error {
	if err := v.check(); err != nil {
		return err
	}
	path, patterns, isKept, err := e.resultPath(args)
	if err != nil {
		return err
	}
	doc, err := pegview.Read(path)
	if err != nil {
		return err
	}
	if isKept {
		e.sayKept(doc)
	}
	cases, err := pegview.Choose(doc, path, patterns, filter.Match)
	if err != nil {
		return err
	}
	if v.against != "" {
		cases, err = pegview.Beside(cases, v.against, isResultName)
		if err != nil {
			return err
		}
	}
	err = e.showPegs(cases, v)
	var missing *arcs.Missing
	if errors.As(err, &missing) {
		return diag.Hinted(missing.Message, missing.Hint)
	}
	return err
}

func (e env) showPegs(cases []table.Pegged, v pegView) error {
	o := e.textOptions()
	switch {
	case v.format == "json":
		return pegs.JSON(e.stdout, cases, v.path)
	case v.format == "dot":
		return pegs.DOT(e.stdout, cases)
	case v.path != nil:
		return text.Path(e.stdout, cases, v.path, o)
	case v.against != "":
		return text.Changes(e.stdout, cases, v.baseName(), o)
	case v.sort:
		return pegs.ArcLines(e.stdout, cases, v.lanes)
	case v.tpt:
		return pegs.Tpt(e.stdout, cases)
	}
	var flows []table.Flow
	for _, c := range cases {
		flows = append(flows, table.NewFlow(c.Label, c.Case, table.FlowOptions{Lanes: v.lanes}))
	}
	return text.Flows(e.stdout, flows, o)
}

// The other side of a comparison is the base or a file.
func (v *pegView) baseName() string {
	if v.against == pegview.OfBase {
		return "the base"
	}
	return v.against
}
