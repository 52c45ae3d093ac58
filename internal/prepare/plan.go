package prepare

import (
	"fmt"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/judge"
	"example.com/suite/internal/units"
	"example.com/suite/runner/forecast"
	"example.com/suite/spec"
)

// Load loads a suite file and compiles its gates. The plan is nil if the file is no suite.
func Load(
	path string, catalogue spec.Catalogue, overrides spec.Overrides, gates *judge.Gates,
) (*spec.Plan, diag.Problems) {
	plan, problems := spec.LoadPlan(path, catalogue, overrides)
	if plan == nil {
		return nil, problems
	}
	plan.Unasked = catalogue.Offline
	wrong := gates.Compile(plan, len(problems) == 0)
	if len(wrong) > 0 && catalogue.Reports != nil {
		askForGates(plan, gates.ReadByFaulty(plan), catalogue.Reports)
		wrong = gates.Compile(plan, len(problems) == 0)
	}
	return plan, append(problems, wrong...).Sort()
}

// CheckNames refuses two suites with the same name, and names that contain a secret.
func CheckNames(plans []*spec.Plan) diag.Problems {
	return append(distinct(plans), judge.SecretNames(plans)...)
}

// distinct refuses two suites with the same name, because a report identifies a case by the
// names of its suite and of the case.
func distinct(plans []*spec.Plan) (problems diag.Problems) {
	first := map[string]string{}
	for _, plan := range plans {
		if other, taken := first[plan.Suite]; taken {
			problems = append(problems, diag.Problem{Code: diag.Duplicate, Place: diag.Place{File: plan.File},
				Message: fmt.Sprintf("suite %q has the name of the one in %s", plan.Suite, other),
				Hint:    "give it another name with suite: NAME"})
		}
		first[plan.Suite] = plan.File
	}
	return problems
}

// CheckBudgets refuses budgets that are too short for a verdict of any comparison, however
// fast the machine is. Such a run could only end undecided.
func CheckBudgets(plans []*spec.Plan) (problems diag.Problems) {
	for _, plan := range plans {
		least := forecast.LeastBudget(plan)
		if plan.Budget == 0 || time.Duration(plan.Budget) >= least {
			continue
		}
		problems = append(problems, diag.Problem{Code: diag.BudgetTooLow, Place: plan.BudgetPlace,
			Message: fmt.Sprintf("in a budget of %s no comparison can reach a verdict: warm-up and the smallest "+
				"number of pairs of one case take %s, even on an idle machine", plan.Budget,
				units.Format(least.Seconds(), "s")),
			Hint: fmt.Sprintf("budget: %s at least, and as much for each case that is to be decided; or a "+
				"shorter warmup", spec.Duration(least))})
	}
	return problems
}
