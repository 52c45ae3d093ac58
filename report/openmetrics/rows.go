package openmetrics

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"example.com/suite/internal/flat"
	"example.com/suite/internal/history"
	"example.com/suite/report/table"
)

// Moment is when the numbers of rows were true.
type Moment bool

const (
	// Now writes the text format of Prometheus, without timestamps: one run, as a
	// Pushgateway takes it.
	Now Moment = false
	// Then writes OpenMetrics with the start of the run after each number: many runs, for
	// promtool tsdb create-blocks-from openmetrics.
	Then Moment = true
)

// rowFamily are the samples of one name.
type rowFamily struct {
	name, unit, help string
	samples          []rowSample
}

type rowSample struct {
	labels, number string
	at             time.Time
}

// RenderHistory writes the runs of a history, each number with the start of its run.
func RenderHistory(w io.Writer, entries []history.Entry) error {
	var rows []flat.Row
	for i := range entries {
		rows = append(rows, flat.Rows(&entries[i].Run)...)
	}
	return RenderRows(w, rows, Then)
}

// RenderRows writes the rows of runs, under the names that Render gives to a result. A series
// has one number at a time: the last one counts.
func RenderRows(w io.Writer, rows []flat.Row, moment Moment) error {
	m := &metricsWriter{w: bufio.NewWriter(w), classic: moment == Now}
	for _, f := range familiesOfRows(rows) {
		m.family(f.name, "gauge", f.unit, f.help)
		slices.SortStableFunc(f.samples,
			func(a, b rowSample) int { return cmp.Or(cmp.Compare(a.labels, b.labels), a.at.Compare(b.at)) })
		for i, s := range f.samples {
			if i+1 < len(f.samples) {
				next := f.samples[i+1]
				if next.labels == s.labels && (moment == Now || next.at.Equal(s.at)) {
					continue
				}
			}
			if moment == Then {
				m.at = " " + strconv.FormatFloat(float64(s.at.UnixMilli())/1000, 'f', 3, 64)
			}
			m.sample(f.name, s.labels, s.number)
		}
	}
	if moment == Then {
		fmt.Fprintln(m.w, "# EOF")
	}
	return m.w.Flush()
}

// familiesOfRows collects the numbers of rows by their names, in the order of their first
// appearance. Two metrics whose names differ only in their unit get two names.
func familiesOfRows(rows []flat.Row) (all []*rowFamily) {
	type key struct{ name, unit string }
	known := map[key]*rowFamily{}
	taken := map[string]bool{}
	for i := range rows {
		for _, p := range rows[i].Points() {
			k := key{p.Name, p.Unit}
			f := known[k]
			if f == nil {
				f = &rowFamily{help: p.Help}
				base := labelName(p.Name)
				for n := 1; f.name == "" || taken[f.name]; n++ {
					if n > 1 {
						base = fmt.Sprintf("%s_%d", labelName(p.Name), n)
					}
					f.name, f.unit = familyName(base, p.Unit)
					f.name = "suite_" + f.name
				}
				known[k], taken[f.name] = f, true
				all = append(all, f)
			}
			f.samples = append(f.samples,
				rowSample{pointLabels(p.Labels), table.PlainNumber(p.Value),
					rows[i].Started.Truncate(time.Millisecond)})
		}
	}
	return all
}

// pointLabels writes labels. Of two names that are the same in this format, the first stays.
func pointLabels(all []flat.Label) string {
	var pairs []string
	used := map[string]bool{}
	for _, l := range all {
		if name := labelName(l.Name); !used[name] {
			used[name] = true
			pairs = append(pairs, name, l.Value)
		}
	}
	return labels(pairs...)
}
