package tree

import (
	"context"
	"os"
	"strings"
	"testing"
)

func TestNoHeadWhereThereIsNoCommit(t *testing.T) {
	for what, dir := range map[string]string{"no repository": folder(t), "no commit yet": string(newRepo(t))} {
		if head, err := HeadOf(t.Context(), dir, "", nil); head != nil || err != nil {
			t.Errorf("%s: %v, %v", what, head, err)
		}
	}
}

// What git cannot say is an error with a reason, so that a run can tell it.
func TestHeadOfABrokenRepositoryIsAnError(t *testing.T) {
	r := history(t)
	r.write(t, ".git/HEAD", "nonsense")
	if head, err := HeadOf(t.Context(), string(r), "", nil); head != nil || err == nil {
		t.Errorf("broken: %v, %v", head, err)
	}
	os.Remove(r.path(".git/HEAD"))
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(context.Canceled)
	if _, err := HeadOf(ctx, string(r), "", nil); err != context.Canceled {
		t.Errorf("canceled: %v", err)
	}
}

// The history that suite keeps in a work tree does not make the tree dirty.
func TestAHistoryLeavesATreeClean(t *testing.T) {
	r := history(t)
	r.write(t, ".suite/history/run", "x")
	if head, err := HeadOf(t.Context(), string(r), "", nil); err != nil || head.Dirty {
		t.Errorf("%+v, %v", head, err)
	}
	r.write(t, "new", "x")
	if head, err := HeadOf(t.Context(), string(r), "", nil); err != nil || !head.Dirty {
		t.Errorf("%+v, %v", head, err)
	}
}

// Two dirty trees have the same changes only if the same files differ in the same way. Results
// of suite are no changes.
func TestChangesOfATreeAreIdentified(t *testing.T) {
	r := history(t)
	changes := func() string {
		t.Helper()
		head, err := HeadOf(t.Context(), string(r), "", nil)
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

// A relative folder is in the same work tree as its absolute path.
func TestHeadOfAFolderBelow(t *testing.T) {
	r := history(t)
	r.write(t, "below/x", "x")
	t.Chdir(r.path("below"))
	if head, err := HeadOf(t.Context(), ".", "", nil); err != nil || head == nil || !head.Dirty {
		t.Errorf("%+v, %v", head, err)
	}
}

// What suite and its jobs write is no change of a tree, and anything else is, also next to it.
func TestFilesOfSuiteAreNoChanges(t *testing.T) {
	r, cache := history(t), folder(t)
	const document, journal, page = "{\n  \"schema\": \"suite-result/1\",\n", `{"journal":"suite-journal/1","at":0`, "<!doctype html>\n<html><head><meta name=\"generator\" content=\"suite v1\">"
	for _, test := range []struct {
		file, text string
		written    string
		dirty      bool
	}{
		{file: "results/17/1.json", text: document},
		{file: "which", text: document, dirty: true}, // git knows it, so it may be what a benchmark reads
		{file: "result.profiles/base.pb.gz", text: "\x1f\x8b"},
		{file: "j.jsonl", text: journal},
		{file: "report.html", text: page},
		{file: "slurm-17_3.out", text: "x"},
		{file: "job.sh", text: "#!/bin/sh\n# Measures a in 3 shards. suite fleet parallel wrote\n# this\n"},
		{file: "out/report.csv", text: "x", written: "out/report.csv"},
		{file: "out/deep/run", text: "x", written: "out"},
		{file: "out/report.csv", text: "x", written: "out/other.csv", dirty: true},
		{file: "data.json", text: `{"schema": "other/1", "note": "suite-result/1"}`, dirty: true},
		{file: "slurm-17.c", text: "x", dirty: true},
		{file: "page.html", text: "<!doctype html><p>suite</p>", dirty: true},
	} {
		r.git(t, "reset", "-q", "--hard")
		r.git(t, "clean", "-ffdxq")
		r.write(t, test.file, test.text)
		var written []string
		if test.written != "" {
			written = []string{r.path(test.written)}
		}
		check := func(dirty bool) {
			t.Helper()
			head, err := HeadOf(t.Context(), string(r), "", written)
			if err != nil || head.Dirty != dirty {
				t.Errorf("%s %q: %+v, %v", test.file, test.text, head, err)
			}
			other, err := Open(t.Context(), Options{Dir: string(r), Against: "HEAD", Cache: cache, Written: written})
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			files, err := other.Changed(t.Context())
			if err != nil || other.Dirty != dirty || (len(files) > 0) != dirty {
				t.Errorf("%s %q: dirty %t, changed %q, %v", test.file, test.text, other.Dirty, files, err)
			}
		}
		check(test.dirty)
		r.write(t, "results/17/notes", "x") // in the folder of a result
		check(true)
	}
}
