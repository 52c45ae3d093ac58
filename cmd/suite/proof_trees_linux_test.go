package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/testfile"
	"example.com/suite/result"
	"example.com/suite/stats"
)

// branches are edits of the file of workloads that change no workload.
var branches = map[string]func(text []byte) []byte{
	"clean": func(text []byte) []byte { return text },
	"comment": func(text []byte) []byte {
		return bytes.Replace(text, []byte("var sink int\n"), []byte("// sink keeps what bodies come to,\n// so that no compiler leaves\n// them out.\nvar sink int\n"), 1)
	},
	"function": func(text []byte) []byte {
		return append(text, []byte("\nfunc init() { register(\"unrelated\", func(*bench.Case) func() { return func() { fmt.Sprintln(sink, \"nothing\") } }) }\n")...)
	},
}

// TestProofOfEqualTrees compares thirteen workloads with themselves again and again
// (SUITE_PROOF=trees). The tree is in turn clean, has another comment, and has another
// function, which moves all code after it. No run may fail.
func TestProofOfEqualTrees(t *testing.T) {
	runs := wanted(t, "trees", 50)
	p := committed(t, "workloads", nil)
	original := testfile.Read(t, p.path("bodies/bodies.go"))
	var red, unfit, decided, cases int
	var seconds, perCase []float64
	for i := range runs {
		branch := []string{"clean", "comment", "function"}[i%3]
		testfile.Write(t, p.path("bodies/bodies.go"), string(branches[branch](original)))
		doc, took := p.ran("--against", "HEAD", "--all-cases")
		compared(t, doc, 13)
		counts := verdicts{}
		if counts.add(doc) {
			red++
			t.Logf("%s: %s", branch, doc.Outcome())
		}
		if doc.Exit == exitUnfit {
			unfit++
		}
		decidedNow := 0
		for i := range doc.Cases {
			c := &doc.Cases[i]
			cases++
			if c.Gates[0].Verdict != result.Inconclusive {
				decidedNow++
				perCase = append(perCase, c.Seconds)
			}
		}
		decided += decidedNow
		seconds = append(seconds, took.Seconds())
		t.Logf("%s: %d of 13 decided, %.0f s", branch, decidedNow, took.Seconds())
	}
	t.Logf("red runs: %s; called unfit %s", rateOf(red, runs), rateOf(unfit, runs))
	t.Logf("%d of %d cases decided, in %.1f s (median), 90%% within %.1f s; a run takes %.0f s", decided, cases, stats.Median(perCase), within90(perCase), stats.Median(seconds))
	if red > 0 {
		t.Error("equal trees are called different")
	}
}

// moreWork makes each workload do 12 to 13 % more: a tenth more than the tolerance of 3 %.
var moreWork = [][2]string{
	{"sink += grow(7).count()", "sink += grow(7).count() + grow(4).count()"},
	{"for i := range 100 {\n\t\t\tin <- i", "for i := range 113 {\n\t\t\tin <- i"},
	{"for range 1000 {\n\t\t\tat = next[at]", "for range 1130 {\n\t\t\tat = next[at]"},
	{"b.Len() < 16<<10", "b.Len() < 16<<10*113/100"}, // compress, parse
	{"for i := range 100 {\n\t\t\tfmt.Fprintf", "for i := range 113 {\n\t\t\tfmt.Fprintf"},
	{"make([]byte, 1024)", "make([]byte, 1024+128)"},
	{"sink += len(back.Tags)", "if sink += len(back.Tags); sink%8 == 0 {\n\t\t\tdata, _ = json.Marshal(r)\n\t\t\t_ = json.Unmarshal(data, &back)\n\t\t}"},
	{"for range 1000 {\n\t\t\tat = (at + 7)", "for range 1130 {\n\t\t\tat = (at + 7)"},
	{"for range 64 {", "for range 69 {"},
	{"text()[:1024]", "text()[:1024+132]"},
	{"make([]int, 1000)", "make([]int, 1116)"},
}

// TestProofOfSlowerTrees compares thirteen workloads with what they did before they all did
// 12 to 13 % more, and counts how many are found and how soon (SUITE_PROOF=slower).
func TestProofOfSlowerTrees(t *testing.T) {
	runs := wanted(t, "slower", 5)
	p := committed(t, "workloads", nil)
	original := testfile.Read(t, p.path("bodies/bodies.go"))
	text := string(original)
	for _, change := range moreWork {
		if strings.Count(text, change[0]) != 1 {
			t.Fatalf("%q is in the workloads %d times", change[0], strings.Count(text, change[0]))
		}
		text = strings.Replace(text, change[0], change[1], 1)
	}
	testfile.Write(t, p.path("bodies/bodies.go"), text)
	found, cases := 0, 0
	var seconds, perCase, ratios []float64
	for range runs {
		doc, took := p.ran("--against", "HEAD")
		compared(t, doc, 13)
		for i := range doc.Cases {
			c := &doc.Cases[i]
			cases++
			ratios = append(ratios, float64(c.Comparison("time").Ratio))
			t.Logf("%s: %s, a ratio of %.3f, %.1f s", c.Name, c.Gates[0].Verdict, c.Comparison("time").Ratio, c.Seconds)
			if c.Gates[0].Verdict == result.Fail {
				found++
				perCase = append(perCase, c.Seconds)
			}
		}
		seconds = append(seconds, took.Seconds())
	}
	t.Logf("found: %s, a ratio of %.3f (median), in %.1f s (median), 90%% within %.1f s; a run takes %.0f s",
		rateOf(found, cases), stats.Median(ratios), stats.Median(perCase), within90(perCase), stats.Median(seconds))
}

// planted makes Valid about 10 % slower in the source of gjson.
func planted(t *testing.T, text string) string {
	t.Helper()
	const body = "\t_, ok := validpayload(stringBytes(json), 0)\n\treturn ok\n"
	const slower = "\tdata, quotes := stringBytes(json), 0\n\tfor _, c := range data[:len(data)/4] {\n\t\tif c == '\"' {\n\t\t\tquotes++\n\t\t}\n\t}\n\t_, ok := validpayload(data, 0)\n\treturn ok && quotes >= 0\n"
	if strings.Count(text, body) != 1 {
		t.Skip("this version of gjson has another Valid")
	}
	return strings.Replace(text, body, slower, 1)
}

// TestProofOfAPlantedChange makes a hot function of a published module 10 % slower and
// finds that with the module's own benchmark (SUITE_PROOF=planted). Then it does the same
// up to ten times with go test -count=10 and benchstat (SUITE_PROOF_PEERS).
func TestProofOfAPlantedChange(t *testing.T) {
	runs := wanted(t, "planted", 20)
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/tidwall/gjson").Output()
	if err != nil || len(bytes.TrimSpace(dir)) == 0 {
		t.Skipf("gjson is not in the module cache: %v", err)
	}
	p := committed(t, "", func(to string) {
		if err := os.CopyFS(to, os.DirFS(string(bytes.TrimSpace(dir)))); err != nil {
			t.Fatal(err)
		}
		testfile.Write(t, filepath.Join(to, "suite.yaml"), "benchmarks:\n  - {gotest: ., match: ^Valid$}\n")
	})
	text := testfile.Read(t, p.path("gjson.go"))
	if err := os.Chmod(p.path("gjson.go"), 0o644); err != nil {
		t.Fatal(err)
	}
	testfile.Write(t, p.path("gjson.go"), planted(t, string(text)))
	found := 0
	var seconds, took, ratios []float64
	for range runs {
		doc, whole := p.ran("--against", "HEAD")
		c := &doc.Cases[0]
		if c.Gates[0].Verdict == result.Fail {
			found++
		}
		seconds = append(seconds, c.Seconds)
		took = append(took, whole.Seconds())
		ratios = append(ratios, float64(c.Comparison("time").Ratio))
	}
	t.Logf("found in %s, %.1f s of the case (median), 90%% within %.1f s, %.1f s in all; a ratio of %.3f", rateOf(found, runs), stats.Median(seconds), within90(seconds), stats.Median(took), stats.Median(ratios))
	if float64(found) < 0.95*float64(runs) {
		t.Error("a planted change of a tenth is missed")
	}
	p.plantedByBenchstat(numbered(t, peersVariable, min(runs, 10)))
}

// plantedByBenchstat compares the same two trees with go test -count=10 and benchstat: the
// base is a checkout of HEAD, the change is the folder.
func (p *proof) plantedByBenchstat(times int) {
	p.Helper()
	benchstat := builtBenchstat(p.T)
	if benchstat == "" {
		return
	}
	base := filepath.Join(p.TempDir(), "base")
	if output, err := p.command("git", "worktree", "add", "-q", "--detach", base, "HEAD").CombinedOutput(); err != nil {
		p.Fatalf("%v\n%s", err, output)
	}
	slower := 0
	var took, ratios []float64
	for range times {
		began := time.Now()
		p.bench(base, "^BenchmarkValid$", "before.txt")
		p.bench(p.dir, "^BenchmarkValid$", "after.txt")
		row := p.statistics(benchstat)[0]
		took = append(took, time.Since(began).Seconds())
		ratios = append(ratios, row.ratio)
		if row.changed && row.ratio > 1 {
			slower++
		}
	}
	p.Logf("go test -count=10 and benchstat: slower in %s, %.1f s in all (median); ratios of %.3f to %.3f", rateOf(slower, times), stats.Median(took), slices.Min(ratios), slices.Max(ratios))
}

// committed makes a proof whose folder is a repository with everything committed: a
// copy of a folder of testdata, or if fill is not nil, the files that it makes.
func committed(t *testing.T, folder string, fill func(to string)) *proof {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	p := newProof(t)
	if fill != nil {
		fill(p.dir)
	} else if err := os.CopyFS(p.dir, os.DirFS(filepath.Join(repository, "cmd", "suite", "testdata", folder))); err != nil {
		t.Fatal(err)
	}
	testfile.Write(t, p.path(".gitignore"), "/cache\n/lock\n/result.json\n")
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"commit", "-q", "-m", "as it is"}} {
		args = append([]string{"-c", "user.name=proof", "-c", "user.email=proof@example.org", "-c", "commit.gpgsign=false"}, args...)
		if said, err := p.command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
	}
	return p
}

// compared checks that so many cases have pairs with the other tree: a run that compares
// nothing never fails.
func compared(t *testing.T, doc *result.Document, want int) {
	t.Helper()
	cases := 0
	for i := range doc.Cases {
		if c := &doc.Cases[i]; c.Pairs != nil && c.Samples.Len() > 0 && c.Counterpart != nil && c.Counterpart.State == result.CounterpartPaired {
			cases++
		}
	}
	if cases != want {
		t.Error(fmt.Errorf("%d cases were compared with the other tree, want %d", cases, want))
	}
}
