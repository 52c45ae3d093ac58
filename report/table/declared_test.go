package table

import (
	"strings"
	"testing"

	"example.com/suite/report/reporttest"
)

func TestDeclaredMetricsHaveColumns(t *testing.T) {
	d := reporttest.Document("s")
	reporttest.Measure(d, "a", 1e-3, 0.01)
	reporttest.Measure(d, "b", 1e-3, 0.01)
	a, b := &d.Cases[0], &d.Cases[1]
	reporttest.Declare(reporttest.Declare(reporttest.Declare(a, "latency", "s", 2.5e-4, 0), "sent", "B", 3<<20, 0), "hits", "%", 0.975, 0)
	reporttest.Declare(reporttest.Declare(reporttest.Declare(b, "latency", "s", 3e-3, 0), "requests", "", 12345, 0), "hits", "%", 1, 0)
	reporttest.Declare(reporttest.Declare(reporttest.Declare(b, "speed", "B/s", 200<<20, 0), "rate", "req/s", 52300, 0), "score", "points", -2.5, 0)
	reporttest.Declare(reporttest.Declare(a, "either", "s", 1, 0), "events", "1/s", 2e6, 0)
	reporttest.Declare(b, "either", "points", 7, 0)
	for head, want := range map[string]string{
		"latency":        "0.250 ms | 3.00 ms",
		"sent":           "3.00 MiB | ",
		"hits":           "97.5 % | 100 %",
		"requests":       " | 12345",
		"speed":          " | 200 MiB/s",
		"rate":           " | 52.3 k req/s",
		"score (points)": " | -2.50",
		"events":         "2.00M /s | ",
		"either":         "1.00 s | 7 points",
	} {
		if got := cellsOf(d, head); got != want {
			t.Errorf("%s: got %q, want %q", head, got, want)
		}
	}
	facts := NewTable(d).Groups[0].Rows[0].Facts
	var said []string
	for _, f := range facts {
		if strings.HasPrefix(f.Name, "metric.") {
			said = append(said, f.Name+"="+f.Value)
		}
	}
	if got := strings.Join(said, " "); got != "metric.latency=250 µs metric.sent=3 MiB metric.hits=97.5% metric.either=1 s metric.events=2 M/s" {
		t.Errorf("facts: %s", got)
	}
}
