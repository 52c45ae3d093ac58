package verify

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"example.com/suite/result"
	"example.com/suite/result/summary"
)

// summaries compares the summary of each metric with the one that follows from its samples, and
// puts the recomputed summary into the case, so that the gates read it.
func (c *checker) summaries(k *result.Case) {
	if k.Status != result.Measured {
		return
	}
	c.summarised(k, "")
}

// baseSummaries does the same for the base in another tree, which is not a case of the document.
func (c *checker) baseSummaries(k *result.Case) {
	if k.Status != result.Measured || len(baseMetrics(k)) == 0 {
		return
	}
	p, base := *k.Pairs, *k
	base.Samples, base.Metrics, base.Counted = p.Samples, p.Metrics, p.Counted
	base.SetOverhead(p.Overhead)
	c.summarised(&base, "base ")
	p.Metrics, k.Pairs = base.Metrics, &p
}

// baseMetrics returns the summaries of the base in a case's pairs, nil without pairs.
func baseMetrics(k *result.Case) []result.Summary {
	if k.Pairs == nil {
		return nil
	}
	return k.Pairs.Metrics
}

// summarised compares the summaries of a side. side is put before each metric's name in
// findings.
func (c *checker) summarised(k *result.Case, side string) {
	k.Metrics = slices.Clone(k.Metrics)
	again := summary.Of(k)
	for i := range k.Metrics {
		stored := &k.Metrics[i]
		if _, known := k.Metric(stored.Metric); !known {
			c.differ(side+fmt.Sprintf("metric %q", stored.Metric), "a summary", "no metric that the case has")
		}
		if !sampled(k, stored.Metric) {
			c.unsampled(k, side, stored)
			continue
		}
		at := slices.IndexFunc(again, func(s result.Summary) bool { return s.Metric == stored.Metric })
		if at < 0 {
			c.differ(side+fmt.Sprintf("metric %q", stored.Metric), "a summary", "no samples")
			continue
		}
		c.report.Metrics++
		if k.Samples.Taken > 0 {
			fromRows(stored, &again[at])
		}
		c.fields(side+fmt.Sprintf("metric %q: ", stored.Metric), reflect.ValueOf(*stored), reflect.ValueOf(again[at]))
		*stored = again[at]
	}
	for _, s := range again {
		if k.Summary(s.Metric) == nil {
			c.differ(side+fmt.Sprintf("metric %q", s.Metric), "no summary", "one of "+fmt.Sprint(s.N)+" samples")
		}
	}
}

// unsampled checks the summary of a pass without samples as far as its numbers follow from each
// other: the unit is the metric's, and numbers that were exact are all the same.
func (c *checker) unsampled(k *result.Case, side string, s *result.Summary) {
	what := side + fmt.Sprintf("metric %q: ", s.Metric)
	if m, known := k.Metric(s.Metric); known {
		c.differ(what+"unit", s.Unit, m.Unit)
	}
	if isCounted(k, s.Metric) {
		again := summary.Counted(k, k.Counted.Runs)
		c.report.Metrics++
		c.fields(what, reflect.ValueOf(*s), reflect.ValueOf(again))
		*s = again
		return
	}
	if !s.Exact {
		return
	}
	again := *s
	again.StdDev, again.MAD = 0, 0
	again.Mean, again.Min, again.Max = s.Median, s.Median, s.Median
	again.P50, again.P90, again.P95, again.P99 = s.Median, s.Median, s.Median, s.Median
	c.fields(what, reflect.ValueOf(*s), reflect.ValueOf(again))
}

// isCounted reports whether a metric was counted by valgrind in runs that the document has.
func isCounted(k *result.Case, metric string) bool {
	return k.Counted != nil && metric == result.Instructions && !sampled(k, metric)
}

// fromRows copies the stored statistics that do not follow from the rows, if rows are medians of
// several samples.
func fromRows(stored, again *result.Summary) {
	kept := *stored
	kept.Median = again.Median
	kept.Low = again.Low
	kept.High = again.High
	kept.Confidence = again.Confidence
	kept.Blocks = again.Blocks
	*again = kept
}

// fields compares two values of one struct field by field, by their JSON names.
func (c *checker) fields(prefix string, stored, again reflect.Value, but ...string) {
	for i := range stored.NumField() {
		name, _, _ := strings.Cut(stored.Type().Field(i).Tag.Get("json"), ",")
		a, b := stored.Field(i), again.Field(i)
		if slices.Contains(but, name) || alike(a, b) {
			continue
		}
		c.differ(prefix+strings.ReplaceAll(name, "_", " "), shown(a), shown(b))
	}
}

// closeBy is the relative difference that recomputed numbers may have: another processor may round
// a·b+c once and not twice.
const closeBy = 1e-9

func alike(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return alike(a.Elem(), b.Elem())
	case reflect.Float64:
		x, y := a.Float(), b.Float()
		return x == y || math.Abs(x-y) <= closeBy*max(math.Abs(x), math.Abs(y))
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !alike(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for i := range a.NumField() {
			if !alike(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	}
	return a.Interface() == b.Interface()
}

func shown(v reflect.Value) string {
	switch {
	case v.Kind() == reflect.Pointer && v.IsNil():
		return "absent"
	case v.Kind() == reflect.Pointer:
		return shown(v.Elem())
	case v.Kind() == reflect.Slice && v.Len() == 0:
		return "none"
	case v.Kind() == reflect.String && v.String() == "":
		return "nothing"
	}
	return fmt.Sprint(v.Interface())
}

// counts compares the numbers that are counted over the rows of a case.
func (c *checker) counts(k *result.Case) {
	launches := 0
	for _, l := range k.Samples.Launch {
		launches = max(launches, l+1)
	}
	if k.Samples.Len() > 0 && k.Samples.Taken == 0 && k.Launches != launches {
		c.differ("launches", fmt.Sprint(k.Launches), fmt.Sprint(launches))
	}
}
