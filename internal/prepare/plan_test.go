package prepare

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/suite/internal/judge"
	"example.com/suite/spec"
)

// Checking a suite of many cases does not copy them: a case has 1 kB, and checking allocates
// 8 kB for each. It was 18 kB when cases were copied.
func TestAllocationsOfCheckingALargeSuite(t *testing.T) {
	const cases = 2000
	var text strings.Builder
	text.WriteString("benchmarks:\n")
	for i := range cases {
		fmt.Fprintf(&text, "  - {name: case/%05d, command: [\"true\", \"%d\"], expect: time.median < 1s}\n", i, i)
	}
	file := filepath.Join(t.TempDir(), "large.yaml")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	plan, problems := Load(file, spec.Catalogue{Offline: true, Clocks: []string{"wall"}, Cycles: []string{"null"}}, nil, &judge.Gates{})
	runtime.ReadMemStats(&after)
	if len(problems) > 0 || len(plan.Cases) != cases {
		t.Fatalf("%d cases, %v", len(plan.Cases), problems)
	}
	if each := (after.TotalAlloc - before.TotalAlloc) / cases; each > 12_000 {
		t.Errorf("%d bytes for each case", each)
	} else {
		t.Logf("%d bytes for each case", each)
	}
}
