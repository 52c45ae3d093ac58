package about

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"testing"

	"example.com/suite/gate"
	"example.com/suite/report/page"
	"example.com/suite/report/page/text"
	"example.com/suite/result"
	"example.com/suite/result/pairs"
	"example.com/suite/stats"
)

// Every observation is in the drawing once, whatever its ratio.
func TestPlotShowsEveryPair(t *testing.T) {
	for _, spread := range []float64{1e-6, 0.001, 0.02, 3} {
		for _, tolerance := range []float64{0, 0.0001, 0.03, 5} {
			var logs []float64
			for i := range 200 {
				logs = append(logs, spread*math.Sin(float64(i)))
			}
			b := binsOf(logs, -math.Log1p(tolerance), math.Log1p(tolerance))
			sum := 0
			for _, n := range b.count {
				sum += n
			}
			if sum != 200 || len(b.count) > 2*mostBins {
				t.Errorf("spread %v, tolerance %v: %d pairs in %d rows", spread, tolerance, sum, len(b.count))
			}
		}
	}
}

// The drawing shows a limit on its edge: what is on which side can be counted.
func TestPlotHasTheToleranceOnEdges(t *testing.T) {
	_, c := Document(120, 1.07)
	o := Compare(c, 0.03, result.Worse)
	low, high := limits(o)
	e := pairs.EvidenceOf(c, "time")
	b := binsOf(e.Ratios(), low, high)
	edges := 0
	for i := range b.count {
		if at, ok := b.limitBefore(i, low, high); ok {
			if edges++; math.Abs(at-(b.from+float64(i)*b.width)) > 1e-9 {
				t.Errorf("limit %v beside the edge %v", at, b.from+float64(i)*b.width)
			}
		}
	}
	if edges == 0 {
		t.Error("no limit is shown")
	}
}

// However wide the rows are, each limit is drawn in the right place: on an edge, or
// inside a row.
func TestPlotMovesNoLimit(t *testing.T) {
	for _, spread := range []float64{0.01, 0.1, 0.4, 1, 3} {
		var logs []float64
		for i := range 200 {
			logs = append(logs, spread*math.Sin(float64(i)))
		}
		low, high := -math.Log1p(0.03), math.Log1p(0.03)
		b := binsOf(logs, low, high)
		seen := map[float64]int{}
		for i := range b.count {
			at, ok := b.limitBefore(i, low, high)
			if from := b.from + float64(i)*b.width; ok && math.Abs(at-from) > 1e-9 {
				t.Errorf("spread %v: limit %v is shown at %v", spread, at, from)
			}
			for _, limit := range []float64{low, high} {
				seen[limit] += of(ok && at == limit) + of(b.inside(i, limit))
			}
		}
		if seen[low] != 1 || seen[high] != 1 {
			t.Errorf("spread %v: limits are shown %v times", spread, seen)
		}
	}
}

func of(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// The path shows the block at which the verdict fell.
func TestPathShowsTheDecision(t *testing.T) {
	_, c := Document(240, 1.05)
	o, e := Compare(c, 0.03, result.Worse), pairs.EvidenceOf(c, "time")
	sequence, err := stats.NewSequence(1.03, o.Alpha)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range e.Ratios() {
		_ = sequence.Add(x)
	}
	if n := sequence.DecidedAt(); n == 0 || n == sequence.Pairs() {
		t.Fatalf("decided at %d of %d", n, sequence.Pairs())
	}
	for _, row := range path(o, e).Rows {
		if row[len(row)-1].Text == "above the tolerance" {
			if row[0].Text != strconv.Itoa(sequence.DecidedAt()) {
				t.Errorf("decided at %s blocks, want %d", row[0].Text, sequence.DecidedAt())
			}
			return
		}
	}
	t.Error("no line says so")
}

// Nothing against nothing is no change, and something against it is beyond every
// tolerance; neither makes a drawing absurd.
func TestZeros(t *testing.T) {
	_, c := Document(30, 1)
	for i := range 30 {
		c.Samples.Columns["faults"] = append(c.Samples.Columns["faults"], float64(i%3))
		c.Pairs.Samples.Columns["faults"] = append(c.Pairs.Samples.Columns["faults"], 0)
	}
	Command(c)
	e := pairs.EvidenceOf(c, "faults")
	if e.Lost != 0 || e.Logs[0] != 0 || e.Logs[1] != pairs.Far {
		t.Errorf("%d lost, %v", e.Lost, e.Logs[:2])
	}
	o := &result.Comparison{Metric: "faults", Tolerance: 0.03, Alpha: 0.01}
	var b bytes.Buffer
	if err := text.Write(&b, []page.Block{plot(o, e), path(o, e)}, text.Options{}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n > 3*mostBins {
		t.Errorf("%d lines", n)
	}
	for line := range strings.Lines(b.String()) {
		if strings.Contains(line, "e+") || strings.Contains(line, "Inf") || len([]rune(line)) > 97 {
			t.Errorf("absurd: %q", line)
		}
	}
}

// What the path shows in the end is what gates conclude.
func TestPathAgreesWithVerdicts(t *testing.T) {
	set, problems := gate.Compile(nil, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	words := map[result.Change]string{result.Worse: "above the tolerance", result.Better: "below the tolerance", result.Same: "within the tolerance"}
	seen := map[result.Change]bool{}
	for _, ratio := range []float64{0.8, 0.97, 1, 1.01, 1.03, 1.05, 1.2} {
		for _, n := range []int{20, 200, 600} {
			d, c := Document(n, ratio)
			set.Assess(nil).Judge(d.Cases)
			o := c.Comparison("time")
			e := pairs.EvidenceOf(c, "time")
			rows := path(o, e).Rows
			last := rows[len(rows)-1][len(rows[len(rows)-1])-1].Text
			shown := "none"
			for _, word := range words {
				if strings.HasSuffix(last, word) {
					shown = word
				}
			}
			if want := words[o.Change]; shown != want && !(want == "" && shown == "none") {
				t.Errorf("ratio %v, %d pairs: the verdict is %s, the path ends with %q", ratio, n, o.Change, last)
			}
			seen[o.Change] = true
		}
	}
	if len(seen) != 4 {
		t.Errorf("only %v was tried", seen)
	}
}
