package pegview

import (
	"io"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/report/about"
	"example.com/suite/report/flow"
	"example.com/suite/report/page"
	"example.com/suite/report/pegs"
)

// Layout is how pegs are shown: as a page, or as text for programs.
type Layout struct {
	Sort, Tpt bool     // for programs: a line for each arc, or as the program tpt has it
	Lanes     bool     // a line for each lane of an arc
	Path      []string // only the sums along these points
	Format    string   // one of Formats
	Against   string   // what arcs are compared with: OfBase or a file; empty: nothing
}

// text is the format of pages.
const text = "text"

// Formats are the formats of pegs, the one for people first.
func Formats() []string { return []string{text, "json", "dot"} }

// Check refuses unknown values, and flags that ask for two layouts at once.
func (l *Layout) Check() error {
	if err := diag.OneOf("format", l.Format, Formats()); err != nil {
		return err
	}
	var layouts []string
	for _, one := range []struct {
		name  string
		given bool
	}{{"--sort", l.Sort}, {"--tpt", l.Tpt}, {"--path", l.Path != nil && l.Format != "json"},
		{"--against", l.Against != "" && l.Format != "json"},
		{"--format " + l.Format, l.Format != text}} {
		if one.given {
			layouts = append(layouts, one.name)
		}
	}
	switch {
	case len(layouts) > 1:
		return diag.Hinted(strings.Join(layouts, " and ")+" cannot be had at once", "leave one of them out")
	case l.Lanes && len(layouts) > 0 && !l.Sort:
		return diag.Hinted("--lanes has no meaning for "+layouts[0],
			"use it with --sort or alone; json always has them")
	case l.Path != nil && len(l.Path) < 2:
		return diag.Hinted("--path needs two points at least", "for example --path parse,check,emit")
	case slices.Contains(l.Path, ""):
		return diag.Hinted("--path names nothing between two commas", "for example --path parse,check,emit")
	}
	return nil
}

// ForPrograms returns what writes the pegs of cases as text for programs, and the format of that text. It is nil if the
// layout is a page.
func (l *Layout) ForPrograms() (format string, write func(w io.Writer, cases []flow.Pegged) error) {
	switch {
	case l.Format == "json":
		return "json", func(w io.Writer, cases []flow.Pegged) error { return pegs.JSON(w, cases, l.Path) }
	case l.Format == "dot":
		return "dot", pegs.DOT
	case l.Sort:
		return "lines", func(w io.Writer, cases []flow.Pegged) error { return pegs.ArcLines(w, cases, l.Lanes) }
	case l.Tpt:
		return "lines", pegs.Tpt
	}
	return "", nil
}

// Page shows the pegs of cases to people.
func (l *Layout) Page(cases []flow.Pegged) (blocks []page.Block, err error) {
	if l.Path != nil {
		return about.PathSums(cases, l.Path)
	}
	for _, c := range cases {
		f := flow.Of(c.Label, c.Case, flow.Options{Lanes: l.Lanes})
		switch l.Against {
		case "":
		case OfBase:
			f = flow.NewChanges(c, "the base")
		default:
			f = flow.NewChanges(c, l.Against)
		}
		blocks = append(blocks, about.Flow(&f))
	}
	return blocks, nil
}
