package table

import (
	"testing"

	"example.com/suite/report/note"
	"example.com/suite/result"
)

func TestWitnessInWords(t *testing.T) {
	for _, c := range []struct {
		ratio  float64
		change result.WitnessChange
		cause  result.WitnessCause
		source result.WitnessSource
		want   string
	}{
		{1.0004, result.WitnessSame, result.WitnessElsewhere, result.WitnessCounter, "instructions the same: layout, memory or neighbours"},
		{1.12, result.WitnessMore, result.WitnessCode, result.WitnessCounter, "instructions +12.0%: the code does more"},
		{0.91, result.WitnessFewer, result.WitnessCode, result.WitnessCounter, "instructions −9.0%: the code does less"},
		{1.0123, result.WitnessMore, result.WitnessPartly, result.WitnessCounter, "instructions +1.2%: the code does more, which is less than half of the change of the time"},
		{0.97, result.WitnessFewer, result.WitnessOpposite, result.WitnessCounter, "instructions −3.0%: the code does less, and the time moved the other way"},
		{1.12, result.WitnessMore, result.WitnessCode, result.WitnessCallgrind, "instructions +12.0% (counted by valgrind): the code does more"},
		{1.0071, result.WitnessMore, result.WitnessCode, result.WitnessCounter, "instructions +0.71%: the code does more"},
		{1.12, result.WitnessMore, "", result.WitnessCounter, ""},
		{1.004, result.WitnessUnclear, "", result.WitnessCounter, ""},
	} {
		o := &result.Comparison{Metric: "time", Witness: &result.Witness{Source: c.source, Ratio: c.ratio, Change: c.change, Cause: c.cause}}
		if got := WitnessText(o); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
	if got := WitnessText(&result.Comparison{Metric: "time"}); got != "" {
		t.Errorf("without instructions: %q", got)
	}
}

// The reason why there are none is a footnote of the cases whose time changed, and one for all.
func TestTheReasonWhyInstructionsAreMissingIsOneNote(t *testing.T) {
	doc := &result.Document{Suites: []result.Suite{{Name: "s"}}}
	for name, change := range map[string]result.Change{"a": result.Worse, "b": result.Better, "c": result.Same} {
		doc.Cases = append(doc.Cases, result.Case{Suite: "s", Name: name, Status: result.Measured,
			Pairs: &result.Pairs{Base: "base", NoInstructions: "no such event"}, Comparisons: []result.Comparison{{Metric: "time", Ratio: 1, Change: change}}})
	}
	var notes []note.Note
	for _, n := range NewTable(doc).Notes {
		if n.Hint != "" {
			notes = append(notes, n)
		}
	}
	if len(notes) != 1 || notes[0].Hint != "counters: {instructions: callgrind} counts them by valgrind" {
		t.Errorf("%+v", notes)
	}
}

// A case that is undecided because each sample is a process of a harness is told what would keep its processes, if there is anything.
func TestWhatWouldKeepProcessesIsANote(t *testing.T) {
	for _, c := range []struct {
		harness, isolate string
		change           result.Change
		want             string
	}{
		{"criterion-0.3", result.IsolateSample, result.Unclear, "with the crate suites/criterion processes stay, and the benchmarks remain as they are: docs/harnesses.md#criterion"},
		{"google-benchmark", result.IsolateSample, result.Unclear, "with the header suites/google-benchmark processes stay, and the benchmarks remain as they are: docs/harnesses.md#google-benchmark"},
		{"google-benchmark", result.IsolateSample, result.Same, ""},
		{"lines", result.IsolateLaunch, result.Unclear, ""},
		{"vitest", result.IsolateSample, result.Unclear, ""},
		{"", "", result.Unclear, ""},
	} {
		doc := &result.Document{Suites: []result.Suite{{Name: "s"}}, Cases: []result.Case{{Suite: "s", Name: "a", Status: result.Measured,
			Identity: result.Identity{Harness: c.harness}, Settings: result.Settings{Isolate: c.isolate},
			Pairs: &result.Pairs{Base: "base"}, Comparisons: []result.Comparison{{Metric: "time", Ratio: 1, Change: c.change}}}}}
		hint := ""
		for _, n := range NewTable(doc).Notes {
			hint += n.Hint
		}
		if hint != c.want {
			t.Errorf("%s, %s: %q, want %q", c.harness, c.change, hint, c.want)
		}
	}
}
