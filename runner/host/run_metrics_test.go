package host

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.com/suite/result"
	"example.com/suite/runner/host/spawn"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// workedOut are metrics of commands that are no rows of spawn.Metrics: addRun works them out
// of others.
var workedOut = []string{"time", "throughput", "cpu", "exit_code", "void"}

// measuredOfRuns are the metrics that a command has without asking for counters.
func measuredOfRuns() (all []result.Metric) {
	for _, m := range result.Metrics() {
		if m.Sampled && m.OptIn == "" && slices.Contains(m.Kinds, result.KindCommand) && !slices.Contains(workedOut, m.Name) {
			all = append(all, m)
		}
	}
	return all
}

// The table of runs has exactly the metrics that documents can have, in their units.
func TestMetricsOfRunsAreThoseOfDocuments(t *testing.T) {
	raw := map[string]string{"s": "ns", "B": "B", "": ""}
	var want, got []spawn.Metric
	for _, m := range measuredOfRuns() {
		want = append(want, spawn.Metric{Name: m.Name, Unit: raw[m.Unit], OfTree: strings.HasPrefix(m.Name, "tree_")})
	}
	for _, m := range spawn.Metrics {
		got = append(got, spawn.Metric{Name: m.Name, Unit: m.Unit, OfTree: m.OfTree})
	}
	if len(want) < 10 || len(got) != len(want) {
		t.Fatalf("%d metrics of runs, and %d of documents", len(got), len(want))
	}
	for i := range want {
		if got[i].Name != want[i].Name || got[i].Unit != want[i].Unit || got[i].OfTree != want[i].OfTree {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
}

// A run has the metrics of this system and no others: gates would pass with a 0 in
// place of an absent number.
func TestRunsHaveTheMetricsOfTheSystem(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h := New(Real())
	t.Cleanup(h.kit.starter.Leave)
	ask(t, h, wire.Request{Op: "hello", Kind: wire.KindCommand})
	c, _, failure := prepareCommand(wire.Command{Argv: []string{self, "-test.run=^$"}, Dir: t.TempDir(), ExitCodes: []int{0}, Timeout: 20 * second}, &h.kit)
	if failure != nil {
		t.Fatal(failure)
	}
	defer c.close()
	r, failure := c.attempt("run")
	if failure != nil {
		t.Fatal(failure)
	}
	for i, m := range measuredOfRuns() {
		where, _, _ := strings.Cut(m.When, ",")
		here := where == "everywhere" || where == "Unix" && runtime.GOOS != "windows" || where == "Linux" && runtime.GOOS == "linux"
		x := *spawn.Metrics[i].Field(&r.Run)
		if !here && x != timer.Absent {
			t.Errorf("%s is %d on %s, and it is measured on: %s", m.Name, x, runtime.GOOS, m.When)
		}
		if here && where != "Linux" && x == timer.Absent { // some of Linux need a control group, or a file that containers hide
			t.Errorf("%s is absent, and it is measured on: %s", m.Name, m.When)
		}
	}
}
