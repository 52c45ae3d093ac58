package runner

import (
	"cmp"
	"fmt"
	"os"
	"slices"

	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// What is placed anew for each block of pairs, both sides together. Dropping and reading 4 MB took
// 7 ms here.
const (
	mostPlacedBytes = 256 << 20
	mostPlacedFiles = 2000
)

// placeable chooses the files of both sides that are placed anew in memory for each block, the
// smallest first. A file that only one side has is not among them.
func (t *track) placeable() {
	type both struct {
		files [2]string
		size  int64
	}
	var all []both
	for _, files := range t.target.Spec.Other.Files {
		own, err := os.Stat(files[0])
		base, errBase := os.Stat(files[1])
		if err == nil && errBase == nil && own.Mode().IsRegular() && base.Mode().IsRegular() && !os.SameFile(own, base) {
			all = append(all, both{files, own.Size() + base.Size()})
		}
	}
	slices.SortStableFunc(all, func(a, b both) int { return cmp.Compare(a.size, b.size) })
	left := int64(mostPlacedBytes)
	for i, one := range all {
		if left -= one.size; left < 0 || i >= mostPlacedFiles/2 {
			t.result.WarnOnce(result.WarnKeptFiles, fmt.Sprintf("%s that it reads stay where they are in memory, which may make one side faster: more than %s, or %d files, would take too long",
				units.Plural(len(all)-i, "file"), units.Format(mostPlacedBytes, "B"), mostPlacedFiles), "")
			break
		}
		t.files = append(t.files, one.files[:]...)
	}
	t.result.Pairs.Placed = len(t.files)
}
