package report

import (
	"fmt"
	"io"
	"strings"

	"example.com/suite/report/table"
)

func besides(
	f func(io.Writer, *table.Table, table.Options) error,
) func(io.Writer, *table.Unpaired, table.Options) error {
	return func(w io.Writer, u *table.Unpaired, o table.Options) error { return f(w, u.Table(), o) }
}

func saved(f func(io.Writer, []table.Saved) error) func(io.Writer, *table.Unpaired, table.Options) error {
	return func(w io.Writer, u *table.Unpaired, _ table.Options) error { return f(w, u.Saved) }
}

// unpairedText folds and sorts as the report of one result does.
func unpairedText(w io.Writer, u *table.Unpaired, o table.Options) error {
	t := u.Sorted(o.Sort, o.Descending).Table()
	if !o.All {
		t.Fold(o.Sort != "")
	}
	return laidOut(w, t, o)
}

// UnpairedKeys returns the keys that rows can be sorted by.
func UnpairedKeys() []string { return []string{"name", "ratio"} }

// UnpairedFormats lists the formats that RenderUnpaired knows.
func UnpairedFormats() (names []string) {
	for _, r := range renderers {
		if r.unpaired != nil {
			names = append(names, r.name)
		}
	}
	return names
}

// RenderUnpaired writes a comparison of saved results in one of UnpairedFormats. An
// unknown format is an error that lists them.
func RenderUnpaired(w io.Writer, format string, u *table.Unpaired, o table.Options) error {
	r := find(format)
	if r == nil || r.unpaired == nil {
		return fmt.Errorf("unknown format %q; expected one of %s", format, strings.Join(UnpairedFormats(), ", "))
	}
	return r.unpaired(w, u, o)
}

// WhyNotUnpaired returns why a format of reports cannot contain several results. It is
// empty for one that can, and for an unknown format.
func WhyNotUnpaired(format string) string {
	r := find(format)
	switch {
	case r == nil || r.unpaired != nil:
		return ""
	case r.verdicts:
		return "it reports verdicts, and a comparison of saved results has none"
	}
	return "it contains one result, and its readers compare by themselves"
}
