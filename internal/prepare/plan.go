package prepare

import (
	"context"
	"fmt"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/judge"
	"example.com/suite/internal/tree"
	"example.com/suite/internal/units"
	"example.com/suite/runner/forecast"
	"example.com/suite/spec"
)

// Load loads a suite file and compiles its gates. The plan is nil if the file is no suite.
func Load(path string, catalogue spec.Catalogue, overrides spec.Overrides, gates *judge.Gates) (*spec.Plan, diag.Problems) {
	plan, problems := spec.LoadPlan(path, catalogue, overrides)
	if plan == nil {
		return nil, problems
	}
	plan.Unasked = catalogue.Offline
	wrong := gates.Compile(plan, len(problems) == 0)
	if len(wrong) > 0 && catalogue.Reports != nil {
		askForGates(plan, gates.Doubtful(plan), catalogue.Reports)
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
			Message: fmt.Sprintf("in a budget of %s no comparison can reach a verdict: warm-up and the smallest number of pairs of one case take %s, even on an idle machine", plan.Budget, units.Format(least.Seconds(), "s")),
			Hint:    fmt.Sprintf("budget: %s at least, and as much for each case that is to be decided; or a shorter warmup", spec.Duration(least))})
	}
	return problems
}

// PlaceSentinels places a sentinel in each plan that wants one. It returns the plans whose
// suite file asks for a sentinel although no case could be compared with itself.
func PlaceSentinels(plans []*spec.Plan) (without []*spec.Plan) {
	for _, plan := range plans {
		if !plan.WantsSentinel() || plan.PlaceSentinel() {
			continue
		}
		if asked := plan.Errors.Sentinel; asked != nil && *asked {
			without = append(without, plan)
		}
	}
	return without
}

// SplitSentinels lets sentinels of commands read files of their own, in a copy of the other tree.
func (t *Trees) SplitSentinels(ctx context.Context, plans []*spec.Plan) {
	twins := map[*tree.Tree]string{}
	for _, plan := range plans {
		if !plan.WantsTwin() {
			continue
		}
		other := t.openFor(ctx, plan)
		if other == nil {
			continue
		}
		twin, made := twins[other]
		if !made {
			twin = other.Twin(ctx)
			twins[other] = twin
		}
		if twin != "" {
			plan.SplitSentinel(other.Root, twin)
		}
	}
}

// WithoutSentinels switches the sentinels of plans off, whatever their suite files ask for.
func WithoutSentinels(plans []*spec.Plan) {
	off := false
	for _, plan := range plans {
		plan.Errors.Sentinel = &off
	}
}
