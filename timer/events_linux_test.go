package timer

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

const groupFormat = timesFormat | unix.PERF_FORMAT_GROUP

func TestEventsOfAThreadAreReadInTwoGroups(t *testing.T) {
	k := &fakeKernel{enabled: 900, running: 300}
	e, skipped := openEvents(k, []string{"task-clock", "cycles", "cache-misses", "page-faults", "instructions"}, ThisThread)
	if e == nil || len(skipped) != 0 {
		t.Fatalf("skipped %v", skipped)
	}
	want := []string{"cycles", "instructions", "cache_misses", "page_faults", "task_clock"}
	if !slices.Equal(e.Metrics(), want) {
		t.Errorf("metrics %v, want %v", e.Metrics(), want)
	}
	for fd, group := range []int{-1, 0, 0, -1, 3} {
		ev := k.opened[fd]
		leads := group == -1
		if ev.group != group || ev.on != leads || (ev.attr.Bits == unix.PerfBitDisabled) != leads || ev.attr.Read_format != groupFormat {
			t.Errorf("descriptor %d: %+v, want it in group %d", fd, ev, group)
		}
	}
	k.answers = 0
	into := make([]Count, len(want))
	if !e.Read(into) || k.answers != 2 {
		t.Errorf("read with %d system calls, want one for each group", k.answers)
	}
	for i, c := range into {
		if c != (Count{uint64(i+1) * 1000, 900, 300}) {
			t.Errorf("%s reads %+v", want[i], c)
		}
	}
	if n := testing.AllocsPerRun(100, func() { e.Read(into) }); e.Close() != nil || k.leaks() != 0 {
		t.Errorf("%v allocations, %d descriptors left", n, k.leaks())
	}
	if e.Read(into) {
		t.Error("read after Close")
	}
}

func TestMissingHardwareEventsDoNotStopTheOthers(t *testing.T) {
	k := &fakeKernel{enabled: 1, running: 1, refuse: func(a *unix.PerfEventAttr, _ int) error {
		if a.Type == unix.PERF_TYPE_HARDWARE && a.Config != unix.PERF_COUNT_HW_INSTRUCTIONS {
			return unix.ENOENT
		}
		return nil
	}}
	e, skipped := openEvents(k, []string{"cycles", "instructions", "branches", "page-faults"}, ThisThread)
	if !slices.Equal(e.Metrics(), []string{"instructions", "page_faults"}) {
		t.Errorf("metrics %v", e.Metrics())
	}
	for i, name := range []string{"cycles", "branches"} {
		if s := skipped[i]; s.Name != name || s.Kind != "event" || !strings.Contains(s.Reason, "virtual machines often have none") {
			t.Errorf("skipped %+v", s)
		}
	}
	if k.opened[0].group != -1 || !k.opened[0].on {
		t.Error("the first event that works does not lead")
	}
}

func TestHardwareWithoutRoomGetsMoreGroups(t *testing.T) {
	k := &fakeKernel{enabled: 1, running: 1}
	k.refuse = func(_ *unix.PerfEventAttr, group int) error {
		if group >= 0 && k.members(group) == 2 {
			return unix.EINVAL
		}
		return nil
	}
	e, skipped := openEvents(k, []string{"cycles", "instructions", "branches", "branch-misses", "cache-misses"}, ThisThread)
	if len(skipped) != 0 || len(e.groups) != 3 {
		t.Fatalf("%d groups, skipped %v", len(e.groups), skipped)
	}
	into := make([]Count, 5)
	if !e.Read(into) || into[4].Value != 5000 || into[2].Value != 3000 {
		t.Errorf("counts %v", into)
	}
}

func TestGroupThatNeverRunsIsTakenApart(t *testing.T) {
	k := &fakeKernel{enabled: 100, running: 100, starved: 2}
	e, skipped := openEvents(k, []string{"cycles", "instructions", "branches"}, ThisThread)
	if len(skipped) != 0 || len(e.groups) != 3 {
		t.Fatalf("%d groups, skipped %v", len(e.groups), skipped)
	}
	into := make([]Count, 3)
	if !e.Read(into) || into[0] != (Count{4000, 100, 100}) || into[2] != (Count{6000, 100, 100}) {
		t.Errorf("counts %v", into)
	}
	if e.Close(); k.leaks() != 0 {
		t.Errorf("%d descriptors left", k.leaks())
	}
}

func TestEventsOfChildrenWaitForTheProgramAndAreReadOneByOne(t *testing.T) {
	k := &fakeKernel{enabled: 40, running: 10}
	e, _ := openEvents(k, []string{"cycles", "instructions", "task-clock"}, Children)
	for fd, ev := range k.opened {
		if ev.group != -1 || ev.on || ev.attr.Read_format != timesFormat ||
			ev.attr.Bits != unix.PerfBitDisabled|unix.PerfBitInherit|unix.PerfBitEnableOnExec {
			t.Errorf("descriptor %d: %+v", fd, ev)
		}
	}
	into := make([]Count, 3)
	if !e.Read(into) || into[1] != (Count{2000, 40, 10}) {
		t.Errorf("counts %v", into)
	}
	if n := testing.AllocsPerRun(100, func() { e.Read(into) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if e.Close(); k.leaks() != 0 {
		t.Errorf("%d descriptors left", k.leaks())
	}
}

func TestEventsOfTheKernelAreNotCountedWithoutIt(t *testing.T) {
	k := &fakeKernel{enabled: 1, running: 1, level: 2, refuse: needsUser}
	e, skipped := openEvents(k, []string{"instructions", "page-faults", "context-switches", "cpu-migrations", "task-clock"}, ThisThread)
	if !slices.Equal(e.Metrics(), []string{"instructions", "page_faults", "task_clock"}) {
		t.Errorf("metrics %v", e.Metrics())
	}
	if got := UserOnly(e); !slices.Equal(got, []string{"instructions", "page_faults"}) {
		t.Errorf("without the kernel: %v; task_clock counts all of the time", got)
	}
	const want = "happens in the kernel, and counting there is not permitted: kernel.perf_event_paranoid is 2; set it to 1"
	if len(skipped) != 2 || skipped[0].Name != "context-switches" || !strings.HasPrefix(skipped[1].Reason, want) {
		t.Errorf("skipped %v", skipped)
	}
	if e.Close(); k.leaks() != 0 {
		t.Errorf("%d descriptors left", k.leaks())
	}
}

func TestAnAnswerOfAnotherSizeIsNoReading(t *testing.T) {
	e, _ := openEvents(&fakeKernel{enabled: 1, running: 1}, []string{"cycles", "page-faults"}, ThisThread)
	e.kernel = shortKernel{}
	if e.Read(make([]Count, 2)) {
		t.Error("nothing was read as a count")
	}
}

// The numbers are the ones of linux/perf_event.h and never change.
func TestEveryEventHasTheKernelsNumber(t *testing.T) {
	want := map[string][2]uint64{
		"cycles": {0, 0}, "instructions": {0, 1}, "cache_references": {0, 2}, "cache_misses": {0, 3},
		"branches": {0, 4}, "branch_misses": {0, 5},
		"task_clock": {1, 1}, "page_faults": {1, 2}, "context_switches": {1, 3}, "cpu_migrations": {1, 4},
	}
	for _, e := range AllEvents() {
		a := eventAttr(e.Metric)
		got := [2]uint64{uint64(a.Type), a.Config}
		if w, ok := want[e.Metric]; !ok || got != w || e.Hardware != (a.Type == unix.PERF_TYPE_HARDWARE) {
			t.Errorf("%s is type and number %v, want %v", e.Metric, got, w)
		}
	}
}
