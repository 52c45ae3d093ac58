package bench

import "testing"

// What the helpers of micro-bench and the units of mLib promise: docs/ancestors.md.

func TestKeepAllocatesNothingAndLeavesTheValueAlone(t *testing.T) {
	sum, text := 0, "kept"
	loop := func() {
		for i := range 10 {
			sum += i
		}
		Keep(&sum)
		Keep(&text)
	}
	if n := testing.AllocsPerRun(100, loop); n != 0 || sum != 101*45 || text != "kept" {
		t.Errorf("%v allocations, sum %d, %q", n, sum, text)
	}
}

func TestWorkIsWhatTheSetUpDeclared(t *testing.T) {
	c := NewCase("x", nil)
	if work, unit := c.Declared(); work != 0 || unit != "" {
		t.Errorf("nothing declared: %g %q", work, unit)
	}
	c.Work(4096, "byte")
	if work, unit := c.Declared(); work != 4096 || unit != "byte" {
		t.Errorf("declared %g %q", work, unit)
	}
}

func TestALoopMadeByTryRunsWhereNobodyTimesItsIterations(t *testing.T) {
	c, calls := NewCase("x", nil), 0
	if c.Trial() != nil {
		t.Error("a case without Try has an operation")
	}
	loop := c.Try(func() bool { calls++; return calls > 1 })
	if loop(3); calls != 3 || c.Trial() == nil || !c.Trial()() || Indirect(loop) {
		t.Errorf("%d calls", calls)
	}
}
