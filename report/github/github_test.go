package github

import (
	"strings"
	"testing"

	"example.com/suite/report/table"
)

// The name of a file comes from the change that is tested. It neither ends its property nor
// changes the colours or the direction of the log.
func TestNamesOfFilesAreHarmless(t *testing.T) {
	a := annotation{level: "error", file: "a,\x1b[31m\u202e:b\n.yaml", line: 3, title: "x", message: "y"}
	got := a.command(table.Options{})
	if strings.ContainsAny(got, "\x1b\u202e") || strings.Count(got, "\n") != 1 || !strings.Contains(got, "file=a%2C") || !strings.Contains(got, ",line=3,") {
		t.Errorf("%q", got)
	}
}
