package bisect

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
	"example.com/suite/internal/tree"
)

// Span is the commits from a good to a bad revision.
type Span struct {
	Good, Bad End
	Line      []tree.Commit // the good commit first, the bad one last
	Backwards bool          // the good commit is the later one
	history   *tree.History
}

// FindSpan finds the commits between two revisions in the repository of a suite file. One of
// the revisions must be an ancestor of the other.
func FindSpan(ctx context.Context, suiteFile, good, bad string) (*Span, error) {
	h, err := tree.OpenHistory(ctx, filepath.Dir(suiteFile))
	if err != nil {
		return nil, err
	}
	span := &Span{Good: End{Asked: good}, Bad: End{Asked: bad}, history: h}
	span.Good.Commit, err = h.Find(ctx, good)
	if err == nil {
		span.Bad.Commit, err = h.Find(ctx, bad)
	}
	if err != nil {
		return nil, err
	}
	from, to := span.Good.Commit, span.Bad.Commit
	if from.Hash == to.Hash {
		return nil, diag.Hinted(fmt.Sprintf("%s and %s are the same commit", good, bad),
			"git log shows the commits; uncommitted changes are in none: suite run --against HEAD compares them")
	}
	fork, err := h.Fork(ctx, from.Hash, to.Hash)
	if err != nil {
		return nil, err
	}
	switch fork {
	case from.Hash:
	case to.Hash:
		span.Backwards = true
		from, to = to, from
	case "":
		return nil, diag.Hinted(fmt.Sprintf("%s and %s have no commit in common", good, bad),
			"in a shallow clone: git fetch --unshallow")
	default:
		return nil, diag.Hinted(fmt.Sprintf("neither of %s and %s is an ancestor of the other", good, bad),
			"begin where they have parted: --good "+display.Commit(fork))
	}
	line, err := h.Line(ctx, from.Hash, to.Hash)
	if err != nil {
		return nil, err
	}
	span.Line = append([]tree.Commit{from}, line...)
	if span.Backwards {
		slices.Reverse(span.Line)
	}
	return span, nil
}

// branch lists the commits of a branch that was merged, see Options.Branch.
func (s *Span) branch(ctx context.Context, before, last string) ([]tree.Commit, error) {
	fork, err := s.history.Fork(ctx, before, last)
	if err != nil || fork == "" {
		return nil, err
	}
	from, err := s.history.Find(ctx, fork)
	if err != nil {
		return nil, err
	}
	line, err := s.history.Line(ctx, fork, last)
	return append([]tree.Commit{from}, line...), err
}
