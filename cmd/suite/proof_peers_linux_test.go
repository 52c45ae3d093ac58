package main

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.com/suite/internal/testfile"
)

// The variables of the number of runs of other tools, and of go test's -benchtime.
const (
	peersVariable     = "SUITE_PROOF_PEERS"
	benchtimeVariable = "SUITE_PROOF_BENCHTIME"
)

// benchmarks is the source of bodies of suite selfcheck as benchmarks of go test.
const benchmarks = `package peers

import (
	"math/rand/v2"
	"testing"
)

var sink uint64

func BenchmarkArithmetic(b *testing.B) {
	x := uint64(88172645463325252)
	for range b.N {
		for range 1000 {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
		}
	}
	sink = x
}

func BenchmarkMemory(b *testing.B) {
	next, rng := make([]uint32, 1<<18), rand.New(rand.NewPCG(1, 2))
	for i := range next {
		next[i] = uint32(i)
	}
	for i := len(next) - 1; i > 0; i-- {
		j := rng.IntN(i)
		next[i], next[j] = next[j], next[i]
	}
	at := uint32(0)
	b.ResetTimer()
	for range b.N {
		for range 1000 {
			at = next[at]
		}
	}
	sink = uint64(at)
}
`

// peers counts what other tools report about identical code: benchstat for ten runs of go
// test before and ten after, and hyperfine for two equal commands.
type peers struct {
	*proof
	runs       int
	benchstat  string // path, empty if it cannot be built
	hyperfine  string // path, empty if it is not installed
	goTest     changes
	ofCommands changes
}

// changes counts comparisons of unchanged code: how many a tool called different, and in
// how many the ratio was more than 3 % from 1.
type changes struct{ asked, different, apart int }

func newPeers(t *testing.T, runs int) *peers {
	p := &peers{proof: newProof(t), runs: runs, benchstat: builtBenchstat(t)}
	testfile.Write(t, p.path("go.mod"), "module example.org/peers\n\ngo 1.26.0\n")
	testfile.Write(t, p.path("peers_test.go"), benchmarks)
	p.hyperfine, _ = exec.LookPath("hyperfine") // empty if it is not installed
	if p.hyperfine == "" {
		t.Log("hyperfine is left out: it is not installed")
	}
	return p
}

// builtBenchstat is empty if benchstat cannot be built.
func builtBenchstat(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "benchstat")
	build := exec.Command("go", "build", "-C", filepath.Join(repository, ".ci", "tools", "benchstat"), "-o", program, "golang.org/x/perf/cmd/benchstat")
	if output, err := build.CombinedOutput(); err != nil {
		t.Logf("benchstat is left out: %v\n%s", err, output)
		return ""
	}
	return program
}

// ask compares code with itself once with each tool.
func (p *peers) ask(command string) {
	p.Helper()
	if p.benchstat != "" {
		p.bench(p.dir, ".", "before.txt")
		p.bench(p.dir, ".", "after.txt")
		for _, row := range p.statistics(p.benchstat) {
			p.goTest.add(row.changed, row.ratio)
		}
	}
	if p.hyperfine != "" {
		p.commands(command)
	}
}

// bench runs benchmarks in dir ten times, as users of benchstat do before and after a
// change, and writes the output to file.
func (p *proof) bench(dir, pattern, file string) {
	p.Helper()
	cmd := p.command("go", "test", "-run", "^$", "-bench", pattern, "-count", "10", "-benchtime", cmp.Or(os.Getenv(benchtimeVariable), "1s"))
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		p.Fatalf("%v\n%s", err, out)
	}
	testfile.Write(p.T, p.path(file), string(out))
}

// benchstatRow is a benchmark in the output of benchstat: the ratio after ÷ before, and
// whether benchstat calls them different.
type benchstatRow struct {
	changed bool
	ratio   float64
}

// statistics reads the rows of benchstat's table of before.txt and after.txt: name,
// before, its interval, after, its interval, and the change, which is ~ if there is
// none.
func (p *proof) statistics(benchstat string) (all []benchstatRow) {
	p.Helper()
	out, err := p.command(benchstat, "-format", "csv", "before.txt", "after.txt").Output()
	if err != nil {
		p.Fatal(err)
	}
	r := csv.NewReader(strings.NewReader(string(out)))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		p.Fatal(err)
	}
	for _, row := range rows {
		if len(row) == 7 && strings.HasPrefix(row[6], "p=") {
			before, _ := strconv.ParseFloat(row[1], 64)
			after, _ := strconv.ParseFloat(row[3], 64) // rows with a p-value have both numbers
			all = append(all, benchstatRow{row[5] != "~", after / before})
		}
	}
	if len(all) == 0 {
		p.Fatalf("benchstat compares nothing:\n%s", out)
	}
	return all
}

// commands compares a command with itself in hyperfine, which prints how much faster one
// is, "1.02 ± 0.01 times". The two count as different if 1 is outside of that interval.
func (p *peers) commands(command string) {
	p.Helper()
	line := shellOf(command)
	if said, err := p.command(p.hyperfine, "-N", "--warmup", "3", "--style", "none", "--export-json", p.path("h.json"), line, line).CombinedOutput(); err != nil {
		p.Fatalf("%v\n%s", err, said)
	}
	text, err := os.ReadFile(p.path("h.json"))
	if err != nil {
		p.Fatal(err)
	}
	var doc struct {
		Results []struct{ Mean, Stddev float64 }
	}
	if err := json.Unmarshal(text, &doc); err != nil || len(doc.Results) != 2 {
		p.Fatalf("hyperfine wrote %s: %v", text, err)
	}
	slow, fast := doc.Results[0], doc.Results[1]
	if slow.Mean < fast.Mean {
		slow, fast = fast, slow
	}
	ratio := slow.Mean / fast.Mean
	spread := ratio * math.Hypot(slow.Stddev/slow.Mean, fast.Stddev/fast.Mean)
	p.ofCommands.add(ratio-spread > 1, ratio)
}

// shellOf converts a command of a suite file into what hyperfine expects.
func shellOf(command string) string {
	line := strings.TrimSuffix(strings.TrimPrefix(command, "command: [sh, -c, "), "]")
	return "sh -c " + line
}

func (c *changes) add(different bool, ratio float64) {
	c.asked++
	if different {
		c.different++
	}
	if math.Abs(ratio-1) > 0.03 {
		c.apart++
	}
}

func (p *peers) log() {
	p.Helper()
	for name, c := range map[string]changes{"go test -bench -count=10 with benchstat": p.goTest, "hyperfine": p.ofCommands} {
		if c.asked > 0 {
			p.Logf("%s, of identical code: called different %s; more than 3%% apart %s", name, rateOf(c.different, c.asked), rateOf(c.apart, c.asked))
		}
	}
}
