package gate

import (
	"os"
	"strings"
	"testing"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
)

// FuzzGate compiles and judges any text at all: a rule or problems with a
// place, never both or neither, and verdicts that are explained.
func FuzzGate(f *testing.F) {
	recorded, err := os.ReadFile("testdata/problems.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, expr := range append(expressions(string(recorded)), accepted...) {
		text := prefixed(expr).Expr.Value
		f.Add(text, false)
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, text string, isCommand bool) {
		c := typical()
		if isCommand {
			c = command(0, 3)
		}
		s := source(&c, "")
		s.Metrics, s.Base, s.Pegs = []string{"ticks", "instructions"}, "b", true
		c.Pegs = pipeline()
		c.Pairs = &result.Pairs{Base: "b", Samples: c.Samples}
		s.Expr = lang.Text{Value: text, Place: diag.Place{File: "s.yaml", Line: 7, Col: 9}}
		set, problems := Compile([]Source{s}, map[string][]string{"s": {c.Name, "absent", "b"}})
		if (len(set.gates) == 0) != (len(problems) > 0) {
			t.Fatalf("%q: %d gates and %d problems", text, len(set.gates), len(problems))
		}
		for _, p := range problems {
			if p.Line == 0 || p.Message == "" || p.Message != strings.TrimSpace(p.Message) {
				t.Fatalf("%q: problem without a place or a message: %+v", text, p)
			}
		}
		open, decided := set.Watch().Open(&c)
		cases := []result.Case{c, baseOf(c)}
		set.Assess(nil).Judge(cases)
		for _, g := range cases[0].Gates {
			check(t, g, open, decided)
		}
	})
}

func check(t *testing.T, g result.Gate, open, decided int) {
	switch g.Verdict {
	case result.Pass, result.Fail, result.Inconclusive, result.Error:
	default:
		t.Fatalf("%q: verdict %q", g.Expr, g.Verdict)
	}
	caused(t, g)
	if g.Verdict != result.Pass && g.Reason == "" || g.Form == "" || open+decided > 1 {
		t.Fatalf("%q: %+v, %d open, %d decided", g.Expr, g, open, decided)
	}
}

var accepted = []string{
	"trend(time).drift < 5%", "not (trend(time, 30).drift >= 0.05) or -1% < trend(allocs).drift",
	"time.median < 2ms", "1ms < time.median < 2ms", "time.median < 1.05 * 2ms and not (allocs.max == 0)",
	`case("absent").time.median / time.median < 12`, `host.os != "linux" || time.median < duration("3ms")`,
	"exit_code == 0 && rss.max < size(\"256MiB\")", "throughput.median >= 95% * 200MB", "(allocs.max/0) < 2", "1/0 > allocs.max",
	"time.cv < 10%", "7 % 3 == 1", "time.n % 2 == 0", "params.size == 64 ? time.p99 < 1s : heap.median < 4KiB",
	"params.mode startsWith \"f\"", "host.arch in [\"amd64\", \"arm64\"]", "abs(min(time.median, time.min) - 2ms) < 1ms",
	"time.median < 2ms // slow", "time.median /* a */ < 2ms", "-time.median < +2ms", "exit_code in [0, 3]", "true", "not false",
	"(time.median) < ((2ms))", "time[\"median\"] < 2ms", "time.median == 2ms != false", "1 < 2 < 3 < 4", "(1 < 2) == (2 < 3)",
	"not worse(time, 3%)", "worse(time, 0.05) or better(allocs, 0)", "ratio(time) < 1.05", "1 < ratio(heap) < 2", "ci(time).low <= 1.03",
	"abs(ratio(time) - 1) < ci(time).high", "time.median <= 1.02 * base.time.median", "base.allocs.max == 0 ? not worse(time, 1%) : true",
	"exit_code == base.exit_code and not worse(rss, 10%)", "not worse(throughput, 3%) or ci(throughput).high / ratio(time) > 1",
	`arc("parse", "emit").p99 < duration("1ms")`, `1us < arc("parse").mean < 1ms or arc("absent").count == 3`,
	`arc("parse", "emit").per_iteration / time.median < 50%`, `not (arc("parse", "emit").sum > base.time.median)`,
	"ticks.median < 9 and time.max < 1s", "instructions.median / ticks.median < 4",
}
