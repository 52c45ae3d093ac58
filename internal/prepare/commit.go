package prepare

import (
	"context"
	"fmt"
	"path/filepath"

	"example.com/suite/internal/tree"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// Commits looks up the commit of each suite's work tree in the background while a run is
// prepared. wait returns them in the order of plans, and why some are not known. Call it
// before anything is measured, so that no git process takes time from a sample. What the run
// writes into its work tree is no change of it.
func Commits(
	ctx context.Context, plans []*spec.Plan, cache string, written []string,
) (wait func() ([]*result.Commit, []error)) {
	var found []*result.Commit
	var problems []error
	done := make(chan struct{})
	go func() {
		defer close(done)
		byFolder := map[string]*result.Commit{}
		for _, plan := range plans {
			dir := filepath.Dir(plan.File)
			if _, known := byFolder[dir]; !known {
				head, err := tree.HeadOf(ctx, dir, cache, written)
				if err != nil && ctx.Err() == nil {
					problems = append(problems, fmt.Errorf("the commit that is measured is not recorded: %w", err))
				}
				byFolder[dir] = commitOf(head)
			}
			found = append(found, byFolder[dir])
		}
	}()
	return func() ([]*result.Commit, []error) {
		<-done
		return found, problems
	}
}

func commitOf(head *tree.Head) *result.Commit {
	if head == nil {
		return nil
	}
	return &result.Commit{Hash: head.Commit, Dirty: head.Dirty, Changes: head.Changes}
}
