package prepare

import (
	"encoding/json"
	"errors"

	"example.com/suite/result"
	"example.com/suite/runner"
	"example.com/suite/spec"
)

// Which metrics a function reports (bench.Case.Report) is known when its loop has run once.
// Nothing else needs to know it before a run than gates and columns that name such a metric,
// so only the cases that these concern are run for it.

// reported is the answer of one function.
type reported struct {
	metrics []result.Declared
	err     error
}

// Reports runs the function of a case once, in a host of its own and without the hooks of the
// case, and returns the metrics that its loop reports. Each case is asked once.
func (h *Hosts) Reports(plan *spec.Plan, c *spec.Case) ([]result.Declared, error) {
	argv := h.Own
	if plan.Packages != nil {
		if h.Program(plan) == nil {
			return nil, errNotBuilt
		}
		argv = h.Argv(plan)
	}
	// words and numbers always can be
	text, _ := json.Marshal([]any{argv, plan.HostDir, c.Function, c.Params, c.Settings.Parallel, c.Settings.Thread})
	key := string(text)
	answer, done := h.reports[key]
	if !done {
		answer.metrics, answer.err = runner.Reports(h.ctx, argv, plan.HostDir, c)
		if answer.err != nil && !errors.Is(answer.err, runner.ErrNoFunction) { // which the plan has found
			h.Say("%s was run once to find out what it reports, and failed: %v", c.Name, answer.err)
		}
		h.reports[key] = answer
	}
	return answer.metrics, answer.err
}

// errNotBuilt is the error of a function whose program could not be built.
var errNotBuilt = errors.New("its program was not built")

// askForGates asks the functions of the wanted cases, which faulty gates read. If their program could not be built,
// which is a problem of its own, their gates may name anything.
func askForGates(plan *spec.Plan, wanted map[string]bool, ask func(*spec.Plan, *spec.Case) ([]result.Declared, error)) {
	for i := range plan.Cases {
		c := &plan.Cases[i]
		if !wanted[c.Name] || c.Kind != result.KindGo || c.Reports != nil {
			continue
		}
		var err error
		c.Reports, err = ask(plan, c) // Hosts has printed any other error
		plan.Unasked = plan.Unasked || errors.Is(err, errNotBuilt)
	}
}

// AskAll asks the functions of all cases. It returns whether any of them reports a metric.
func (h *Hosts) AskAll(plans []*spec.Plan) (found bool) {
	for _, plan := range plans {
		for i := range plan.Cases {
			c := &plan.Cases[i]
			if c.Kind == result.KindGo && c.Reports == nil {
				c.Reports, _ = h.Reports(plan, c)
				found = found || c.Reports != nil
			}
		}
	}
	return found
}
