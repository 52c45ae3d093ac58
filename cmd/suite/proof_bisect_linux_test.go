package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/bisect"
	"example.com/suite/internal/testfile"
	"example.com/suite/stats"
)

// plantedCommits is the length of the histories of TestProofOfBisect.
const plantedCommits = 64

// TestProofOfBisect plants a commit that makes a function 15 % slower among 64 commits, and
// searches for it (SUITE_PROOF=bisect). Most commits add a function and so move the code; an
// eighth of them change documentation only, and two do not compile.
func TestProofOfBisect(t *testing.T) {
	runs := wanted(t, "bisect", 10)
	right, broken := 0, 0
	var seconds, comparisons, launches []float64
	for i := range runs {
		rng := rand.New(rand.NewPCG(16, uint64(i)))
		culprit := 1 + rng.IntN(plantedCommits)
		p := plantedHistory(t, culprit, rng)
		began := time.Now()
		said, err := p.command("suite-real", "bisect", "--quiet", "suite.yaml", "work", "--good", fmt.Sprintf("HEAD~%d", plantedCommits), "--out", "json=bisect.json").CombinedOutput()
		took := time.Since(began).Seconds()
		d := readBisect(t, p)
		if d == nil {
			t.Fatalf("%v\n%s", err, said)
		}
		found := ""
		if d.Found != nil && len(d.Found.Commits) == 1 {
			found = d.Found.Commits[0].Subject
		}
		if found == fmt.Sprintf("commit %d", culprit) {
			right++
		} else {
			t.Logf("%s", said)
		}
		n := 0.0
		for _, s := range d.Steps {
			n += float64(s.Answer.Launches)
		}
		for _, s := range d.Skipped {
			if s.As == "" {
				broken++
			}
		}
		seconds, comparisons, launches = append(seconds, took), append(comparisons, float64(len(d.Steps))), append(launches, n)
		t.Logf("commit %d: %s %q, %d comparisons, %.0f launches, %.0f s, confidence %v", culprit, d.Outcome, found, len(d.Steps), n, took, d.Confidence)
	}
	t.Logf("right in %s, %.0f s (median), 90%% within %.0f s, %.0f comparisons, %.0f launches; %d commits were skipped", rateOf(right, runs),
		stats.Median(seconds), within90(seconds), stats.Median(comparisons), stats.Median(launches), broken)
	if right < runs {
		t.Errorf("%d of %d searches are wrong", runs-right, runs)
	}
}

// readBisect reads the result of a search, nil if there is none.
func readBisect(t *testing.T, p *proof) *bisect.Document {
	t.Helper()
	text, err := os.ReadFile(p.path("bisect.json"))
	if err != nil {
		return nil
	}
	d := new(bisect.Document)
	if err := json.Unmarshal(text, d); err != nil {
		t.Fatal(err)
	}
	return d
}

// source is the package of the histories: its function takes so many steps.
const source = `package work

import "example.com/suite/bench"

var sink uint64

func init() {
	bench.Register("work", func(*bench.Case) bench.Loop {
		return func(n int) {
			x := sink | 1
			for range n {
				for range %d {
					x ^= x << 13
					x ^= x >> 7
					x ^= x << 17
				}
			}
			sink = x
		}
	})
}
`

// parts is the file of other functions, and part adds one. All of them are linked.
const (
	parts = "package work\n\nvar parts []func([]int) int\n"
	part  = `
func init() {
	parts = append(parts, func(xs []int) (sum int) {
		for i, x := range xs {
			sum += %[2]si + %[1]d
		}
		return sum
	})
}
`
)

// plantedHistory makes a repository with a base and 64 commits after it, of which one is slower.
func plantedHistory(t *testing.T, culprit int, rng *rand.Rand) *proof {
	t.Helper()
	p := committed(t, "", func(to string) {
		testfile.Write(t, to+"/go.mod", "module example.org/work\n\ngo 1.26.0\n\nrequire example.com/suite v0.0.0\n")
		testfile.Write(t, to+"/suite.yaml", "packages: [.]\nbenchmarks: [{go: work}]\n")
		testfile.Write(t, to+"/work.go", fmt.Sprintf(source, 1000))
		testfile.Write(t, to+"/more.go", parts)
		testfile.Write(t, to+"/README.md", "work\n")
	})
	testfile.Write(t, p.path(".git/info/exclude"), "/cache\n/lock\n/bisect.json\n")
	more := parts
	for i := 1; i <= plantedCommits; i++ {
		switch apart := i < culprit-1 || i > culprit; {
		case i == culprit:
			testfile.Write(t, p.path("work.go"), fmt.Sprintf(source, 1150))
		case apart && i%8 == 0:
			testfile.Write(t, p.path("README.md"), fmt.Sprintf("work, part %d\n", i))
		case apart && i%30 == 7:
			testfile.Write(t, p.path("more.go"), more+"\nvar broken = undefined\n")
		default:
			more += fmt.Sprintf(part, i, strings.Repeat("x^i + ", 1+rng.IntN(20)))
			testfile.Write(t, p.path("more.go"), more)
		}
		for _, args := range [][]string{{"add", "-A"}, {"commit", "-q", "--allow-empty", "-m", fmt.Sprintf("commit %d", i)}} {
			args = append([]string{"-c", "user.name=proof", "-c", "user.email=proof@example.org", "-c", "commit.gpgsign=false"}, args...)
			if said, err := p.command("git", args...).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, said)
			}
		}
	}
	return p
}
