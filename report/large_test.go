package report

import (
	"fmt"
	"io"
	"runtime"
	"testing"

	"example.com/suite/report/compare"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// What a report of a case allocates does not grow with the number of cases: work that does
// would take minutes for 10,000 of them.
func TestReportsGrowWithTheNumberOfCases(t *testing.T) {
	const few, many = 200, 2000
	docs := map[int][2]*result.Document{}
	for _, n := range []int{few, many} {
		var halves [2]*result.Document
		for half := range halves {
			doc := reporttest.Document("large")
			for i := range n {
				c := reporttest.Measure(doc, fmt.Sprintf("case %d", half*n+i), 1e-6, 0.01)
				reporttest.Ask(c, "time.median < 1ms", "time", result.Pass, result.FormInterval, "")
			}
			halves[half] = doc
		}
		docs[n] = halves
	}
	perCase := func(n int, do func(a, b *result.Document) error) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := do(docs[n][0], docs[n][1]); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc-before.TotalAlloc) / float64(n)
	}
	check := func(name string, do func(a, b *result.Document) error) {
		perCase(few, do) // what is allocated once
		if a, b := perCase(few, do), perCase(many, do); b > 1.3*a {
			t.Errorf("%s: a case of %d allocates %.0f bytes, of %d %.0f", name, few, a, many, b)
		}
	}
	for _, f := range Formats() {
		if f.Name != "hyperfine" { // commands only
			check(f.Name, func(a, _ *result.Document) error { return Render(io.Discard, f.Name, a, table.Options{}) })
		}
	}
	check("joining", func(a, b *result.Document) error {
		_, err := result.Join([]*result.Document{a, b})
		return err
	})
	check("comparing", func(a, b *result.Document) error {
		compare.Results([]table.Saved{{Name: "a", Doc: a}, {Name: "b", Doc: b}}, "time")
		return nil
	})
	check("validating", func(a, _ *result.Document) error { return a.Validate() })
}
