package main

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/entry"
	"example.com/suite/internal/shellpeg"
	"example.com/suite/peg/pegfile"
	"github.com/spf13/cobra"
)

const pegHelp = `Mark a point of a shell script. If SUITE_PEGS is not set, suite peg does nothing and
exits with 0. In a case with pegs: true, suite sets it to a file, and suite peg appends
one line for each arc between two points: from, to, nanoseconds.

Arcs exclude the time inside suite peg, from its entry to its exit. They include the
time to start and end the process, once for each call from the start of an arc to its
end: 2.5 to 6 ms on a small virtual machine, more on a busy one. The first call
measures that time, and the report prints it as the residue: arcs of a script mean
something from some tens of milliseconds on. To keep a script fast while pegs are off,
test the variable first:

  peg() { [ -z "$SUITE_PEGS" ] || suite peg "$@"; }

The protocol, and examples in C and Python: docs/pegs.md.`

const pegExample = `  suite peg sorted                    ends the arc from the last point, begins the next
  suite peg --start asked             begins an arc, ends none
  suite peg --stop answered           ends the arc from the last start, begins none
  suite peg --from asked drawn        ends the arc from that point, whatever lies between
  suite peg --begin load; load; suite peg --end load
  suite peg --lane worker-1 fetched   points of each lane are on their own`

// pegCommand is suite peg.
type pegCommand struct {
	env  env
	deed shellpeg.Deed
}

func (cmd *pegCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use: "peg NAME", Short: "mark a point of a shell script", Long: pegHelp, Example: pegExample,
		ValidArgsFunction: cobra.NoFileCompletions,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return diag.Hinted(fmt.Sprintf("suite peg needs the name of one point, got %d", len(args)),
					"suite peg 'input sorted'")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			cmd.deed.Name = args[0]
			return cmd.run(entry.Pegs, entry.Points)
		},
	}
	c.Flags().BoolVar(&cmd.deed.Start, "start", false, "start an arc and end none")
	c.Flags().BoolVar(&cmd.deed.Stop, "stop", false,
		"end an arc and start none: the next --stop measures from the same start")
	c.Flags().BoolVar(&cmd.deed.Begin, "begin", false, "open a span; spans nest")
	c.Flags().BoolVar(&cmd.deed.End, "end", false, "close the span of this name")
	c.Flags().StringVar(&cmd.deed.From, "from", "", "end the arc from `POINT` instead of the last point")
	c.Flags().StringVar(&cmd.deed.Lane, "lane", "",
		"use the points of `LANE` only, for work that runs in parallel with other work")
	return c
}

// run records one deed in the file target. It checks the words even if pegs are off, so
// that a faulty script fails always, and not only when it is measured.
func (cmd *pegCommand) run(target, points string) error {
	if err := cmd.deed.Check(); err != nil {
		return err
	}
	if target == "" || points != "" && !slices.Contains(strings.Split(points, ","), cmd.deed.Name) {
		return nil
	}
	if strings.HasPrefix(target, "fd:") {
		return diag.Hinted(fmt.Sprintf("%s=%s: suite peg needs a file, next to which it keeps its state",
			pegfile.Variable, target),
			pegfile.Variable+"=FILE")
	}
	if err := cmd.deed.Mark(target); err != nil {
		return cmd.env.fail(fmt.Errorf("%s=%s: %w", pegfile.Variable, target, err))
	}
	return nil
}
