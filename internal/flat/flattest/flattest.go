// Package flattest has the runs with which every store of results is tested. Only tests
// import it.
package flattest

import (
	_ "embed" // the runs
	"testing"

	"example.com/suite/internal/history"
)

//go:embed history.jsonl
var text []byte

// Runs returns the runs of a recorded history.
func Runs(t *testing.T) []*history.Run {
	t.Helper()
	runs, err := history.Import(text)
	if err != nil {
		t.Fatal(err)
	}
	return runs
}
