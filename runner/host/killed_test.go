//go:build linux

package host

import (
	"slices"
	"strings"
	"testing"

	"example.com/suite/runner/host/wire"
	"example.com/suite/timer"
)

// timedOut reports whether the timeout ended the only run of a request.
func timedOut(got *wire.Response) bool {
	return got.Failure == nil && slices.Equal(got.Readings.Killed, []int{0}) && got.Readings.Columns["exit_code"][0] == -1
}

// sometimes is a command that hangs in the given runs, counted from 1. The others
// take almost no time.
func sometimes(t *testing.T, runs string, change ...func(*wire.Command)) wire.Command {
	c := script(t, "test ! -e hang || { echo now >&2; sleep 1000; }", change...)
	c.Timeout = second // a hundred times what the others take
	c.Prepare = []string{"sh", "-c", `
		echo x >> runs; n=$(wc -l < runs); rm -f hang
		case " ` + runs + ` " in *" $((n)) "*) : > hang;; esac`}
	return c
}

func TestARunThatIsKilledIsABoundAndEndsItsBlock(t *testing.T) {
	for name, host := range map[string]func(testing.TB) *Host{"by a spawner": commander, "without one": alone} {
		h := host(t)
		c := sometimes(t, "3", func(c *wire.Command) {
			c.Conclude = []string{"sh", "-c", "echo done >> concluded; echo other words >&2"}
			c.Reject = []int{137}
		})
		got := times(t, h, c, 6)
		h.kit.starter.Leave() // a host alone takes every child of its process for its own
		if got.Failure != nil {
			t.Fatal(name, got.Failure)
		}
		r := got.Readings
		if !slices.Equal(r.Killed, []int{2}) || len(r.ID) != 3 || r.Said != "now" {
			t.Fatalf("%s: killed %v of %d runs, last words %q", name, r.Killed, len(r.ID), r.Said)
		}
		for _, column := range []string{"time", "wall"} {
			if xs := r.Columns[column]; xs[2] != second || xs[1] >= second {
				t.Errorf("%s: %s = %v, want the timeout in row 2 alone", name, column, xs)
			}
		}
		if xs := r.Columns["exit_code"]; xs[2] != -1 || xs[1] != 0 {
			t.Errorf("%s: exit statuses %v", name, xs)
		}
		if r.Leaked != 0 {
			t.Errorf("%s: %d processes were left behind", name, r.Leaked)
		}
		if xs := r.Columns["rss"]; xs[2] <= 0 {
			t.Errorf("%s: peak memory %v", name, xs)
		}
		if done := strings.Count(text(t, c.Dir+"/concluded"), "done"); done != 3 {
			t.Errorf("%s: %d runs were concluded, want 3", name, done)
		}
	}
}

func TestTheCPUTimeOfAKilledRunIsWhatItHadUsed(t *testing.T) {
	h := New(Real())
	t.Cleanup(h.kit.starter.Leave)
	ask(t, h, wire.Request{Op: "hello", Kind: wire.KindCommand, Clock: []string{timer.ProcessCPU}})
	got := times(t, h, sometimes(t, "1"), 1)
	if got.Failure != nil || len(got.Readings.Killed) != 1 {
		t.Fatal(got.Failure, got.Readings)
	}
	if c := got.Readings.Columns; c["time"][0] != c["cpu"][0] || c["time"][0] >= second || c["wall"][0] != second {
		t.Errorf("time %d, cpu %d, wall %d", c["time"][0], c["cpu"][0], c["wall"][0])
	}
}

func TestWarmUpRunsThatAreKilledAreCounted(t *testing.T) {
	h := commander(t)
	c := sometimes(t, "2", func(c *wire.Command) { c.Warmup = second })
	prepared := ask(t, h, wire.Request{Op: "prepare", Command: &c})
	s := ask(t, h, wire.Request{Op: "size", ID: prepared.Prepared.ID, Limit: 100 * second}).Sized
	if s.Killed != 1 || s.Batches != 2 || s.Said != "now" {
		t.Errorf("%d of %d runs killed, last words %q", s.Killed, s.Batches, s.Said)
	}
	ask(t, h, wire.Request{Op: "finish", ID: prepared.Prepared.ID})
}

func TestAHookThatHangsIsAFailure(t *testing.T) {
	c := script(t, "exit 0", func(c *wire.Command) { c.Prepare, c.Timeout = []string{"sleep", "1000"}, second/5 })
	got := times(t, commander(t), c, 1)
	if got.Failure == nil || got.Failure.Cause != "timeout" || got.Failure.Phase != "prepare" {
		t.Error(got.Failure, got.Readings)
	}
}
