package table

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/report/column"
	"example.com/suite/result"
)

// Names are the names that a View may use: the metrics and parameters of a plan or a
// document.
type Names struct{ Metrics, Params []string }

// NamesOf collects the names that a document declares. They may repeat.
func NamesOf(doc *result.Document) (n Names) {
	for i := range doc.Cases {
		for _, d := range doc.Cases[i].Declared {
			n.Metrics = append(n.Metrics, d.Name)
		}
		for _, p := range doc.Cases[i].Params {
			n.Params = append(n.Params, p.Name)
		}
	}
	return n
}

// Parse sets what --columns and --sort ask for. Whether cases have such columns is for Check.
func (v *View) Parse(columns []string, sort string) error {
	key, direction, cut := strings.Cut(sort, ",")
	v.Sort, v.Descending = strings.TrimSpace(key), direction == "desc"
	if cut && direction != "desc" && direction != "asc" || sort != "" && v.Sort == "" {
		return diag.Hinted("--sort "+sort+": want KEY or KEY,desc", "for example --sort time,desc")
	}
	v.Columns = nil
	for _, name := range columns {
		name = strings.TrimSpace(name)
		if name == "" {
			return diag.Hinted("--columns names nothing between two commas",
				"for example --columns time,time.p99,gates")
		} else if slices.Contains(v.Columns, name) {
			return diag.Hinted("--columns names "+name+" twice", "")
		}
		v.Columns = append(v.Columns, name)
	}
	return nil
}

// Check returns an error with a hint for the first name of v that n lacks.
func (v View) Check(n Names) error {
	keys := Keys(n)
	for _, key := range v.Columns {
		if err := checkKey("column", key, keys); err != nil {
			return err
		}
	}
	if v.Sort != "" && v.Sort != "name" {
		if err := checkKey("sort key", v.Sort, append(keys, "name")); err != nil {
			return err
		}
	}
	params := distinctSorted(n.Params)
	switch {
	case v.GroupBy == "" || slices.Contains(params, v.GroupBy):
		return nil
	case len(params) == 0:
		return diag.Hinted(fmt.Sprintf("no parameter %q to group by", v.GroupBy), "no case has parameters")
	}
	return unknownKey("parameter", v.GroupBy, params)
}

// MetricNames lists the built-in metrics and the metrics that cases of results declare, each once.
func MetricNames(saved []Saved) (names []string) {
	for _, m := range result.Metrics() {
		names = append(names, m.Name)
	}
	for _, s := range saved {
		for _, declared := range NamesOf(s.Doc).Metrics {
			if !slices.Contains(names, declared) {
				names = append(names, declared)
			}
		}
	}
	return names
}

// computed lists the keys of columns that are not metrics, and so have no statistics.
var computed = []string{"ratio", column.BaseHead, "net", "distribution", "stolen", "samples", "gates"}

// Statistics returns the names of the statistics in METRIC.STATISTIC, sorted.
func Statistics() []string { return slices.Sorted(maps.Keys(ofSummary)) }

// Keys returns the keys of all columns, by which rows can be sorted too.
func Keys(n Names) []string {
	keys := slices.Clone(computed)
	for _, m := range result.Metrics() {
		keys = append(keys, m.Name)
	}
	return append(keys, distinctSorted(n.Metrics)...)
}

func distinctSorted(names []string) []string {
	names = slices.Clone(names)
	slices.Sort(names)
	return slices.Compact(names)
}

func checkKey(what, key string, keys []string) error {
	name, statistic, cut := cutKey(key, keys)
	switch {
	case !slices.Contains(keys, name):
		return unknownKey(what, key, keys)
	case !cut:
		return nil
	case slices.Contains(computed, name):
		return diag.Hinted(fmt.Sprintf("unknown %s %q", what, key), fmt.Sprintf("%q has no statistics", name))
	case ofSummary[statistic] == nil:
		return unknownKey("statistic", statistic, slices.Sorted(maps.Keys(ofSummary)))
	}
	return nil
}

// cutKey splits METRIC.STATISTIC at the last dot, unless key is itself one of keys:
// names of metrics may contain dots.
func cutKey(key string, keys []string) (name, statistic string, cut bool) {
	i := strings.LastIndex(key, ".")
	if i < 0 || slices.Contains(keys, key) {
		return key, "", false
	}
	return key[:i], key[i+1:], true
}

func unknownKey(what, word string, known []string) error {
	hint := "one of " + strings.Join(known, ", ")
	if near, ok := diag.Nearest(word, known); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return diag.Hinted(fmt.Sprintf("unknown %s %q", what, word), hint)
}

// ofSummary maps the statistics that a column can show to their numbers.
var ofSummary = map[string]func(*result.Summary) float64{
	"median": func(s *result.Summary) float64 { return s.Median },
	"mean":   func(s *result.Summary) float64 { return s.Mean },
	"stddev": func(s *result.Summary) float64 { return s.StdDev },
	"mad":    func(s *result.Summary) float64 { return s.MAD },
	"min":    func(s *result.Summary) float64 { return s.Min },
	"max":    func(s *result.Summary) float64 { return s.Max },
	"p50":    func(s *result.Summary) float64 { return s.P50 },
	"p90":    func(s *result.Summary) float64 { return s.P90 },
	"p95":    func(s *result.Summary) float64 { return s.P95 },
	"p99":    func(s *result.Summary) float64 { return s.P99 },
}
