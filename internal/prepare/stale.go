package prepare

import (
	"errors"
	"fmt"

	"example.com/suite/internal/tree"
)

// staleError is the error of a comparison with a tree that has outputs of an earlier run, if a file outside of both
// trees that a case uses has changed since they were built: a compiler, or a library.
type staleError struct{ file string }

func (e *staleError) Error() string {
	return fmt.Sprintf("%s has changed since the last build", e.file)
}

// closeStale closes all trees after such an error, and reports whether it was one. Opened again, they are as if they
// were checked out for the first time, so such an error does not happen twice.
func (t *Trees) closeStale(err error, hosts *Hosts, asked string) bool {
	var stale *staleError
	if !errors.As(err, &stale) {
		return false
	}
	hosts.Say("--against %s: building from scratch: %s has changed since the last build, and cases use it", asked,
		stale.file)
	for _, one := range t.open {
		hosts.Rebuild(one.Root)
		_ = one.Outdate() // if it fails, the next error is the same
	}
	t.Close()
	t.left = nil
	return true
}

// ran records in trees when build commands ran while harnesses were asked for their benchmarks.
func (h *Hosts) ran(trees []*tree.Tree) {
	for _, span := range h.spans {
		for _, one := range trees {
			_ = one.Ran(span) // if it fails, what was installed then is taken for a file of the system
		}
	}
	h.spans = nil
}
