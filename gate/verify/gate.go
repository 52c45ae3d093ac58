package verify

import (
	"fmt"
	"reflect"

	"example.com/suite/gate"
	"example.com/suite/gate/again"
	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// judge decides the gates of the document again, with the summaries that follow from its samples,
// and compares the verdicts.
func (c *checker) judge(cases []result.Case, words bool) error {
	set, err := again.Gates(c.doc)
	if err != nil {
		return err
	}
	c.sentinels(c.shares(set), words).Judge(cases)
	for i := range cases {
		c.label = c.doc.Label(&cases[i])
		c.gates(c.doc.Cases[i].Gates, cases[i].Gates, words)
		c.comparisons(c.doc.Cases[i].Comparisons, cases[i].Comparisons, words)
	}
	return nil
}

// shares checks how the chance of a false alarm was divided, and returns the gates with
// the document's division. A document never has more calls than were planned. It may have
// fewer, because a filter leaves cases out.
func (c *checker) shares(set *gate.Compiled) *gate.Compiled {
	c.label = ""
	for i := range c.doc.Suites {
		s := &c.doc.Suites[i]
		there, counted := s.Errors, set.Errors(s.Name)
		what := fmt.Sprintf("suite %q: ", s.Name)
		switch {
		case there == nil && counted.Calls == 0:
			continue
		case there == nil:
			c.differ(what+"errors", "absent", units.Plural(counted.Calls, "comparative call"))
			continue
		case there.Calls < counted.Calls:
			c.differ(what+"comparative calls", fmt.Sprint(there.Calls), fmt.Sprintf("at least %d", counted.Calls))
		}
		alpha := there.Family / float64(max(1, there.Calls))
		if !alike(reflect.ValueOf(there.Alpha), reflect.ValueOf(alpha)) {
			c.differ(what+"alpha", fmt.Sprint(there.Alpha), fmt.Sprint(alpha))
		}
	}
	return again.Share(set, c.doc)
}

// gates compares the stored verdicts with the recomputed ones. It compares texts only if words is
// set, because wording differs between versions. Then nothing may be absent either: only earlier
// versions left causes, readings and findings out.
func (c *checker) gates(stored, again []result.Gate, words bool) {
	for i := range stored {
		if i >= len(again) {
			c.differ(fmt.Sprintf("gate %q", stored[i].ID), "a verdict", "none")
			continue
		}
		c.report.Gates++
		c.accepted(&stored[i], &again[i])
		but := append(unless(words, "reason"), "accepted")
		if !stored[i].Compares { // earlier versions did not write it; the exit status is recomputed with it
			but = append(but, "compares")
		}
		if stored[i].Cause == "" && !words {
			but = append(but, "cause")
		}
		if len(stored[i].Reads) == 0 && !words {
			but = append(but, "reads")
		}
		if stored[i].Finding == nil && !words {
			but = append(but, "finding")
		}
		c.fields(fmt.Sprintf("gate %q: ", stored[i].ID), reflect.ValueOf(stored[i]), reflect.ValueOf(again[i]), but...)
	}
}

func unless(words bool, fields ...string) []string {
	if words {
		return nil
	}
	return fields
}

// comparisons compares the stored comparisons with the recomputed ones.
func (c *checker) comparisons(stored, again []result.Comparison, words bool) {
	for i := range stored {
		what := fmt.Sprintf("comparison of %q", stored[i].Metric)
		at := find(again, stored[i].Metric)
		if at == nil {
			c.differ(what, string(stored[i].Change), "no comparison")
			continue
		}
		c.report.Comparisons++
		but := unless(words, "reason", "rule", "pattern", "values", "rule_pattern", "rule_values")
		if stored[i].Pattern == "" && !words { // as in documents of earlier versions
			but = append(but, "pattern", "values")
		}
		if stored[i].RulePattern == "" && !words {
			but = append(but, "rule_pattern", "rule_values")
		}
		if stored[i].Cause == "" && !words {
			but = append(but, "cause")
		}
		if stored[i].Ratio.Same(at.Ratio) {
			but = append(but, "ratio")
		}
		c.fields(what+": ", reflect.ValueOf(stored[i]), reflect.ValueOf(*at), but...)
	}
	for i := range again {
		if find(stored, again[i].Metric) == nil {
			c.differ(fmt.Sprintf("comparison of %q", again[i].Metric), "no comparison", string(again[i].Change))
		}
	}
}

func find(list []result.Comparison, metric string) *result.Comparison {
	for i := range list {
		if list[i].Metric == metric {
			return &list[i]
		}
	}
	return nil
}

// orders compares the stored growth of times with the growth that follows from the medians.
func (c *checker) orders(words bool) {
	c.label = ""
	again := gate.Orders(c.doc.Cases)
	if len(again) != len(c.doc.Orders) {
		c.differ("growth of times", fmt.Sprintf("%d families", len(c.doc.Orders)),
			fmt.Sprintf("%d families", len(again)))
		return
	}
	for i, o := range c.doc.Orders {
		c.fields(fmt.Sprintf("growth of %s of %q with %s: ", o.Metric, o.Family, o.Param), reflect.ValueOf(o),
			reflect.ValueOf(again[i]), unless(words, "reason", "family")...)
	}
}
