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

// Two dirty trees have the same changes only if the same files differ in the same way. Results
// of suite are no changes.
func TestChangesOfATreeAreIdentified(t *testing.T) {
	r := history(t)
	changes := func() string {
		t.Helper()
		head, err := HeadOf(t.Context(), string(r), "")
		if err != nil || head.Dirty != (head.Changes != "") {
			t.Fatalf("%+v, %v", head, err)
		}
		return head.Changes
	}
	clean := changes()
	r.write(t, "folder/new file", "x")
	one := changes()
	r.write(t, "result.json", `{"schema": "suite-result/1"}`)
	if got := changes(); clean != "" || got != one {
		t.Errorf("clean %q, changed %s, with a result %s", clean, one, got)
	}
	seen := map[string]string{clean: "clean", one: "a new file"}
	for _, c := range []struct {
		what   string
		change func()
	}{
		{"other contents", func() { r.write(t, "folder/new file", "y") }},
		{"another file", func() { r.write(t, "folder/other", "y") }},
		{"a name", func() { _ = os.Rename(r.path("folder/other"), r.path("folder/another")) }},
		{"an empty file", func() { r.write(t, "empty", "") }},
	} {
		c.change()
		if was, twice := seen[changes()]; twice {
			t.Errorf("%s: the same as %s", c.what, was)
		}
		seen[changes()] = c.what
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
