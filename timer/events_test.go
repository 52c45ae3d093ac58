package timer

import (
	"slices"
	"strings"
	"testing"
)

func TestNamesOfEventsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for i, e := range AllEvents() {
		if seen[e.Metric] || e.Help == "" || strings.ReplaceAll(e.Name, "-", "_") != e.Metric {
			t.Errorf("event %+v", e)
		}
		seen[e.Metric] = true
		if (e.Unit == "s") != (e.Metric == "task_clock") || (i == 0) != (e.Metric == "cycles") {
			t.Errorf("event %d is %+v", i, e)
		}
	}
}

func TestEventsAreFoundByBothNamesOnceAndInTheOrderOfTheTable(t *testing.T) {
	events, unknown := wanted([]string{"task-clock", "page-faults", "sighs", "branch_misses", "page_faults", "branch-misses", "sighs"})
	var got []string
	for _, e := range events {
		got = append(got, e.Metric)
	}
	if !slices.Equal(got, []string{"branch_misses", "page_faults", "task_clock"}) {
		t.Errorf("found %v", got)
	}
	if len(unknown) != 1 || unknown[0].Kind != "event" || unknown[0].Name != "sighs" ||
		!strings.HasPrefix(unknown[0].Reason, "unknown event; known are cycles, instructions, branches, branch-misses") {
		t.Errorf("unknown %v", unknown)
	}
}

func TestEventsThatDoNotWorkHereHaveAReason(t *testing.T) {
	var names []string
	for _, e := range AllEvents() {
		names = append(names, e.Name)
	}
	events, skipped := OpenEvents(append(names, "sighs"), ThisThread)
	open := 0
	if events != nil {
		open = len(events.Metrics())
		defer events.Close()
	}
	if open+len(skipped) != len(names)+1 {
		t.Errorf("%d open and %d skipped of %d", open, len(skipped), len(names)+1)
	}
	for _, s := range skipped {
		if s.Reason == "" || s.Kind != "event" {
			t.Errorf("%+v", s)
		}
	}
	if events, _ := OpenEvents(nil, Children); events != nil {
		t.Error("no names give events")
	}
}
