package report

import (
	"encoding/csv"
	"math"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"example.com/suite/internal/testfile"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// benchstat builds the real one, of the version that its tool module pins.
func benchstat(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "benchstat")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	build := exec.Command("go", "build", "-C", filepath.Join("..", ".ci", "tools", "benchstat"), "-o", program, "golang.org/x/perf/cmd/benchstat")
	if out, err := build.CombinedOutput(); err != nil {
		t.Skipf("benchstat cannot be built here, so nothing is known of what it reads: %v\n%s", err, out)
	}
	return program
}

// centers reads benchstat's sec/op of each benchmark, by column.
func centers(t *testing.T, program, text string, args ...string) map[string][]float64 {
	t.Helper()
	file := filepath.Join(t.TempDir(), "in.txt")
	testfile.Write(t, file, text)
	var complaints strings.Builder
	cmd := exec.Command(program, append(args, "-format", "csv", "-filter", ".unit:sec/op", file)...)
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil || strings.Contains(complaints.String(), file) {
		t.Fatalf("benchstat: %v\n%s", err, complaints.String())
	}
	r := csv.NewReader(strings.NewReader(string(out)))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]float64{}
	for _, row := range rows {
		for _, cell := range row[1:] {
			if x, err := strconv.ParseFloat(cell, 64); err == nil && row[0] != "geomean" {
				all[row[0]] = append(all[row[0]], x)
			}
		}
	}
	return all
}

// The real benchstat finds the medians that we print: exactly if a line is a sample,
// as with commands, and within our interval if it is a block.
func TestBenchstatAgreesWithUs(t *testing.T) {
	program := benchstat(t)
	doc := reporttest.Document("real")
	for i, name := range []string{"first", "with two words", "ends-in-10"} {
		c := reporttest.Measure(doc, name, 1e-3*float64(i+1), 0.02)
		reporttest.Command(c, 1<<20, 0.9, "true")
		for j := range c.Samples.Block {
			c.Samples.Block[j] = j // each run for itself
		}
	}
	got := centers(t, program, render(t, "benchfmt", doc, table.Options{}))
	for i, name := range []string{"First-2", "With_two_words-2", "Ends-in-10-2"} {
		want := middle(doc.Cases[i].Samples.Columns["time"])
		if len(got[name]) < 1 || math.Abs(got[name][0]/want-1) > 1e-9 {
			t.Errorf("%s: benchstat says %v, our median is %v; all: %v", name, got[name], want, got)
		}
	}
}

func middle(xs result.Column) float64 {
	x, _ := (&result.Samples{Columns: map[string]result.Column{"x": xs}}).Middle("x")
	return x
}

// Asked for columns by side, benchstat compares the case with its base.
func TestBenchstatComparesSides(t *testing.T) {
	doc := recorded(t)["compared"]
	got := centers(t, benchstat(t), render(t, "benchfmt", doc, table.Options{}), "-col", "side")
	o := doc.Cases[1].Comparison("time")
	row := got["Sort/worse-2"] // base and its ±, case and its ±
	if len(row) < 2 {
		t.Fatalf("no two sides: %v", got)
	}
	base, own := row[0], row[len(row)-1]
	if math.Abs(own/base-float64(o.Ratio)) > 0.01 {
		t.Errorf("benchstat sees %v over %v, our ratio is %v", own, base, o.Ratio)
	}
}
