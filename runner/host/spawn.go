package host

import (
	"os"
	"slices"

	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// floorRuns is how often a program that does nothing is run to show what every
// command costs here. A run takes 0.7 ms, and the number is not subtracted.
const floorRuns = 5

// floor measures `true`, which every Unix has. It is shown and never subtracted. Nil
// if there is no such program.
func (h *Host) floor() *wire.Floor {
	c, _, failure := prepareCommand(wire.Command{Argv: []string{"true"}, Dir: os.TempDir(), ExitCodes: []int{0}, Timeout: 2e9}, h)
	if failure != nil {
		return nil
	}
	defer c.close()
	var walls []int64
	for range floorRuns {
		r, failure := c.attempt("run")
		if failure != nil || r.timedOut {
			return nil
		}
		walls = append(walls, r.wall)
	}
	slices.Sort(walls)
	return &wire.Floor{Program: c.path, Time: walls[floorRuns/2], RSS: h.peak()}
}

// usage is what a whole tree of processes has used, including those that nobody has waited
// for; timer.Absent if it is not known.
type usage struct {
	cpu    int64 // ns
	wait   int64 // ns in which some of its threads were ready and had no CPU
	memory int64 // bytes: the peak, with the files that it brought into the cache
}

var unknown = usage{timer.Absent, timer.Absent, timer.Absent}
