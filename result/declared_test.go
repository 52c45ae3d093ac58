package result_test

import (
	"math"
	"strings"
	"testing"

	"example.com/suite/internal/units"
	"example.com/suite/result"
)

func TestBaseUnits(t *testing.T) {
	for unit, want := range map[string]struct {
		base  string
		scale float64
	}{
		"ms": {"s", 1e-3}, "us": {"s", 1e-6}, "µs": {"s", 1e-6}, "ns/op": {"s", 1e-9}, "h": {"s", 3600}, "KiB": {"B", 1024}, "MB/s": {"B/s", 1e6},
		"%": {"%", 0.01}, "lines": {"lines", 1}, "req/s": {"req/s", 1}, "1/s": {"1/s", 1}, "allocs/op": {"allocs", 1}, "": {"", 1}, "sec/op": {"s", 1},
		"ms/req": {"s/req", 1e-3},
	} {
		if base, scale := result.BaseUnit(unit); base != want.base || scale != want.scale {
			t.Errorf("%q: %q, %g", unit, base, scale)
		}
	}
}

func TestUnitsOfDeclaredMetricsArePrinted(t *testing.T) {
	for _, test := range []struct {
		x          float64
		unit, want string
	}{
		{0.975, "%", "97.5%"}, {0, "%", "0%"}, {1.5, "%", "150%"}, {200 << 20, "B/s", "200 MiB/s"}, {2e-3, "s/req", "2 ms/req"},
		{12.5, "req/s", "12.5 req/s"}, {2e6, "1/s", "2 M/s"}, {48120, "lines", "48120 lines"}, {-0.5, "points", "-0.5 points"},
	} {
		if got := units.Format(test.x, test.unit); got != test.want {
			t.Errorf("%g %s: %q, want %q", test.x, test.unit, got, test.want)
		}
	}
}

// The metrics of a case are those of the table and, behind them, its own.
func TestTableOfACase(t *testing.T) {
	c := result.Case{Kind: result.KindShell, Declared: []result.Declared{{Name: "b", Unit: "s", Better: result.Lower}, {Name: "a", Better: result.Higher, Exact: true}}}
	all, n := c.Table(), len(result.Metrics())
	if len(all) != n+2 || all[n].Name != "b" || all[n+1].Name != "a" || !all[n+1].Exact || !all[n].Sampled || all[n].Kinds[0] != result.KindShell || all[0].Name != "time" {
		t.Errorf("%+v", all[n:])
	}
	if m, ok := c.Metric("a"); !ok || m.Direction != result.Higher {
		t.Errorf("%+v, %t", m, ok)
	}
	if _, ok := c.Metric("c"); ok {
		t.Error("a metric that nobody declares")
	}
}

func TestDeclaredMetricsAreChecked(t *testing.T) {
	for want, declared := range map[string][]result.Declared{
		`declared metric "9x" has no name that gates could write`:       {{Name: "9x", Better: "lower"}},
		`declared metric "rss" has the name of one that every case has`: {{Name: "rss", Better: "lower"}},
		`declared metric "x" is there twice`:                            {{Name: "x", Better: "lower"}, {Name: "x", Better: "lower"}},
		`declared metric "x": unknown better "up"`:                      {{Name: "x", Better: "up"}},
	} {
		doc := read(t, recorded(t)["declared.json"])
		doc.Cases[3].Declared = declared
		if err := doc.Validate(); err == nil || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), "\n") > 0 {
			t.Errorf("%v, want %s", err, want)
		}
	}
	doc := read(t, recorded(t)["declared.json"])
	doc.Cases[0].Samples.Columns["latency"][2] = math.NaN() // a gap is none of the faults
	if err := doc.Validate(); err != nil {
		t.Error(err)
	}
}
