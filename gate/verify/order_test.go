package verify

import (
	"fmt"
	"strings"
	"testing"

	"example.com/suite/gate"
	"example.com/suite/result"
)

// The growth of times follows from the medians, so a document with another growth is
// detected.
func TestOrdersAreVerified(t *testing.T) {
	d := document(t)
	d.Orders = []result.Order{{Suite: "s", Family: "sort", Param: "size", Metric: "time", Cases: 5, From: 1, To: 100, Plausible: []string{"n"}, Best: "n", Exponent: 1}}
	r := check(t, d)
	if len(r.Findings) != 1 || r.Findings[0].What != "growth of times" || r.Findings[0].Recomputed != "0 families" {
		t.Errorf("%+v", r.Findings)
	}
	if d.Orders = []result.Order{}; len(check(t, d).Findings) != 0 {
		t.Error("no families differ from none")
	}
}

// Each field of a family's order is compared, and a family that is left out is
// detected.
func TestEachPartOfAnOrderIsVerified(t *testing.T) {
	for name, change := range map[string]func(o *result.Order){
		"from": func(o *result.Order) { o.From *= 2 }, "error": func(o *result.Order) { o.Error += 0.1 }, "cases": func(o *result.Order) { o.Cases++ },
		"plausible": func(o *result.Order) { o.Plausible = []string{"1"} }, "best": func(o *result.Order) { o.Best = "n^2" }, "exponent": func(o *result.Order) { o.Exponent *= 1.01 },
	} {
		d := document(t)
		for _, n := range []float64{10, 100, 1000, 1e4, 1e5, 1e6} {
			c := add(d, fmt.Sprintf("sort/%g", n), result.KindGo, n*1e-9)
			c.Params = []result.Param{{Name: "size", Text: fmt.Sprint(n), Number: &n}}
		}
		judged(t, d)
		d.Orders = gate.Orders(d.Cases)
		if len(d.Orders) == 0 {
			t.Fatal("no family of cases")
		}
		change(&d.Orders[0])
		if text := found(t, d); !strings.Contains(text, ": "+name+" | ") {
			t.Errorf("%s: got\n%s", name, text)
		}
		d.Orders = nil
		if text := found(t, d); !strings.Contains(text, "growth of times | 0 families") {
			t.Errorf("without: got\n%s", text)
		}
	}
}
