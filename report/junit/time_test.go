package junit

import (
	"strconv"
	"testing"

	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// The times of the test cases add up to the suite's, however many gates a case has.
func TestJUnitCountsTheTimeOfACaseOnce(t *testing.T) {
	doc := reporttest.Document("d")
	c := reporttest.Measure(doc, "a", 1e-3, 0.01)
	c.Seconds = 1.5
	for _, expr := range []string{"time.median < 1s", "time.median < 2s", "time.median < 3s"} {
		reporttest.Judge(c, expr, result.Pass, result.FormInterval, "")
	}
	reporttest.Measure(doc, "b", 1e-3, 0.01).Seconds = 0.25
	for _, rich := range []bool{true, false} {
		sum := 0.0
		s := newXMLSuites(table.NewTable(doc), rich).Suites[0]
		for _, c := range s.Cases {
			x, err := strconv.ParseFloat(c.Time, 64)
			if err != nil {
				t.Fatal(err)
			}
			sum += x
		}
		if len(s.Cases) != 4 || sum != 1.75 || s.Time != "1.750" {
			t.Errorf("%d test cases take %g s, the suite %s", len(s.Cases), sum, s.Time)
		}
	}
}
