package runner

import (
	"bytes"
	"strings"
	"testing"

	"example.com/suite/result"
	"example.com/suite/runner/journal"
)

// pairsOf is a block of pairs as a journal has it.
func pairsOf(rows int) *blockRecord {
	b := &blockRecord{Case: result.Case{Suite: "s", Name: "p", Pairs: &result.Pairs{Base: "q", Iterations: 1}}, Samples: samplesOf(rows, 0),
		Base: &baseRecord{Case: result.Case{Suite: "s", Name: "q"}, Samples: samplesOf(rows, 0)}}
	for i := range rows {
		b.Base.First = append(b.Base.First, i%2)
	}
	return b
}

// A journal that somebody has changed must not become pairs of which a side is
// missing, or that nobody threw a coin for.
func TestTornPairsInAJournalAreRefused(t *testing.T) {
	for name, change := range map[string]func(b *blockRecord){
		"":               func(*blockRecord) {},
		"a row too few":  func(b *blockRecord) { b.Base.Samples = samplesOf(1, 0) },
		"no side":        func(b *blockRecord) { b.Base.Samples = nil },
		"no case":        func(b *blockRecord) { b.Samples = nil },
		"no coin":        func(b *blockRecord) { b.Base.First = b.Base.First[:1] },
		"an odd coin":    func(b *blockRecord) { b.Base.First[0] = 2 },
		"no base":        func(b *blockRecord) { b.Case.Pairs = nil },
		"negative times": func(b *blockRecord) { b.Base.Track.Used = -1 },
		"coins of none":  func(b *blockRecord) { b.Samples, b.Base.Samples = nil, nil },
	} {
		b := pairsOf(2)
		change(b)
		if err := parsedAgain(t, &record{Block: b}); (err == nil) != (name == "") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	final := &result.Case{Suite: "s", Name: "p", Samples: *samplesOf(2, 0), Pairs: &result.Pairs{Base: "q", First: []int{0, 1}, Samples: *samplesOf(2, 0)}}
	if err := parsedAgain(t, &record{Case: final}); err != nil {
		t.Error(err)
	}
	final.Pairs.First = []int{0}
	if err := parsedAgain(t, &record{Case: final}); err == nil {
		t.Error("a finished case with a coin too few is taken over")
	}
}

func parsedAgain(t *testing.T, r *record) error {
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
	c := &pastCase{samples: result.NoSamples()}
	for range 2 {
		if err := c.add(pairsOf(2)); err != nil {
			t.Fatal(err)
		}
	}
	again := &pastCase{samples: result.NoSamples()}
	if err := again.add(c.record(0).Block); err != nil {
		t.Fatal(err)
	}
	if again.base.samples.Len() != 4 || len(again.base.first) != 4 || again.samples.Len() != 4 {
		t.Errorf("%d samples beside %d, %v", again.samples.Len(), again.base.samples.Len(), again.base.first)
	}
}
