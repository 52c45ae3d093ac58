package main

import (
	"context"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/history/project"
	"example.com/suite/internal/saved"
	"example.com/suite/internal/shard"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"github.com/spf13/cobra"
)

const mergeHelp = `Put the shards of a run together: the results that suite run --shard wrote with --out
json=FILE on several machines, in any order. All gates are judged again, over all
shards, and the exit status is the one of the whole run.

Shards are refused, with a list of all reasons, if they are not the parts of one run:
one is missing or is there twice, the suite files, commits, flags or versions of suite
differ, the cases were divided otherwise, or suite verify finds a difference in one of
them. --partial does without shards that are missing; their cases are then errors.

Nothing is compared across machines. Every case is marked with its shard, and reports
list the machines. suite report joins results of different suites.`

// mergeCommand is suite merge.
type mergeCommand struct {
	env     env
	outputs outputs
	partial bool
	save    bool
	history string
}

func (cmd *mergeCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use: "merge SHARD.json…", Short: "put the shards of a run together", Long: mergeHelp,
		Example: "  suite merge shard-*.json\n  suite merge --out json=result.json --out html=report.html " +
			"shard-*.json\n  suite merge --partial shard-1.json shard-3.json",
		Args: files("the results of shards"), ValidArgsFunction: resultArgs,
		RunE: func(c *cobra.Command, args []string) error { return cmd.run(cmd.env.orderly(c), args) },
	}
	cmd.outputs.flags(c, cmd.env)
	c.Flags().BoolVar(&cmd.partial, "partial", false, "do without shards that are missing: their cases are errors")
	c.Flags().BoolVar(&cmd.save, "save", false, "add the run to the history, once for each machine")
	c.Flags().StringVar(&cmd.history, "history", "", historyFlagHelp+", with --save")
	complete(c, "history", historyPlaces)
	return c
}

func (cmd *mergeCommand) run(ctx context.Context, paths []string) error {
	if err := cmd.outputs.checkTargets(); err != nil {
		return err
	}
	if err := checkCIFiles(cmd.env, cmd.outputs.ci); err != nil {
		return err
	}
	if cmd.history != "" && !cmd.save {
		return diag.Hinted("--history names the place of --save, and the run is not saved", "add --save")
	}
	if err := project.CheckSave(cmd.save, cmd.history); err != nil {
		return err
	}
	if err := cmd.outputs.spare("result", paths); err != nil {
		return err
	}
	var docs []*result.Document
	err := cmd.env.read(ctx, func() (err error) {
		docs, err = saved.ReadAll(paths, "each shard counts once")
		return err
	})
	if err != nil {
		return err
	}
	var shards []shard.Result
	for i, doc := range docs {
		shards = append(shards, shard.Result{File: paths[i], Doc: doc})
	}
	doc, err := shard.Merge(shards, cmd.partial, version())
	if err != nil {
		if problems, ok := diag.AsProblems(err); ok {
			cmd.env.printError(problems)
			return diag.Hinted("nothing was merged", "")
		}
		return err
	}
	if err := doc.Seal(); err != nil {
		return err
	}
	if err := cmd.outputs.view.Check(table.NamesOf(doc)); err != nil {
		return err
	}
	_, failed := cmd.outputs.deliver(cmd.env, doc)
	if cmd.save {
		if err := saveRun(ctx, cmd.env, doc, cmd.history); failed == nil {
			failed = err
		}
	}
	if failed != nil {
		return failed
	}
	return exit(doc.Exit)
}
