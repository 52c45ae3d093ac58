package project

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"example.com/suite/internal/history"
)

func git(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("git", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// Runs that have no author, subject or page get them from the repository, and keep what they have.
func TestRunsAreCompleted(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	t.Chdir(t.TempDir())
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	git(t, "init", "-q", ".")
	git(t, "-c", "user.name=Ada", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "begin")
	git(t, "remote", "add", "origin", "https://example.com/o/r.git")
	head, other := git(t, "rev-parse", "HEAD"), strings.Repeat("5", 40)
	entries := []history.Entry{
		{Run: history.Run{Commit: head}},
		{Run: history.Run{Commit: head, Author: "Grace", Subject: "mine", Page: "https://example.org/x"}},
		{Run: history.Run{Commit: other}},
		{Run: history.Run{}},
	}
	Complete(t.Context(), entries)
	for i, want := range []history.Run{
		{Commit: head, Author: "Ada", Subject: "begin", Page: "https://example.com/o/r/commit/" + head},
		{Commit: head, Author: "Grace", Subject: "mine", Page: "https://example.org/x"},
		{Commit: other, Page: "https://example.com/o/r/commit/" + other},
		{},
	} {
		if got := &entries[i]; got.Author != want.Author || got.Subject != want.Subject || got.Page != want.Page || !got.Committed.IsZero() {
			t.Errorf("run %d: %+v", i, got.Run)
		}
	}
	foreign := []history.Entry{{Run: history.Run{Commit: other}}}
	if Complete(t.Context(), foreign); foreign[0].Page != "" {
		t.Errorf("a history of another repository has the page %s", foreign[0].Page)
	}
}
