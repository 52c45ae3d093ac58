package project

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

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

// Commits of one second are in the order of the repository, and runs of one commit stay in theirs.
func TestCommitsOfASecondAreInOrder(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	t.Chdir(t.TempDir())
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_COMMITTER_DATE", "@1700000000 +0000")
	git(t, "init", "-q", ".")
	var hashes []string
	when := time.Unix(1700000000, 0)
	for range 6 {
		git(t, "-c", "user.name=Ada", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "again "+strconv.Itoa(len(hashes)))
		hashes = append(hashes, git(t, "rev-parse", "HEAD"))
	}
	unknown := strings.Repeat("5", 40)
	entries := []history.Entry{
		{Run: history.Run{Commit: "older", Committed: when.Add(-time.Second)}},
		{Run: history.Run{Committed: when}},
		{Run: history.Run{Commit: unknown, Committed: when}},
	}
	for _, i := range []int{3, 0, 5, 1, 1, 4, 2} {
		entries = append(entries, history.Entry{File: strconv.Itoa(len(entries)), Run: history.Run{Commit: hashes[i], Committed: when}})
	}
	entries = append(entries, history.Entry{Run: history.Run{Commit: "newer", Committed: when.Add(time.Second)}})
	SortSeconds(t.Context(), entries)
	want := []string{"older", "", unknown, hashes[0], hashes[1], hashes[1], hashes[2], hashes[3], hashes[4], hashes[5], "newer"}
	for i, e := range entries {
		if e.Commit != want[i] {
			t.Errorf("run %d is of the commit %q, want %q", i, e.Commit, want[i])
		}
	}
	if entries[4].File != "6" || entries[5].File != "7" {
		t.Errorf("runs of one commit: %s, %s", entries[4].File, entries[5].File)
	}
}
