package tree

import (
	"context"
	"strings"
	"time"
)

// Commit is a commit of a repository.
type Commit struct {
	When    time.Time // when it was committed
	Subject string    // first line of its message
}

// CommitsOf finds commits by their full hashes in the repository that contains a folder.
// Commits that the repository lacks are left out, and all if there is no repository. If the
// context ends, the error is its cause.
func CommitsOf(ctx context.Context, dir string, hashes []string) (map[string]Commit, error) {
	top := TopOf(dir)
	if top == "" || len(hashes) == 0 {
		return nil, nil
	}
	r := git{dir: top, env: frugal}
	// --ignore-missing passes over hashes that are unknown; --stdin has no limit of length.
	text, err := r.feed(ctx, strings.Join(hashes, "\n")+"\n", "log", "--no-walk=unsorted", "--ignore-missing", "--stdin", "--format=%H %cI %s")
	if err != nil {
		return nil, undiscovered(err, top)
	}
	found := map[string]Commit{}
	for line := range strings.Lines(text) {
		hash, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		date, subject, _ := strings.Cut(rest, " ")
		when, err := time.Parse(time.RFC3339, date)
		if err == nil {
			found[hash] = Commit{when.UTC(), subject}
		}
	}
	return found, nil
}
