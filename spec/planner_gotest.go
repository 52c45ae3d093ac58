package spec

import (
	"maps"
	"slices"
	"strings"

	"example.com/suite/internal/benchname"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
)

// gotests appends the cases of the benchmarks in the packages of one row.
func (p *planner) gotests(cases []Case, b *benchmark, common Case, row []lang.Value) []Case {
	common.Params = params(b.varying(), row, b.constants)
	p.with(common.Params)
	before := len(p.Found)
	found := p.benchmarksOf(b, &common)
	for _, one := range found {
		processors := b.processors()
		if one.Benchmark == "" {
			processors = []int{0} // the one case represents all of them
		}
		for _, procs := range processors {
			c := common
			c.Origins = maps.Clone(common.Origins)
			c.shorten()
			g := one.GoTest
			g.Procs, c.GoTest = procs, &g
			c.Metrics = slices.Clone(one.Metrics)
			c.within = shortened(p.goTestName(b, &one, procs))
			p.expand(b, &c, row)
			if len(p.Found) == before {
				p.unique(b, &c)
			}
			cases = append(cases, c)
		}
	}
	return cases
}

// If nobody can list the benchmarks of a row, the result is one that represents the
// row.
func (p *planner) benchmarksOf(b *benchmark, c *Case) []GoBenchmark {
	q, ok := p.query(b, c)
	if !ok {
		return nil
	}
	if p.catalogue.Offline || p.catalogue.GoTests == nil {
		return []GoBenchmark{{GoTest: GoTest{Pattern: q.Pattern}}}
	}
	found, problems := p.catalogue.GoTests(p.suite.packages, q)
	p.Add(problems...)
	return found
}

func (p *planner) query(b *benchmark, c *Case) (q GoTestQuery, ok bool) {
	if b.gotest == nil {
		return q, false // its problem has been reported
	}
	before := len(p.Found)
	q = GoTestQuery{
		Pattern: p.text(b.gotest),
		Dir:     b.dir,
		Procs:   b.processors()[0],
		Limit:   c.Settings.Timeout,
		Place:   b.gotest.Text.Place,
		Name:    p.text(b.name),
		Tags:    b.tags,
	}
	q.Env = p.variables(b.env)
	for _, v := range b.env {
		if v.name == "GOMAXPROCS" {
			p.fail(v.value.Text.Place, "cpu: [4]", "GOMAXPROCS is set by cpu:")
		}
	}
	if b.match != nil {
		q.MatchText, q.MatchPlace = p.text(b.match), b.match.Text.Place
		m, err := benchname.ParseMatch(q.MatchText)
		if err != nil && !b.match.Literal() { // the reader has reported the literal one
			p.fail(q.MatchPlace, matchHint, "match: %s", diag.Clip(err.Error()))
		}
		q.Match = m
	}
	return q, len(p.Found) == before
}

// goTestName begins with the package, unless the suite file names the benchmark.
func (p *planner) goTestName(b *benchmark, one *GoBenchmark, procs int) string {
	name := benchname.Short(one.Benchmark)
	if b.name == nil {
		name = strings.TrimSuffix(one.Within+"/"+name, "/")
	}
	if one.Benchmark == "" && b.name == nil {
		name = one.Pattern
	}
	if procs > 0 && name != "" {
		name = benchname.Procs(name, procs)
	}
	return name
}
