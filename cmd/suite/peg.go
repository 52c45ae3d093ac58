package main

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/entry"
	"example.com/suite/internal/shellpeg"
	"example.com/suite/peg/pegfile"
	"github.com/spf13/cobra"
)

const pegHelp = `Mark a point of a shell script. Where SUITE_PEGS is not set it does nothing and exits
with 0; under a case with pegs: true, suite sets it to a file, to which a line is added
for each arc between two points: from, to, nanoseconds.

Time inside of suite peg, from its entry to its exit, lies in no arc. What it takes to
start and to end the process does, once for each call from the start of an arc to its
end: 2.5 to 6 ms on a small virtual machine, and more on a busy one. The first call
measures that, and the report says it as the residue: an arc of a script tells
something from some tens of milliseconds on. A script that is quick when it is not
looked at asks first:

  peg() { [ -z "$SUITE_PEGS" ] || suite peg "$@"; }

The protocol, and examples in C and Python: docs/pegs.md.`

const pegExample = `  suite peg sorted                    ends the arc from the last point, begins the next
  suite peg --start asked             begins an arc, ends none
  suite peg --stop answered           ends the arc from the last start, begins none
  suite peg --from asked drawn        ends the arc from that point, whatever lies between
  suite peg --begin load; load; suite peg --end load
  suite peg --lane worker-1 fetched   points of each lane are on their own`

func (e env) pegCommand() *cobra.Command {
	var d shellpeg.Deed
	c := &cobra.Command{
		Use: "peg NAME", Short: "mark a point of a shell script", Long: pegHelp, Example: pegExample,
		ValidArgsFunction: cobra.NoFileCompletions,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return hinted{fmt.Sprintf("suite peg needs the name of one point, got %d", len(args)), "suite peg 'input sorted'"}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			d.Name = args[0]
			return e.peg(d, entry.Pegs, entry.Points)
		},
	}
	c.Flags().BoolVar(&d.Start, "start", false, "begin an arc and end none")
	c.Flags().BoolVar(&d.Stop, "stop", false, "end an arc and begin none: the next --stop measures from the same start")
	c.Flags().BoolVar(&d.Begin, "begin", false, "open a span; spans nest")
	c.Flags().BoolVar(&d.End, "end", false, "close the span of this name")
	c.Flags().StringVar(&d.From, "from", "", "end the arc from `POINT`, in place of the last point")
	c.Flags().StringVar(&d.Lane, "lane", "", "keep to the points of `LANE`, for work that goes on beside other work")
	return c
}

// peg does one deed for the file target. What is wrong with the words is said also
// where pegs are off: a script should not break only when it is looked at.
func (e env) peg(d shellpeg.Deed, target, points string) error {
	if err := d.Check(); err != nil {
		return err
	}
	if target == "" || points != "" && !slices.Contains(strings.Split(points, ","), d.Name) {
		return nil
	}
	if strings.HasPrefix(target, "fd:") {
		return hinted{fmt.Sprintf("%s=%s: suite peg keeps its state beside a file", pegfile.Variable, target), pegfile.Variable + "=FILE"}
	}
	if err := d.Mark(target); err != nil {
		e.explain(fmt.Errorf("%s=%s: %w", pegfile.Variable, target, err))
		return status(exitFail)
	}
	return nil
}
