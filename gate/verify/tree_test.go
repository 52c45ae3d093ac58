package verify

import (
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/golden"
	"example.com/suite/result"
)

// recorded reads a document of a run with --against.
func recorded(t *testing.T, name string) *result.Document {
	t.Helper()
	return golden.Document(t, "../../report/testdata/"+name+".json")
}

func found(t *testing.T, d *result.Document) string {
	t.Helper()
	r, err := Document(sealed(t, d), "0.1.0")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, f := range r.Findings {
		lines = append(lines, strings.Join([]string{f.Case, f.What, f.Stored, f.Recomputed}, " | "))
	}
	return strings.Join(lines, "\n")
}

func TestComparisonsWithTreesVerify(t *testing.T) {
	for _, name := range []string{"tree_same", "tree_worse", "tree_matched", "tree_nothing", "tree_unfit"} {
		if text := found(t, reread(t, recorded(t, name))); text != "" {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// Whatever would turn a red run green is found: numbers of either side, the coins, a
// gate that is gone or milder, a case that is gone or called new.
func TestTreesChangedByHand(t *testing.T) {
	for name, c := range map[string]struct {
		of     string
		change func(d *result.Document)
		want   string
	}{
		"a coin":             {"tree_worse", func(d *result.Document) { d.Cases[0].Pairs.First[3] ^= 1 }, "small | 1 coin of 154 (the first: pair 4)"},
		"a gate gone":        {"tree_worse", func(d *result.Document) { d.Cases[0].Gates = d.Cases[0].Gates[1:] }, `suite "parse": gates | 5 gates planned | 4 gates planned`},
		"a case gone":        {"tree_worse", func(d *result.Document) { d.Cases = d.Cases[1:] }, `suite "parse": cases | 3 cases planned | 2 cases planned`},
		"it only warns":      {"tree_worse", func(d *result.Document) { d.Cases[0].Gates[0].Severity = "warn" }, `suite "parse": the conditions of its gates`},
		"a wider tolerance":  {"tree_worse", func(d *result.Document) { d.Cases[0].Gates[0].Expr = "not worse(time, 90%)" }, `suite "parse": the conditions of its gates`},
		"its exit":           {"tree_worse", func(d *result.Document) { d.Exit = 0 }, "exit status"},
		"allocs of the base": {"tree_worse", func(d *result.Document) { d.Cases[0].Pairs.Metrics = numbered(d.Cases[0].Pairs.Metrics, "allocs", 3) }, `gate "not worse(allocs, 0)": verdict | fail | pass`},
		"a median of the base": {"tree_worse", func(d *result.Document) {
			for i := range d.Cases[0].Pairs.Metrics {
				if s := &d.Cases[0].Pairs.Metrics[i]; s.Metric == "time" {
					s.Median = s.Max
				}
			}
		}, `base metric "time": median`},
		"the base": {"tree_worse", func(d *result.Document) { slower(&d.Cases[0].Pairs.Samples) }, `gate "tolerance@against": verdict | fail | pass`},
		"pairs for launches": {"tree_worse", func(d *result.Document) {
			for i := range d.Cases[0].Samples.Block {
				d.Cases[0].Samples.Block[i], d.Cases[0].Pairs.Samples.Block[i] = i, i
			}
		}, `comparison of "time": launches | 14 | 154`},
		"a block": {"tree_worse", func(d *result.Document) { o := &d.Cases[0].Comparisons[0]; o.Blocks, o.Launches = o.Launches, 0 }, `comparison of "time": set ups | 14 | 0`},
		"called new": {"tree_worse", func(d *result.Document) {
			d.Cases[0].Counterpart = &result.Counterpart{State: result.CounterpartNew, Reason: "new"}
		}, "small | counterpart | new | pairs with main"},
		"called new, and its pairs gone": {"tree_worse", func(d *result.Document) {
			c := &d.Cases[0]
			c.Counterpart, c.Pairs, c.Comparisons = &result.Counterpart{State: result.CounterpartNew, Reason: "new"}, nil, nil
		}, `gate "tolerance@against": verdict | fail | skipped`},
		"its pairs gone": {"tree_worse", func(d *result.Document) { d.Cases[0].Pairs, d.Cases[0].Comparisons = nil, nil }, "small | counterpart | paired | no pairs"},
		"no counterpart": {"tree_worse", func(d *result.Document) { d.Cases[1].Counterpart = nil }, "large | counterpart | none | pairs with main"},
		"not vanished":   {"tree_matched", func(d *result.Document) { d.Cases = d.Cases[:len(d.Cases)-1]; d.Exit = 0 }, `suite "codec": case "encode/yaml" | vanished | not there`},
		"not new":        {"tree_matched", func(d *result.Document) { d.Cases[2].Counterpart = nil }, "encode/cbor | counterpart | none"},
		"fit":            {"tree_unfit", func(d *result.Document) { d.Suites[0].Sentinel.Unfit = "" }, "sentinel of sort | unfit | nothing"},
		"fit by its numbers": {"tree_unfit", func(d *result.Document) {
			n := &d.Suites[0].Sentinel.Case
			n.Samples.Columns["time"] = append(result.Column{}, n.Pairs.Samples.Columns["time"]...)
		}, "sentinel of sort | unfit"},
		"coins of the sentinel": {"tree_unfit", func(d *result.Document) { d.Suites[0].Sentinel.Case.Pairs.First[0] ^= 1 }, "sentinel of sort | 1 coin of 264"},
		"no sentinel":           {"tree_unfit", func(d *result.Document) { d.Suites[0].Sentinel = nil }, `gate "tolerance@against": verdict | inconclusive | fail`},
	} {
		d := recorded(t, c.of)
		c.change(d)
		if text := found(t, d); !strings.Contains(text, c.want) {
			t.Errorf("%s: want a difference about %s, got:\n%s", name, c.want, text)
		}
	}
}

// Whoever exchanges the sides of a case exchanges when their batches began.
func TestSidesThatWereExchangedAreFound(t *testing.T) {
	d := recorded(t, "tree_worse")
	c := &d.Cases[0]
	own, base := &c.Samples, &c.Pairs.Samples
	own.At, base.At = slices.Clone(own.At), slices.Clone(base.At)
	for i, who := range c.Pairs.First {
		if who == 0 {
			own.At[i] += 1e-4
		} else {
			base.At[i] += 1e-4
		}
	}
	if text := found(t, d); text != "" {
		t.Fatal(text)
	}
	own.At, base.At = base.At, own.At
	if text := found(t, d); !strings.Contains(text, "small | pair 1: when its batches began") {
		t.Errorf("got:\n%s", text)
	}
}

// If the data that a check needs are missing, the report lists the unchecked part.
func TestWhatIsNotKeptOfATreeIsTakenAsItIs(t *testing.T) {
	for _, name := range []string{"tree_unfit"} {
		d := recorded(t, name)
		before := takenOf(t, d)
		d.Suites[0].Sentinel = nil
		after := takenOf(t, d)
		for _, what := range []string{"there is no sentinel"} {
			if strings.Contains(before, what) || !strings.Contains(after, what) {
				t.Errorf("%s: %s: before\n%s\nafter\n%s", name, what, before, after)
			}
		}
	}
}

func takenOf(t *testing.T, d *result.Document) string {
	t.Helper()
	r, err := Document(sealed(t, d), "0.1.0")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(r.Taken, "\n")
}

// numbered changes the number of an exact metric in copies of summaries.
func numbered(all []result.Summary, metric string, x float64) []result.Summary {
	for i := range all {
		if s := &all[i]; s.Metric == metric {
			s.Median, s.Mean, s.Min, s.Max, s.P50, s.P90, s.P95, s.P99 = x, x, x, x, x, x, x, x
		}
	}
	return all
}

func slower(s *result.Samples) {
	for i := range s.Columns["time"] {
		s.Columns["time"][i] *= 1.5
	}
}
