package accepted

import (
	"slices"

	"example.com/suite/gate/accept"
	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/spec"
)

// List is a table of the entries of files and the state of each.
func List(files []File, today accept.Day) page.Block {
	t := &page.Table{Columns: page.Heads("STATE", "UNTIL", "SUITE", "CASE", "GATE", "COMMIT", "REASON")}
	for i := range files {
		f := &files[i]
		names := f.names()
		for j := range f.Entries {
			entry := &f.Entries[j]
			t.Add(f.state(entry, names, today), string(entry.Until), entry.Suite, entry.Case, entry.Gate,
				entry.Commit, entry.Reason)
		}
	}
	if len(t.Rows) == 0 {
		return page.Paragraph{page.Text("nothing is accepted")}
	}
	return t.Filled()
}

// An entry that no failure needs has days left: nothing is measured, so the state is as
// the plans show it.
func (f *File) state(entry *accept.Entry, names []string, today accept.Day) string {
	at := slices.IndexFunc(f.plans, func(p *spec.Plan) bool { return p.Suite == entry.Suite })
	switch {
	case at < 0 && names != nil && !slices.Contains(names, entry.Suite):
		return "no such suite"
	case entry.IsChange():
		return "acknowledged"
	case entry.Expired(today):
		return "expired"
	case at < 0:
		return units.Plural(today.Left(entry.Until), "day") + " left"
	}
	c, err := caseNamed(f.plans[at], entry.Case)
	switch {
	case err != nil:
		return "no such case"
	case !accept.OnlyAgainst(entry.Gate) && !slices.Contains(gateNames(c), entry.Gate):
		return "no such gate"
	}
	return units.Plural(today.Left(entry.Until), "day") + " left"
}
