package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/lock"
	"example.com/suite/internal/saved"
	"example.com/suite/internal/testfile"
	"example.com/suite/result"
	"example.com/suite/stats"
)

// The results of proofs depend on the machine, so they only run on request. SUITE_PROOF
// names one or more, separated by commas; SUITE_PROOF_RUNS is the number of runs of each.
// docs/evidence/proof.md has the commands.
const (
	proofVariable = "SUITE_PROOF"
	runsVariable  = "SUITE_PROOF_RUNS"
)

// exitRed is the status of a run in which a gate failed.
const exitRed = 1

// wanted skips a proof that SUITE_PROOF does not name, and returns the number of its runs.
func wanted(t *testing.T, name string, usual int) (runs int) {
	t.Helper()
	if !slices.Contains(strings.Split(os.Getenv(proofVariable), ","), name) {
		t.Skipf("set %s=%s", proofVariable, name)
	}
	return numbered(t, runsVariable, usual)
}

// numbered reads a number from the environment. It is usual if the variable is not set.
func numbered(t *testing.T, variable string, usual int) int {
	t.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv(variable), strconv.Itoa(usual)))
	if err != nil || n < 1 {
		t.Fatalf("%s: want a number of at least 1", variable)
	}
	return n
}

// proof runs suite in a folder of its own.
type proof struct {
	*testing.T
	dir string
}

func newProof(t *testing.T) *proof { return &proof{t, t.TempDir()} }

func (p *proof) path(name string) string { return filepath.Join(p.dir, name) }

// run writes a suite file, runs it and returns the result. Gates may fail, but every case
// must be measured: the proof fails otherwise.
func (p *proof) run(text string) *result.Document {
	p.Helper()
	testfile.Write(p.T, p.path("suite.yaml"), text)
	doc, _ := p.ran()
	return doc
}

// ran runs the suite file in the folder, and returns the result and how long it took.
func (p *proof) ran(flags ...string) (*result.Document, time.Duration) {
	p.Helper()
	flags = append([]string{"run", "--quiet", "--out", "json=" + p.path("result.json")}, flags...)
	began := time.Now()
	said, err := p.command("suite-real", append(flags, "suite.yaml")...).CombinedOutput()
	took := time.Since(began)
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != exitRed && exit.ExitCode() != exitUnfit) {
		p.Fatalf("%v\n%s", err, said)
	}
	doc, err := saved.Read(p.path("result.json"))
	if err != nil {
		p.Fatal(err)
	}
	return doc, took
}

// The program runs in the folder and has its cache and its lock there.
func (p *proof) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), cacheVariable+"="+p.path("cache"), lock.Variable+"="+p.path("lock"))
	return cmd
}

// rateOf formats a rate with its exact 99 % interval.
func rateOf(hits, trials int) string {
	low, high := stats.ClopperPearson(hits, trials, 0.99)
	return fmt.Sprintf("%d of %d (%.1f%%, 99%% interval %.1f%% to %.1f%%)", hits, trials,
		100*float64(hits)/float64(max(trials, 1)), 100*low, 100*high)
}
