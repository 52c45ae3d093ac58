//go:build linux

package host

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/extract"
	"example.com/suite/internal/harness"
	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// conversing is a host, and a program that speaks the line protocol, which a shell plays: for each request to run, body
// runs with the number of iterations in $n, the name of the benchmark in $name and the number of the request in $i.
func conversing(t *testing.T, body string) (*Host, wire.Harness) {
	h := commander(t)
	h.kit.machine.Extract = func(m wire.Metric) (func([]byte) (float64, error), error) {
		return extract.Open(extract.Rule{JSON: m.JSON})
	}
	h.kit.machine.Harness = func(name, benchmark string, _ bool) (Harness, bool) {
		row, found := harness.Find(name)
		return Harness{
			Run: func(a Amount, results string) (args, env []string, input string) {
				r := row.Run(benchmark, harness.Amount(a))
				return r.Args, r.Variables, r.Input
			},
			Time: func(out []byte, _ string, a Amount) (float64, bool, error) {
				x, err := row.Time(harness.Output{Text: out}, benchmark, harness.Amount(a))
				var reported *harness.Failure
				return x, errors.As(err, &reported), err
			},
			Answered: func(out []byte) (int, bool) { return row.Harness.(harness.Responder).Answered(out, benchmark) },
			List:     row.List().Input,
		}, found
	}
	s := wire.Harness{Harness: "lines", Benchmark: "a b", Counts: true, Stays: true, Goal: 10_000_000, Command: script(t, `echo start >> starts; i=0; while read -r verb n name; do
		case $verb in list) echo '{"benchmarks": ["a b"]}'; continue;; esac
		i=$((i+1)); say() { echo "{\"name\": \"$name\", \"iterations\": $n, \"seconds\": $1, \"hits\": $i}"; }
		`+body+`
	done`)}
	return h, s
}

func converse(t *testing.T, h *Host, s wire.Harness) int {
	t.Helper()
	return ask(t, h, wire.Request{Op: "prepare", Harness: &s}).Prepared.ID
}

// A process answers one request after the other: one for its first iteration, those of the warm-up, and samples.
func TestAProgramOfAHarnessStays(t *testing.T) {
	h, s := conversing(t, `echo "{} about to run $n"; say "$((n * 7))e-6"`)
	s.WarmupBatches = 2
	s.Metrics = []wire.Metric{{Name: "hits", From: wire.Stdout, JSON: "hits", Scale: 1}}
	id := converse(t, h, s)
	run := wire.Request{Op: "run", Limit: 1000 * second, Batches: []wire.Batch{{ID: id, N: 3}, {ID: id, N: 4}}}
	r := ask(t, h, run).Readings
	if want := []int64{21_000, 28_000}; !slices.Equal(r.Columns["time"], want) {
		t.Errorf("times %v, want %v ns", r.Columns["time"], want)
	}
	if want := []float64{4, 5}; !slices.Equal(r.Values["hits"], want) { // after the first iteration and two warm-ups
		t.Errorf("hits %v, want %v", r.Values["hits"], want)
	}
	r = ask(t, h, run).Readings
	if got := strings.Count(text(t, s.Dir+"/starts"), "start\n"); got != 1 || r.Values["hits"][1] != 7 {
		t.Errorf("%d starts, hits %v: want one start and 7 in the end", got, r.Values["hits"])
	}
	ask(t, h, wire.Request{Op: "finish", ID: id})
	if left := grandchildren(t); len(left) > 0 {
		t.Errorf("processes %v are left behind", left)
	}
}

// The iterations of a sample are found in the process that stays.
func TestIterationsAreFoundInAProcessThatStays(t *testing.T) {
	h, s := conversing(t, `say "${n}e-6"`)
	id := converse(t, h, s)
	if sized := ask(t, h, wire.Request{Op: "size", ID: id, Limit: 1000 * second}).Sized; sized.N != 10_000 {
		t.Errorf("%d iterations of 1 µs are 10 ms", sized.N)
	}
	if got := strings.Count(text(t, s.Dir+"/starts"), "start\n"); got != 1 {
		t.Errorf("%d starts", got)
	}
}

// Whatever a process that stays does wrong is the reason for a process for each sample.
func TestProgramsThatCannotStay(t *testing.T) {
	for body, want := range map[string]string{
		`say 1; say 1`:                         `it answered 2 times for "a b", and was asked once`,
		`say 1; exit 0`:                        "its process ends before all requests are answered",
		`[ $i -lt 3 ] && say 1 || exit 4`:      "its process ends before all requests are answered",
		`sleep 100`:                            "a process that was asked for one iteration has not answered after 200ms, and may keep what it prints until its input ends",
		`[ $i -lt 3 ] && say 1 || sleep 100`:   "a process that stayed did not answer within 200ms",
		`[ $i -lt 3 ] && say 1 || say 0`:       `"a b" reported 0 s for 5 iterations, which is no time`,
		`while :; do echo xxxxxxxxxxxxx; done`: "it prints more than 4 MiB for one request",
		`[ $i -lt 3 ] && say 1 || echo '{"name": "a b", "error": "no input"}'`: `"a b" failed: no input`,
	} {
		h, s := conversing(t, body)
		s.Timeout = 200_000_000
		if strings.Contains(body, "while") {
			s.Timeout = 100 * second
		}
		id := converse(t, h, s)
		r := h.answer(&wire.Request{Op: "run", Limit: 1000 * second, Batches: []wire.Batch{{ID: id, N: 5}, {ID: id, N: 5}}})
		if f := r.Failure; f == nil || f.Cause != wire.FailedRepeat || !strings.Contains(f.Message, want) {
			t.Errorf("%s: %+v, want %q", body, f, want)
		}
		if left := grandchildren(t); len(left) > 0 {
			t.Errorf("%s: processes %v are left behind", body, left)
		}
	}
}

// A benchmark that keeps what it has done grows in every process, and needs a process for each sample. One that a
// compiler makes faster does not.
func TestABenchmarkThatGrowsCannotStay(t *testing.T) {
	const grows = "it takes longer and longer as it runs again in one process"
	for body, want := range map[string]string{
		`say "$((n*(1000000+100000*i)))e-9"`: grows,
		`say "$((n*900000/i))e-9"`:           "",
		`say "$((n*(1000000+i%3)))e-9"`:      "",
		`if [ $(wc -l < starts) = 2 ]; then say "$((n*(1000000+100000*i)))e-9"; else say "${n}e-3"; fi`: "",
	} {
		for _, n := range []int{0, 3} {
			h, s := conversing(t, body)
			s.N, s.WarmupBatches = n, 1
			id := converse(t, h, s)
			h.cases[id].(*harnessed).tried = 1000 * second // however busy the machine is
			f := h.answer(&wire.Request{Op: "size", ID: id, Limit: 10_000 * second}).Failure
			switch {
			case want == "" && f != nil:
				t.Errorf("%s: %+v", body, f)
			case want != "" && (f == nil || f.Cause != wire.FailedRepeat || f.Message != want):
				t.Errorf("%s: %+v, want %q", body, f, want)
			}
		}
	}
}

// isStopped reports whether all processes that were started are stopped, of which there is one at least.
func isStopped(t *testing.T) bool {
	started := grandchildren(t)
	return len(started) > 0 && !slices.ContainsFunc(started, func(pid int) bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return err != nil || !strings.Contains(string(stat), ") T ")
	})
}

// A program whose work is done elsewhere than in its first thread may work between its samples: it is stopped there.
func TestAProgramWhoseWorkIsNotSeenIsStopped(t *testing.T) {
	h, s := conversing(t, `say 1000`)
	id := converse(t, h, s)
	for range 2 { // it goes on after the first
		ask(t, h, wire.Request{Op: "run", Limit: 1000 * second, Batches: []wire.Batch{{ID: id, N: 1}}})
		for deadline := time.Now().Add(30 * time.Second); !isStopped(t); time.Sleep(time.Millisecond) { // the kernel takes a moment
			if time.Now().After(deadline) {
				t.Fatal("it goes on")
			}
		}
	}
	b := h.cases[id].(*harnessed)
	if b.stays.rested.CPU == timer.Absent {
		t.Error("the scheduler's numbers are not known")
	}
	ask(t, h, wire.Request{Op: "finish", ID: id})
	if left := grandchildren(t); len(left) > 0 {
		t.Errorf("processes %v are left behind", left)
	}
}

// A program that counts instructions counts a process that is asked once, and one that is asked twice.
func TestInstructionsOfAHarnessAreCountedInAProcessOfTheirOwn(t *testing.T) {
	h, s := conversing(t, `echo "$n $COUNTING" >> asked; [ $n = 13 ] || say 1`)
	id := converse(t, h, s)
	count := &wire.Request{Op: "count", ID: id, N: 5, Runs: 1, Limit: 100 * second, Wrap: []string{"/bin/sh", "-c", `"$@"`, "counts"}, WrapEnv: []string{"COUNTING=yes"}}
	for count.Runs = range 3 {
		r := h.answer(count)
		switch {
		case count.Runs == 0 && r.Failure == nil:
			t.Error("no runs are counted")
		case count.Runs > 0 && (r.Failure != nil || r.Sized.N != 5):
			t.Errorf("asked %d times: %+v, %+v", count.Runs, r.Sized, r.Failure)
		}
	}
	if got := text(t, s.Dir+"/asked"); got != "5 yes\n5 yes\n5 yes\n" {
		t.Errorf("asked for %q", got)
	}
	count.N = 13
	if f := h.answer(count).Failure; f == nil || !strings.Contains(f.Message, "printed nothing") {
		t.Errorf("no answer is %+v", f)
	}
}
