package record

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"example.com/suite/result"
	"example.com/suite/result/summary"
	"example.com/suite/runner/journal"
)

// pairsOf is a block of pairs as a journal has it.
func pairsOf(rows int) *Block {
	b := &Block{Case: result.Case{Suite: "s", Name: "p", Pairs: &result.Pairs{Base: "q", Iterations: 1}}, Samples: samplesOf(rows, 0),
		Base: &Base{Case: result.Case{Suite: "s", Name: "q"}, Samples: samplesOf(rows, 0)}}
	for i := range rows {
		b.Base.First = append(b.Base.First, i%2)
	}
	return b
}

// A journal that somebody has changed must not become pairs of which a side is
// missing, or that nobody threw a coin for.
func TestTornPairsInAJournalAreRefused(t *testing.T) {
	for name, change := range map[string]func(b *Block){
		"":               func(*Block) {},
		"a row too few":  func(b *Block) { b.Base.Samples = samplesOf(1, 0) },
		"no side":        func(b *Block) { b.Base.Samples = nil },
		"no case":        func(b *Block) { b.Samples = nil },
		"no coin":        func(b *Block) { b.Base.First = b.Base.First[:1] },
		"an odd coin":    func(b *Block) { b.Base.First[0] = 2 },
		"no base":        func(b *Block) { b.Case.Pairs = nil },
		"negative times": func(b *Block) { b.Base.Track.Used = -1 },
		"coins of none":  func(b *Block) { b.Samples, b.Base.Samples = nil, nil },
	} {
		b := pairsOf(2)
		change(b)
		if err := parsedAgain(t, &Line{Block: b}); (err == nil) != (name == "") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	final := &result.Case{Suite: "s", Name: "p", Samples: *samplesOf(2, 0), Pairs: &result.Pairs{Base: "q", First: []int{0, 1}, Samples: *samplesOf(2, 0)}}
	if err := parsedAgain(t, &Line{Case: final}); err != nil {
		t.Error(err)
	}
	final.Pairs.First = []int{0}
	if err := parsedAgain(t, &Line{Case: final}); err == nil {
		t.Error("a finished case with a coin too few is taken over")
	}
}

func parsedAgain(t *testing.T, r *Line) error {
	t.Helper()
	var line bytes.Buffer
	if _, err := journal.Seal(&line, r, 0); err != nil {
		t.Fatal(err)
	}
	_, err := parseRecord([]byte(strings.TrimSpace(line.String())))
	return err
}

// The single line of a case that rewriting makes contains everything that its lines
// did.
func TestPairsSurviveTheRewritingOfAJournal(t *testing.T) {
	c := &InterruptedCase{Samples: result.NoSamples()}
	for range 2 {
		if err := c.add(pairsOf(2)); err != nil {
			t.Fatal(err)
		}
	}
	again := &InterruptedCase{Samples: result.NoSamples()}
	if err := again.add(c.record(0).Block); err != nil {
		t.Fatal(err)
	}
	if again.Base.Samples.Len() != 4 || len(again.Base.first) != 4 || again.Samples.Len() != 4 {
		t.Errorf("%d samples beside %d, %v", again.Samples.Len(), again.Base.Samples.Len(), again.Base.first)
	}
}

func TestCensoredRowsFollowTheirSamples(t *testing.T) {
	s, more := result.NoSamples(), result.NoSamples()
	for i := range 4 {
		s.Launch, s.Block, s.At = append(s.Launch, 0), append(s.Block, i), append(s.At, 0)
		s.Columns["time"] = append(s.Columns["time"], 1)
	}
	s.Censored = []int{1, 3}
	extend(&more, &s)
	extend(&more, &s)
	if !slices.Equal(more.Censored, []int{1, 3, 5, 7}) {
		t.Errorf("put together: %v", more.Censored)
	}
	if rows := summary.RowsFrom(&more, 3); !slices.Equal(rows.Censored, []int{0, 2, 4}) {
		t.Errorf("from row 3: %v", rows.Censored)
	}
	for _, wrong := range [][]int{{4}, {-1}, {1, 1}} {
		if s.Censored = wrong; coherent(&s) == nil {
			t.Errorf("censored %v of four rows is taken from a journal", wrong)
		}
	}
}
