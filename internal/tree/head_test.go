package tree

import (
	"context"
	"os"
	"strings"
	"testing"
)

func TestNoHeadWhereThereIsNoCommit(t *testing.T) {
	for what, dir := range map[string]string{"no repository": folder(t), "no commit yet": string(newRepo(t))} {
		if head, err := HeadOf(t.Context(), dir, ""); head != nil || err != nil {
			t.Errorf("%s: %v, %v", what, head, err)
		}
	}
}

// What git cannot say is an error with a reason, so that a run can tell it.
func TestHeadOfABrokenRepositoryIsAnError(t *testing.T) {
	r := history(t)
	r.write(t, ".git/HEAD", "nonsense")
	if head, err := HeadOf(t.Context(), string(r), ""); head != nil || err == nil {
		t.Errorf("broken: %v, %v", head, err)
	}
	os.Remove(r.path(".git/HEAD"))
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(context.Canceled)
	if _, err := HeadOf(ctx, string(r), ""); err != context.Canceled {
		t.Errorf("canceled: %v", err)
	}
}

// The history that suite keeps in a work tree does not make the tree dirty.
func TestAHistoryLeavesATreeClean(t *testing.T) {
	r := history(t)
	r.write(t, ".suite/history/run", "x")
	if head, err := HeadOf(t.Context(), string(r), ""); err != nil || head.Dirty {
		t.Errorf("%+v, %v", head, err)
	}
	r.write(t, "new", "x")
	if head, err := HeadOf(t.Context(), string(r), ""); err != nil || !head.Dirty {
		t.Errorf("%+v, %v", head, err)
	}
}

func TestKnownCommits(t *testing.T) {
	r := history(t)
	h, err := OpenHistory(t.Context(), string(r))
	if err != nil {
		t.Fatal(err)
	}
	head, err := h.Find(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	missing := strings.Repeat("12", len(head.Hash)/2)
	known, err := h.Known(t.Context(), []string{missing, head.Hash})
	if err != nil || len(known) != 1 || known[head.Hash].Subject != head.Subject || !known[head.Hash].When.Equal(head.When) || head.When.IsZero() {
		t.Errorf("%+v, %v; head %+v", known, err, head)
	}
}
