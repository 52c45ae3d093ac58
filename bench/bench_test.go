package bench

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/benchcase"
)

func newCase(name string, params map[string]benchcase.Param) *Case {
	return &Case{benchcase.New(name, params)}
}

func number(text string, x float64) benchcase.Param { return benchcase.Param{Text: text, Number: &x} }

// fatal runs f and returns the message of its failure.
func fatal(t *testing.T, f func()) (message string) {
	t.Helper()
	defer func() {
		failure, ok := recover().(benchcase.Failure)
		if !ok {
			t.Fatal("want a Failure")
		}
		message = failure.Message
	}()
	f()
	return ""
}

func TestParametersKeepSpellingAndNumber(t *testing.T) {
	yes := true
	c := newCase("x", map[string]benchcase.Param{
		"size": number("1KiB", 1024), "wait": number("2ms", 0.002),
		"share": number("3%", 0.03), "fast": {Text: "yes", Bool: &yes},
	})
	if got := c.Int("size"); got != 1024 {
		t.Errorf("Int(size) = %d, want 1024", got)
	}
	if got := c.String("size"); got != "1KiB" {
		t.Errorf("String(size) = %q, want 1KiB", got)
	}
	if got := c.Duration("wait"); got != 2*time.Millisecond {
		t.Errorf("Duration(wait) = %v, want 2ms", got)
	}
	if got := c.Float("share"); got != 0.03 {
		t.Errorf("Float(share) = %v, want 0.03", got)
	}
	if !c.Bool("fast") {
		t.Error("Bool(fast) = false, want true")
	}
}

func TestWrongParametersSayWhatTheSuiteGives(t *testing.T) {
	c := newCase("x", map[string]benchcase.Param{"size": number("1.5", 1.5), "mode": {Text: "fast"}})
	for _, test := range []struct {
		f    func()
		want string
	}{
		{func() { c.Int("sise") }, `parameter "sise" is missing; the suite file gives: mode, size`},
		{func() { c.Int("size") }, `parameter "size" is "1.5", want a whole number`},
		{func() { c.Float("mode") }, `parameter "mode" is "fast", want a number`},
		{func() { c.Bool("mode") }, `parameter "mode" is "fast", want true or false`},
		{func() { newCase("y", nil).Int("n") }, `parameter "n" is missing; the suite file gives: none`},
		{func() { c.Work(math.Inf(1), "byte") }, `Work needs an amount from 1e-30 to 1e+30 and a unit, got +Inf "byte"`},
		{func() { c.Work(1e300, "byte") }, `Work needs an amount from 1e-30 to 1e+30 and a unit, got 1e+300 "byte"`},
		{func() { c.Work(0, "byte") }, `Work needs an amount from 1e-30 to 1e+30 and a unit, got 0 "byte"`},
		{func() { c.Fatal(errors.New("no"), 3) }, "no 3"},
	} {
		if got := fatal(t, test.f); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestUnreadParametersAreNamed(t *testing.T) {
	c := newCase("x", map[string]benchcase.Param{"b": {}, "a": {}, "used": {}})
	c.String("used")
	if got := strings.Join(c.host.Unread(), " "); got != "a b" {
		t.Errorf("Unread = %q, want \"a b\"", got)
	}
}

func TestCleanupsRunOnceLastFirst(t *testing.T) {
	var order string
	c := newCase("x", nil)
	c.Cleanup(func() { order += "a" })
	c.Cleanup(func() { order += "b" })
	c.host.Close()
	c.host.Close()
	if order != "ba" {
		t.Errorf("order = %q, want ba", order)
	}
}

func TestACleanupThatPanicsStopsNoOther(t *testing.T) {
	var order string
	c := newCase("x", nil)
	for _, name := range []string{"a", "b", "c"} {
		c.Cleanup(func() {
			order += name
			if name != "a" {
				c.Fatal(name, "failed")
			}
		})
	}
	if got := fatal(t, c.host.Close); got != "b failed" || order != "cba" {
		t.Errorf("cleanups %q ran, and it failed with %q", order, got)
	}
}

func TestEachIsKnownByItsAddress(t *testing.T) {
	calls := 0
	loop := Each(func() { calls++ })
	if loop(7); calls != 7 {
		t.Errorf("7 iterations made %d calls", calls)
	}
	if !benchcase.Indirect(loop) || benchcase.Indirect(func(int) {}) {
		t.Error("want loops of Each, and only those, to be indirect")
	}
}

func TestRegisterRefusesASecondBenchmarkOfOneName(t *testing.T) {
	Register("once", func(*Case) Loop { return func(int) {} })
	if _, ok := benchcase.Find("once"); !ok {
		t.Fatal("once is not found")
	}
	defer func() {
		if r := recover(); r != `bench: "once" is registered twice` {
			t.Errorf("recovered %v", r)
		}
	}()
	Register("once", func(*Case) Loop { return nil })
}

// What the helpers of micro-bench and the units of mLib promise: docs/evidence/ancestors.md.

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
	c := newCase("x", nil)
	if work, unit := c.host.Work, c.host.Unit; work != 0 || unit != "" {
		t.Errorf("nothing declared: %g %q", work, unit)
	}
	c.Work(4096, "byte")
	if work, unit := c.host.Work, c.host.Unit; work != 4096 || unit != "byte" {
		t.Errorf("declared %g %q", work, unit)
	}
}

func TestALoopMadeByTryRunsWhereNobodyTimesItsIterations(t *testing.T) {
	c, calls := newCase("x", nil), 0
	if c.host.Trial != nil {
		t.Error("a case without Try has an operation")
	}
	loop := c.Try(func() bool { calls++; return calls > 1 })
	if loop(3); calls != 3 || c.host.Trial == nil || !c.host.Trial() || benchcase.Indirect(loop) {
		t.Errorf("%d calls", calls)
	}
}
