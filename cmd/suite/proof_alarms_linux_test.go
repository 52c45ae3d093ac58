package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// suitesAA are suites in which all is compared with itself, at tolerance 0 and at 3 %:
// SUITE_PROOF=functions or commands. A run of functions takes about five seconds, one
// of commands ten.
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

// TestProofOfRedSuites runs suites of identical code by the program itself, from the
// file to the verdict, and counts those that are red.
func TestProofOfRedSuites(t *testing.T) {
	for _, kind := range []string{"functions", "commands"} {
		t.Run(kind, func(t *testing.T) {
			aa := suitesAA[kind]
			runs := wanted(t, kind, aa.runs)
			p, text, counts := newProof(t), identical(aa.defaults, aa.bodies), verdicts{}
			red, began := 0, time.Now()
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

// identical is a suite in which each body is compared with itself.
func identical(defaults string, bodies []string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "defaults: %s\nbenchmarks:\n", defaults)
	for i, body := range bodies {
		fmt.Fprintf(&text, "  - {name: body %d, %s, samples: {min: 1, max: 10}}\n", i, body)
		fmt.Fprintf(&text, "  - {name: again %d, %s, base: body %d, expect: ['not worse(time, 0%%)', 'not worse(time, 3%%)']}\n", i, body, i)
	}
	return text.String()
}

// verdicts counts how gates ended, by their expression.
type verdicts map[string]map[result.Verdict]int

// add counts the gates of a run, and says whether one of them is red.
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
