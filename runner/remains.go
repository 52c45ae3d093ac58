package runner

import (
	"slices"
	"strings"

	"example.com/suite/result"
	"example.com/suite/runner/host"
)

// remain adds up what stayed behind a block, by folder.
func (t *track) remain(r *host.Readings) {
	t.looked += len(r.ID)
	for _, more := range r.Remains {
		i := slices.IndexFunc(t.remains, func(had host.Remains) bool { return had.Dir == more.Dir })
		if i < 0 {
			t.remains = append(t.remains, more)
			continue
		}
		had := &t.remains[i]
		had.Count += more.Count
		had.Names = append(had.Names, more.Names[:min(len(more.Names), max(mostLeft-len(had.Names), 0))]...)
	}
}

// doubtRemains names files where at least as many appeared as runs were made: then
// each run leaves one more, and later ones find a fuller folder. A file now and
// then may come from any other program of the same user.
func (t *track) doubtRemains() {
	for _, r := range t.remains {
		if t.looked < 2 || r.Count < t.looked {
			continue
		}
		names := strings.Join(r.Names, ", ")
		if r.Count > len(r.Names) {
			names += ", …"
		}
		t.doubt("files", result.Say("%s files appeared in %s during %s runs, and stayed: %s", result.Number(r.Count), r.Dir, result.Number(t.looked), names), "remove them in the command, or in conclude")
	}
}
