package selfcheck

import (
	"fmt"
	"strings"

	"example.com/suite/spec"
)

// The kinds of comparisons. They are counted separately, because their noise differs.
const (
	Functions = "functions"
	Commands  = "commands"
)

const (
	suiteName = "selfcheck"
	gates     = 4    // A/A comparisons in a round, which is a suite whose gates share the error
	single    = 0.01 // chance of a false alarm of a comparison by itself, each way
	steps     = 1000 // steps of the body into which changes are injected: a thousandth is one step
)

// injected are the changes that have to be found, as numbers of additional steps.
var injected = []int{30, 50, 100}

// head is the beginning of the suite file that is run. Batches are a third as long as usual and
// warm-ups a fifth, so that there are hundreds of comparisons in a minute. Everything else is as in
// other suites. An A/A comparison continues until a gate is red or all pairs are taken, so it is
// looked at as often as possible.
const head = `suite: selfcheck
errors: {family: 1%}
defaults: {warmup: 20ms, sample_time: 300us, max_time: 5s, samples: {min: 20, max: 200}}
benchmarks:
`

// role is the purpose of a case.
type role struct {
	round, kind, work string // round names the suite of A/A gates that the case is part of
	more              int    // number of steps that the case has more than the base
}

// experiment is a suite file with the roles of its cases.
type experiment struct {
	text  strings.Builder
	roles map[string]role
}

// newExperiment returns an experiment with every round once for each cycle. Cycles are numbered
// from first on. argv is a small command; if it is empty, only functions are compared.
func newExperiment(first, cycles int, argv []string) *experiment {
	e := &experiment{roles: map[string]role{}}
	e.text.WriteString(head)
	for i := first; i < first+cycles; i++ {
		for _, work := range []string{"arithmetic", "memory"} {
			e.functions(fmt.Sprintf("%d %s", i, work), work)
		}
		if len(argv) > 0 {
			e.commands(fmt.Sprintf("%d command", i), argv)
		}
	}
	return e
}

// functions adds a base, its A/A comparisons and its injected changes. They are one window, so
// that they take turns.
func (e *experiment) functions(round, work string) {
	body := func(more int) string { return fmt.Sprintf("go: selfcheck/%s, params: {steps: %d}", work, steps+more) }
	e.base(round, body(0))
	for i := range gates {
		e.compare(round, fmt.Sprintf("A/A %d", i+1), body(0), "", role{round, Functions, work, 0})
	}
	for _, more := range injected {
		e.compare(round, fmt.Sprintf("+%d steps", more), body(more), "", role{round, Functions, work, more})
	}
}

// commands adds the same for a command, with fewer pairs: a pair of processes takes ten times as long
// as a pair of batches.
func (e *experiment) commands(round string, argv []string) {
	body := fmt.Sprintf("command: [%s]", quoted(argv))
	e.base(round, body)
	for i := range gates {
		e.compare(round, fmt.Sprintf("A/A %d", i+1), body, ", samples: {min: 20, max: 60}",
			role{round, Commands, "command", 0})
	}
}

func quoted(argv []string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		words[i] = "'" + strings.ReplaceAll(strings.ReplaceAll(word, "${", "$${"), "'", "''") + "'"
	}
	return strings.Join(words, ", ")
}

// base adds a base. It has at most 10 samples of its own, because only its batches in pairs with
// candidates count.
func (e *experiment) base(round, body string) {
	fmt.Fprintf(&e.text, "  - {name: %q, %s, samples: {min: 1, max: 10}}\n", round, body)
}

func (e *experiment) compare(round, name, body, more string, r role) {
	name = round + " " + name
	e.roles[name] = r
	fmt.Fprintf(&e.text, "  - {name: %q, base: %q, %s, expect: 'not worse(time, 0%%)'%s}\n", name, round, body, more)
}

// plan checks the suite as if it had been read from a file.
func (e *experiment) plan(catalogue spec.Catalogue) (*spec.Plan, error) {
	suite, problems := spec.Parse(suiteName, []byte(e.text.String()), nil)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	plan, problems := suite.Plan(catalogue, nil)
	return plan, problems.Err()
}
