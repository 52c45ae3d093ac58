package runner

import (
	"slices"
	"strings"

	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
)

// remain adds up the files that stayed after a block, by folder.
func (t *side) remain(r *wire.Readings) {
	t.Looked += len(r.ID)
	for _, more := range r.Remains {
		i := slices.IndexFunc(t.Remains, func(had wire.Remains) bool { return had.Dir == more.Dir })
		if i < 0 {
			t.Remains = append(t.Remains, more)
			continue
		}
		had := &t.Remains[i]
		had.Count += more.Count
		had.Names = append(had.Names, more.Names[:min(len(more.Names), max(mostLeft-len(had.Names), 0))]...)
	}
}

// doubtRemains warns of folders in which at least as many files appeared as runs were
// made: then each run leaves one more, and later ones find a fuller folder. A few files
// may come from any other program of the same user.
func (t *side) doubtRemains() {
	for _, r := range t.Remains {
		if t.Looked < 2 || r.Count < t.Looked {
			continue
		}
		names := strings.Join(r.Names, ", ")
		if r.Count > len(r.Names) {
			names += ", …"
		}
		t.doubt(result.WarnFiles, result.Say("%s files appeared in %s during %s runs, and stayed: %s", result.Number(r.Count), r.Dir, result.Number(t.Looked), names), "remove them in the command, or in conclude")
	}
}
