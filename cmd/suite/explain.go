package main

import (
	"example.com/suite/internal/filter"
	"example.com/suite/internal/saved"
	"example.com/suite/report/explain"
	"example.com/suite/report/table"
	"example.com/suite/report/text"
	"github.com/spf13/cobra"
)

const explainHelp = `Explain the verdicts of a case in plain words: how it was measured, what its pairs with
a base show (as a drawing, and how the evidence grew), what decided each gate, and
which warnings there are.

Without a result, the last run of all is explained, and with a suite file the last run
of that file: suite keeps the results of the last 20 sets of suite files in the user's
cache, at most 256 MiB.

CASE is the name of a case, the first part of several names (NAME/…), or a pattern in
which * is any text. Without CASE, every case that could not be measured or has a gate
that did not pass is explained or, if there is none, every case.`

func (e env) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use: "explain [RESULT.json|SUITE.yaml] [CASE…]", Short: "explain verdicts in plain words", Long: explainHelp, DisableFlagsInUseLine: true,
		Example:           "  suite explain\n  suite explain hash/sha256\n  suite explain suite.yaml\n  suite explain result.json hash/sha256",
		ValidArgsFunction: e.resultCases,
		RunE:              func(_ *cobra.Command, args []string) error { return e.explainCases(args) },
	}
}

func (e env) explainCases(args []string) error {
	path, _, _, err := e.resultPath(args)
	if err != nil {
		return err
	}
	doc, patterns, err := e.readResult(args)
	if err != nil {
		return err
	}
	cases, err := explain.Choose(doc, patterns, filter.Match)
	if err != nil {
		return err
	}
	var stories []table.Story
	for _, c := range cases {
		story := explain.Case(doc, c)
		var lines []table.Line
		for _, command := range saved.PprofCommands(path, c) {
			lines = append(lines, table.Line{Text: command, Item: true})
		}
		if len(lines) > 0 {
			story.Parts = append(story.Parts, table.Part{Head: "look closer", Lines: lines})
		}
		stories = append(stories, story)
	}
	return text.Stories(e.stdout, stories, e.textOptions())
}

// resultCases completes cases of the result that the first argument means. A first
// argument that begins no case of the last run is completed with files.
func (e env) resultCases(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	path, rest, _, err := e.resultPath(args)
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	doc, err := saved.Read(path)
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	if len(rest) == len(args) { // no result is named yet
		return explain.Names(doc), cobra.ShellCompDirectiveDefault
	}
	return explain.Names(doc), cobra.ShellCompDirectiveNoFileComp
}
