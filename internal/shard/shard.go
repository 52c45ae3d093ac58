// Package shard divides the cases of suite files among machines that measure them at the
// same time, and checks that the results of all of them belong together.
//
// Each machine loads the whole plan and divides it by itself. Because a division depends
// only on the plan, the number of shards and the durations, all machines find the same
// one. Its hash is recorded, so results of different divisions are never merged.
package shard

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/suite/internal/diag"
)

// Shard is one of several parts of a run.
type Shard struct{ Index, Count int } // Index is from 1 to Count

// most is the largest number of shards. It is far beyond any fleet, and catches numbers that
// are none, such as the id of a job.
const most = 100_000

// Parse reads a shard as --shard takes it: 3/20.
func Parse(text string) (Shard, error) {
	index, count, ok := strings.Cut(text, "/")
	i, err := strconv.Atoi(index)
	n, err2 := strconv.Atoi(count)
	if !ok || err != nil || err2 != nil {
		return Shard{}, diag.Hinted(fmt.Sprintf("--shard %q: want I/N, such as 3/20, or auto", text),
			"--shard 1/4 is the first of four shards")
	}
	s := Shard{i, n}
	return s, s.check()
}

func (s Shard) check() error {
	switch {
	case s.Count < 1 || s.Count > most:
		return diag.Hinted(fmt.Sprintf("--shard %s: the number of shards must be from 1 to %d", s, most),
			"--shard 1/4 is the first of four shards")
	case s.Index < 1 || s.Index > s.Count:
		return diag.Hinted(fmt.Sprintf("--shard %s: shards are numbered from 1 to %d", s, s.Count),
			fmt.Sprintf("--shard %s is the first, --shard %s the last one", Shard{1, s.Count}, Shard{s.Count, s.Count}))
	}
	return nil
}

// String is 3/20.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }
