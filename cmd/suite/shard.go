package main

import (
	"context"
	"fmt"
	"path/filepath"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/history"
	"example.com/suite/internal/history/project"
	"example.com/suite/internal/judge"
	"example.com/suite/internal/saved"
	"example.com/suite/internal/shard"
	"example.com/suite/result"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
)

// shardFlags choose one of several parts of a run, which other machines measure.
type shardFlags struct {
	part      string
	durations string
	changed   func(flag string) bool
	shard     shard.Shard      // zero: the whole run
	seed      string           // that all shards were asked to use; empty: each draws its own
	by        string           // engine that numbers this process; empty: the flag
	division  *result.Division // set by take
}

// noDurations is the value of --durations that takes none from earlier runs.
const noDurations = "forecast"

func (s *shardFlags) flags(c *cobra.Command) {
	c.Flags().StringVar(&s.part, "shard", "",
		"only part `I/N` of the cases, such as 3/20; auto takes I and N from the environment of Kubernetes, "+
			"Slurm, GitLab and others; suite merge puts the parts together")
	c.Flags().StringVar(&s.durations, "durations", "",
		"balance the shards with the durations in a `RESULT.json` or the place of a history (default the "+
			"history of the project), or with none: "+
			noDurations)
	s.changed = c.Flags().Changed
	complete(c, "shard", choices([]string{"auto"}))
	complete(c, "durations", anyFile)
}

// checkFlags reads the flags and, for auto, the environment.
func (s *shardFlags) checkFlags(e env) (err error) {
	switch {
	case s.changed == nil: // the command has no such flags
		return nil
	case !s.changed("shard") && s.durations != "":
		return diag.Hinted("--durations balances shards, and there is no --shard", "--shard 1/4")
	case !s.changed("shard"):
		return nil
	case s.part == "auto":
		s.shard, s.by, err = shard.Auto(e.lookup)
		return err
	}
	s.shard, err = shard.Parse(s.part)
	return err
}

// isSet reports whether only a part of the cases is measured.
func (s *shardFlags) isSet() bool { return s.shard != shard.Shard{} }

// divide divides plans whose gates have been compiled.
func (s *shardFlags) divide(ctx context.Context, e env, plans []*spec.Plan, gates *judge.Gates) error {
	known, err := s.known(ctx, e)
	if err == nil {
		s.division = shard.Divide(plans, gates.Reads, known, s.shard.Count, s.seed)
	}
	return err
}

// taker returns what takes the plans of the shard, nil if all cases are measured.
func (s *shardFlags) taker(e env) func([]*spec.Plan) []*spec.Plan {
	if !s.isSet() {
		return nil
	}
	return func(plans []*spec.Plan) []*spec.Plan {
		s.division.Index = s.shard.Index
		s.division.Engine, s.division.Job = shard.Started(e.lookup)
		return shard.Take(plans, s.division, s.shard.Index)
	}
}

// known finds the durations of cases in earlier runs.
func (s *shardFlags) known(ctx context.Context, e env) (shard.Durations, error) {
	switch {
	case s.durations == noDurations:
		return shard.Durations{}, nil
	case s.durations == "":
		entries, unread, err := project.Store("").Readable(history.AnyCase)
		e.warn(unread)
		return shard.Recorded(entries), err
	case project.IsPlace(s.durations):
		entries, err := readRunsOf(ctx, e, project.Store(s.durations), history.AnyCase)
		return shard.Recorded(entries), err
	}
	var doc *result.Document
	err := e.read(ctx, func() (err error) {
		doc, err = saved.Read(s.durations)
		return err
	})
	if status, is := err.(status); is {
		return shard.Durations{}, status
	}
	if err != nil {
		return shard.Durations{}, fmt.Errorf("--durations: %w", err)
	}
	return shard.Measured(doc), nil
}

// names tells runs of shards apart that measure the same suite files on one machine.
func (s *shardFlags) names(files []string) []string {
	if !s.isSet() {
		return files
	}
	return append(files, filepath.Join("shard", s.shard.String()))
}
