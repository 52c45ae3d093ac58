package report

import (
	"strings"
	"testing"

	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// tripwire is a document with a case whose gate compares it with a saved result.
func tripwire(v result.Verdict, value result.Value) *result.Document {
	d := reporttest.Document("s")
	d.Suites[0].Against = &result.Against{Asked: "base.json", Kind: result.AgainstResult}
	c := reporttest.Measure(d, "a", 1e-6, 0.01)
	c.Counterpart, c.Earlier = &result.Counterpart{State: result.CounterpartUnpaired}, &result.Earlier{Floor: 0.02}
	reporttest.Judge(c, "not worse(time, 3%)", v, result.FormUnpaired, "time is longer", value).ID = "tolerance@against"
	return d
}

// Every report marks a comparison with a saved result as unpaired, and shows the
// change of the time without a verdict.
func TestUnpairedIsSaidInEveryReport(t *testing.T) {
	low, high := 1.05, 1.2
	d := tripwire(result.Fail, result.Value{Text: "ratio(time)", Value: 1.1, Low: &low, High: &high, Confidence: 0.98})
	for format, wants := range map[string][]string{
		"text":     {"vs base.json†", "+10.0% (+5.0% … +20.0%)", "✗†", "fail (unpaired): time is longer", "† unpaired: against a saved result"},
		"markdown": {"✗†", "fail (unpaired): time is longer", "† unpaired: against a saved result"},
		"html":     {"✗†", "fail (unpaired)", `<span class="mark">†</span> <bdi>unpaired: against a saved result`},
		"junit":    {`name="form" value="unpaired"`, "fail (unpaired): time is longer"},
		"json":     {`"form": "unpaired"`},
		"github":   {"fail (unpaired)"},
	} {
		var b strings.Builder
		if err := Render(&b, format, d, table.Options{}); err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: no %q in\n%s", format, want, b.String())
			}
		}
	}
}

// Without a ratio there is no column, and a gate that was not judged has no sign.
func TestTripwireWithoutARatio(t *testing.T) {
	for _, v := range []result.Verdict{result.Inconclusive, result.NotJudged} {
		d := tripwire(v, result.Value{Text: "ratio(allocs)", Value: 1})
		var b strings.Builder
		if err := Render(&b, "text", d, table.Options{}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "vs base.json") || strings.Contains(b.String(), "–†") {
			t.Errorf("%s:\n%s", v, b.String())
		}
	}
}
