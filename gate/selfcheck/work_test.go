package selfcheck

import (
	"fmt"
	"strings"
	"testing"

	"example.com/suite/internal/benchcase"
	"example.com/suite/spec"
)

// What is injected are steps: k of them and then l more are k + l, in both bodies.
func TestBodiesTakeAsManyStepsAsTheyAreTold(t *testing.T) {
	next := cycle(1000)
	for _, more := range injected {
		if x := uint64(88172645463325252); xorshift(xorshift(x, steps), more) != xorshift(x, steps+more) || xorshift(x, more) == x {
			t.Errorf("%d steps of arithmetic more are something else", more)
		}
		if walk(next, walk(next, 7, 400), more) != walk(next, 7, 400+more) {
			t.Errorf("%d steps in memory more are something else", more)
		}
	}
	at, seen := uint32(0), 0
	for seen = 1; walk(next, at, 1) != 0; seen++ {
		at = walk(next, at, 1)
	}
	if seen != 1000 {
		t.Errorf("the ring has %d of 1000 slots", seen)
	}
}

// Each candidate of the plan has the steps that its role names, against a base of
// 1000 in a window of eight; both bodies run.
func TestThePlanInjectsWhatItSays(t *testing.T) {
	e := newExperiment(3, 2, []string{"/bin/it's", "a ${b}"})
	plan, err := e.plan(spec.Catalogue{Functions: benchcase.Names()})
	if err != nil {
		t.Fatal(err)
	}
	bases := map[string]int{}
	for i := range plan.Cases {
		c := &plan.Cases[i]
		role, candidate := e.roles[c.Name]
		if candidate != (c.Base != "") || candidate && c.Base != role.round {
			t.Errorf("%s: base %q, role %+v", c.Name, c.Base, role)
		}
		bases[c.Base]++
		if c.Function == "" {
			if got := strings.Join(c.Argv, "|"); got != "/bin/it's|a ${b}" {
				t.Errorf("%s runs %s", c.Name, got)
			}
			continue
		}
		if got := c.Params[0].Value.Number; got != float64(steps+role.more) {
			t.Errorf("%s has %v steps", c.Name, got)
		}
		setup, _ := benchcase.Find(c.Function)
		param := benchcase.Param{Text: c.Params[0].Value.Text, Number: &c.Params[0].Value.Number}
		if i < 16 {
			setup(benchcase.New(c.Name, map[string]benchcase.Param{"steps": param}))(2)
		}
	}
	if got := fmt.Sprint(bases); got != "map[:6 3 arithmetic:7 3 command:4 3 memory:7 4 arithmetic:7 4 command:4 4 memory:7]" {
		t.Errorf("candidates by base: %s", got)
	}
}
