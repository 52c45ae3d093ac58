package bisect

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// CaseOf returns the plan that has the case, with that case alone. plans have the cases that
// the name means as a filter. The error names what the name means if that is not one case, and
// explains why a case cannot be searched for.
func CaseOf(plans []*spec.Plan, name string) (*spec.Plan, error) {
	var names []string
	var first, named *spec.Plan
	same := 0 // cases with exactly this name
	for _, plan := range plans {
		for i := range plan.Cases {
			one := *plan
			one.Cases = plan.Cases[i : i+1 : i+1]
			if first == nil {
				first = &one
			}
			if plan.Cases[i].Name == name {
				named = &one
				same++
			}
			names = append(names, plan.Cases[i].Name)
		}
	}
	const most = 5
	switch {
	case len(names) > 1 && same == 0:
		return nil, diag.Hinted(fmt.Sprintf("%q means %s: %s", name, units.Plural(len(names), "case"),
			units.List(names, most)), "name one of them")
	case same > 1:
		return nil, diag.Hinted(fmt.Sprintf("several suite files have a case %q", name),
			"name the file: suite bisect FILE CASE")
	case named == nil:
		named = first
	}
	return named, Unsearchable(named, &named.Cases[0])
}

// Unsearchable is the error for a case of a plan that cannot be compared with itself in another
// revision, nil if it can be.
func Unsearchable(plan *spec.Plan, c *spec.Case) error {
	switch {
	case c.Kind == result.KindGo && plan.Packages == nil:
		return diag.Hinted(fmt.Sprintf("case %q is a function of suite itself: no commit of yours changes it", c.Name),
			"a case with packages:, gotest: or command: can differ between two commits")
	case len(c.Services) > 0:
		return diag.Hinted(fmt.Sprintf("case %q has a service, and the services of two revisions would need "+
			"the same port", c.Name), "")
	}
	return nil
}

// ParseConfidence reads the share of searches that must be right, such as 99%.
func ParseConfidence(text string) (float64, error) {
	return parseShare("confidence", text, 0.5, 0.999999, "99%")
}

// ParseTolerance reads the smallest change that is looked for, such as 5%.
func ParseTolerance(text string) (float64, error) {
	return parseShare("tolerance", text, 0.001, 100, "5%")
}

// parseShare parses a share in percent, or as a number.
func parseShare(flag, text string, least, most float64, example string) (float64, error) {
	number, isPercent := strings.CutSuffix(strings.TrimSpace(text), "%")
	x, err := strconv.ParseFloat(number, 64)
	if isPercent {
		x /= 100
	}
	if err != nil || math.IsNaN(x) || x < least || x > most {
		return 0, diag.Hinted(fmt.Sprintf("--%s %q: want a share from %s to %s", flag, text, units.Exact(least),
			units.Exact(most)), fmt.Sprintf("--%s %s", flag, example))
	}
	return x, nil
}
