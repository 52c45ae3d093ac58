package docs_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// exits is what the column of exit statuses may hold.
var exits = regexp.MustCompile(`^(0|1|2|3|4|129|130|137|143)(, (0|1|2|3|4|129|130|137|143))*$`)

// fewestFaults that the document has to speak of.
const fewestFaults = 30

func TestEveryFaultIsHeldByATest(t *testing.T) {
	d, seen := declarations{}, []string{}
	for _, r := range rows(t, "faults.md") {
		if r.cells[0] == "--" {
			continue
		}
		if len(r.cells) != 6 || slices.Contains(r.cells, "") {
			t.Errorf("line %d has %d cells, want six that are not empty", r.line, len(r.cells))
			continue
		}
		if !exits.MatchString(r.cells[4]) {
			t.Errorf("line %d: %q are no exit statuses", r.line, r.cells[4])
		}
		if !testCell.MatchString(r.cells[5]) {
			t.Errorf("line %d: the tests %s are not written as `folder: name`, `folder: name`", r.line, r.cells[5])
		}
		for _, w := range words(r.cells[5]) {
			folder, name, _ := strings.Cut(w, ": ")
			if !d.isTest(t, folder, name) {
				t.Errorf("line %d: there is no %s", r.line, w)
			}
		}
		seen = append(seen, r.cells[0])
	}
	if len(seen) < fewestFaults || !slices.IsSorted(seen) || len(slices.Compact(slices.Clone(seen))) != len(seen) {
		t.Errorf("%d faults, want at least %d, each once and in order: %v", len(seen), fewestFaults, seen)
	}
}
