package plantext

import (
	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/spec"
)

// Listed is a case as suite list --format json prints it.
type Listed struct {
	Suite string   `json:"suite"`
	Name  string   `json:"name"`
	Kind  string   `json:"kind"`
	Tags  []string `json:"tags"`
	Gates int      `json:"gates"`
	Place string   `json:"place"`
}

// List lists the cases of plans in their order.
func List(plans []*spec.Plan) []Listed {
	all := []Listed{} // not nil, which would be null in JSON
	for _, plan := range plans {
		for _, c := range plan.Cases {
			all = append(all, Listed{
				Suite: plan.Suite,
				Name:  c.Name,
				Kind:  string(c.Kind),
				Tags:  append([]string{}, c.Tags...),
				Gates: len(c.Gates),
				Place: c.Place.String(),
			})
		}
	}
	return all
}

// Gates counts the gates of a plan.
func Gates(plan *spec.Plan) (n int) {
	for i := range plan.Cases {
		n += len(plan.Cases[i].Gates)
	}
	return n
}

// Counts has a line for each plan: its cases and gates, and what only a run finds out about them.
func Counts(plans []*spec.Plan) (lines page.Paragraph) {
	for _, plan := range plans {
		more := ""
		tests, programs := openCases(plan)
		if tests > 0 {
			more = "; " + units.Plural(tests, "benchmark") + " of go test may have sub-benchmarks, which a run finds"
		}
		if programs > 0 {
			more += "; what " + units.Plural(programs, "program") + " of a harness contains was not asked"
		}
		lines.Say("%s: %s, %s%s",
			plan.File, units.Plural(len(plan.Cases), "case"), units.Plural(Gates(plan), "gate"), more)
	}
	return lines
}

// openCases counts the cases whose benchmarks only a run can list.
func openCases(plan *spec.Plan) (tests, programs int) {
	for i := range plan.Cases {
		switch c := &plan.Cases[i]; {
		case !c.IsOpen():
		case c.Harness != nil:
			programs++
		default:
			tests++
		}
	}
	return tests, programs
}

// Whys has a line for each case: the evidence for which it is measured or not, or only the name of each case that is
// measured.
func Whys(plans []*spec.Plan, namesOnly bool) (lines page.Paragraph) {
	for _, plan := range plans {
		for i := range plan.Cases {
			c := &plan.Cases[i]
			why := "measured"
			switch k := c.Counterpart; {
			case k.IsUnaffected():
				why = "unaffected: " + k.Reason
			case k.Unmatched() != "":
				why += ": " + k.Unmatched()
			case k != nil && k.Evidence != nil:
				why += ": " + k.Evidence.String()
			}
			if !namesOnly {
				lines = append(lines, page.Text(c.Name+": "+why))
			} else if !c.Counterpart.IsUnaffected() {
				lines = append(lines, page.Line{}.With(c.Name))
			}
		}
	}
	return lines
}
