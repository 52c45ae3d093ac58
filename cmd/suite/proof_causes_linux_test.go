package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/testfile"
	"example.com/suite/result"
	"example.com/suite/stats"
)

// plantedIn are the functions whose code, or whose data, a version of testdata/causes has
// made slower, by the case that calls them. If a function was split off, either is right.
var plantedIn = map[string][]string{
	"inlining": {"isSpace", "countSpaces"}, "allocation": {"countWords"}, "map": {"countDifferent"},
	"lock": {"(*ledger).enter"}, "struct": {"nearest"}, "quadratic": {"distinct"}, "sharing": {"bump"},
	"syscall": {"emit"}, "defer": {"visit"}, "conversion": {"countDogs"}, "misses": {"(*matrix).sum"}, "collector": {"(*index).fill"},
}

// fewestNamed of the planted changes are promised.
const fewestNamed = 11

// TestProofOfCauses makes twelve functions slower, each in another way, and counts how many
// of them the profiles name (SUITE_PROOF=causes).
func TestProofOfCauses(t *testing.T) {
	runs := wanted(t, "causes", 1)
	from := filepath.Join(repository, "cmd", "suite", "testdata", "causes")
	p := committed(t, "", func(to string) {
		if err := os.CopyFS(to, os.DirFS(filepath.Join(from, "before"))); err != nil {
			t.Fatal(err)
		}
	})
	changed, err := filepath.Glob(filepath.Join(from, "after", "planted", "*.go"))
	if err != nil || len(changed) != len(plantedIn) {
		t.Fatalf("%d files, %v", len(changed), err)
	}
	for _, file := range changed {
		text := testfile.Read(t, file)
		testfile.Write(t, p.path(filepath.Join("planted", filepath.Base(file))), string(text))
	}
	named, first, wrong, all := 0, 0, 0, 0
	var seconds []float64
	for range runs {
		doc, took := p.ran("--against", "HEAD", "--profile", "cpu,alloc,mutex,block")
		t.Logf("all of them in %v", took.Round(took/100))
		p.record(os.Getenv(recordVariable))
		for i := range doc.Cases {
			c := &doc.Cases[i]
			at, text := namedAt(c)
			all++
			if at >= 0 {
				named++
			}
			if at == 0 {
				first++
			}
			wrong += falselyNamed(c)
			seconds = append(seconds, c.Profiling.Seconds)
			t.Logf("%s: %s", c.Name, text)
		}
	}
	t.Logf("%d of %d named, %d of them first; %d functions that did not change were named; %.1f s of profiling a case (median)", named, all, first, wrong, stats.Median(seconds))
	if named < fewestNamed*runs {
		t.Errorf("%d of %d are named, want %d", named, all, fewestNamed*runs)
	}
}

// recordVariable names a folder for the profiles of the run, from which the tests of
// internal/profiles name the same causes again.
const recordVariable = "SUITE_PROOF_RECORD"

// record copies the profiles of the last run.
func (p *proof) record(folder string) {
	p.Helper()
	if folder == "" {
		return
	}
	files, err := filepath.Glob(p.path("result.profiles/*.pb.gz"))
	if err == nil {
		err = os.MkdirAll(folder, 0o777)
	}
	if err != nil {
		p.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, filepath.Base(file)), data, 0o666)
		}
		if err != nil {
			p.Fatal(err)
		}
	}
}

// namedAt is the place of the planted function among the causes of a case, -1 if it is not
// named, with what is known of the case.
func namedAt(c *result.Case) (at int, text string) {
	o := c.Comparison("time")
	verdict := "no gate"
	if len(c.Gates) > 0 {
		verdict = string(c.Gates[0].Verdict)
	}
	if o != nil {
		text = fmt.Sprintf("%.2f times the base (%s)", o.Ratio, verdict)
	}
	if c.Profiling == nil {
		return -1, text + ", not profiled"
	}
	if c.Profiling.Text != "" {
		text += ", " + c.Profiling.Text
	}
	at = -1
	for i, cause := range c.Profiling.Causes {
		text += fmt.Sprintf("; %s %s %.0f%% (%.0f … %.0f)", cause.Kind, cause.Function, 100*cause.Share.Value, 100**cause.Share.Low, 100**cause.Share.High)
		if at < 0 && isPlanted(c, cause.Function) {
			at = i
		}
	}
	return at, text
}

// isPlanted reports whether a function, or a literal in it, is the one that was changed.
func isPlanted(c *result.Case, function string) bool {
	return slices.ContainsFunc(plantedIn[strings.TrimPrefix(c.Name, "planted/")], func(want string) bool {
		name := strings.TrimPrefix(function, "example.org/planted/planted.")
		return name == want || strings.HasPrefix(name, want+".")
	})
}

// falselyNamed counts the functions among the causes that are the same in both versions.
func falselyNamed(c *result.Case) (n int) {
	for _, cause := range c.Profiling.Causes {
		if name := strings.TrimPrefix(cause.Function, "example.org/planted/planted."); name == "digest" || name == "order" {
			n++
		}
	}
	return n
}
