package main

import (
	"slices"

	"example.com/suite/internal/saved"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"github.com/spf13/cobra"
)

const reportHelp = `Render results that suite run wrote with --out json=FILE, in any format. The exit
status is 0 if that worked, whatever the verdicts in them are.

Without a result, the last run of this folder is rendered; a suite file stands for its last
run: suite keeps the results of the last 20 sets of suite files in the user's cache.

Several results become one report: results of several suites, or of one suite that was
measured in parts. No case may be in two of them; suite compare shows such results side
by side. A file of hyperfine --export-json is read as a suite with the name hyperfine.`

// reportCommand is suite report.
type reportCommand struct {
	env env
	outputs
}

func (cmd *reportCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use: "report [RESULT.json|SUITE.yaml…]", Short: "render saved results again", Long: reportHelp,
		Example: "  suite report\n  suite report result.json\n  suite report --out junit=junit.xml result.json\n " +
			" suite report --format markdown shard-*.json",
		ValidArgsFunction: resultArgs,
		RunE:              func(_ *cobra.Command, args []string) error { return cmd.run(args) },
	}
	cmd.flags(c, cmd.env)
	return c
}

func (cmd *reportCommand) run(paths []string) error {
	if err := cmd.checkTargets(); err != nil {
		return err
	}
	paths, anyKept, err := cmd.env.results().ResolveAll(paths)
	if err != nil {
		return err
	}
	if err := cmd.spare("result", paths); err != nil {
		return err
	}
	docs, err := saved.ReadAll(paths, "")
	if err != nil {
		return err
	}
	if anyKept {
		for _, doc := range docs {
			sayKept(cmd.env, doc)
		}
	}
	if len(docs) > 1 && slices.ContainsFunc(docs, (*result.Document).IsShard) {
		cmd.env.say("these are shards of a run; suite merge judges them together")
	}
	doc, err := saved.Join(docs)
	if err != nil {
		return err
	}
	if err := cmd.view.Check(table.NamesOf(doc)); err != nil {
		return err
	}
	_, err = cmd.writeAll(cmd.env, doc)
	return err
}
