package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"example.com/suite/result"
	"example.com/suite/stats"
)

// TestProofOfEqualTrees compares a clean tree with its own HEAD, again and again:
// SUITE_PROOF=trees. Not one run may be red. The durations are those of a user who
// waits for such a run: the first one builds both hosts, the others find them built.
func TestProofOfEqualTrees(t *testing.T) {
	runs := wanted(t, "trees", 20)
	p, counts, red, unfit := committed(t), verdicts{}, 0, 0
	var seconds []float64
	for range runs {
		doc, took := p.ran("--against", "HEAD")
		if counts.add(doc) {
			red++
		}
		if doc.Exit == exitUnfit {
			unfit++
		}
		seconds = append(seconds, took.Seconds())
		compared(t, doc)
	}
	counts.log(t)
	t.Logf("red runs: %s; called unfit %s", rateOf(red, runs), rateOf(unfit, runs))
	if t.Logf("the first run took %.0f s", seconds[0]); runs > 1 {
		t.Logf("the others %.0f s (median), 90%% within %.0f s", stats.Median(seconds[1:]), within90(seconds[1:]))
	}
	if red > 0 {
		t.Error("equal trees are called different")
	}
}

// committed is a tree of which all is committed.
func committed(t *testing.T) *proof {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	p := newProof(t)
	if err := os.CopyFS(p.dir, os.DirFS(filepath.Join(readmeDir, "testdata", "tree"))); err != nil {
		t.Fatal(err)
	}
	write(t, p.path(".gitignore"), "/cache\n/lock\n/result.json\n")
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"commit", "-q", "-m", "ten functions"}} {
		args = append([]string{"-c", "user.name=proof", "-c", "user.email=proof@example.org", "-c", "commit.gpgsign=false"}, args...)
		if said, err := p.command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
	}
	return p
}

// compared sees that each case of a run has pairs with the other tree, for a run that
// compares nothing is never red.
func compared(t *testing.T, doc *result.Document) {
	t.Helper()
	cases := 0
	for i := range doc.Cases {
		if c := &doc.Cases[i]; c.Pairs != nil && c.Samples.Len() > 0 && c.Counterpart != nil && c.Counterpart.State == result.CounterpartPaired {
			cases++
		}
	}
	if cases != 10 {
		t.Errorf("%d cases were compared with the other tree, want 10", cases)
	}
}
