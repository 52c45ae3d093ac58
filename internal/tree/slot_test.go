package tree

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/paths"
)

// reopen closes a tree and opens it again.
func reopen(t *testing.T, was *Tree, o Options) *Tree {
	t.Helper()
	if err := was.Close(); err != nil {
		t.Fatal(err)
	}
	got := open(t, o)
	if got.Root != was.Root {
		t.Fatalf("%s, was %s", got.Root, was.Root)
	}
	same(t, "status", run(t, got.Root, "status", "--porcelain", "--untracked-files=no"), "")
	return got
}

func TestAnIntactTreeIsUsedAgain(t *testing.T) {
	r := history(t)
	o := Options{Dir: string(r), Against: "main", Cache: folder(t)}
	got := open(t, o)
	before := snapshot(t, filepath.Join(got.Root, "bench"))
	got = reopen(t, got, o)
	same(t, "tree", snapshot(t, filepath.Join(got.Root, "bench")), before)
	o.Dir = r.path("bench")
	same(t, "tree", snapshot(t, filepath.Join(reopen(t, got, o).Root, "bench")), before)
}

func TestADamagedTreeIsMended(t *testing.T) {
	r := history(t)
	o := Options{Dir: string(r), Against: "main", Cache: r.path("cache")} // a repository around it must not be taken for it
	got := open(t, o)
	head := r.hash(t, "HEAD")
	for what, damage := range map[string]func(root string) error{
		"changed": func(root string) error { return os.WriteFile(filepath.Join(root, "which"), []byte("bad\n"), 0o666) },
		"removed": func(root string) error { return os.Remove(filepath.Join(root, "which")) },
		"added":   func(root string) error { return os.WriteFile(filepath.Join(root, "x.o"), nil, 0o666) },
		"other": func(root string) error {
			run(t, root, "checkout", "-q", "HEAD", "--")
			return os.WriteFile(filepath.Join(root, ".git", "HEAD"), []byte(r.hash(t, "HEAD")+"\n"), 0o666)
		},
		"no objects": func(root string) error { return os.Remove(filepath.Join(root, ".git/objects/info/alternates")) },
		"no .git":    func(root string) error { return os.RemoveAll(filepath.Join(root, ".git")) },
		"no index":   func(root string) error { return os.Remove(filepath.Join(root, ".git/index")) },
		"locked": func(root string) error {
			write(t, filepath.Join(root, "which"), "x")
			return os.WriteFile(filepath.Join(root, ".git/index.lock"), nil, 0o666)
		},
		"an empty commit": func(root string) error { run(t, root, "commit", "-q", "--allow-empty", "-m", "x"); return nil },
		"no tree":         func(root string) error { return os.RemoveAll(root) },
		"no record":       func(root string) error { return os.Remove(filepath.Join(root, "../../slot.json")) },
		"odd record": func(root string) error {
			return os.WriteFile(filepath.Join(root, "../../slot.json"), []byte("{"), 0o666)
		},
		"a nested repository": func(root string) error { run(t, root, "init", "-q", "nested"); return nil },
		"a folder that cannot be written": func(root string) error {
			write(t, filepath.Join(root, "mod/file"), "")
			return os.Chmod(filepath.Join(root, "mod"), 0o500)
		},
	} {
		if err := damage(got.Root); err != nil {
			t.Fatal(what, err)
		}
		got = reopen(t, got, o)
		same(t, what, content(t, filepath.Join(got.Root, "which")), "base")
		same(t, what, strings.Join(names(t, got.Root), " "), ".git bench which")
		same(t, what, run(t, got.Root, "rev-parse", "HEAD"), got.Revision)
		same(t, what, content(t, r.path("which"))+r.hash(t, "HEAD"), "newest"+head)
	}
}

// Of a large tree the rest stays as it is.
func TestWhatIsNotDamagedStays(t *testing.T) {
	r := history(t)
	o := Options{Dir: string(r), Against: "main", Cache: folder(t)}
	got := open(t, o)
	before := snapshot(t, filepath.Join(got.Root, "bench"))
	write(t, filepath.Join(got.Root, "which"), "damaged")
	write(t, filepath.Join(got.Root, "more"), "")
	reopen(t, got, o)
	same(t, "bench", snapshot(t, filepath.Join(got.Root, "bench")), before)
	same(t, "names", strings.Join(names(t, got.Root), " "), ".git bench which")
}

// A killed suite leaves a checkout that is not whole.
func TestHalfACheckoutIsSwept(t *testing.T) {
	r := history(t)
	o := Options{Dir: string(r), Against: "main", Cache: folder(t)}
	got := open(t, o)
	half := filepath.Join(got.Root, "../../new-1")
	write(t, filepath.Join(half, "proj/which"), "half")
	reopen(t, got, o)
	if _, err := os.Lstat(half); !os.IsNotExist(err) {
		t.Error("still there", err)
	}
}

func TestSuitesAtOnceGetTreesOfTheirOwn(t *testing.T) {
	r := history(t)
	o := Options{Dir: string(r), Against: "main", Cache: folder(t)}
	roots := map[string]bool{}
	var first *Tree
	for range slots {
		got := open(t, o)
		if first == nil {
			first = got
		}
		roots[got.Root] = true
		same(t, "which", content(t, filepath.Join(got.Root, "which")), "base")
	}
	if len(roots) != slots {
		t.Errorf("%d folders, want %d", len(roots), slots)
	}
	got := refused(t, o)
	if !strings.HasPrefix(got, "16 suites compare with "+first.Revision[:10]+" already\n") {
		t.Error(got)
	}
	reopen(t, first, o)
	if err := first.Close(); err != nil { // a second time
		t.Error(err)
	}
}

func TestOldTreesAreRemoved(t *testing.T) {
	r := history(t)
	o := Options{Dir: string(r), Against: "main", Cache: folder(t)}
	old := open(t, o)
	slotOf := func(tree *Tree) string { return filepath.Join(tree.Root, "../..") }
	long := time.Now().Add(-keptIdle - time.Hour)
	foreign := filepath.Join(o.Cache, "tree", "notes", "x")
	write(t, foreign, "")
	write(t, filepath.Join(old.Root, "mod/file"), "")
	if err := os.Chmod(filepath.Join(old.Root, "mod"), 0o500); err != nil {
		t.Fatal(err)
	}
	age := func() {
		t.Helper()
		for _, path := range []string{filepath.Join(slotOf(old), "slot.json"), slotOf(old), filepath.Dir(foreign)} {
			if err := os.Chtimes(path, long, long); err != nil {
				t.Fatal(err)
			}
		}
	}
	o.Against = "HEAD~1"
	idle := open(t, o)
	idle.Close()
	o.Against = "HEAD"
	age()
	young := open(t, o)
	if !paths.IsFolder(old.Root) {
		t.Fatal("a tree in use was removed")
	}
	old.Close()
	age()
	young.Close()
	open(t, o)
	if paths.IsFolder(slotOf(old)) || !paths.IsFolder(young.Root) || !paths.IsFolder(idle.Root) || !paths.IsFolder(filepath.Dir(foreign)) {
		t.Errorf("old %v, young %v, idle %v, foreign %v", paths.IsFolder(slotOf(old)), paths.IsFolder(young.Root), paths.IsFolder(idle.Root), paths.IsFolder(filepath.Dir(foreign)))
	}
}

// What a build leaves stays for the same recipe and one day.
func TestWhatBuildsLeave(t *testing.T) {
	r := history(t)
	r.write(t, ".gitignore", "*.o\n")
	r.commit(t, "ignore")
	o := Options{Dir: string(r), Against: "HEAD", Cache: folder(t)}
	later := func(tree *Tree, by time.Duration) {
		file := filepath.Join(tree.Root, "../../slot.json")
		var now record
		if err := json.Unmarshal([]byte(content(t, file)), &now); err != nil {
			t.Fatal(err)
		}
		now.Since = now.Since.Add(-by)
		text, _ := json.Marshal(now)
		write(t, file, string(text))
	}
	for _, c := range []struct {
		what, before, after string
		between             func(*Tree)
		kept                bool
	}{
		{"the same", "make", "make", nil, true},
		{"another recipe", "make", "make -B", nil, false},
		{"no recipe", "", "", nil, false},
		{"no recipe any more", "make", "", nil, false},
		{"a changed file", "make", "make", func(tree *Tree) { write(t, filepath.Join(tree.Root, "which"), "x") }, false},
		{"a day later", "make", "make", func(tree *Tree) { later(tree, keptOutputs+time.Hour) }, false},
		{"most of a day", "make", "make", func(tree *Tree) { later(tree, keptOutputs-time.Hour) }, true},
		{"tomorrow", "make", "make", func(tree *Tree) { later(tree, -time.Hour) }, false},
	} {
		o.Recipe = c.before
		got := open(t, o)
		write(t, filepath.Join(got.Root, "x.o"), "")
		write(t, filepath.Join(got.Root, "unknown/y"), "")
		if err := got.Built(); err != nil {
			t.Fatal(err)
		}
		if c.between != nil {
			c.between(got)
		}
		o.Recipe = c.after
		got = reopen(t, got, o)
		_, err := os.Lstat(filepath.Join(got.Root, "x.o"))
		if (err == nil) != c.kept || paths.IsFolder(filepath.Join(got.Root, "unknown")) != c.kept || got.Kept != c.kept {
			t.Errorf("%s: %v, Kept %v; want %v", c.what, err, got.Kept, c.kept)
		}
		o.Recipe = "" // the next row begins anew
		reopen(t, got, o).Close()
	}
}

// A build that was killed, the first or a later one, leaves nothing.
func TestOutputsThatAreNotWhole(t *testing.T) {
	r := history(t)
	o := Options{Dir: string(r), Against: "HEAD", Cache: folder(t), Recipe: "make"}
	got := open(t, o)
	since := func() time.Time { return got.slot.read().Since }
	write(t, filepath.Join(got.Root, "x.o"), "")
	got = reopen(t, got, o)
	if got.Kept {
		t.Error("kept, though nothing was built to its end")
	}
	write(t, filepath.Join(got.Root, "x.o"), "")
	if err := got.Built(); err != nil {
		t.Fatal(err)
	}
	first := since()
	got = reopen(t, got, o)
	if !got.Kept {
		t.Error("not kept")
	}
	if err := got.Built(); err != nil || !since().Equal(first) {
		t.Errorf("%v: since %v, want that of the first build, %v", err, since(), first)
	}
	got = reopen(t, got, o) // and this build is killed
	got = reopen(t, got, o)
	if got.Kept {
		t.Error("kept, though the second build did not end")
	}
}

// A twin has the bytes and links of the tree in files of its own, and goes with it.
func TestATwinIsACopy(t *testing.T) {
	r := history(t)
	o := Options{Dir: string(r), Against: "main", Cache: folder(t)}
	got := open(t, o)
	twin := got.Twin(t.Context())
	if twin == "" || filepath.Base(twin) != filepath.Base(got.Root) {
		t.Fatalf("%q is the twin of %s", twin, got.Root)
	}
	same(t, "twin", strings.ReplaceAll(snapshot(t, filepath.Join(twin, "bench")), twin, got.Root), snapshot(t, filepath.Join(got.Root, "bench")))
	here, err := os.Stat(filepath.Join(got.Root, "which"))
	there, errTwin := os.Stat(filepath.Join(twin, "which"))
	if err != nil || errTwin != nil || os.SameFile(here, there) {
		t.Errorf("%v, %v: not two files", err, errTwin)
	}
	if again := got.Twin(t.Context()); again != twin {
		t.Errorf("the second copy is %q", again)
	}
	if err := got.Close(); err != nil || paths.IsFolder(twin) {
		t.Errorf("%v, and the twin is there: %t", err, paths.IsFolder(twin))
	}

	got = open(t, o)
	if err := os.Truncate(filepath.Join(got.Root, "which"), mostTwinBytes+1); err != nil {
		t.Fatal(err)
	}
	if twin := got.Twin(t.Context()); twin != "" {
		t.Errorf("a large tree is copied to %q", twin)
	}
	o.Against = t.TempDir()
	if twin := open(t, o).Twin(t.Context()); twin != "" {
		t.Errorf("a folder of the user is copied to %q", twin)
	}
}

// The times of builds are kept with the tree, for a day, and outputs that are outdated are not kept.
func TestTimesOfBuilds(t *testing.T) {
	r := history(t)
	o := Options{Dir: string(r), Against: "HEAD", Cache: folder(t), Recipe: "make"}
	got := open(t, o)
	opened := got.slot.opened
	if b := got.Builds(); !b.Since.IsZero() || b.Spans != nil {
		t.Errorf("%+v of a new tree", b)
	}
	old := Span{From: time.Now().Add(-keptOutputs - time.Hour), To: time.Now()}
	now := Span{From: time.Now().Add(-time.Minute).UTC(), To: time.Now().UTC()}
	write(t, filepath.Join(got.Root, "x.o"), "")
	for _, err := range []error{got.Ran(old), got.Ran(now), got.Built()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	got = reopen(t, got, o)
	b := got.Builds()
	if !b.Since.Equal(opened) || len(b.Spans) != 1 || !b.Spans[0].From.Equal(now.From) || !b.Spans[0].To.Equal(now.To) {
		t.Errorf("%+v, want %v and %v", b, opened, now)
	}
	if err := got.Built(); err != nil {
		t.Fatal(err)
	}
	if err := got.Outdate(); err != nil {
		t.Fatal(err)
	}
	got = reopen(t, got, o)
	if b := got.Builds(); got.Kept || !b.Since.IsZero() || len(b.Spans) != 1 {
		t.Errorf("kept: %t, %+v", got.Kept, b)
	}
}
