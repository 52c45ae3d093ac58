package about_test

import (
	"bytes"
	"strings"
	"testing"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/golden"
	"example.com/suite/report/about"
	"example.com/suite/report/explain"
	"example.com/suite/report/page/text"
	"example.com/suite/result"
)

func judge(c *result.Case, verdict result.Verdict, form result.Form, reason string) {
	c.Gates = append(c.Gates, result.Gate{ID: "tolerance", Expr: "not worse(time, 3%)", Place: diag.Place{File: "sort.yaml", Line: 11, Col: 7},
		Severity: "fail", OnInconclusive: "list", Verdict: verdict, Form: form, Reason: reason})
}

func told() map[string]func() (*result.Document, *result.Case) {
	return map[string]func() (*result.Document, *result.Case){
		"worse": func() (*result.Document, *result.Case) {
			d, c := about.Document(240, 1.05)
			about.Compare(c, 0.03, result.Worse)
			judge(c, result.Fail, result.FormInterval, "time is 5% longer than in sort/base, and 3% was allowed")
			return d, c
		},
		"pegs": func() (*result.Document, *result.Case) {
			d, c := about.Document(240, 1.05)
			about.Compare(c, 0.03, result.Worse)
			judge(c, result.Fail, result.FormPairs, "it is worse by more than 3%")
			c.Pegs, c.BasePegs = pegsOf(1.2e-6, 2e-3), pegsOf(0.6e-6, 1.4e-3)
			return d, c
		},
		"same": func() (*result.Document, *result.Case) {
			d, c := about.Document(200, 1.001)
			about.Compare(c, 0.03, result.Same)
			judge(c, result.Pass, result.FormInterval, "")
			return d, c
		},
		"better": func() (*result.Document, *result.Case) {
			d, c := about.Document(40, 0.8)
			about.Command(c)
			about.Compare(c, 0, result.Better)
			return d, c
		},
		"unclear": func() (*result.Document, *result.Case) {
			d, c := about.Document(200, 1.03)
			about.Compare(c, 0.03, result.Unclear)
			c.Stop, c.Settings.MaxTime = "max_time", 10
			judge(c, result.Inconclusive, result.FormInterval, "the interval contains the limit of +3%")
			c.Warnings = []result.Warning{{Code: "stolen", Message: "other work took the CPU for 18% of the time", Hint: "quiet the machine"}}
			return d, c
		},
		"few": func() (*result.Document, *result.Case) {
			d, c := about.Document(5, 1.2)
			about.Compare(c, 0.03, result.Unclear).Reason = "at this certainty it takes 9 blocks, and there is 1"
			return d, c
		},
		"accepted": func() (*result.Document, *result.Case) {
			d, c := about.Document(0, 1)
			c.Pairs = nil
			judge(c, result.Fail, result.FormExact, "3 is not at most 2")
			c.Gates[0].Accepted = &result.Accepted{Until: "2026-12-31", Reason: "slower until #12 lands", At: "2026-06-15 by ada", Place: diag.Place{File: "accept.yaml", Line: 3, Col: 3}}
			return d, c
		},
		"broken": func() (*result.Document, *result.Case) {
			d, c := about.Document(0, 1)
			c.Status, c.Pairs, c.Metrics = result.Failed, nil, nil
			c.Failure = &result.Failure{Phase: "run", Cause: "panic", Message: "panic: the sky is \x1b[31mfalling", Detail: "panic: oh\n\tmain.go:3", Batch: 3, Elapsed: 1.2, Hint: "look up"}
			judge(c, result.Error, result.FormExact, "the case could not be measured")
			return d, c
		},
		"uncounted": func() (*result.Document, *result.Case) {
			d, c := about.Document(0, 1)
			c.Status, c.Pairs, c.Metrics = result.Failed, nil, nil
			c.Failure = &result.Failure{Phase: "run", Cause: result.FailedUncounted, Message: "instructions: valgrind is not installed"}
			judge(c, result.Inconclusive, result.FormExact, "the case could not be measured")
			c.Gates[0].Cause = result.CauseUncounted
			return d, c
		},
	}
}

func tell(t *testing.T, d *result.Document, c *result.Case, o text.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := text.Write(&b, explain.Case(d, c), o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	for name, make := range told() {
		d, c := make()
		got, file := tell(t, d, c, text.Options{Width: 100}), "testdata/"+name+".txt"
		golden.Check(t, file, got)
	}
}

// An explanation is harmless on a terminal, and no wider than it.
func TestStoriesFit(t *testing.T) {
	for name, make := range told() {
		d, c := make()
		for _, w := range []int{60, 100} {
			for line := range strings.Lines(tell(t, d, c, text.Options{Width: w})) {
				line = strings.TrimSuffix(line, "\n")
				if n := len([]rune(line)); n > w || strings.ContainsAny(line, "\x1b\t") || strings.TrimRight(line, " ") != line {
					t.Errorf("%s: %d of %d columns: %q", name, n, w, line)
				}
			}
		}
	}
}
