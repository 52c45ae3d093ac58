package timer

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// openReal opens software events on this machine, or skips with the reason.
func openReal(t testing.TB, scope Scope, names ...string) (Events, []Count) {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	e, skipped := OpenEvents(names, scope)
	if len(skipped) > 0 {
		if e != nil {
			e.Close()
		}
		t.Skipf("%s: %s", skipped[0].Name, skipped[0].Reason)
	}
	t.Cleanup(func() { e.Close() })
	into := make([]Count, len(names))
	if !e.Read(into) {
		t.Fatal("cannot be read")
	}
	return e, into
}

// counted is what the only event of e has counted since before.
func counted(t *testing.T, e Events, before []Count) int64 {
	t.Helper()
	now := make([]Count, len(before))
	if !e.Read(now) {
		t.Fatal("cannot be read")
	}
	x, scaled := now[0].Since(before[0])
	if scaled {
		t.Error("a software event shares no hardware, and is scaled")
	}
	return x
}

func TestPageFaultsGrowWhenFreshMemoryIsTouched(t *testing.T) {
	const pages = 64
	e, before := openReal(t, ThisThread, "page-faults")
	size := pages * os.Getpagesize()
	memory, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(memory)
	_ = unix.Madvise(memory, unix.MADV_NOHUGEPAGE)
	for i := 0; i < size; i += os.Getpagesize() {
		memory[i] = 1
	}
	if n := counted(t, e, before); n < pages {
		t.Errorf("%d page faults for %d fresh pages", n, pages)
	}
}

func TestContextSwitchesGrowWhenTheThreadBlocks(t *testing.T) {
	e, before := openReal(t, ThisThread, "context-switches")
	for range 5 {
		block(100 * time.Microsecond)
	}
	if n := counted(t, e, before); n < 5 {
		t.Errorf("%d context switches, and the thread blocked 5 times", n)
	}
}

func TestMigrationsGrowWhenTheThreadIsMoved(t *testing.T) {
	e, before := openReal(t, ThisThread, "cpu-migrations")
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil || all.Count() < 2 {
		t.Skipf("%d CPUs to move between, %v", all.Count(), err)
	}
	defer func() { _ = unix.SchedSetaffinity(0, &all) }()
	var ids []int
	for cpu := range 1024 {
		if all.IsSet(cpu) {
			ids = append(ids, cpu)
		}
	}
	for i := range 6 {
		var one unix.CPUSet
		one.Set(ids[i%2])
		if err := unix.SchedSetaffinity(0, &one); err != nil {
			t.Skip(err)
		}
	}
	if n := counted(t, e, before); n < 5 {
		t.Errorf("%d migrations, and the thread was moved at least 5 times", n)
	}
}

// A stall of the whole machine may fall between the two clocks that are compared,
// so one quiet attempt of five is enough; a clock that goes on in sleep has none.
func TestTaskClockStandsWhileTheThreadSleeps(t *testing.T) {
	const awake = 10 * time.Millisecond
	e, before := openReal(t, ThisThread, "task-clock")
	for range 5 {
		start := time.Now()
		e.Read(before)
		asleep := block(20 * time.Millisecond)
		burn(Machine().ThreadCPU, awake)
		n := time.Duration(counted(t, e, before))
		most := time.Since(start) - asleep + time.Millisecond
		if n >= awake && n <= most {
			return
		}
		t.Logf("task clock %v, want at least %v and at most %v", n, awake, most)
	}
	t.Error("no attempt gave the time on the CPU")
}

// block keeps the thread in the kernel for d, and returns the time that it was there.
// Sleeps that the runtime's signals ended early are not counted.
func block(d time.Duration) (asleep time.Duration) {
	for {
		if unix.Nanosleep(&unix.Timespec{Nsec: int64(d)}, nil) == nil {
			return d
		}
	}
}

// burn spins until a clock of CPU time has moved on.
func burn(clock func() int64, d time.Duration) {
	for start := clock(); clock()-start < int64(d); {
	}
}

// TestBurningChild is no test but the program of the children below: it spins
// for the milliseconds of its first argument and starts a child of its own with
// the others.
func TestBurningChild(t *testing.T) {
	times := strings.Fields(os.Getenv("TIMER_TEST_BURN"))
	if len(times) == 0 {
		t.Skip("run by other tests")
	}
	ms, _ := strconv.Atoi(times[0])
	burn(Machine().ProcessCPU, time.Duration(ms)*time.Millisecond)
	if len(times) > 1 {
		if err := child(times[1:]...).Run(); err != nil {
			t.Fatal(err)
		}
	}
}

func child(times ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^TestBurningChild$")
	cmd.Env = append(os.Environ(), "TIMER_TEST_BURN="+strings.Join(times, " "))
	return cmd
}

func TestTaskClockOfChildrenCountsThemAndTheirs(t *testing.T) {
	for _, times := range [][]string{{"40"}, {"0", "40"}, {"0", "20", "20"}} {
		e, before := openReal(t, Children, "task-clock")
		if err := child(times...).Run(); err != nil {
			t.Fatal(err)
		}
		if n := time.Duration(counted(t, e, before)); n < 30*time.Millisecond {
			t.Errorf("children that spin %v ms: task clock %v", times, n)
		}
	}
}

// The kernel's clock continues while a hypervisor keeps the CPU, so one quiet attempt
// of five is enough; if the parent were included all of them would exceed the limit.
func TestTaskClockOfChildrenLeavesTheParentOut(t *testing.T) {
	const parent = 200 * time.Millisecond
	e, before := openReal(t, Children, "task-clock")
	burn(Machine().ThreadCPU, parent)
	if n := counted(t, e, before); n != 0 {
		t.Errorf("%d ns before there is a child", n)
	}
	for attempt := 1; ; attempt++ {
		e.Read(before)
		cmd := child("20")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		burn(Machine().ThreadCPU, parent)
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		n := time.Duration(counted(t, e, before))
		used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		if n <= used+parent/2 {
			return
		}
		if attempt == 5 {
			t.Fatalf("task clock %v, and the child used %v", n, used)
		}
	}
}

func TestSoftwareEventsAreReadTogetherAndAllocateNothing(t *testing.T) {
	e, into := openReal(t, ThisThread, "page-faults", "context-switches", "cpu-migrations", "task-clock")
	if n := testing.AllocsPerRun(100, func() { e.Read(into) }); n != 0 {
		t.Errorf("%v allocations for one reading", n)
	}
	last := make([]Count, len(into))
	for range 100 {
		copy(last, into)
		if !e.Read(into) {
			t.Fatal("cannot be read")
		}
		for i := range into {
			if into[i].Value < last[i].Value || into[i].Enabled <= last[i].Enabled || into[i].Running != into[i].Enabled {
				t.Fatalf("%s: %+v after %+v", e.Metrics()[i], into[i], last[i])
			}
		}
	}
}

// The credentials of Linux belong to a thread, so this one becomes a plain user
// and ends with the test: it is never unlocked.
func TestPlainUsersGetWhatTheKernelPermits(t *testing.T) {
	level, ok := realKernel{}.paranoid()
	if os.Geteuid() != 0 || !ok || level != 2 {
		t.Skipf("needs to be root at kernel.perf_event_paranoid 2; this is user %d at %d", os.Geteuid(), level)
	}
	type outcome struct {
		metrics, cut []string
		skipped      []Skipped
	}
	done := make(chan outcome)
	go func() {
		runtime.LockOSThread()
		const nobody = 65534
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, nobody, nobody, nobody); errno != 0 {
			close(done)
			return
		}
		e, skipped := OpenEvents([]string{"page-faults", "context-switches", "cpu-migrations", "task-clock"}, ThisThread)
		o := outcome{skipped: skipped}
		if e != nil {
			o.metrics, o.cut = e.Metrics(), UserOnly(e)
			e.Close()
		}
		done <- o
	}()
	o, ok := <-done
	if !ok {
		t.Skip("this thread cannot become another user")
	}
	if len(o.metrics) == 0 {
		t.Skipf("no event for plain users: %v", o.skipped)
	}
	if !slices.Equal(o.metrics, []string{"page_faults", "task_clock"}) || !slices.Equal(o.cut, []string{"page_faults"}) {
		t.Errorf("metrics %v, without the kernel %v", o.metrics, o.cut)
	}
	for _, s := range o.skipped {
		if !strings.Contains(s.Reason, "happens in the kernel") || !strings.Contains(s.Reason, "set it to 1 or lower") {
			t.Errorf("%+v", s)
		}
	}
}

func BenchmarkReadingEvents(b *testing.B) {
	for _, names := range [][]string{{"task-clock"}, {"page-faults"}, {"page-faults", "context-switches", "cpu-migrations", "task-clock"}} {
		b.Run(strings.Join(names, "+"), func(b *testing.B) {
			e, into := openReal(b, ThisThread, names...)
			for b.Loop() {
				e.Read(into)
			}
		})
	}
}
