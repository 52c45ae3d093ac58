package bench

import (
	"math"
	"sync"
	"testing"
)

func TestReportsAreWrongWithAReason(t *testing.T) {
	for _, test := range []struct {
		report func(c *Case)
		want   string
	}{
		{func(c *Case) { c.Report("hits", math.NaN(), Higher) }, `Report("hits"): NaN is not a number from -1e+100 to 1e+100`},
		{func(c *Case) { c.Report("hits", math.Inf(-1), Higher) }, `Report("hits"): -Inf is not a number from -1e+100 to 1e+100`},
		{func(c *Case) { c.Report("hits", 2e100, Higher) }, `Report("hits"): 2e+100 is not a number from -1e+100 to 1e+100`},
		{func(c *Case) { c.Report("", 1, Higher) }, `Report(""): gates name it: write letters, digits and _, a letter first`},
		{func(c *Case) { c.Report("9th", 1, Higher) }, `Report("9th"): gates name it: write letters, digits and _, a letter first`},
		{func(c *Case) { c.Report("p99-ns/op", 1, Higher) }, `Report("p99-ns/op"): gates name it: write letters, digits and _, a letter first`},
		{func(c *Case) { c.Report("größe", 1, Higher) }, `Report("größe"): gates name it: write letters, digits and _, a letter first`},
		{func(c *Case) { c.Report("hits", 1, 0) }, `Report("hits"): better is 0, want bench.Lower or bench.Higher`},
		{func(c *Case) { c.Report("hits", 1, Higher); c.Report("hits", 1, Lower) }, `Report("hits"): lower is better in one call, and higher in another`},
		{func(c *Case) { c.host.CloseReports(); c.Report("hits", 1, Higher) }, `Report("hits"): no batch is running: call it from the loop`},
	} {
		c := newCase("x", nil)
		c.host.OpenReports()
		if got := fatal(t, func() { test.report(c) }); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
	if got := fatal(t, func() { newCase("x", nil).Report("hits", 1, Higher) }); got != `Report("hits"): no batch is running: call it from the loop` {
		t.Errorf("in the setup: %s", got)
	}
}

func TestACaseReportsAtMostAHundredMetrics(t *testing.T) {
	c := newCase("x", nil)
	c.host.OpenReports()
	name := []byte("m00")
	for i := range 100 {
		name[1], name[2] = byte('0'+i/10), byte('0'+i%10)
		c.Report(string(name), 1, Lower)
	}
	c.Report("m42", 2, Lower)
	if got := fatal(t, func() { c.Report("more", 1, Lower) }); got != `Report("more"): the case reports more than 100 metrics` {
		t.Error(got)
	}
}

func TestTheValueOfABatchIsTheMeanOfItsCalls(t *testing.T) {
	c := newCase("x", nil)
	c.host.OpenReports()
	c.Report("hits", 7, Higher) // of the warm-up
	c.Report("late", -1, Lower)
	c.host.ForgetReports()
	var all sync.WaitGroup
	for i := range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			c.Report("hits", float64(i), Higher)
		}()
	}
	all.Wait()
	got := c.host.Reported()
	if len(got) != 2 || got[0].Name != "hits" || !got[0].Higher || got[0].Value() != 1.5 {
		t.Errorf("%+v", got)
	}
	if got[1].Name != "late" || got[1].Higher || !math.IsNaN(got[1].Value()) {
		t.Errorf("a metric that the batch did not report: %+v", got[1])
	}
}

func TestReportAllocatesNothingAfterItsFirstCall(t *testing.T) {
	c := newCase("x", nil)
	c.host.OpenReports()
	report := func() {
		c.host.ForgetReports()
		c.Report("hits", 0.5, Higher)
	}
	report()
	if n := testing.AllocsPerRun(100, report); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkReport(b *testing.B) {
	c := newCase("x", nil)
	c.host.OpenReports()
	for b.Loop() {
		c.Report("hits", 0.5, Higher)
	}
}
