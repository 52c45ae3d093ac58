package spec

import (
	"fmt"
	"maps"
	"slices"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
)

// together compares the settings of a case with each other, once all of them
// are known.
func (p *planner) together(b *benchmark, c *Case) {
	s := &c.Settings
	if s.Sampling == once {
		p.once(b, c)
		return
	}
	if s.SamplesMax > maxSamples && s.Keep != summary {
		p.fail(b.at("samples.max", c), fmt.Sprintf("samples: {max: %d, keep: summary} keeps a summary of them", s.SamplesMax),
			"samples.max: %d is more than %d", s.SamplesMax, maxSamples)
	}
	if s.Batch > 1 && s.Coalesce == 0 {
		key := "batch"
		if c.Origins["coalesce"] == FromFlag {
			key = "coalesce"
		}
		p.fail(b.at(key, c), "leave one of them out: coalesce: 0 means batches of one iteration", "batch %d with coalesce 0", s.Batch)
	}
}

// manyOnly are the settings without a meaning for a case that is sampled once.
var manyOnly = []string{"sample_time", "samples.min", "samples.max", "samples.keep", "precision", "coalesce"}

// once leaves one sample to a case. What defaults or flags say of many samples
// is for other cases; in the benchmark itself it is a mistake, unless a flag or
// a parameter made the case one that is sampled once.
func (p *planner) once(b *benchmark, c *Case) {
	asked := c.Origins["sampling"] != FromFlag && !b.isLate("sampling")
	c.Origins = maps.Clone(c.Origins) // cases without settings of their own share it
	for _, key := range manyOnly {
		if asked && c.Origins[key] == FromBenchmark {
			p.fail(b.at(key, c), "leave it out, or write sampling: many", "%q has no meaning with sampling: once", key)
		}
		delete(c.Origins, key)
	}
	d := Defaults()
	s := &c.Settings
	s.SampleTime, s.Precision, s.Coalesce, s.Keep = d.SampleTime, d.Precision, d.Coalesce, d.Keep
	s.SamplesMin, s.SamplesMax = 1, 1
}

func (b *benchmark) isLate(key string) bool {
	return slices.ContainsFunc(b.late, func(s lateSetting) bool { return s.key == key })
}

// at is where the value of a setting was given.
func (b *benchmark) at(key string, c *Case) diag.Place {
	if c.Origins[key] == FromFlag {
		return commandLine
	}
	if at, ok := b.places[key]; ok {
		return at
	}
	return b.place
}

// comparative are the names that speak of a base.
var comparative = []string{"worse", "better", "ratio", "ci", "base"}

// recomputable refuses gates that need the pairs themselves in a case that keeps
// a summary of them.
func (p *planner) recomputable(expr lang.Text) {
	for _, name := range lang.Identifiers(expr) {
		if slices.Contains(comparative, name.Name) {
			p.Add(expr.Problem(name.At, fmt.Sprintf("%q with samples: {keep: summary}: its verdict could not be recomputed", name.Name),
				"keep the samples of this case"))
		}
	}
}
