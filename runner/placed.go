package runner

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"

	"example.com/suite/internal/pagecache"
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

// isPlaced reports whether the pairs of a block of commands share what was drawn for the block: where
// the files that they read are in memory. Functions have launches, which are drawn alike.
func (t *track) isPlaced() bool {
	return t.target.IsCommand() && !t.drawn && t.result.Pairs != nil && t.result.Pairs.Placed > 0
}

// isRenewed reports whether something is drawn anew in each round of a case, so that a block
// costs more than its pairs.
func (t *track) isRenewed() bool { return t.isRelaunched() || t.isPlaced() }

// place draws anew where the files that both sides read are in memory, in random order.
func (w *window) place(ctx context.Context, t *track) {
	if len(t.files) == 0 {
		return
	}
	began := w.run.busy()
	files := slices.Clone(t.files)
	draw := w.run.options.Seed.Draw("files", fmt.Sprintf("%q %q", t.result.Suite, t.result.Name), t.result.Launches, t.own.series.Blocks)
	for i, at := range draw.Perm(len(files)) {
		files[i] = t.files[at]
	}
	stayed := pagecache.Place(ctx, files)
	if t.isPlaced() {
		t.pacing.start = append(t.pacing.start, w.run.busy()-began)
	}
	if len(stayed) == 0 || ctx.Err() != nil {
		return
	}
	slices.Sort(stayed)
	t.result.WarnOnce(result.WarnKeptFiles, fmt.Sprintf("%s and %d more that it reads stay where they are in memory, which may make one side faster", stayed[0], len(stayed)-1),
		"they are in use, or on a file system that lives in memory")
	if len(stayed) == len(files) {
		t.files = nil
		if t.own.series.Blocks == 0 {
			t.result.Pairs.Placed = 0
		}
	}
}
