package main

import (
	"slices"
	"testing"

	"example.com/suite/report"
)

// The copy for a second look is made of a report in JSON that is a file.
func TestReportsThatAreCopied(t *testing.T) {
	for _, c := range []struct {
		written []report.Target
		files   []string
	}{
		{[]report.Target{{Format: "text", File: "pipe"}, {Format: "json", File: "result.json"}}, []string{"result.json"}},
		{[]report.Target{{Format: "json", File: "-"}, {Format: "text", File: "pipe"}}, nil},
		{nil, nil},
	} {
		if files := jsonFiles(c.written); !slices.Equal(files, c.files) {
			t.Errorf("%v: %q", c.written, files)
		}
	}
}
