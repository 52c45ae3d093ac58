package spec

import (
	"strings"
	"testing"

	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
)

// A plan holds the texts of its files, that of the suite file first; what would be too
// much is named with its size.
func TestPlanHoldsItsFiles(t *testing.T) {
	long := "benchmarks: [{shell: c}]\n" + strings.Repeat("#\n", result.MostSource/2)
	files := map[string]string{"d/b.yaml": "benchmarks: [{shell: b}]\n", "d/c.yaml": long, "d/e.yaml": "benchmarks: [{shell: e}]\n"}
	main := "files: [b.yaml, c.yaml, e.yaml]\n"
	s, problems := Parse("d/a.yaml", []byte(main), func(path string) ([]byte, error) { return []byte(files[path]), nil })
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	plan, problems := s.Plan(Catalogue{}, Overrides{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	want := []result.Source{{File: "d/a.yaml", Text: main}, {File: "d/b.yaml", Text: files["d/b.yaml"]},
		{File: "d/c.yaml", Left: int64(len(long))}, {File: "d/e.yaml", Text: files["d/e.yaml"]}}
	if diff := cmp.Diff(want, plan.Sources); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
