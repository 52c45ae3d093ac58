// Package verify recomputes a result document from its raw data. It needs the
// document alone: it replays every coin from the seed, computes summaries,
// comparisons and verdicts from the raw samples, and lists what differs. It
// measures nothing. Values without samples are accepted unchecked, and listed.
package verify

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/runner/draw"
)

// Finding is one difference between a stored value and the recomputed one.
type Finding struct {
	Case       string // with its suite if there are several; empty for the whole run
	What       string // gate "tolerance": verdict
	Stored     string // the document's value
	Recomputed string // the value that follows from the rest of the document
}

// Report is the outcome of a check.
type Report struct {
	Findings                                []Finding // in the order of the document
	Gates, Comparisons, Coins, Metrics, All int       // how many of each were recomputed; All is their sum
	Taken                                   []string  // the values that were accepted unchecked, in words
}

// checker gathers findings.
type checker struct {
	doc    *result.Document
	report Report
	label  string            // of the case that is being checked
	seeds  map[int]draw.Seed // by shard; 0: of a document of one machine
	suites []result.Suite    // with sentinels as they follow from their pairs
}

// Document checks a document that result.Read has accepted. version is the version
// of the checking program: texts are compared only if the same version wrote them, because wording
// changes between versions.
func Document(doc *result.Document, version string) (*Report, error) {
	c := &checker{doc: doc, seeds: map[int]draw.Seed{}}
	if err := c.digest(); err != nil {
		return nil, err
	}
	cases := slices.Clone(doc.Cases)
	for i := range cases {
		c.label = doc.Label(&cases[i])
		c.summaries(&cases[i])
		c.baseSummaries(&cases[i])
		c.counts(&cases[i])
		c.pegs(&cases[i])
		cases[i].Forget()
	}
	if err := c.coins(); err != nil {
		return nil, err
	}
	if err := c.judge(cases, doc.Tool.Version == version); err != nil {
		return nil, err
	}
	c.acceptances()
	c.planned()
	c.vanished()
	c.division()
	c.counterparts()
	c.orders(doc.Tool.Version == version)
	c.outcome(cases)
	c.taken()
	r := &c.report
	r.All = r.Gates + r.Comparisons + r.Coins + r.Metrics
	return r, nil
}

// differ adds a finding if the two texts are not the same.
func (c *checker) differ(what, stored, recomputed string) {
	if stored != recomputed {
		c.report.Findings = append(c.report.Findings, Finding{c.label, what, stored, recomputed})
	}
}

// outcome compares the exit status. A stored 3 is no finding: suite also exits with 3
// if it cannot write a report, and the document does not record that.
func (c *checker) outcome(cases []result.Case) {
	again := *c.doc
	again.Cases, again.Suites = cases, c.suites
	c.label = ""
	if got := again.Outcome(); c.doc.Exit != got.Exit && c.doc.Exit != 3 {
		c.differ("exit status", fmt.Sprint(c.doc.Exit), fmt.Sprintf("%d (%s: %s)", got.Exit, got.Word, got.Text))
	} else if c.doc.Exit != got.Exit {
		c.report.Taken = append(c.report.Taken,
			fmt.Sprintf("exit status 3, although the verdicts lead to %d: a report or the journal could not be written",
				got.Exit))
	}
}

// digest compares the stored digest with the document's content. It cannot detect an
// edit that also recomputed the digest; such an edit is found only if it contradicts
// something else in the document.
func (c *checker) digest() error {
	sum, err := c.doc.Sum()
	if err == nil && sum != c.doc.Digest {
		c.differ("digest of the document", cmp.Or(c.doc.Digest, "nothing"), sum)
	}
	return err
}

// taken adds to the report the values that were accepted unchecked.
func (c *checker) taken() {
	var passes, folded, saved, withHistory, pegged, profiled, unaffected []string
	for i := range c.doc.Cases {
		k := &c.doc.Cases[i]
		isPass := func(s result.Summary) bool { return !sampled(k, s.Metric) && !isCounted(k, s.Metric) }
		if slices.ContainsFunc(slices.Concat(k.Metrics, baseMetrics(k)), isPass) {
			passes = append(passes, c.doc.Label(k))
		}
		if k.Samples.Taken > 0 {
			folded = append(folded, c.doc.Label(k))
		}
		if k.Pegs != nil || k.BasePegs != nil {
			pegged = append(pegged, c.doc.Label(k))
		}
		if k.Profiling != nil {
			profiled = append(profiled, c.doc.Label(k))
		}
		if k.Counterpart.IsUnaffected() {
			unaffected = append(unaffected, c.doc.Label(k))
		}
		if k.Earlier != nil {
			saved = append(saved, c.doc.Label(k))
		}
		if k.Histories != nil {
			withHistory = append(withHistory, c.doc.Label(k))
		}
	}
	add := func(cases []string, what string) {
		if n := len(cases); n > 0 {
			c.report.Taken = append(c.report.Taken, fmt.Sprintf("%s (%s)", what, units.List(cases, few)))
		}
	}
	add(passes, "allocations and bytes, which come from a pass without samples")
	add(pegged, "count, sum, extremes, deviation and histogram of arcs, which come from a pass without samples")
	add(profiled, "functions and causes in profiles, which come from passes without samples")
	add(unaffected, "that nothing they depend on has changed")
	add(saved, "the numbers of an earlier run, and the differences between the two runs")
	add(withHistory, "the numbers of the history")
	add(c.suitesThat(func(s *result.Suite) bool {
		return s.Against != nil && s.Against.Kind != result.AgainstResult && len(s.AllSentinels()) == 0
	}), "that this machine can judge, because there is no sentinel")
	add(folded, "everything except medians and their intervals, if only a summary of the samples is kept")
	c.report.Taken = append(c.report.Taken, onItsWord())
}

// suitesThat returns the names of the suites for which are returns true.
func (c *checker) suitesThat(are func(s *result.Suite) bool) (names []string) {
	for i := range c.doc.Suites {
		if s := &c.doc.Suites[i]; are(s) {
			names = append(names, s.Name)
		}
	}
	return names
}

// few is how many cases are named in a list; further ones are only counted.
const few = 4

func sampled(c *result.Case, metric string) bool {
	m, known := c.Metric(metric)
	return known && (m.Sampled || c.Samples.Column(metric) != nil)
}
