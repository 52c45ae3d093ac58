package tree

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// subjects of commits, in order.
func subjects(all []Commit) string {
	var words []string
	for _, c := range all {
		words = append(words, c.Subject)
	}
	return strings.Join(words, " ")
}

// A line follows first parents, so it has a merge and not what was merged.
func TestLineFollowsFirstParents(t *testing.T) {
	r := history(t)
	r.git(t, "merge", "-q", "--no-ff", "-s", "ours", "-m", "merged", "main")
	h, err := OpenHistory(t.Context(), string(r))
	if err != nil {
		t.Fatal(err)
	}
	base, err := h.Find(t.Context(), "v1")
	if err != nil {
		t.Fatal(err)
	}
	head, err := h.Find(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	line, err := h.Line(t.Context(), base.Hash, head.Hash)
	if err != nil || subjects(line) != "mine newest merged" {
		t.Fatalf("%q, %v", subjects(line), err)
	}
	if merge := line[2]; len(merge.Parents) != 2 || merge.Parents[0] != line[1].Hash || merge.Hash != head.Hash || merge.Author != "a" || merge.Date != "2026-01-01" {
		t.Errorf("%+v", merge)
	}
	branch, err := h.Line(t.Context(), base.Hash, line[2].Parents[1])
	if err != nil || subjects(branch) != "ahead" {
		t.Errorf("%q, %v", subjects(branch), err)
	}
	if none, err := h.Line(t.Context(), head.Hash, base.Hash); err != nil || len(none) != 0 {
		t.Errorf("%q, %v", subjects(none), err)
	}
}

func TestAncestorsAndForks(t *testing.T) {
	r := history(t)
	h, err := OpenHistory(t.Context(), string(r))
	if err != nil {
		t.Fatal(err)
	}
	hash := func(rev string) string {
		c, err := h.Find(t.Context(), rev)
		if err != nil {
			t.Fatal(err)
		}
		return c.Hash
	}
	for _, want := range [][3]string{
		{"v1", "HEAD", "v1"}, {"HEAD", "v1", "v1"}, {"HEAD", "HEAD", "HEAD"}, {"main", "feature", "v1"},
	} {
		if fork, err := h.Fork(t.Context(), hash(want[0]), hash(want[1])); err != nil || fork != hash(want[2]) {
			t.Errorf("%s and %s part at %s, %v", want[0], want[1], fork, err)
		}
	}
	if _, err := h.Find(t.Context(), "mian"); err == nil || !strings.Contains(err.(*Error).Hint, `"main"`) {
		t.Errorf("%v", err)
	}
}

// Two revisions are compared with each other, whatever is in the work tree.
func TestChangedSince(t *testing.T) {
	r := history(t)
	cache := folder(t)
	open := func(rev string) *Tree {
		tree, err := Open(t.Context(), Options{Dir: string(r), Against: rev, Exact: true, Cache: cache})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { tree.Close() })
		return tree
	}
	r.write(t, "untracked", "x")
	changed, err := open("main").ChangedSince(t.Context(), open("v1"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"which"}, changed); diff != "" {
		t.Error(diff)
	}
}

// Files are found by their names in all folders, unless git ignores them, from wherever in the repository.
func TestFilesNamed(t *testing.T) {
	r := history(t)
	for _, name := range []string{"a.yaml", "sub/a.yaml", "sub/xa.yaml", "sub/a.yaml.txt", "ignored/a.yaml", ".gitignore"} {
		text := ""
		if name == ".gitignore" {
			text = "ignored/\n"
		}
		file := filepath.Join(string(r), filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	r.git(t, "add", "a.yaml")
	h, err := OpenHistory(t.Context(), filepath.Join(string(r), "sub"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := h.FilesNamed(t.Context(), "a.yaml")
	if err != nil || len(files) != 2 || filepath.Base(filepath.Dir(files[1])) != "sub" || !strings.HasSuffix(files[0], "a.yaml") {
		t.Errorf("%v: %s", err, files)
	}
}

// The pages of commits are where the remote is, without its password, and only if it is a host
// of the web.
func TestCommitPages(t *testing.T) {
	for remote, want := range map[string]string{
		"https://github.com/owner/name.git":             "https://github.com/owner/name/commit/",
		"https://me:secret@example.com:8443/a/b/c.git/": "https://example.com:8443/a/b/c/commit/",
		"git@gitlab.example.com:group/sub/name.git":     "https://gitlab.example.com/group/sub/name/-/commit/",
		"ssh://git@bitbucket.org:7999/owner/name.git":   "https://bitbucket.org/owner/name/commits/",
		"/srv/git/name.git":                             "",
		"../name":                                       "",
		`C:\git\name`:                                   "",
		"file:///srv/git/name.git":                      "",
		"http://example.com/owner/name":                 "",
		"javascript:alert(1)":                           "",
		"work:owner/name":                               "",
		"":                                              "",
	} {
		if got := commitPages(remote); got != want {
			t.Errorf("%q: got %q, want %q", remote, got, want)
		}
	}
	r := history(t)
	r.git(t, "remote", "add", "fork", "https://example.com/fork")
	r.git(t, "remote", "add", "origin", "git@example.com:owner/name.git")
	h, err := OpenHistory(t.Context(), string(r))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := h.CommitPages(t.Context()), "https://example.com/owner/name/commit/"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
