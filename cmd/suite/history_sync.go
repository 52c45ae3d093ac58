package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/history/gitref"
	"example.com/suite/internal/signals"
	"github.com/spf13/cobra"
)

const historySyncHelp = `Exchange the history in a ref of git with a remote: fetch its runs, and push those that
it does not have. REMOTE is a name or an address; the default is origin, or the only
remote. The ref is refs/notes/suite, unless --history git:BRANCH names another.

Any number of clones and jobs can do so at the same time. Histories are joined by the
names of their files, without conflicts. If another job pushes first, its runs are
fetched and the push is tried again. A run that somebody has pruned is removed here,
too. The work tree, the index and all other refs stay as they are.

--no-push only fetches, for jobs that may not write, such as those of forks.`

const historySyncExample = `  suite history sync --no-push && suite run --history git suite.yaml
  suite run --save --history git suite.yaml && suite history sync
  suite history sync --history git:suite-history upstream`

func (cmd *historyCommand) sync() *cobra.Command {
	var noPush bool
	c := &cobra.Command{
		Use: "sync [REMOTE]", Short: "exchange a history that is kept in git with a remote",
		Long: historySyncHelp, Example: historySyncExample,
		Args: cobra.MaximumNArgs(1), ValidArgsFunction: remotes,
		RunE: func(c *cobra.Command, args []string) error {
			remote := ""
			if len(args) == 1 {
				remote = args[0]
			}
			return cmd.syncWith(cmd.env.orderly(c), remote, !noPush)
		},
	}
	c.Flags().BoolVar(&noPush, "no-push", false, "fetch only")
	return c
}

// syncWith ends with status 3 if the histories could not be joined, and with 2 if the ref of this clone cannot be
// written.
func (cmd *historyCommand) syncWith(ctx context.Context, remote string, push bool) error {
	ref, is := gitref.Parse(cmp.Or(cmd.place, "git"))
	if !is {
		return diag.Hinted(fmt.Sprintf("--history %s is a folder, and only a history in a ref of git can be synced",
			cmd.place),
			"--history git; suite history export and import bring the runs of a folder along")
	}
	err := ref.CheckWritable()
	if partial := (*gitref.Partial)(nil); err != nil && !errors.As(err, &partial) {
		return err
	}
	done, err := ref.Sync(ctx, remote, push)
	if name := signals.Name(ctx); name != "" && err != nil {
		cmd.env.say("%s: the runs are still in this clone", name)
		return interrupted(ctx)
	} else if err != nil {
		return cmd.env.fail(err)
	}
	cmd.env.say("%s", done.Text(ref))
	return nil
}
