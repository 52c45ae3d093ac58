package spec

import (
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
)

// planner expands the benchmarks of one suite.
type planner struct {
	suite     *Suite
	catalogue Catalogue
	overrides Overrides
	*expander
	timers     *timerChoice
	names      map[string]diag.Place      // of cases
	tops       map[string]bool            // by the names of cases: it may have sub-benchmarks
	builtin    map[body]map[string]Origin // origins of benchmarks that set nothing
	shared     Case                       // see shareOf
	built      bool                       // the build command was run to list benchmarks
	registered []string                   // functions
	checked    bool                       // whether names of functions must be in registered
}

// benchmark appends the cases of one benchmark.
func (p *planner) benchmark(cases []Case, b *benchmark) []Case {
	rows, problem := b.combinations(b.place)
	if problem != nil {
		p.Add(*problem)
		return cases
	}
	p.shareOf(b)
	names := b.varying()
	cases = slices.Grow(cases, len(rows))
	for _, row := range rows {
		if b.kind == result.KindGoTest {
			cases = p.gotests(cases, b, p.shared, row)
			continue
		}
		if b.harness != "" {
			cases = p.harnessed(cases, b, p.shared, row)
			continue
		}
		before := len(p.Found)
		cases = append(cases, p.shared)
		c := &cases[len(cases)-1]
		c.Params = params(names, row, b.constants)
		p.expand(b, c, row)
		if len(p.Found) == before {
			p.unique(b, c)
		}
	}
	return cases
}

// shareOf fills p.shared with what all cases of a benchmark share. The planner keeps it
// because a Case has a kilobyte: a new one for each benchmark was a quarter of all memory
// that planning allocated.
func (p *planner) shareOf(b *benchmark) {
	c := &p.shared
	*c = Case{Tags: b.tags, Kind: b.kind, Unit: b.unit, Work: defaultWork, WorkSet: b.work != nil,
		UnitSet: b.unitSet, Settings: b.settings, Origins: p.origins(b), ExitCodes: b.exitCodes, AnyExit: b.anyExit,
		Reject:   b.reject,
		Counters: p.counters(b.counters.names), Callgrind: b.counters.callgrind,
		NoWitness: b.counters.none, Place: b.place}
	if len(b.timer.templates()) == 0 {
		c.Timer = p.timers.of(b)
	}
	if b.kind == result.KindGo || b.kind == result.KindGoTest {
		c.ExitCodes, c.AnyExit = nil, false
	}
	p.overrides.apply(b.body(), &c.Settings, c.Origins)
	c.Callgrind = c.Callgrind || c.JudgedByInstructions()
}

func params(names []string, row []lang.Value, constants []Param) []Param {
	all := make([]Param, 0, len(names)+len(constants))
	for i, name := range names {
		all = append(all, Param{name, row[i]})
	}
	return append(all, constants...)
}

// ParamVariable names the environment variable through which hooks get a parameter:
// SUITE_PARAM_SIZE for size.
func ParamVariable(name string) string {
	letter := func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}
	return "SUITE_PARAM_" + strings.Map(letter, strings.ToUpper(name))
}

// Plan expands the suite into cases, in the order of the file. It returns a plan or
// problems, never both or neither.
func (s *Suite) Plan(cat Catalogue, o Overrides) (*Plan, diag.Problems) {
	plan, problems := s.plan(cat, o)
	if len(problems) > 0 {
		return nil, problems
	}
	return plan, nil
}

// plan expands as many cases as it can: problems do not stop it.
func (s *Suite) plan(cat Catalogue, o Overrides) (*Plan, diag.Problems) {
	e := &expander{scope: lang.Scope{Env: cat.Env, Suite: s.Name, Dir: s.Dir}}
	e.Add(o.checkKeys()...)
	p := &planner{
		suite:     s,
		catalogue: cat,
		overrides: o,
		expander:  e,
		timers:    newTimerChoice(e, s.timer, cat, o),
		names:     map[string]diag.Place{},
		tops:      map[string]bool{},
		builtin:   map[body]map[string]Origin{},
	}
	plan := &Plan{Suite: s.Name, Description: s.Description, File: s.File, Dir: s.Dir, Hash: s.Hash,
		Timer: p.timers.shared, Budget: s.budget, BudgetPlace: s.budgetPlace, Errors: s.errors,
		OnInconclusive: s.onInconclusive,
		Report:         s.report,
		Unaffected:     s.unaffected,
		Sources:        s.sources,
		Given:          s.given,
		Build:          p.hook(s.build)}
	if len(s.packages.Patterns) > 0 {
		plan.Packages = &s.packages
	}
	p.registered, p.checked = p.functions()
	plan.Cases = make([]Case, 0, len(s.benchmarks))
	for _, b := range s.benchmarks {
		plan.Cases = p.benchmark(plan.Cases, b)
		if len(plan.Cases) > maxCases {
			p.fail(b.place, "", "the suite has more than %d cases", maxCases)
			break
		}
	}
	plan.Removed, plan.Built = s.removed, p.built
	links := &caseLinks{expander: e, plan: plan, names: p.names, elsewhere: cat.Folder != nil}
	links.bases()
	links.earlier()
	return plan, p.Found.Sort()
}
