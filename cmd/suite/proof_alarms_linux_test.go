package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// suitesAA are suites in which every body is compared with itself, at tolerance 0 and 3 %.
// SUITE_PROOF names them: functions, a run of which takes about 5 s, or commands, 10 s.
var suitesAA = map[string]struct {
	runs     int
	defaults string
	bodies   []string
}{
	"functions": {300, "{warmup: 20ms, max_time: 500ms}", bodiesOf(ofEachNature)},
	"commands": {40, "{samples: {max: 300}}", []string{`command: ["true"]`, loops(2700),
		"shell: seq 5000 | sort -n", "command: [awk, 'BEGIN {for (i = 0; i < 20000; i++) s += i; print s}']"}},
}

func bodiesOf(all []nature) (bodies []string) {
	for _, f := range all {
		bodies = append(bodies, f.body)
	}
	return bodies
}

// TestProofOfRedSuites runs the program on suites of identical code and counts the runs
// in which a gate fails.
func TestProofOfRedSuites(t *testing.T) {
	for _, kind := range []string{"functions", "commands"} {
		t.Run(kind, func(t *testing.T) {
			aa := suitesAA[kind]
			runs := wanted(t, kind, aa.runs)
			p := newProof(t)
			text := identical(aa.defaults, aa.bodies)
			counts := verdicts{}
			red := 0
			began := time.Now()
			for range runs {
				if counts.add(p.run(text)) {
					red++
				}
			}
			counts.log(t)
			t.Logf("%s: red suites of %d gates: %s, in %v", kind, 2*len(aa.bodies), rateOf(red, runs), time.Since(began).Round(time.Second))
			if stats.LowerBound(red, runs, 0.999) > 0.01 {
				t.Error("more than 1% of suites of identical code are red")
			}
		})
	}
}

// identical writes a suite in which each body is compared with itself.
func identical(defaults string, bodies []string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "defaults: %s\nbenchmarks:\n", defaults)
	for i, body := range bodies {
		fmt.Fprintf(&text, "  - {name: body %d, %s, samples: {min: 1, max: 10}}\n", i, body)
		fmt.Fprintf(&text, "  - {name: again %d, %s, base: body %d, expect: ['not worse(time, 0%%)', 'not worse(time, 3%%)']}\n", i, body, i)
	}
	return text.String()
}

// verdicts counts the verdicts of gates by expression.
type verdicts map[string]map[result.Verdict]int

// add counts the gates of a run, and reports whether one of them failed.
func (v verdicts) add(doc *result.Document) (red bool) {
	for i := range doc.Cases {
		for _, g := range doc.Cases[i].Gates {
			if v[g.Expr] == nil {
				v[g.Expr] = map[result.Verdict]int{}
			}
			v[g.Expr][g.Verdict]++
			red = red || g.Verdict == result.Fail
		}
	}
	return red
}

func (v verdicts) log(t *testing.T) {
	t.Helper()
	for expr, counts := range v {
		all := 0
		for _, n := range counts {
			all += n
		}
		t.Logf("%s, of identical code: fail %s; pass %d, inconclusive %d", expr, rateOf(counts[result.Fail], all), counts[result.Pass], counts[result.Inconclusive])
	}
}
