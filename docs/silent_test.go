package docs_test

import (
	"slices"
	"strings"
	"testing"
)

// silences that the document has to speak of.
const silences = 26

func TestEverySilentPassIsHeldByATest(t *testing.T) {
	d, seen := declarations{}, []string{}
	for _, r := range rows(t, "silent.md") {
		if r.cells[0] == "--" {
			continue
		}
		if len(r.cells) != 5 || slices.Contains(r.cells, "") {
			t.Errorf("line %d has %d cells, want five that are not empty", r.line, len(r.cells))
			continue
		}
		if !exits.MatchString(r.cells[3]) {
			t.Errorf("line %d: %q are no exit statuses", r.line, r.cells[3])
		}
		if !testCell.MatchString(r.cells[4]) {
			t.Errorf("line %d: the tests %s are not written as `folder: name`, `folder: name`", r.line, r.cells[4])
		}
		for _, w := range words(r.cells[4]) {
			folder, name, _ := strings.Cut(w, ": ")
			if !d.isTest(t, folder, name) {
				t.Errorf("line %d: there is no %s", r.line, w)
			}
		}
		seen = append(seen, r.cells[0])
	}
	if want := ids("S", "%02d", silences); !slices.Equal(seen, want) {
		t.Errorf("rows are %v, want %v", seen, want)
	}
}
