package html

import (
	"fmt"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/html/figure"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// htmlProfiles is what the profiles of a case show, with escaped texts and drawings.
type htmlProfiles struct {
	Answer, Reason string
	Causes         []string
	Remarks        []string
	Kinds          []htmlProfile
}

type htmlProfile struct {
	Title, About, Left string
	Head               []string
	Rows               []htmlProfileRow
	Files              []string
	Drawing            *htmlDrawing
}

type htmlProfileRow struct {
	Name, Leaf, Class, Sign string
	Cells                   []string
}

// profilesOf lays out the profiles of a case; nil if it was not to be profiled.
func profilesOf(c *result.Case, id string) *htmlProfiles {
	p := table.NewProfiled(c.Name, c)
	if p == nil {
		return nil
	}
	out := &htmlProfiles{Answer: capital(p.Answer), Reason: p.Reason, Causes: p.Causes, Remarks: p.Remarks}
	for i := range p.Kinds {
		k := &p.Kinds[i]
		one := htmlProfile{Title: k.Title, About: k.About, Left: k.Left, Head: k.Head, Files: k.Files}
		for _, r := range k.Rows {
			one.Rows = append(one.Rows, profileRowOf(r))
		}
		name := func(s string) string { return display.Visible(table.ShortFunction(s)) }
		one.Drawing = drawingOf(figure.Flame(k.Profile, name), fmt.Sprintf("%s-profile-%d", id, i+1))
		out.Kinds = append(out.Kinds, one)
	}
	return out
}

// capital begins a sentence of ASCII with a capital letter.
func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

func profileRowOf(r table.ProfiledRow) htmlProfileRow {
	out := htmlProfileRow{Name: r.Cells[0], Leaf: r.LeafNames(), Cells: r.Cells[1:]}
	switch {
	case r.Grew:
		out.Class, out.Sign = "bad", "▲"
	case r.Fell:
		out.Class, out.Sign = "good", "▼"
	}
	return out
}
