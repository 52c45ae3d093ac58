// Package openmetrics writes medians, ratios and verdicts in OpenMetrics, and in the text format
// of Prometheus.
package openmetrics

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/report/number"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// Render writes the text format of OpenMetrics 1.0: a gauge for the median of each
// metric, two for its interval, and gauges for ratios and verdicts, with suite, case
// and parameters as labels. Numbers are in seconds, bytes and shares. They have no
// more digits than their interval supports, because GitLab reports every other text
// as a change. The seed is left out, because it differs in every run. Timestamps, the
// start of the run, need Options.Timestamps.
func Render(w io.Writer, doc *result.Document, o table.Options) error {
	m := &metricsWriter{doc: doc}
	if o.Timestamps {
		m.at = " " + strconv.FormatFloat(float64(doc.Started.UnixMilli())/1000, 'f', 3, 64)
	}
	return m.write(w)
}

// RenderPrometheus writes the same in the text format of Prometheus, version 0.0.4,
// with gauges alone: the textfile collector of node_exporter and the Pushgateway
// refuse info, units and timestamps.
func RenderPrometheus(w io.Writer, doc *result.Document, o table.Options) error {
	m := &metricsWriter{doc: doc, classic: true}
	if o.Timestamps {
		m.at = " " + strconv.FormatInt(doc.Started.UnixMilli(), 10)
	}
	return m.write(w)
}

func (m *metricsWriter) write(w io.Writer) error {
	doc := m.doc
	m.w = bufio.NewWriter(w)
	m.labels = make([]string, len(doc.Cases))
	m.known = make([][]familyMetric, len(doc.Cases))
	names := table.Distinct{}
	for i := range doc.Cases {
		m.labels[i], m.known[i] = caseLabels(&doc.Cases[i], names), familiesOf(&doc.Cases[i])
	}
	m.run()
	for _, metric := range m.families() {
		m.metric(metric)
	}
	m.ratios()
	m.gates()
	if !m.classic {
		fmt.Fprintln(m.w, "# EOF")
	}
	return m.w.Flush()
}

type metricsWriter struct {
	w      *bufio.Writer
	doc    *result.Document
	labels []string         // of each case
	known  [][]familyMetric // of each case
	// classic selects the format of Prometheus.
	classic bool
	at      string // after each number: a space and the time, or nothing
}

// run writes the program, the machine and the outcome.
func (m *metricsWriter) run() {
	d := m.doc
	if about := "the program and the machine that measured"; m.classic { // that format has no info
		m.family("suite_run_info", "gauge", "", about)
	} else {
		m.family("suite_run", "info", "", about)
	}
	machines := []result.ShardMachine{{Machine: d.Machine}}
	if d.Division != nil && len(d.Division.Machines) > 0 {
		machines = d.Division.Machines
	}
	for _, one := range machines {
		pairs := []string{"version", d.Tool.Version, "os", one.Machine.OS, "arch",
			one.Machine.Arch, "cpu", one.Machine.CPU}
		if one.Shard > 0 {
			pairs = append(pairs, "shard", strconv.Itoa(one.Shard))
		}
		m.sample("suite_run_info", labels(pairs...), "1")
	}
	m.family("suite_exit_status", "gauge", "", "exit status of the run")
	fmt.Fprintf(m.w, "suite_exit_status %d%s\n", d.Outcome().Exit, m.at)
	m.family("suite_cases", "gauge", "", "cases by status")
	counts := map[result.Status]int{}
	for i := range d.Cases {
		counts[d.Cases[i].Status]++
	}
	for _, status := range []result.Status{
		result.Measured, result.Failed, result.NotRun, result.LeftOut, result.Unaffected,
	} {
		m.sample("suite_cases", labels("status", string(status)), strconv.Itoa(counts[status]))
	}
}

func (m *metricsWriter) sample(name, labels, number string) {
	fmt.Fprintf(m.w, "%s{%s} %s%s\n", name, labels, number, m.at)
}

// family writes the lines that precede the samples of a family.
func (m *metricsWriter) family(name, kind, unit, help string) {
	if m.classic {
		fmt.Fprintf(m.w, "# HELP %s %s\n# TYPE %s %s\n", name, strings.ReplaceAll(escapeLabel(help), `\"`, `"`), name,
			kind)
		return
	}
	fmt.Fprintf(m.w, "# TYPE %s %s\n", name, kind)
	if unit != "" {
		fmt.Fprintf(m.w, "# UNIT %s %s\n", name, unit)
	}
	fmt.Fprintf(m.w, "# HELP %s %s\n", name, escapeLabel(help))
}

// families lists each family of all cases once.
func (m *metricsWriter) families() (all []familyMetric) {
	seen := map[string]bool{}
	for i := range m.known {
		for _, metric := range m.known[i] {
			if !seen[metric.family] {
				seen[metric.family], all = true, append(all, metric)
			}
		}
	}
	return all
}

// familyMetric is a metric under the name of its samples: suite_ first and, as
// OpenMetrics requires, the unit last. Metrics that a suite declares begin with
// suite_metric_, so that they cannot have the name of another.
type familyMetric struct {
	result.Metric
	family, unit string
}

func familiesOf(c *result.Case) (all []familyMetric) {
	for _, m := range table.KnownMetrics(c) {
		name := m.Name
		if table.IsDeclared(c, name) {
			name = "metric_" + name
		}
		family, unit := familyName(name, m.Unit)
		same := func(m familyMetric) bool { return m.family == family }
		for i := 2; slices.ContainsFunc(all, same); i++ { // such as x in seconds, and x_seconds
			family, unit = familyName(fmt.Sprintf("%s_%d", name, i), m.Unit)
		}
		all = append(all, familyMetric{m, family, unit})
	}
	return all
}

// familyName is the name without suite_, and its unit.
func familyName(name, unit string) (family, suffix string) {
	switch unit {
	case "s":
		suffix = "seconds"
	case "B":
		suffix = "bytes"
	case result.Percent:
		suffix = "ratio"
	case "1/s":
		return name + "_per_second", ""
	case "":
		return name, ""
	default:
		suffix = labelName(unit)
	}
	return strings.TrimSuffix(name, "_"+suffix) + "_" + suffix, suffix
}

// metric writes the median of a metric, and its interval if some case has one.
func (m *metricsWriter) metric(metric familyMetric) {
	m.samples("suite_", "median: ", metric, func(s *result.Summary) *float64 { return &s.Median })
	m.samples("suite_low_", "lower end of the interval of the median: ", metric,
		func(s *result.Summary) *float64 { return s.Low })
	m.samples("suite_high_", "upper end of the interval of the median: ", metric,
		func(s *result.Summary) *float64 { return s.High })
}

func (m *metricsWriter) samples(prefix, help string, metric familyMetric, of func(*result.Summary) *float64) {
	name, headed := prefix+metric.family, false
	for i := range m.doc.Cases {
		c := &m.doc.Cases[i]
		for _, own := range m.known[i] {
			s := c.Summary(own.Name)
			if own.family != metric.family || of(s) == nil {
				continue
			}
			if !headed {
				m.family(name, "gauge", metric.unit, help+metric.Help)
			}
			headed = true
			m.sample(name, m.labels[i]+perLabel(c, own.Name), steady(*of(s), number.HalfInterval(s)))
		}
	}
}

// steady prints a number with the digits that its interval supports.
func steady(x, half float64) string {
	if half == 0 {
		return table.PlainNumber(x)
	}
	return table.PlainNumber(table.RoundTo(x, half))
}
