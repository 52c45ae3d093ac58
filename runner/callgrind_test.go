//go:build unix

package runner

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/suite/bench"
	"example.com/suite/result"
	"example.com/suite/runner/host"
	"example.com/suite/spec"
	"example.com/suite/timer"
)

// A valgrind of this test runs the program and writes, for it and for one child, that it has
// counted as many instructions as the word after "retires" in its arguments.
const fakeValgrind = `#!/bin/sh
for word; do
	case $word in
	--callgrind-out-file=*) out=${word#*=} ;;
	--*|-q) ;;
	*) break ;;
	esac
	shift
done
out=${out%%%%p}
for part in $2 $3; do
	printf 'version: 1\nevents: Ir\nsummary: %%s\n\nfn=(1) main\n3 %%s\n\ntotals: %%s\n' $part $part $part > "$out$$.$part"
done
exec %s
`

// withValgrind puts a program called valgrind in front of the path; last is what it does.
func withValgrind(t *testing.T, last string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, simulator), fmt.Appendf(nil, fakeValgrind, last), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func simulated(c *spec.Case) { c.Callgrind = true }

func TestInstructionsOfACommandAreThoseOfAllItsProcesses(t *testing.T) {
	withValgrind(t, `"$@"`)
	file := filepath.Join(t.TempDir(), "runs")
	script := `echo "$0" >> ` + file
	got := runCases(t, context.Background(), "fake", program("echo", []string{"sh", "-c", script}, simulated),
		program("counts", []string{"echo", "3000", "1000"}, simulated, func(c *spec.Case) { c.Work = 2 }))
	counts := got[1]
	s := counts.Summary("instructions")
	if s == nil || s.Median != 2000 || s.N != 1 || !s.Exact || !warned(counts, "callgrind") {
		t.Fatalf("%+v, warnings %+v, failure %+v", s, counts.Warnings, counts.Failure)
	}
	if !counts.Settings.Callgrind || strings.Join(counts.Settings.Counters, " ") != "instructions" || counts.Samples.Column("instructions") != nil {
		t.Errorf("settings %+v", counts.Settings)
	}
	if m, _ := counts.Metric("instructions"); m.Sampled || !m.Exact {
		t.Errorf("metric %+v", m)
	}
	// The first case has printed no numbers for the simulator: it was run once more than sampled.
	text, err := os.ReadFile(file)
	if runs := strings.Count(string(text), "\n"); err != nil || runs != got[0].Samples.Count()+1 {
		t.Errorf("%d runs, %d samples, %v", runs, got[0].Samples.Count(), err)
	}
}

// Nothing is simulated before the last sample of the case is taken.
func TestSimulationsComeAfterTheSamples(t *testing.T) {
	file := filepath.Join(t.TempDir(), "order")
	withValgrind(t, `sh -c "echo simulated >> `+file+`"`)
	runCases(t, context.Background(), "fake", program("sample", []string{"sh", "-c", "echo sample >> " + file, "1", "2"}, simulated))
	text, err := os.ReadFile(file)
	lines := strings.Fields(string(text))
	if err != nil || len(lines) < 10 || strings.Contains(strings.Join(lines[:len(lines)-1], " "), "simulated") || lines[len(lines)-1] != "simulated" {
		t.Errorf("%q, %v", lines, err)
	}
}

func TestWithoutAValgrindTheReasonIsAWarning(t *testing.T) {
	for what, c := range map[string]struct{ path, want string }{
		"none installed":   {"", "instructions: valgrind is not installed"},
		"one that fails":   {"exit 7", "instructions: exit status 7"},
		"one that is mute": {"true", "instructions: callgrind has counted nothing"},
	} {
		t.Run(what, func(t *testing.T) {
			shell, err := exec.LookPath("true")
			if err != nil {
				t.Skip(err)
			}
			t.Setenv("PATH", t.TempDir())
			if c.path != "" {
				t.Setenv("PATH", filepath.Dir(shell))
				withValgrind(t, strings.Replace(c.path, "exit 7", `sh -c "exit 7"`, 1))
			}
			got := runCases(t, context.Background(), "fake", program("x", []string{shell}, simulated))[0]
			found := ""
			for _, w := range got.Warnings {
				if w.Code == result.WarnNoCounters {
					found = w.Message
				}
			}
			if !strings.HasPrefix(found, c.want) || got.Status != result.Measured || got.Summary("instructions") != nil {
				t.Errorf("%q, want %q; %+v", found, c.want, got.Failure)
			}
		})
	}
}

func TestTotalsOfCallgrind(t *testing.T) {
	for text, want := range map[string]float64{
		"events: Ir\nsummary: 12\n0 5\ntotals: 34\n": 34,
		"events: Ir\nsummary: 12\n":                  12,
		"events: Ir Dr\ntotals: 56 7\n":              56,
		"":                                           -1,
		"totals: many\n":                             -1,
	} {
		file := filepath.Join(t.TempDir(), "out")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := callgrindTotal(file)
		if want < 0 && err == nil || want >= 0 && (err != nil || got != want) {
			t.Errorf("%q: %g, %v; want %g", text, got, err, want)
		}
	}
}

// spin is what "spins" and "spins twice" do in an iteration.
var spin uint64

func init() {
	for name, rounds := range map[string]int{"spins": 1000, "spins twice": 2000} {
		bench.Register(name, func(*bench.Case) bench.Loop {
			return func(n int) {
				x := spin + 1
				for range n {
					for range rounds {
						x ^= x << 13
						x ^= x >> 7
						x ^= x << 17
					}
				}
				spin = x
			}
		})
	}
}

// The real one counts a loop of 1000 rounds, each of 6 to 20 instructions, and twice as many of
// a loop of 2000.
func TestCallgrindCountsALoop(t *testing.T) {
	if _, err := exec.LookPath(simulator); err != nil {
		t.Skipf("callgrind is part of valgrind: %v", err)
	}
	if !timer.CanDump {
		t.Skip("hosts talk to valgrind on linux/amd64 alone")
	}
	slow := func(c *spec.Case) { c.Settings.Timeout = spec.Duration(2 * time.Minute) }
	plan := &spec.Plan{Suite: "test", Dir: t.TempDir(), Cases: []spec.Case{function("spins", simulated, slow), function("spins twice", simulated, slow)}}
	doc := Run(context.Background(), []*spec.Plan{plan}, Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, "real")})
	once, twice := doc.Cases[0].Summary("instructions"), doc.Cases[1].Summary("instructions")
	if once == nil || twice == nil {
		t.Fatalf("warnings %+v and %+v", doc.Cases[0].Warnings, doc.Cases[1].Warnings)
	}
	if once.Median < 6000 || once.Median > 20_000 || !close1(twice.Median, 2*once.Median, 0.1) {
		t.Errorf("%g and %g instructions", once.Median, twice.Median)
	}
}
