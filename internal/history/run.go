// Package history keeps what runs have measured, so that months of runs can be seen as
// series. A history is a folder with one compressed file of JSON lines for each run: the
// first line is the run, and each other line a case. Files are never changed, so histories
// of two branches or of two CI jobs merge by copying their files into one folder.
//
// The package measures and judges nothing.
package history

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/units"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// Schema names the version of the files that this package writes.
const Schema = "suite-history/1"

// Run is what one run has measured at one state of the code.
type Run struct {
	Schema    string         `json:"schema"`
	Started   time.Time      `json:"started"`
	Commit    string         `json:"commit,omitempty"`   // full hash; empty if it is not known
	Committed time.Time      `json:"committed,omitzero"` // when the commit was made
	Author    string         `json:"author,omitempty"`   // name of who wrote the commit; older runs have none
	Subject   string         `json:"subject,omitempty"`  // first line of the commit's message
	Page      string         `json:"page,omitempty"`     // address of the commit on the web, as somebody wrote it
	Dirty     bool           `json:"dirty,omitempty"`    // the tree had changes that no commit has
	Origin    string         `json:"origin"`             // program that measured: suite, go test, hyperfine, …
	Version   string         `json:"version,omitempty"`  // of that program
	Go        string         `json:"go,omitempty"`       // version of Go that built the benchmarks
	Machine   result.Machine `json:"machine,omitzero"`
	Shard     bool           `json:"shard,omitempty"` // it is one of several parts of a run
	// sha256:… of what the run was made from; no history has one twice
	Digest string `json:"digest"`
	// measured long after the commit, by suite history fill: its values show the machine of that hour, its ratios the
	// code
	Filled bool   `json:"filled,omitempty"`
	Cases  []Case `json:"-"`
}

// Case is what a run has measured of one case.
type Case struct {
	Suite   string         `json:"suite"`
	Name    string         `json:"case"`
	Params  []result.Param `json:"params,omitempty"`
	Against string         `json:"against,omitempty"` // full hash of the commit that ratios refer to
	// why the case cannot differ from what it is at Against: its ratio is 1, exactly
	Same    string   `json:"same,omitempty"`
	Seconds float64  `json:"seconds,omitempty"` // that measuring it took
	Metrics []Metric `json:"metrics"`           // none if the case could not be measured
	Gates   []Gate   `json:"gates,omitempty"`
}

// Gate is the verdict of a gate of a case.
type Gate struct {
	ID       string         `json:"id"` // unique within its case
	Verdict  result.Verdict `json:"verdict"`
	Accepted bool           `json:"accepted,omitzero"` // people have accepted the failure
}

// Metric is one metric of a case. Its value is the median of the samples.
type Metric struct {
	Name   string           `json:"name"`
	Unit   string           `json:"unit,omitempty"` // s, B, 1/s, or empty for counts
	Per    string           `json:"per,omitempty"`  // op, byte, iteration …; empty for a whole sample or run
	Better result.Direction `json:"better"`
	Value  float64          `json:"value"`
	Low    *float64         `json:"low,omitempty"` // of the median's interval
	High   *float64         `json:"high,omitempty"`
	N      int              `json:"n,omitempty"`     // samples
	Ratio  *Ratio           `json:"ratio,omitempty"` // to the commit Against, from pairs of the same run
}

// Ratio is the case ÷ its base, with an interval if there were enough pairs. Both were
// measured in turn on one machine, so ratios of different machines can be compared.
type Ratio struct {
	Value *float64      `json:"value"` // nil: infinite, because the base has 0
	Low   *float64      `json:"low,omitempty"`
	High  *float64      `json:"high,omitempty"`
	Call  result.Change `json:"call"` // better, worse, same or unclear
	// Confirmed is set if other pairs had shown a change, and these were taken to see whether it is one.
	Confirmed bool `json:"confirmed,omitempty"`
}

// BaseCase precedes the name of a case in Case.Against.
const BaseCase = "base: "

// IsBase reports whether ratios of the case refer to another case of the same run, and not to a
// commit.
func (c *Case) IsBase() bool { return strings.HasPrefix(c.Against, BaseCase) }

// Runs makes the runs of a history from a result: one, or of merged shards one for each
// machine, because only times of the same machine can be compared.
func Runs(doc *result.Document) (all []*Run) {
	if doc.Division == nil || len(doc.Division.Machines) == 0 {
		return []*Run{Of(doc)}
	}
	for _, m := range doc.Division.Machines {
		part := *doc
		part.Machine = m.Machine
		part.Cases = slices.DeleteFunc(slices.Clone(doc.Cases), func(c result.Case) bool { return c.Shard != m.Shard })
		sum := sha256.Sum256(fmt.Appendf(nil, "%s shard %d", doc.Digest, m.Shard))
		part.Digest = "sha256:" + hex.EncodeToString(sum[:])
		if run := Of(&part); len(run.Cases) > 0 {
			all = append(all, run)
		}
	}
	return all
}

// Of makes the run of a history from a result. Cases with neither a number nor a verdict are
// left out, and so are metrics that describe the measurement and not the code. The digest is
// the digest of the result.
func Of(doc *result.Document) *Run {
	run := &Run{Schema: Schema, Started: doc.Started.UTC(), Origin: doc.Tool.Name, Version: doc.Tool.Version,
		Go: doc.Tool.Go, Machine: doc.Machine, Shard: doc.IsShard(), Digest: doc.Digest}
	run.Machine.Load = ""
	against := map[string]string{}
	for i := range doc.Suites {
		s := &doc.Suites[i]
		if s.Commit != nil && run.Commit == "" {
			run.Commit, run.Dirty = s.Commit.Hash, s.Commit.Dirty
		}
		if s.Against != nil {
			against[s.Name] = s.Against.Revision
		}
	}
	for i := range doc.Cases {
		if c := caseOf(&doc.Cases[i], against[doc.Cases[i].Suite]); c != nil {
			run.Cases = append(run.Cases, *c)
		}
	}
	return run
}

func caseOf(c *result.Case, against string) *Case {
	if c.IsVanished() {
		return nil
	}
	kept := &Case{Suite: c.Suite, Name: c.Name, Params: c.Params}
	for _, g := range c.Gates {
		kept.Gates = append(kept.Gates, Gate{ID: g.ID, Verdict: g.Verdict, Accepted: g.IsAccepted()})
	}
	if c.Status == result.Measured {
		kept.measure(c, against)
	}
	if len(kept.Metrics) == 0 && len(kept.Gates) == 0 {
		return nil
	}
	return kept
}

// measure adds the metrics of a case that was measured.
func (kept *Case) measure(c *result.Case, against string) {
	kept.Seconds = c.Seconds
	for i := range c.Metrics {
		s := &c.Metrics[i]
		kind, ok := c.Metric(s.Metric)
		if !ok || kind.OfMeasuring || s.N == 0 || s.Censored > 0 || s.Bound != nil || repeats(c, s) {
			continue
		}
		m := Metric{Name: s.Metric, Unit: s.Unit, Per: table.PerWhat(c, s.Metric), Better: kind.Direction,
			Value: s.Median, Low: s.Low, High: s.High, N: s.N}
		if o := c.Comparison(s.Metric); o != nil && !o.IsBound() && c.Pairs != nil &&
			(c.Pairs.Tree == "" || against != "") {
			m.Ratio = &Ratio{Low: o.Low, High: o.High, Call: o.Change}
			if !o.Ratio.IsInfinite() {
				m.Ratio.Value = (*float64)(&o.Ratio)
			}
			kept.Against = against
			if c.Pairs.Tree == "" {
				kept.Against = BaseCase + c.Pairs.Base
			}
		}
		kept.Metrics = append(kept.Metrics, m)
	}
}

// Measured reports whether the run has a number.
func (r *Run) Measured() bool {
	return slices.ContainsFunc(r.Cases, func(c Case) bool { return len(c.Metrics) > 0 })
}

// repeats reports whether a metric shows the time of the case again: throughput is its
// inverse, and wall often the same.
func repeats(c *result.Case, s *result.Summary) bool {
	time := c.Summary("time")
	return time != nil && (s.Metric == "throughput" || s.Metric == "wall" && s.Median == time.Median)
}

// When is the time of the run's commit or, if that is not known, of its start.
func (r *Run) When() time.Time {
	if r.Committed.IsZero() {
		return r.Started
	}
	return r.Committed
}

// Metric returns a metric of the case, nil if it has none of this name.
func (c *Case) Metric(name string) *Metric {
	i := slices.IndexFunc(c.Metrics, func(m Metric) bool { return m.Name == name })
	if i < 0 {
		return nil
	}
	return &c.Metrics[i]
}

// MachineName describes the machine of a run by what decides how fast it is. Runs with the
// same name can be compared; a change of it may change all times.
func (r *Run) MachineName() string {
	m := &r.Machine
	cpus := ""
	if m.CPUs > 0 { // other programs do not record it
		cpus = units.Plural(m.CPUs, "CPU")
	}
	words := []string{m.CPU, cpus, m.Virtual, strings.Trim(m.OS+"/"+m.Arch, "/")}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	return cmp.Or(strings.Join(words, ", "), "unknown machine")
}
