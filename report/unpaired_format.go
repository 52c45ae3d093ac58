package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/suite/report/benchfmt"
	"example.com/suite/report/csv"
	"example.com/suite/report/markdown"
	"example.com/suite/report/table"
	"example.com/suite/report/text"
)

// unpairedRenderers write comparisons of saved results. Formats made from a table use the
// renderer of reports; the others add to each number the result that it is from.
var unpairedRenderers = []struct {
	name  string
	write func(io.Writer, *table.Unpaired, table.Options) error
}{
	{"text", unpairedText},
	{"json", UnpairedJSON},
	{"html", unpairedHTML},
	{"markdown", besides(markdown.Render)},
	{"github", besides(GitHub)},
	{"benchfmt", func(w io.Writer, u *table.Unpaired, _ table.Options) error { return benchfmt.RenderSaved(w, u.Saved) }},
	{"csv", func(w io.Writer, u *table.Unpaired, _ table.Options) error { return csv.RenderSaved(w, u.Saved) }},
	{"csv-summary", csv.RenderUnpaired},
}

func besides(f func(io.Writer, *table.Table, table.Options) error) func(io.Writer, *table.Unpaired, table.Options) error {
	return func(w io.Writer, u *table.Unpaired, o table.Options) error { return f(w, u.Table(), o) }
}

// unpairedText folds and sorts as the report of one result does.
func unpairedText(w io.Writer, u *table.Unpaired, o table.Options) error {
	t := u.Sorted(o.Sort, o.Descending).Table()
	if !o.All {
		t.Fold(o.Sort != "")
	}
	return text.Render(w, t, o)
}

// UnpairedKeys returns the keys that rows can be sorted by.
func UnpairedKeys() []string { return []string{"name", "ratio"} }

// UnpairedFormats lists the formats that RenderUnpaired knows.
func UnpairedFormats() (names []string) {
	for _, r := range unpairedRenderers {
		names = append(names, r.name)
	}
	return names
}

// RenderUnpaired writes a comparison of saved results in one of UnpairedFormats. An
// unknown format is an error that lists them.
func RenderUnpaired(w io.Writer, format string, u *table.Unpaired, o table.Options) error {
	for _, r := range unpairedRenderers {
		if r.name == format {
			return r.write(w, u, o)
		}
	}
	return fmt.Errorf("unknown format %q; expected one of %s", format, strings.Join(UnpairedFormats(), ", "))
}

// WhyNotUnpaired returns why a format of reports cannot contain several results. It is
// empty for one that can, and for an unknown format.
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
