package main

import (
	"slices"
	"testing"
)

// The copy for a second look is made of a report in JSON that is a file.
func TestReportsThatAreCopied(t *testing.T) {
	for _, c := range []struct {
		written []target
		files   []string
	}{
		{[]target{{"text", "pipe"}, {"json", "result.json"}}, []string{"result.json"}},
		{[]target{{"json", "-"}, {"text", "pipe"}}, nil},
		{nil, nil},
	} {
		if files := jsonFiles(c.written); !slices.Equal(files, c.files) {
			t.Errorf("%v: %q", c.written, files)
		}
	}
}
