package spec

import (
	"os"
	"path/filepath"
	"testing"
)

// A problem in one benchmark does not hide those of another stage in the same
// benchmark or in another one.
func TestOnePassFindsTheProblemsOfEveryStage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.yaml")
	text := `benchmarks:
  - name: a
    warmpu: 1s
    go: hash/shaa256
  - name: b
    go: hash/shaa256
    work: ${0 - 1}
    expect: time.median < 2ms
`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	plan, problems := LoadPlan(file, catalogue(), nil)
	var lines []int
	for _, p := range problems {
		lines = append(lines, p.Line)
	}
	if len(lines) != 4 || lines[0] != 3 || lines[1] != 4 || lines[2] != 6 || lines[3] != 7 {
		t.Errorf("problems in lines %v, want 3, 4, 6, 7:\n%v", lines, problems)
	}
	if plan == nil || len(plan.Cases) != 2 || len(plan.Cases[1].Gates) != 1 {
		t.Errorf("plan %+v, want both cases and the gate", plan)
	}
}

// A fault is one problem to both passes, also where several cases share it.
func TestEveryFaultIsSaidOnce(t *testing.T) {
	_, problems := LoadPlan("testdata/err/said_once.yaml", catalogue(), nil)
	compareWanted(t, "testdata/err/said_once.yaml", problems.Error()+"\n")
}
