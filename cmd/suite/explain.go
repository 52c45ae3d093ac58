package main

import (
	"example.com/suite/internal/filter"
	"example.com/suite/internal/saved"
	"example.com/suite/report/explain"
	"example.com/suite/report/page"
	"github.com/spf13/cobra"
)

const explainHelp = `Explain the verdicts of a case in plain words: how it was measured, what its pairs with
a base show (as a drawing, and how the evidence grew), what decided each gate, and
which warnings there are.

Without a result, the last run of this folder is explained, and with a suite file the
last run of that file: suite keeps the results of the last 20 sets of suite files in
the user's cache, at most 256 MiB.

CASE is the name of a case, the first part of several names (NAME/…), or a pattern in
which * is any text. Without CASE, every case that could not be measured or has a gate
that did not pass is explained or, if there is none, every case.`

// explainCommand is suite explain.
type explainCommand struct{ env env }

func (cmd *explainCommand) command() *cobra.Command {
	return &cobra.Command{
		Use: "explain [RESULT.json|SUITE.yaml] [CASE…]", Short: "explain verdicts in plain words", Long: explainHelp,
		DisableFlagsInUseLine: true,
		Example: "  suite explain\n  suite explain hash/sha256\n  suite explain suite.yaml\n  suite explain " +
			"result.json hash/sha256",
		ValidArgsFunction: completer{cmd.env}.resultCases,
		RunE:              func(_ *cobra.Command, args []string) error { return cmd.run(args) },
	}
}

func (cmd *explainCommand) run(args []string) error {
	path, patterns, isKept, err := cmd.env.results().Resolve(args)
	if err != nil {
		return err
	}
	doc, err := saved.Read(path)
	if err != nil {
		return err
	}
	if isKept {
		sayKept(cmd.env, doc)
	}
	cases, err := explain.Choose(doc, patterns, filter.Match)
	if err != nil {
		return err
	}
	var blocks []page.Block
	for _, c := range cases {
		blocks = append(blocks, explain.Case(doc, c)...)
		var closer page.Paragraph
		for _, command := range saved.PprofCommands(path, c) {
			closer = append(closer, page.Line{}.With(command))
		}
		if len(closer) > 0 {
			blocks = append(blocks, page.Under("look closer", closer))
		}
	}
	return cmd.env.printPage(blocks...)
}
