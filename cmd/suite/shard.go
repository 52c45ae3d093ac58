package main

import (
	"fmt"
	"io"
	"path/filepath"
	"text/tabwriter"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/history"
	"example.com/suite/internal/history/project"
	"example.com/suite/internal/judge"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/saved"
	"example.com/suite/internal/shard"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
)

// shardFlags choose one of several parts of a run, which other machines measure.
type shardFlags struct {
	asked     string
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
	c.Flags().StringVar(&s.asked, "shard", "", "only part `I/N` of the cases, such as 3/20; auto takes I and N from the environment of Kubernetes, Slurm, GitLab and others; suite merge puts the parts together")
	c.Flags().StringVar(&s.durations, "durations", "", "balance the shards with the durations in a `RESULT.json` or a folder of a history (default the history of the project), or with none: "+noDurations)
	s.changed = c.Flags().Changed
	complete(c, "shard", cobra.FixedCompletions([]string{"auto"}, cobra.ShellCompDirectiveNoFileComp))
	complete(c, "durations", anyFile)
}

// check reads the flags and, for auto, the environment.
func (s *shardFlags) check(e env) (err error) {
	switch {
	case !s.changed("shard") && s.durations != "":
		return diag.Hinted("--durations balances shards, and there is no --shard", "--shard 1/4")
	case !s.changed("shard"):
		return nil
	case s.asked == "auto":
		s.shard, s.by, err = shard.Auto(e.lookup)
		return err
	}
	s.shard, err = shard.Parse(s.asked)
	return err
}

// isSet reports whether only a part of the cases is measured.
func (s *shardFlags) isSet() bool { return s.shard != shard.Shard{} }

// divide divides plans whose gates have been compiled.
func (s *shardFlags) divide(e env, plans []*spec.Plan, gates *judge.Gates) error {
	known, err := s.known(e)
	if err == nil {
		s.division = shard.Divide(plans, gates.Reads, known, s.shard.Count, s.seed)
	}
	return err
}

// take returns the plans of the shard.
func (s *shardFlags) take(plans []*spec.Plan) []*spec.Plan {
	s.division.Index = s.shard.Index
	return shard.Take(plans, s.division, s.shard.Index)
}

// known finds the durations of cases in earlier runs.
func (s *shardFlags) known(e env) (shard.Durations, error) {
	switch {
	case s.durations == noDurations:
		return shard.Durations{}, nil
	case s.durations == "":
		entries, unread, err := project.Store("").Readable(history.AnyCase)
		e.warn(unread)
		return shard.Recorded(entries), err
	case paths.IsFolder(s.durations):
		entries, err := e.runsOf(history.Store{Dir: s.durations}, history.AnyCase)
		return shard.Recorded(entries), err
	}
	doc, err := saved.Read(s.durations)
	if err != nil {
		return shard.Durations{}, fmt.Errorf("--durations: %w", err)
	}
	return shard.Measured(doc), nil
}

// load is what one shard has to do.
type load struct {
	cases []string
	time  time.Duration
}

// loads lists what each shard has to do.
func (s *shardFlags) loads() []load {
	all := make([]load, s.division.Count)
	for _, p := range s.division.Cases {
		one := &all[p.Shard-1]
		one.cases = append(one.cases, p.Suite+": "+p.Name)
		one.time += time.Duration(p.Seconds * float64(time.Second))
	}
	return all
}

// text describes the shard of a run: shard 3/20: 4 of 61 cases, about 20 s of 5 min.
func (s *shardFlags) text() string {
	loads := s.loads()
	var all time.Duration
	for _, l := range loads {
		all += l.time
	}
	by := ""
	if s.by != "" {
		by = " (numbered by " + s.by + ")"
	}
	own := loads[s.shard.Index-1]
	return fmt.Sprintf("shard %s%s: %d of %s, about %s of %s", s.shard, by, len(own.cases), units.Plural(len(s.division.Cases), "case"), about(own.time), about(all))
}

// print shows what each shard has to do, and the cases of the one that is asked for.
func (s *shardFlags) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nSHARD\tCASES\tABOUT")
	for i, l := range s.loads() {
		fmt.Fprintf(w, "%d/%d\t%d\t%s\n", i+1, s.division.Count, len(l.cases), about(l.time))
	}
	fmt.Fprintf(w, "\ndurations: %s\ncases of shard %s:\n", s.durationsText(), s.shard)
	for _, name := range s.loads()[s.shard.Index-1].cases {
		fmt.Fprintf(w, "  %s\n", clean(name))
	}
	return w.Flush()
}

// durationsText describes where the durations are from.
func (s *shardFlags) durationsText() string {
	d := s.division.Durations
	if d.Recorded == 0 {
		return "forecast from the suite files"
	}
	return fmt.Sprintf("%d of %s from a %s, the others forecast", d.Recorded, units.Plural(len(s.division.Cases), "case"), d.From)
}

func about(d time.Duration) string { return units.Format(d.Seconds(), "s") }

// names tells runs of shards apart that measure the same suite files on one machine.
func (s *shardFlags) names(files []string) []string {
	if !s.isSet() {
		return files
	}
	return append(files, filepath.Join("shard", s.shard.String()))
}
