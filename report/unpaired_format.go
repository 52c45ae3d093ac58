package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// unpairedRenderers write saved results beside each other. Whatever reads a table is the
// renderer of reports; the others say which result a number is of.
var unpairedRenderers = []struct {
	name  string
	write func(io.Writer, *Unpaired, Options) error
}{
	{"text", unpairedText},
	{"json", UnpairedJSON},
	{"html", unpairedHTML},
	{"markdown", besides(Markdown)},
	{"github", besides(GitHub)},
	{"benchfmt", func(w io.Writer, u *Unpaired, _ Options) error { return BenchfmtSaved(w, u.Saved) }},
	{"csv", func(w io.Writer, u *Unpaired, _ Options) error { return CSVSaved(w, u.Saved) }},
	{"csv-summary", UnpairedCSV},
}

func besides(f func(io.Writer, *Table, Options) error) func(io.Writer, *Unpaired, Options) error {
	return func(w io.Writer, u *Unpaired, o Options) error { return f(w, u.Table(), o) }
}

// unpairedText folds and sorts as the report of one result does.
func unpairedText(w io.Writer, u *Unpaired, o Options) error {
	t := u.sorted(o.Sort, o.Descending).Table()
	if !o.All {
		t.fold(o.Sort != "")
	}
	return Text(w, t, o)
}

// UnpairedKeys are what rows may be sorted by.
func UnpairedKeys() []string { return []string{"name", "ratio"} }

// sorted has the rows of each suite in the order of a key: those without a ratio last.
func (u *Unpaired) sorted(key string, descending bool) *Unpaired {
	if key == "" {
		return u
	}
	out, at := *u, map[string]int{}
	for i := range u.Rows {
		if _, known := at[u.Rows[i].Suite]; !known {
			at[u.Rows[i].Suite] = i
		}
	}
	direction := 1
	if descending {
		direction = -1
	}
	out.Rows = slices.Clone(u.Rows)
	slices.SortStableFunc(out.Rows, func(a, b UnpairedRow) int {
		x, y := a.first(), b.first()
		switch {
		case a.Suite != b.Suite:
			return cmp.Compare(at[a.Suite], at[b.Suite])
		case key == "name":
			return direction * compareNames(a.Name, b.Name)
		case math.IsNaN(x) || math.IsNaN(y):
			return cmp.Compare(b2i(math.IsNaN(x)), b2i(math.IsNaN(y)))
		}
		return direction * cmp.Compare(x, y)
	})
	return &out
}

// first is the ratio of the second file to the first, not a number where there is none.
func (r *UnpairedRow) first() float64 {
	if len(r.Ratios) == 0 || r.Ratios[0] == nil {
		return math.NaN()
	}
	return r.Ratios[0].Ratio
}

// UnpairedFormats lists the formats that RenderUnpaired knows.
func UnpairedFormats() (names []string) {
	for _, r := range unpairedRenderers {
		names = append(names, r.name)
	}
	return names
}

// RenderUnpaired writes saved results beside each other in one of UnpairedFormats. An
// unknown format is an error that lists them.
func RenderUnpaired(w io.Writer, format string, u *Unpaired, o Options) error {
	for _, r := range unpairedRenderers {
		if r.name == format {
			return r.write(w, u, o)
		}
	}
	return fmt.Errorf("unknown format %q; expected one of %s", format, strings.Join(UnpairedFormats(), ", "))
}

// WhyNotUnpaired says why a format of reports cannot hold several results; empty for one
// that can, and for what is no format.
func WhyNotUnpaired(format string) string {
	i := slices.IndexFunc(renderers, func(r renderer) bool { return r.Name == format })
	switch {
	case i < 0, slices.Contains(UnpairedFormats(), format):
		return ""
	case slices.Contains([]string{"junit", "junit-strict", "gitlab"}, format):
		return "it holds verdicts, and saved results have none of each other"
	}
	return "it holds one result, and what reads it compares by itself"
}
