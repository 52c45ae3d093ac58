package report_test

import (
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
