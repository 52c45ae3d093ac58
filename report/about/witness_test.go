package about

import (
	"strings"
	"testing"

	"example.com/suite/result"
)

// What instructions show is explained where the time is compared, with how they were counted.
func TestInstructionsAreExplained(t *testing.T) {
	low, high := 1.1192, 1.1208
	for name, test := range map[string]struct {
		witness *result.Witness
		reason  string
		want    []string
	}{
		"code": {&result.Witness{Source: result.WitnessCounter, Base: 4000, Candidate: 4480, Ratio: 1.12, Low: &low, High: &high, Tolerance: 0.01,
			Change: result.WitnessMore, Cause: result.WitnessCode}, "",
			[]string{"Instructions per op: 4480 here and 4000 in b, more (99% interval +11.92% … +12.08%).", "the code itself does more or less than before"}},
		"elsewhere": {&result.Witness{Source: result.WitnessCounter, Base: 4000, Candidate: 4001, Ratio: 1, Tolerance: 0.01, Change: result.WitnessSame, Cause: result.WitnessElsewhere}, "",
			[]string{"4001 here and 4000 in b, same to within 1%.", "look at the layout of code and data"}},
		"unclear": {&result.Witness{Source: result.WitnessCounter, Base: 4000, Candidate: 4040, Ratio: 1.01, Tolerance: 0.01, Change: result.WitnessUnclear}, "",
			[]string{"not shown to be the same to within 1%, nor to differ by more."}},
		"simulated": {&result.Witness{Source: result.WitnessCallgrind, Base: 4000, Candidate: 4480, Ratio: 1.12, Tolerance: 0.01, Change: result.WitnessMore, Cause: result.WitnessCode}, "",
			[]string{"Valgrind has counted them", "no caches and no branch prediction"}},
		"without": {nil, "no such event", []string{"Instructions were not counted in the pairs, so they do not show whether the code does more: no such event."}},
	} {
		c := &result.Case{Unit: "op", Pairs: &result.Pairs{Base: "b", NoInstructions: test.reason}}
		text := ""
		for _, l := range witnessed(c, &result.Comparison{Metric: "time", Witness: test.witness}) {
			text += l.String() + "\n"
		}
		for _, want := range test.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", name, want, text)
			}
		}
	}
	few := &result.Case{Unit: "op", Pairs: &result.Pairs{Base: "b"}, Counted: &result.Counted{Runs: []float64{1, 2}}}
	lines := witnessed(few, &result.Comparison{Metric: "time", Witness: &result.Witness{Source: result.WitnessCallgrind,
		Base: 4000, Candidate: 4480, Tolerance: 0.01, Change: result.WitnessUnclear}})
	if want := "not shown by 2 runs of each side to be the same to within 1%, nor to differ by more."; len(lines) == 0 ||
		!strings.Contains(lines[0].String(), want) {
		t.Errorf("no %q in %v", want, lines)
	}
	if lines := witnessed(&result.Case{Pairs: &result.Pairs{}}, &result.Comparison{Metric: "time"}); lines != nil {
		t.Errorf("nothing is known, and it says %v", lines)
	}
}
