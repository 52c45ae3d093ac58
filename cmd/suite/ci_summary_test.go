package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"example.com/suite/internal/testfile"
	"example.com/suite/result"
)

// A run states on standard error that its report has no room in a step's summary.
func TestNoRoomInAStepSummary(t *testing.T) {
	file := filepath.Join(t.TempDir(), "summary")
	testfile.Write(t, file, strings.Repeat("\n", 1<<20))
	var stderr bytes.Buffer
	e := env{stderr: &stderr, annotations: &stderr, lookup: func(name string) (string, bool) { return file, name == "GITHUB_STEP_SUMMARY" }}
	doc := &result.Document{Schema: result.Schema, Suites: []result.Suite{{Name: "s"}}}
	if err := (&outputs{ci: "github"}).reportToCI(e, doc); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(stderr.String(), "no room for the report in $GITHUB_STEP_SUMMARY, which has 1048576 bytes") {
		t.Errorf("standard error is %q", stderr.String())
	}
}
