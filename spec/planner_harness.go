package spec

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/harness"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
)

// harnessed appends the cases of the benchmarks in the program of one row.
func (p *planner) harnessed(cases []Case, b *benchmark, common Case, row []lang.Value) []Case {
	common.Params = params(b.varying(), row, b.constants)
	p.with(common.Params)
	before := len(p.Found)
	found := p.listed(b, &common)
	for _, name := range found.Names {
		c := common
		c.Origins = maps.Clone(common.Origins)
		c.shorten()
		c.Harness = &Harness{Name: b.harness, Benchmark: name, Program: found.Program, Module: found.Module}
		c.within = shortened(name)
		p.expand(b, &c, row)
		p.timed(b, &c)
		if len(p.Found) == before {
			p.unique(b, &c)
		}
		cases = append(cases, c)
	}
	return cases
}

// timed refuses a number of iterations for a harness that can be told a time only. One whose processes end after an
// answer has a process for each sample, whatever the suite file has.
func (p *planner) timed(b *benchmark, c *Case) {
	h, _ := harness.Find(b.harness)
	if _, responds := h.Staying().Harness.(harness.Responder); !responds {
		c.Settings.Isolate = result.IsolateSample
	}
	if c.Origins["max_time"] == FromBuiltin {
		c.Settings.MaxTime = c.usualTime()
	}
	if c.Settings.Benchtime.N > 0 && !h.Counts {
		p.fail(b.at("benchtime", c), "benchtime: 10ms", "%s can be told a time and no number of iterations", b.harness)
	}
}

// listed asks the program of a row for the benchmarks that match. If nobody can be asked, the
// result is one without a name, which represents the row.
func (p *planner) listed(b *benchmark, c *Case) Listing {
	unknown := Listing{Names: []string{""}}
	before := len(p.Found)
	q := HarnessQuery{Harness: b.harness, Argv: p.words(b.argv), Env: p.variables(b.env), Dir: b.dir,
		Limit: c.Settings.Timeout,
		Place: b.place, Build: p.hook(p.suite.build), BuildDir: p.suite.Dir, Requires: p.words(b.requires)}
	if b.cwd.text != nil {
		q.Dir = p.path(b.cwd)
	}
	if len(p.Found) > before || len(q.Argv) == 0 {
		p.Found = p.Found[:before] // they come again with the case
		return unknown
	}
	match := p.nameMatch(b)
	if len(p.Found) > before || p.catalogue.Offline || p.catalogue.Harness == nil {
		return unknown
	}
	found, problems := p.catalogue.Harness(q)
	p.Add(problems...)
	p.built = p.built || q.Build != nil && len(problems) == 0
	all := found.Names
	found.Names = slices.DeleteFunc(slices.Clone(all), func(name string) bool {
		return name != "" && !match.MatchString(name)
	})
	if len(found.Names) == 0 && len(problems) == 0 && len(all) > 0 {
		word := strings.Trim(p.text(b.match), "^$")
		p.failAs(diag.UnknownName, b.match.Text.Place, nearest(word, all), "no benchmark of %s matches %s",
			diag.Quote(words(q.Argv)), diag.Quote(p.text(b.match)))
	}
	return found
}

// nameMatch returns the expression of match:, and one that matches all names without one. The
// reader has reported what is wrong with a literal one.
func (p *planner) nameMatch(b *benchmark) *regexp.Regexp {
	match, err := regexp.Compile(p.text(b.match))
	if err == nil {
		return match
	}
	if !b.match.Literal() {
		p.fail(b.match.Text.Place, nameHint, "match: %s", diag.Clip(err.Error()))
	}
	return regexp.MustCompile("")
}
