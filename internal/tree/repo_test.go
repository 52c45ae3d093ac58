package tree

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMain(m *testing.M) {
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); strings.HasPrefix(name, "GIT_") {
			os.Unsetenv(name)
		}
	}
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME": "c", "GIT_COMMITTER_EMAIL": "c@example.com", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
	} {
		os.Setenv(name, value)
	}
	dir, err := os.MkdirTemp("", "tree-test-")
	if err != nil {
		panic(err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		panic(err)
	}
	folders, template = dir, repo(filepath.Join(dir, "proj"))
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// repo is a repository of a test, by the folder of its work tree.
type repo string

// newRepo makes an empty one, on branch main.
func newRepo(t *testing.T, args ...string) repo {
	t.Helper()
	r := noRepo(t)
	r.init(t, args...)
	return r
}

// noRepo is a folder that does not exist yet.
func noRepo(t *testing.T) repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	return repo(filepath.Join(folder(t), "proj"))
}

func (r repo) init(t *testing.T, args ...string) {
	t.Helper()
	run(t, ".", append([]string{"init", "-q", "--template=", "-b", "main"}, append(args, string(r))...)...)
}

// folders contains the folders of all tests. It is removed after the last one: ext4 searches among the files that were
// removed in the last seconds whenever it makes a new one.
var folders string

// folder is a temporary one, by its name without links.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp(folders, "")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// history makes
//
//	base -- ahead            main
//	    \-- mine -- newest   feature, HEAD
//
// with an annotated tag v1 on base. File which names the commit. It is a copy of the first one
// made, unless git init has other arguments: a copy takes one command, and a history fifteen.
func history(t *testing.T, args ...string) repo {
	t.Helper()
	if len(args) > 0 {
		r := newRepo(t, args...)
		r.commits(t)
		return r
	}
	r := noRepo(t)
	makeTemplate.Do(func() {
		template.init(t)
		template.commits(t)
	})
	if err := os.CopyFS(string(r), os.DirFS(string(template))); err != nil {
		t.Fatal(err)
	}
	r.git(t, "status", "--porcelain") // the index has the times of the files
	return r
}

// template is the history that others are copies of, once it is made.
var (
	template     repo
	makeTemplate sync.Once
)

func (r repo) commits(t *testing.T) {
	t.Helper()
	r.write(t, "bench/suite.yaml", "suite: s\n")
	r.commit(t, "base")
	r.git(t, "tag", "-a", "-m", "one", "v1")
	r.git(t, "checkout", "-q", "-b", "feature")
	r.commit(t, "mine")
	r.commit(t, "newest")
	r.git(t, "checkout", "-q", "main")
	r.commit(t, "ahead")
	r.git(t, "checkout", "-q", "feature")
}

func (r repo) git(t *testing.T, args ...string) string { t.Helper(); return run(t, string(r), args...) }

func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always", "-c", "maintenance.auto=false"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r repo) write(t *testing.T, file, text string) { t.Helper(); write(t, r.path(file), text) }

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func (r repo) commit(t *testing.T, name string) {
	t.Helper()
	r.write(t, "which", name+"\n")
	r.git(t, "add", "-A")
	r.git(t, "commit", "-q", "-m", name)
}

func (r repo) path(file string) string { return filepath.Join(string(r), filepath.FromSlash(file)) }

func (r repo) hash(t *testing.T, rev string) string {
	t.Helper()
	return r.git(t, "rev-parse", rev+"^{commit}")
}

// open opens a tree that has to be there, until the end of the test.
func open(t *testing.T, o Options) *Tree {
	t.Helper()
	tree, err := Open(context.Background(), o)
	if err != nil {
		t.Fatalf("%v\n\thint: %s", err, hint(err))
	}
	t.Cleanup(func() { tree.Close() })
	return tree
}

// refused opens what cannot be opened, and gives error and hint.
func refused(t *testing.T, o Options) string {
	t.Helper()
	tree, err := Open(context.Background(), o)
	var e *Error
	if tree != nil || !errors.As(err, &e) || e.Message == "" {
		t.Fatalf("tree %v, error %v (%T), want an *Error alone", tree, err, err)
	}
	if left, _ := filepath.Glob(filepath.Join(o.Cache, "tree", "*", "new-*")); len(left) > 0 {
		t.Errorf("left in the cache: %v", left)
	}
	return e.Message + "\n" + e.Hint
}

func hint(err error) string {
	var e *Error
	errors.As(err, &e)
	if e == nil {
		return ""
	}
	return e.Hint
}

func content(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// snapshot tells everything of a folder: names, modes, times, contents.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := []byte{}
		if info.Mode().IsRegular() {
			text, err = os.ReadFile(path)
		}
		fmt.Fprintf(&all, "%s %v %d %x\n", path, info.Mode(), info.ModTime().UnixNano(), sha256.Sum256(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if d := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); d != "" && strings.Count(want, "\n") > 10 {
		t.Errorf("%s changed (-before +after):\n%s", what, d)
	} else if d != "" {
		t.Errorf("%s: got\n%s\nwant\n%s", what, got, want)
	}
}
