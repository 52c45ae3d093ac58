package report

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
)

// apart is three results beside each other, with all that a table may hold.
func apart() *Unpaired {
	u := &Unpaired{Metric: "time", Confidence: 0.95, Floor: 0.02, Notes: []string{"the CPU differs: AMD EPYC 7B13 in old.json, Z80 in new.json"}}
	docs := []*result.Document{document("sort"), document("sort"), document("sort")}
	add := func(name string, notes []string, ratios []*UnpairedRatio, cases ...*result.Case) {
		u.Rows = append(u.Rows, UnpairedRow{Suite: "sort", Name: name, Notes: notes, Ratios: ratios, Cases: cases})
	}
	at := func(i int, median float64) *result.Case { return measure(docs[i], "x", median, 0.01) }
	for i, name := range []string{"old.json", "new.json", "newest.json"} {
		u.Saved = append(u.Saved, Saved{name, docs[i]})
	}
	broken := at(2, 1e-6)
	breakdown(broken, result.Failure{Phase: "run", Cause: "panic", Message: "oh"})
	add("sort/moved", nil, []*UnpairedRatio{{1.1, ptr(1.05), ptr(1.16), false, true}, {0.9, ptr(0.84), ptr(0.95), false, true}}, at(0, 2e-6), at(1, 2.2e-6), at(2, 1.8e-6))
	add("sort/still", nil, []*UnpairedRatio{{1.001, ptr(0.98), ptr(1.02), false, false}, {1.5, nil, nil, false, false}}, at(0, 2e-6), at(1, 2.002e-6), at(2, 3e-6))
	add("sort/gone", []string{"is not in new.json", "could not be measured in newest.json"}, []*UnpairedRatio{nil, nil}, at(0, 2e-6), nil, broken)
	return u
}

func unpaired(t *testing.T, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := UnpairedText(&b, apart(), o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestUnpairedGolden(t *testing.T) {
	got, file := unpaired(t, Options{}), "testdata/unpaired.txt"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// Saved results give no verdict: nothing in them is red or green, nor is called
// better or worse.
func TestUnpairedGivesNoVerdict(t *testing.T) {
	u := apart()
	for _, r := range u.Rows {
		for _, ratio := range r.Ratios {
			for _, m := range ratio.cell().Marks {
				if m.Class == Good || m.Class == Bad {
					t.Errorf("%q is coloured as a verdict", m.Text)
				}
			}
		}
	}
	text := unpaired(t, Options{})
	for _, word := range []string{"better", "worse", "PASS", "FAIL"} {
		if strings.Contains(text, word) {
			t.Errorf("%q in\n%s", word, text)
		}
	}
	if !strings.HasPrefix(text, "unpaired") || !strings.Contains(text, "no verdict") {
		t.Errorf("it does not say what it is:\n%s", text)
	}
}
