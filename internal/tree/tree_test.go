package tree

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestWhichCommitIsTheBase(t *testing.T) {
	r := history(t)
	r.git(t, "branch", "topic/ä")
	for _, c := range []struct {
		against   string
		exact     bool
		want      string // content of the file
		mergeBase bool
	}{
		{"main", false, "base", true},
		{"main", true, "ahead", false},
		{"refs/heads/main", false, "base", true},
		{"v1", false, "base", false},
		{"HEAD", false, "newest", false},
		{"HEAD~1", false, "mine", false},
		{"topic/ä", false, "newest", false},
		{r.hash(t, "main"), true, "ahead", false},
		{r.hash(t, "main")[:9], true, "ahead", false},
		{":/mine", false, "mine", false},
	} {
		got := open(t, Options{Dir: string(r), Against: c.against, Exact: c.exact, Cache: folder(t)})
		same(t, c.against, content(t, filepath.Join(got.Root, "which")), c.want)
		same(t, c.against, got.Revision, r.git(t, "rev-parse", ":/"+c.want))
		asked := c.against
		if len(asked) == 40 {
			asked = asked[:12]
		}
		if got.MergeBase != c.mergeBase || got.Asked != asked || got.Own != string(r) || got.Kept {
			t.Errorf("%s: %+v", c.against, got)
		}
	}
}

// Where a suite is started, and in which kind of work tree.
func TestNothingOfTheUsersIsWritten(t *testing.T) {
	plain := history(t)
	linked := filepath.Join(folder(t), "linked")
	plain.git(t, "worktree", "add", "-q", "-b", "other", linked, "feature")
	bare := filepath.Join(folder(t), "bare.git")
	run(t, ".", "clone", "-q", "--bare", string(plain), bare)
	ofBare := filepath.Join(folder(t), "work")
	run(t, bare, "worktree", "add", "-q", ofBare, "feature")
	odd := filepath.Join(folder(t), "a 'b' ü")
	run(t, ".", "clone", "-q", "--shared", "--no-hardlinks", string(plain), odd)

	for _, own := range []string{string(plain), linked, ofBare, odd} {
		write(t, filepath.Join(own, "which"), "staged\n")
		run(t, own, "add", "which")
		write(t, filepath.Join(own, "which"), "changed\n")
		write(t, filepath.Join(own, "untracked"), "x\n")
		common := run(t, own, "rev-parse", "--path-format=absolute", "--git-common-dir")
		before := snapshot(t, own) + snapshot(t, common)
		for _, dir := range []string{own, filepath.Join(own, "bench")} {
			against := "main"
			if own == odd {
				against = "origin/main"
			}
			got := open(t, Options{Dir: dir, Against: against, Cache: folder(t)})
			same(t, "root", got.Own, own)
			same(t, "which", content(t, filepath.Join(got.Root, "which")), "base")
			same(t, "untracked", strings.Join(names(t, got.Root), " "), ".git bench which")
			if !got.Dirty || !got.MergeBase {
				t.Errorf("%+v", got)
			}
		}
		same(t, own, snapshot(t, own)+snapshot(t, common), before)
	}
}

func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestARepositoryThatCannotBeWritten(t *testing.T) {
	if os.Geteuid() <= 0 {
		t.Skip("nothing keeps root, or windows, from writing")
	}
	r := history(t)
	mode := func(bits string) {
		if out, err := exec.Command("chmod", "-R", bits, string(r)).CombinedOutput(); err != nil {
			t.Fatalf("%v %s", err, out)
		}
	}
	mode("a-w")
	t.Cleanup(func() { mode("u+w") })
	got := open(t, Options{Dir: string(r), Against: "main", Cache: folder(t)})
	same(t, "which", content(t, filepath.Join(got.Root, "which")), "base")
}

// A Makefile asks git for a version.
func TestTheTreeIsARepositoryForBuilds(t *testing.T) {
	r := history(t)
	got := open(t, Options{Dir: string(r), Against: "HEAD", Cache: folder(t)})
	same(t, "describe", run(t, got.Root, "describe", "--always", "--dirty"), r.git(t, "describe", "--always"))
	same(t, "count", run(t, got.Root, "rev-list", "--count", "HEAD"), "3")
	same(t, "status", run(t, got.Root, "status", "--porcelain"), "")
	got = open(t, Options{Dir: string(r), Against: "main", Cache: folder(t)})
	same(t, "describe", run(t, got.Root, "describe", "--dirty"), "v1")
	same(t, "folder", filepath.Base(got.Root), "proj")
}

func TestDirty(t *testing.T) {
	r := history(t)
	cache := r.path(".cache/suite") // as GitLab wants it
	for _, c := range []struct {
		what  string
		do    func()
		dirty bool
	}{
		{"clean, with the cache inside", func() {}, false},
		{"ignored", func() { r.write(t, ".git/info/exclude", "*.o\n"); r.write(t, "x.o", "") }, false},
		{"beside the cache", func() { r.write(t, ".cache/other", "") }, true},
		{"untracked", func() { os.Remove(r.path(".cache/other")); r.write(t, "new.go", "") }, true},
		{"removed", func() { os.Remove(r.path("new.go")); os.Remove(r.path("which")) }, true},
		{"staged", func() { r.write(t, "which", "x"); r.git(t, "add", "which") }, true},
	} {
		c.do()
		got := open(t, Options{Dir: string(r), Against: "main", Cache: cache})
		if got.Dirty != c.dirty {
			t.Errorf("%s: dirty %v", c.what, got.Dirty)
		}
		got.Close()
		head, err := HeadOf(t.Context(), r.path("bench"), cache, nil)
		if want := strings.TrimSpace(r.git(t, "rev-parse", "HEAD")); err != nil || head.Commit != want || head.Dirty != c.dirty || (head.Changes != "") != c.dirty {
			t.Errorf("%s: head %v, want %s, dirty %t: %v", c.what, head, want, c.dirty, err)
		}
	}
}

func TestPath(t *testing.T) {
	r := history(t)
	got := open(t, Options{Dir: string(r), Against: "main", Cache: folder(t)})
	t.Chdir(r.path("bench"))
	link := filepath.Join(folder(t), "link")
	if err := os.Symlink(string(r), link); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	} else if err != nil {
		link = string(r)
	}
	for file, want := range map[string]string{
		"suite.yaml":                           "bench/suite.yaml",
		"../which":                             "which",
		r.path("not/there.yaml"):               "not/there.yaml",
		filepath.Join(link, "bench/not.yaml"):  "bench/not.yaml",
		filepath.Join(link, "no/such/y.yaml"):  "no/such/y.yaml",
		string(r):                              ".",
		r.path("..very odd"):                   "..very odd",
		filepath.Join(string(r), "a/../which"): "which",
	} {
		path, err := got.Path(file)
		if err != nil || path != filepath.Join(got.Root, filepath.FromSlash(want)) {
			t.Errorf("%s: %s, %v", file, path, err)
		}
	}
	for _, file := range []string{filepath.Dir(string(r)), "../../x", string(r) + "2/x", got.Root} {
		if path, err := got.Path(file); err == nil || !strings.Contains(err.Error(), "is outside "+string(r)) {
			t.Errorf("%s: %s, %v", file, path, err)
		}
	}
}

func TestARepositoryWithinHasATreeOfItsOwn(t *testing.T) {
	r := history(t)
	run(t, ".", "init", "-q", r.path("inner"))
	r.write(t, "inner/deep/suite.yaml", "")
	old := folder(t)
	for _, c := range []struct {
		against, dir string
		want         bool
	}{
		{"main", string(r), true},
		{"main", r.path("bench"), true},
		{"main", r.path("inner"), false},
		{"main", r.path("inner/deep"), false},
		{"main", r.path("no/such"), false},
		{"main", old, false},
		{old, r.path("bench"), true},
		{old, r.path("inner/deep"), true}, // folders have no revisions
		{old, old, false},
	} {
		got := open(t, Options{Dir: string(r), Against: c.against, Cache: folder(t)})
		if got.Holds(t.Context(), c.dir) != c.want {
			t.Errorf("%s in the tree of %s: %v", c.dir, c.against, !c.want)
		}
		if err := got.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestNotes(t *testing.T) {
	r := history(t)
	r.git(t, "branch", "same")
	r.git(t, "branch", "mine", "HEAD~1")
	note := func(o Options) string {
		t.Helper()
		o.Dir, o.Cache = string(r), t.TempDir()
		return strings.Join(open(t, o).Notes, "\n")
	}
	same(t, "main", note(Options{Against: "main"}), "")
	const equal = "the base is HEAD itself, and nothing is uncommitted: equal code is compared"
	same(t, "HEAD", note(Options{Against: "HEAD"}), equal)
	same(t, "same", note(Options{Against: "same"}), equal)
	r.git(t, "checkout", "-q", "mine")
	same(t, "ahead", note(Options{Against: "feature"}), "HEAD has no commit that feature lacks, so "+equal)
	same(t, "ahead, exact", note(Options{Against: "feature", Exact: true}), "")
	r.write(t, "which", "changed")
	same(t, "dirty", note(Options{Against: "HEAD"}), "the base is HEAD itself: only the uncommitted changes are compared")
	same(t, "dirty, ahead", note(Options{Against: "feature"}), "HEAD has no commit that feature lacks, so the base is HEAD itself: only the uncommitted changes are compared")
}

func TestCrissCrossIsNoted(t *testing.T) {
	r := newRepo(t)
	r.commit(t, "root")
	r.git(t, "checkout", "-q", "-b", "b")
	r.git(t, "commit", "-q", "--allow-empty", "-m", "b1")
	r.git(t, "checkout", "-q", "main")
	r.git(t, "commit", "-q", "--allow-empty", "-m", "m1")
	r.git(t, "tag", "m1")
	r.git(t, "merge", "-q", "-m", "m2", "b")
	r.git(t, "checkout", "-q", "b")
	r.git(t, "merge", "-q", "-m", "b2", "m1")
	got := open(t, Options{Dir: string(r), Against: "main", Cache: folder(t)})
	bases := strings.Fields(r.git(t, "merge-base", "--all", "HEAD", "main"))
	want := "HEAD and main have met more than once, in " + bases[0][:10] + ", " + bases[1][:10] + "; the base is the first"
	if len(bases) != 2 || got.Revision != bases[0] || !slices.Equal(got.Notes, []string{want}) {
		t.Errorf("%v: %s, %q", bases, got.Revision, got.Notes)
	}
}

func TestBranchesOfRemotes(t *testing.T) {
	src := history(t)
	r := repo(filepath.Join(folder(t), "clone"))
	run(t, ".", "clone", "-q", "--branch", "feature", string(src), string(r))
	got := open(t, Options{Dir: string(r), Against: "main", Cache: folder(t)})
	same(t, "notes", strings.Join(got.Notes, "\n"), "main is origin/main: no branch here has that name")
	same(t, "which", content(t, filepath.Join(got.Root, "which")), "base")

	r.git(t, "remote", "add", "also", string(src))
	r.git(t, "fetch", "-q", "also")
	same(t, "origin wins", open(t, Options{Dir: string(r), Against: "main", Cache: folder(t)}).Revision, got.Revision)
	r.git(t, "remote", "rename", "origin", "mine")
	same(t, "several", refused(t, Options{Dir: string(r), Against: "main", Cache: folder(t)}),
		"\"main\" is a branch of several remotes, and none here\nname one of also/main, mine/main")
}

// A main that nobody has pulled for long is not where the branch has left main.
func TestABranchBehindItsUpstreamIsNoted(t *testing.T) {
	src := history(t)
	r := repo(filepath.Join(folder(t), "clone"))
	run(t, ".", "clone", "-q", "--branch", "main", string(src), string(r))
	r.git(t, "checkout", "-q", "-b", "work")
	r.commit(t, "worked")
	o := Options{Dir: string(r), Against: "main", Cache: folder(t)}
	if got := open(t, o); len(got.Notes) != 0 {
		t.Error(got.Notes)
	}
	later := r.hash(t, "main")
	r.git(t, "branch", "-q", "-f", "main", "main~1")
	r.git(t, "branch", "-q", "--set-upstream-to=origin/main", "main")
	got := open(t, o)
	same(t, "notes", strings.Join(got.Notes, "\n"), "main is behind origin/main, which HEAD left later: --against origin/main compares with "+later[:10])
	same(t, "which", content(t, filepath.Join(got.Root, "which")), "base")
}
