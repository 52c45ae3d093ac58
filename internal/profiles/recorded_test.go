package profiles

import (
	"path/filepath"
	"strings"
	"testing"

	"example.com/suite/internal/testfile"
	"example.com/suite/result"
)

// recorded has profiles of both sides of cases that were made slower on purpose. The proof
// of causes in cmd/suite makes them again: docs/evidence/proof.md.
const recorded = "testdata/causes"

// planted are the changed functions by case.
var planted = map[string]string{
	"allocation": "countWords", "map": "countDifferent", "lock": "(*ledger).enter", "quadratic": "distinct", "syscall": "emit",
	"defer": "visit", "conversion": "countDogs", "collector": "(*index).fill", "misses": "(*matrix).sum", "struct": "nearest",
	"inlining": "countSpaces",
}

// splitFile reads the launches of a recorded file; nil if there is no such file.
func splitFile(t *testing.T, pattern string) []Launch {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(recorded, pattern))
	if err != nil || len(files) > 1 {
		t.Fatalf("%s: %v, %v", pattern, files, err)
	}
	if len(files) == 0 {
		return nil
	}
	data := testfile.Read(t, files[0])
	launches, err := split(data)
	if err != nil {
		t.Fatal(err)
	}
	return launches
}

// The planted function is the first cause in each recorded case, and no function that is the
// same on both sides is named.
func TestRecordedCausesAreNamed(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(recorded, "*.cpu.here.pb.gz"))
	if err != nil || len(files) < 8 {
		t.Fatalf("%d recorded cases, %v", len(files), err)
	}
	m := Modules{own: []string{"example.org/planted"}}
	for _, file := range files {
		name, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(file), "suite.planted_"), "-")
		var all []result.Profile
		alloc := [2][]Launch{splitFile(t, "suite.planted_"+name+"-*.alloc.here.pb.gz"), splitFile(t, "suite.planted_"+name+"-*.alloc.base.pb.gz")}
		for _, kind := range []result.ProfileKind{result.ProfileCPU, result.ProfileMutex} {
			in := Input{Kind: kind, Modules: m, Here: splitFile(t, "suite.planted_"+name+"-*."+string(kind)+".here.pb.gz"), Base: splitFile(t, "suite.planted_"+name+"-*."+string(kind)+".base.pb.gz")}
			if len(in.Here) == 0 {
				continue
			}
			if kind == result.ProfileCPU && alloc[0] != nil {
				in.Collector = [2][]Weights{Allocators(alloc[0], m), Allocators(alloc[1], m)}
			}
			all = append(all, Compare(in))
		}
		causes := Causes(all, false)
		if len(causes) == 0 || causes[0].Function != "example.org/planted/planted."+planted[name] {
			t.Errorf("%s: %+v", name, causes)
		}
		for _, c := range causes {
			if strings.HasSuffix(c.Function, ".digest") || strings.HasSuffix(c.Function, ".order") {
				t.Errorf("%s: %s is named, and has not changed", name, c.Function)
			}
		}
	}
}
