package report_test

import (
	"slices"
	"testing"

	"example.com/suite/report"
)

// Standard output has one name, whose writer keeps commands of CI systems out.
func TestStandardOutputHasOneName(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]bool{"-": true, "/dev/stdout": true, "/dev/fd/1": true, "/proc/self/fd/1": true, "/dev/fd/2": false, "stdout": false} {
		if target, err := report.ParseTarget("text=" + file); err != nil || target.IsStdout() != want {
			t.Errorf("%s: %+v, %v", file, target, err)
		}
	}
}

// The text for people is written first if nothing else is on standard output. All problems are returned at once.
func TestTargetsOfACommandLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		format   string
		out      []string
		want     []report.Target
		problems int
	}{
		{"", nil, []report.Target{{Format: "text", File: "-"}}, 0},
		{"json", nil, []report.Target{{Format: "json", File: "-"}}, 0},
		{"", []string{"json=" + dir + "/r.json"}, []report.Target{{Format: "text", File: "-"}, {Format: "json", File: dir + "/r.json"}}, 0},
		{"", []string{"json=-"}, []report.Target{{Format: "json", File: "-"}}, 0},
		{"json", []string{"csv=-"}, []report.Target{{Format: "json", File: "-"}, {Format: "csv", File: "-"}}, 1},
		{"jsn", []string{"json", "csv=" + dir}, []report.Target{{Format: "jsn", File: "-"}, {Format: "csv", File: dir}}, 3},
	} {
		got, problems := report.ParseTargets(c.format, c.out, nil)
		if !slices.Equal(got, c.want) || len(problems) != c.problems {
			t.Errorf("--format %q --out %q: %+v, %d problems: %v", c.format, c.out, got, len(problems), problems)
		}
	}
}
