package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/units"
	"example.com/suite/report"
	"example.com/suite/result"
	"example.com/suite/runner"
	"example.com/suite/runner/profile"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
)

// profileVariable is the default of --profile.
const profileVariable = "SUITE_PROFILE"

// Words of --profile that are no kinds.
const (
	profileFailed = "failed"
	profileNone   = "none"
)

// profileKinds are all kinds, in the order of the passes.
var profileKinds = []result.ProfileKind{result.ProfileCPU, result.ProfileAlloc, result.ProfileMutex, result.ProfileBlock}

// profileFlags choose what is profiled after the samples.
type profileFlags struct {
	asked string
	kinds []result.ProfileKind // empty: none
	every bool                 // every measured case, and not only those that failed
	files []profile.File       // of this run
}

func (p *profileFlags) flags(c *cobra.Command) {
	c.Flags().StringVar(&p.asked, "profile", "", "after the samples, profile `WHAT` on both sides: failed (default: cases with a failed comparison), none, or of every case "+kindList())
	complete(c, "profile", cobra.FixedCompletions([]string{profileFailed, profileNone, "cpu", "cpu,alloc", "cpu,alloc,mutex,block"}, cobra.ShellCompDirectiveNoFileComp))
}

func kindList() string {
	var names []string
	for _, kind := range profileKinds {
		names = append(names, string(kind))
	}
	return strings.Join(names, ",")
}

// check reads the flag, or the variable if the flag was not given.
func (p *profileFlags) check(lookup func(string) (string, bool)) error {
	source, text := "--profile", p.asked
	if text == "" {
		source = profileVariable
		text, _ = lookup(profileVariable)
	}
	switch text {
	case "", profileFailed:
		p.kinds = profileKinds
		return nil
	case profileNone:
		return nil
	}
	p.every = true
	for word := range strings.SplitSeq(text, ",") {
		kind := result.ProfileKind(strings.TrimSpace(word))
		if !slices.Contains(profileKinds, kind) {
			return diag.Hinted(fmt.Sprintf("%s: unknown profile %q", source, word), "known: failed, none, "+strings.ReplaceAll(kindList(), ",", ", "))
		}
		if !slices.Contains(p.kinds, kind) {
			p.kinds = append(p.kinds, kind)
		}
	}
	slices.SortFunc(p.kinds, func(a, b result.ProfileKind) int {
		return cmp.Compare(slices.Index(profileKinds, a), slices.Index(profileKinds, b))
	})
	return nil
}

// profiled is a case with the plan that it comes from.
type profiled struct {
	plan *spec.Plan
	spec *spec.Case
	got  *result.Case
}

// profile profiles cases of a judged document and adds what that shows. It changes nothing
// else in it but the wall time of the run.
func (e env) profile(ctx context.Context, plans []*spec.Plan, doc *result.Document, p *profileFlags, options runner.Options, quiet bool) {
	if len(p.kinds) == 0 || doc.Interrupted != "" || ctx.Err() != nil || options.Processes.Killed() {
		return
	}
	wanted := chosenForProfiles(plans, doc, p.every)
	if len(wanted) == 0 {
		return
	}
	if !quiet {
		e.say("profiling %s; all samples are taken", units.Plural(min(len(wanted), mostProfiles(p, len(wanted))), "case"))
	}
	left := budgets(plans, doc)
	for i, one := range wanted {
		if i >= mostProfiles(p, len(wanted)) {
			one.got.Profiling = &result.Profiling{Reason: result.ProfileTooMany,
				Text: fmt.Sprintf("%d other cases of this run were profiled, with larger changes", profile.MostCases), Hint: "suite run --profile " + kindList() + " --only " + one.got.Name}
			continue
		}
		if ctx.Err() != nil {
			one.got.Profiling = &result.Profiling{Reason: result.ProfileInterrupted, Text: "a signal ended the profiling of other cases"}
			continue
		}
		limit := profile.Limit
		room, bounded := left[one.plan]
		if bounded {
			limit = min(limit, room)
		}
		if limit <= 0 {
			one.got.Profiling = &result.Profiling{Reason: result.ProfileNoTime, Text: "the budget of the suite is used up"}
			continue
		}
		taken, files := profile.Take(ctx, profile.Target{Plan: one.plan, Case: one.spec, Result: one.got, Limit: limit, Bytes: failedOnBytes(one.got)},
			profile.Options{Run: options, Kinds: p.kinds})
		one.got.Profiling = taken
		doc.Seconds += taken.Seconds
		if bounded {
			left[one.plan] = room - time.Duration(taken.Seconds*1e9)
		}
		p.files = append(p.files, files...)
	}
	if ctx.Err() != nil {
		e.say("the profiling was interrupted; all samples and verdicts were complete before")
	}
}

func mostProfiles(p *profileFlags, all int) int {
	if p.every {
		return all
	}
	return profile.MostCases
}

// budgets has what the samples have left of the budgets of suites.
func budgets(plans []*spec.Plan, doc *result.Document) map[*spec.Plan]time.Duration {
	left := map[*spec.Plan]time.Duration{}
	for _, plan := range plans {
		if plan.Budget > 0 {
			left[plan] = time.Duration(plan.Budget) - time.Duration(doc.Seconds*1e9)
		}
	}
	return left
}

// chosenForProfiles are the cases to profile: every case that was measured, or those with a
// failed comparison, those with the largest changes first.
func chosenForProfiles(plans []*spec.Plan, doc *result.Document, every bool) (all []profiled) {
	for _, plan := range plans {
		for i := range plan.Cases {
			c := &plan.Cases[i]
			for j := range doc.Cases {
				got := &doc.Cases[j]
				if got.Suite == plan.Suite && got.Name == c.Name && (every && got.Status == result.Measured || !every && failedComparison(got)) {
					all = append(all, profiled{plan, c, got})
				}
			}
		}
	}
	if !every {
		slices.SortStableFunc(all, func(a, b profiled) int { return cmp.Compare(ratioOf(b.got), ratioOf(a.got)) })
	}
	return all
}

func ratioOf(c *result.Case) float64 {
	if o := c.Comparison("time"); o != nil {
		return o.Ratio
	}
	return 0
}

// simulatedClock is the clock of tests, in whose time no profiler reads.
const simulatedClock = "fake"

// failedComparison reports whether a gate failed that compares a case with a base that can
// be run again.
func failedComparison(c *result.Case) bool {
	return c.Status == result.Measured && c.Pairs != nil && c.Clock != simulatedClock &&
		slices.ContainsFunc(c.Gates, func(g result.Gate) bool { return g.Verdict == result.Fail && g.Compares })
}

// failedOnBytes reports whether all failed comparisons of a case are about allocations.
func failedOnBytes(c *result.Case) bool {
	failed := false
	for i := range c.Gates {
		g := &c.Gates[i]
		if g.Verdict != result.Fail || !g.Compares {
			continue
		}
		failed = true
		if !slices.ContainsFunc(g.Reads, func(r result.Reading) bool { return r.Metric == "allocs" || r.Metric == "heap" }) ||
			slices.ContainsFunc(g.Reads, func(r result.Reading) bool { return r.Metric != "allocs" && r.Metric != "heap" }) {
			return false
		}
	}
	return failed
}

// profileSuffix replaces the ending of a result's name in the name of the folder with its
// profiles.
const profileSuffix = ".profiles"

// profileFolder is the folder of the profiles of a result.
func profileFolder(resultFile string) string {
	return strings.TrimSuffix(resultFile, filepath.Ext(resultFile)) + profileSuffix
}

// writeProfiles writes the profiles of a run next to a result. Profiles of an earlier run
// are removed: readers would take them for profiles of this run.
func writeProfiles(resultFile string, files []profile.File) error {
	folder := profileFolder(resultFile)
	err := removeProfiles(folder)
	if len(files) == 0 || err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, f := range files {
		write := func(w io.Writer) error {
			_, err := w.Write(f.Data)
			return err
		}
		if err := report.WriteFile(filepath.Join(folder, f.Name), write); err != nil {
			return err
		}
	}
	return nil
}

// sizeOfProfiles returns how many bytes the profiles of a result take.
func sizeOfProfiles(resultFile string) (bytes int64) {
	files, _ := filepath.Glob(filepath.Join(profileFolder(resultFile), "*.pb.gz")) // keys as names: no bad pattern
	for _, f := range files {
		if info, err := os.Stat(f); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}

// removeProfiles removes the profiles in a folder, and the folder if nothing else is in it.
func removeProfiles(folder string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.pb.gz"))
	for _, f := range files {
		err = errors.Join(err, os.Remove(f))
	}
	_ = os.Remove(folder) // fails if it contains other files
	return err
}
