package gitref

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/history"
	"example.com/suite/internal/testfile"
	"example.com/suite/result"
)

// The tests of this package start some hundred git processes, of which each takes milliseconds.

// run runs git in a folder.
func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// nobody is a home without configuration, as in CI: git has no name of a user there.
func nobody(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	home := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "USERPROFILE"} {
		t.Setenv(name, home)
	}
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
}

// remote makes a bare repository.
func remote(t *testing.T, args ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "remote.git")
	run(t, ".", append(append([]string{"init", "-q", "--bare"}, args...), dir)...)
	return dir
}

// clone makes a clone of a repository.
func clone(t *testing.T, of string, args ...string) Ref {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "clone")
	run(t, ".", append(append([]string{"clone", "-q"}, args...), of, dir)...)
	return Ref{dir, Default}
}

// name is the name of the file of a run.
func name(n int) string {
	return fmt.Sprintf("2026%02d01T120000Z-%012d.jsonl.gz", 1+n%12, n)
}

func add(t *testing.T, r Ref, runs ...int) []bool {
	t.Helper()
	names := make([]string, len(runs))
	for i, n := range runs {
		names[i] = name(n)
	}
	fresh, err := r.Add(names, func(i int) ([]byte, error) { return []byte("run " + names[i]), nil })
	if err != nil {
		t.Fatal(explained(err))
	}
	return fresh
}

func explained(err error) string { return fmt.Sprintf("%v (%s)", err, diag.HintOf(err)) }

// has fails if a ref has other runs than these, or other texts in them.
func has(t *testing.T, r Ref, runs ...int) {
	t.Helper()
	files, err := r.Files()
	if err != nil {
		t.Fatal(explained(err))
	}
	var got, want []string
	for _, n := range runs {
		want = append(want, name(n))
	}
	slices.Sort(want)
	texts := make([]string, len(files))
	err = r.Open(files, func(i int, text io.Reader, err error) {
		all, wrong := io.ReadAll(text)
		texts[i] = fmt.Sprint(string(all), errors.Join(err, wrong))
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		got = append(got, f.Name)
		if texts[i] != "run "+f.Name+"<nil>" || f.Size != int64(len(texts[i])-5) {
			t.Errorf("%s of %d bytes: %q", f.Name, f.Size, texts[i])
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

func sync1(t *testing.T, r Ref) Synced {
	t.Helper()
	done, err := r.Sync(t.Context(), "", true)
	if err != nil {
		t.Fatal(explained(err))
	}
	done.Remote = ""
	return *done
}

func same(t *testing.T, got, want Synced) {
	t.Helper()
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{"git": Default, "git:suite-history": "refs/heads/suite-history", "git:refs/notes/bench": "refs/notes/bench", "git:": "refs/heads/",
		"./git": "", "gitten": "", "": "", `C:\git`: ""} {
		if r, is := Parse(text); r.Name != want || is != (want != "") {
			t.Errorf("%q: %q, %v", text, r.Name, is)
		}
	}
}

// Repositories of all kinds keep a history: nothing but the ref and objects is written.
func TestWhatIsAddedIsRead(t *testing.T) {
	nobody(t)
	for _, kind := range []string{"no commit", "sha256", "bare", "detached"} {
		t.Run(kind, func(t *testing.T) {
			r := Ref{t.TempDir(), Default}
			switch kind {
			case "sha256":
				run(t, r.Repository, "init", "-q", "--object-format=sha256")
			case "bare":
				run(t, r.Repository, "init", "-q", "--bare")
			default:
				run(t, r.Repository, "init", "-q")
			}
			if kind == "detached" {
				run(t, r.Repository, "-c", "user.name=a", "-c", "user.email=b", "commit", "-q", "--allow-empty", "-m", "c")
				run(t, r.Repository, "checkout", "-q", "--detach")
			}
			has(t, r)
			if err := r.CheckWritable(); err != nil {
				t.Fatal(explained(err))
			}
			has(t, r)
			if fresh := add(t, r, 1, 2, 1); !slices.Equal(fresh, []bool{true, true, false}) {
				t.Error(fresh)
			}
			if fresh := add(t, r, 2, 3); !slices.Equal(fresh, []bool{false, true}) {
				t.Error(fresh)
			}
			if err := r.CheckWritable(); err != nil {
				t.Fatal(explained(err))
			}
			has(t, r, 1, 2, 3)
			run(t, r.Repository, "fsck", "--strict")
			if kind == "no commit" || kind == "detached" {
				if status := run(t, r.Repository, "status", "--porcelain"); status != "" {
					t.Error(status)
				}
			}
			if got := run(t, r.Repository, "cat-file", "blob", r.Path(name(1))); got != "run "+name(1) {
				t.Error(got)
			}
		})
	}
}

// What was pruned stays away, also if somebody adds it again, and a new line of commits begins.
func TestPrunedRunsStayAway(t *testing.T) {
	nobody(t)
	r := Ref{t.TempDir(), Default}
	run(t, r.Repository, "init", "-q")
	add(t, r, 1, 2)
	add(t, r, 3)
	if err := r.Remove([]string{name(1), name(2), name(9)}); err != nil {
		t.Fatal(err)
	}
	has(t, r, 3)
	if n := run(t, r.Repository, "rev-list", "--count", r.Name); n != "1" {
		t.Errorf("%s commits", n)
	}
	if fresh := add(t, r, 1, 4); !slices.Equal(fresh, []bool{false, true}) {
		t.Error(fresh)
	}
	has(t, r, 3, 4)
}

// Processes of one clone save at once.
func TestAddingAtOnce(t *testing.T) {
	nobody(t)
	r := Ref{t.TempDir(), Default}
	run(t, r.Repository, "init", "-q")
	var all sync.WaitGroup
	for n := range 6 {
		all.Go(func() {
			if _, err := r.Add([]string{name(n)}, func(int) ([]byte, error) { return []byte("run " + name(n)), nil }); err != nil {
				t.Error(explained(err))
			}
		})
	}
	all.Wait()
	has(t, r, 0, 1, 2, 3, 4, 5)
}

// Whatever three clones add, prune and exchange, in the end each of them and the remote have every
// run that was added, except those that were pruned somewhere.
func TestJoiningConverges(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 3))
	for range 2000 {
		var clones [3]map[string]object
		for i := range clones {
			clones[i] = map[string]object{}
		}
		server, live := map[string]object{}, map[string]bool{}
		exchange := func(clone map[string]object, push bool) {
			put, _ := lacking(&state{files: server}, &state{files: clone})
			take, _ := lacking(&state{files: clone}, &state{files: server})
			maps.Copy(clone, take)
			if push {
				maps.Copy(server, put)
			}
		}
		for n := range 40 {
			clone := clones[rng.IntN(len(clones))]
			switch rng.IntN(5) {
			case 0, 1:
				file := place(name(n))
				clone[file], live[file] = object{regular, file, 9}, true
			case 2:
				if all := slices.Sorted(maps.Keys(clone)); len(all) > 0 {
					file := all[rng.IntN(len(all))]
					clone[file], live[file] = object{regular, "empty", 0}, false
				}
			default:
				exchange(clone, rng.IntN(3) > 0)
			}
		}
		for range 2 {
			for _, clone := range clones {
				exchange(clone, true)
			}
		}
		for i, files := range append(clones[:], server) {
			for file, want := range live {
				if o, has := files[file]; !has || o.isPruned() == want {
					t.Fatalf("%d: %s: there %v, pruned %v, but should be live %v", i, file, has, o.isPruned(), want)
				}
			}
		}
	}
}

// Two clones have the runs of both after each has synced, and a third has them, too.
func TestSync(t *testing.T) {
	nobody(t)
	server := remote(t)
	a, b := clone(t, server), clone(t, server)
	same(t, sync1(t, a), Synced{}) // there is none yet
	add(t, a, 1, 2)
	add(t, b, 2, 3)
	same(t, sync1(t, a), Synced{Pushed: 2, Runs: 2})
	same(t, sync1(t, b), Synced{Fetched: 1, Pushed: 1, Runs: 3})
	same(t, sync1(t, a), Synced{Fetched: 1, Runs: 3})
	same(t, sync1(t, a), Synced{Runs: 3})
	for _, r := range []Ref{a, b, {server, Default}} {
		has(t, r, 1, 2, 3)
	}
	c := clone(t, server)
	if done, err := c.Sync(t.Context(), server, false); err != nil || done.Fetched != 3 {
		t.Fatal(done, err)
	}
	has(t, c, 1, 2, 3)
	if left := run(t, c.Repository, "for-each-ref", "refs/suite"); left != "" {
		t.Error(left)
	}

	// Without a push, what is new waits in the clone.
	add(t, c, 4)
	for range 2 {
		before := run(t, c.Repository, "rev-parse", Default)
		if done, err := c.Sync(t.Context(), "origin", false); err != nil || done.Waiting != 1 || done.Pushed != 0 || done.Runs != 4 {
			t.Fatal(done, err)
		}
		if after := run(t, c.Repository, "rev-parse", Default); after != before {
			t.Error("a commit without a reason")
		}
	}
	has(t, Ref{server, Default}, 1, 2, 3)
	same(t, sync1(t, c), Synced{Pushed: 1, Runs: 4})
	if n := run(t, server, "rev-list", "--count", "--merges", Default); n != "0" {
		t.Errorf("%s merges", n)
	}
}

// A run that was pruned in one clone leaves the remote and other clones, although they have it.
func TestPrunedRunsLeaveOtherClones(t *testing.T) {
	nobody(t)
	server := remote(t)
	a, b := clone(t, server), clone(t, server)
	add(t, a, 1, 2)
	sync1(t, a)
	sync1(t, b)
	add(t, b, 3)
	if err := a.Remove([]string{name(1)}); err != nil {
		t.Fatal(err)
	}
	same(t, sync1(t, a), Synced{There: 1, Runs: 1})
	if n := run(t, server, "rev-list", "--count", Default); n != "1" {
		t.Errorf("%s commits keep what was pruned", n)
	}
	same(t, sync1(t, b), Synced{Pushed: 1, Here: 1, Runs: 2})
	same(t, sync1(t, a), Synced{Fetched: 1, Runs: 2})
	for _, r := range []Ref{a, b, {server, Default}} {
		has(t, r, 2, 3)
	}
}

// Eight jobs push at once, each from a clone of its own, and one of them saves meanwhile. Their order
// is left to the system; whatever it is, no run is lost.
func TestJobsAtOnceLoseNothing(t *testing.T) {
	nobody(t)
	server := remote(t)
	const jobs = 4
	var clones [jobs]Ref
	var runs []int
	for i := range clones {
		clones[i] = clone(t, server)
		add(t, clones[i], i)
		runs = append(runs, i)
	}
	var all sync.WaitGroup
	for _, r := range clones {
		all.Go(func() {
			if _, err := r.Sync(t.Context(), "origin", true); err != nil {
				t.Error(explained(err))
			}
		})
	}
	all.Go(func() {
		if _, err := clones[0].Add([]string{name(100)}, func(int) ([]byte, error) { return []byte("run " + name(100)), nil }); err != nil {
			t.Error(explained(err))
		}
	})
	all.Wait()
	sync1(t, clones[0])
	has(t, Ref{server, Default}, append(runs, 100)...)
}

// Another job pushes between the fetch and the push of this one, three times.
func TestAPushThatComesTooLate(t *testing.T) {
	nobody(t)
	server := remote(t)
	late := clone(t, server)
	add(t, late, 1)
	others := t.TempDir()
	for i := range 3 {
		other := clone(t, server)
		add(t, other, 10+i)
		run(t, other.Repository, "push", "-q", server, Default+":refs/heads/other"+fmt.Sprint(i))
	}
	// The remote's hook stands for the other job: git refuses the push because the ref has changed.
	hook := fmt.Sprintf(`#!/bin/sh
unset GIT_QUARANTINE_PATH
n=$(cat %[1]s/n 2>/dev/null || echo 0)
[ $n -lt 3 ] || exit 0
echo $((n+1)) >%[1]s/n
git update-ref %[2]s refs/heads/other$n
`, others, Default)
	testfile.WriteProgram(t, filepath.Join(server, "hooks", "pre-receive"), hook)
	done, err := late.Sync(t.Context(), "origin", true)
	if err != nil {
		t.Fatal(explained(err))
	}
	if done.Pushed != 1 || done.Fetched != 1 {
		t.Errorf("%+v", done)
	}
	has(t, late, 1, 12) // the hook replaced its ref each time
}

// A clone of one commit, a partial clone, a mirror and a work tree next to another all sync.
func TestClonesOfAllKinds(t *testing.T) {
	nobody(t)
	server := remote(t)
	seed := clone(t, server)
	run(t, seed.Repository, "-c", "user.name=a", "-c", "user.email=b", "commit", "-q", "--allow-empty", "-m", "one")
	run(t, seed.Repository, "-c", "user.name=a", "-c", "user.email=b", "commit", "-q", "--allow-empty", "-m", "two")
	run(t, seed.Repository, "push", "-q", "origin", "HEAD")
	run(t, server, "config", "uploadpack.allowFilter", "true")
	add(t, seed, 0)
	sync1(t, seed)
	runs := []int{0}
	for i, args := range [][]string{{"--depth=1"}, {"--filter=blob:none"}, {"--mirror"}, {"--bare"}, {"-o", "upstream"}} {
		r := clone(t, "file://"+filepath.ToSlash(server), args...)
		if i == 1 { // the configuration would overwrite the ref
			run(t, r.Repository, "config", "--add", "remote.origin.fetch", "+refs/notes/*:refs/notes/*")
			run(t, r.Repository, "config", "fetch.prune", "true")
		}
		if i == 1 { // and has fetched the ref without the runs
			run(t, r.Repository, "fetch", "-q")
			if _, err := r.Files(); err == nil || explained(err) != Default+": this clone is partial, and lacks the runs (suite history sync fetches them)" {
				t.Error(err)
			}
			if _, err := r.Sync(t.Context(), "", false); err != nil {
				t.Fatal(explained(err))
			}
		}
		add(t, r, i+1)
		runs = append(runs, i+1)
		for _, push := range []bool{false, true} {
			if _, err := r.Sync(t.Context(), "", push); err != nil {
				t.Fatalf("%v: %s", args, explained(err))
			}
			has(t, r, runs...)
		}
	}
	tree := filepath.Join(t.TempDir(), "tree")
	run(t, seed.Repository, "worktree", "add", "-q", "--detach", tree)
	r := Ref{tree, Default}
	add(t, r, 50)
	sync1(t, r)
	has(t, r, append(runs, 50)...)
}

// What cannot work is explained.
func TestErrors(t *testing.T) {
	nobody(t)
	server := remote(t)
	r := clone(t, server)
	testfile.WriteProgram(t, filepath.Join(r.Repository, "README"), "hello")
	try := func(r Ref, to string) string {
		t.Helper()
		err := r.CheckWritable()
		if err == nil && to != "-" {
			_, err = r.Sync(t.Context(), to, true)
		}
		return strings.ReplaceAll(explained(err), server, "SERVER")
	}
	head := run(t, r.Repository, "symbolic-ref", "HEAD")
	want := map[string]string{
		try(Ref{r.Repository, head}, "-"): " is the branch of this clone, which has no commit yet (a ref of its own: --history git, or git:suite-history for a branch)",
	}
	run(t, r.Repository, "add", ".")
	run(t, r.Repository, "-c", "user.name=a", "-c", "user.email=b", "commit", "-q", "-m", "c")
	run(t, r.Repository, "branch", "other")
	run(t, r.Repository, "push", "-q", "origin", "HEAD:refs/heads/theirs")
	own := Ref{r.Repository, "refs/heads/own"}
	add(t, own, 1)
	for got, part := range map[string]string{
		try(Ref{r.Repository, head}, "-"):                    head + " has files and no run of a history (a ref of its own",
		try(Ref{r.Repository, "refs/heads/other"}, "-"):      "refs/heads/other has files and no run",
		try(Ref{r.Repository, "refs/heads/theirs"}, ""):      "refs/heads/theirs of origin has files and no run of a history",
		try(Ref{r.Repository, "refs/heads/a..b"}, "-"):       `"refs/heads/a..b" is no name of a ref`,
		try(Ref{r.Repository, "refs/heads/"}, "-"):           `"refs/heads/" is no name of a ref`,
		try(Ref{t.TempDir(), Default}, "-"):                  Default + " is a ref of a git repository, and the working folder is in none (start in a clone",
		try(Ref{r.Repository, "refs/heads/other/deep"}, "-"): "", // a ref of that name is no folder: found when it is locked
		try(own, "nowhere"):                                  "git ls-remote: 'nowhere' does not appear to be a git repository",
		try(own, "--upload-pack=touch x"):                    `"--upload-pack=touch x" is neither a remote nor an address`,
		try(own, "https://me:secret@127.0.0.1:1/x"):          "git ls-remote https://127.0.0.1:1/x tries the same",
	} {
		want[got] = part
	}
	for got, part := range want {
		if !strings.Contains(got, part) || got == "<nil> ()" || strings.Contains(got, "secret") {
			t.Errorf("%q\nhas not %q", got, part)
		}
	}

	// A branch that is checked out is no place for a history.
	tree := filepath.Join(t.TempDir(), "tree")
	run(t, r.Repository, "worktree", "add", "-q", tree, "own")
	if got := try(own, "-"); !strings.Contains(got, "refs/heads/own is checked out in ") {
		t.Error(got)
	}

	// A remote that refuses is asked once, and its reason is printed.
	testfile.WriteProgram(t, filepath.Join(server, "hooks", "pre-receive"), "#!/bin/sh\necho no benchmarks here >&2\necho x >>count\nexit 1\n")
	notes := Ref{r.Repository, Default}
	add(t, notes, 1)
	if got := try(notes, ""); !strings.Contains(got, "origin did not take refs/notes/suite: [remote rejected] (pre-receive hook declined)\n\tno benchmarks here (the runs are still") {
		t.Error(got)
	}
	if n, err := os.ReadFile(filepath.Join(server, "count")); err != nil || string(n) != "x\n" {
		t.Errorf("%q, %v", n, err)
	}
	has(t, notes, 1)
	run(t, r.Repository, "remote", "remove", "origin")
	if got := try(notes, ""); got != "this repository has no remote (git remote add origin URL, or name an address)" {
		t.Error(got)
	}
	run(t, r.Repository, "remote", "add", "one", server)
	run(t, r.Repository, "remote", "add", "two", server)
	if got := try(notes, ""); got != "no remote is called origin (name one of one, two)" {
		t.Error(got)
	}

	t.Setenv("PATH", "")
	if got := try(notes, "-"); !strings.Contains(got, "there is no git in PATH (install git, or keep the history in a folder") {
		t.Error(got)
	}
}

// An object that is not in the repository costs its own file only.
func TestAnAbsentObject(t *testing.T) {
	nobody(t)
	r := Ref{t.TempDir(), Default}
	run(t, r.Repository, "init", "-q")
	add(t, r, 1, 2)
	id := run(t, r.Repository, "rev-parse", r.Path(name(1)))
	if err := os.Remove(filepath.Join(r.Repository, ".git/objects", id[:2], id[2:])); err != nil {
		t.Fatal(err)
	}
	files, err := r.Files()
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	var got [2]string
	err = r.Open(files, func(i int, text io.Reader, err error) {
		var b bytes.Buffer
		_, _ = b.ReadFrom(text)
		got[i] = fmt.Sprint(b.String(), err)
	})
	if err != nil || got[0] != "its content is not in this clone" && got[1] != "its content is not in this clone" {
		t.Error(got, err)
	}
}

// BenchmarkRead reads 5,000 runs of 100 cases from a ref and from a folder, one after the other in
// each iteration, and reports how much longer the ref takes.
func BenchmarkRead(b *testing.B) {
	const runs = 5000
	ref := history.Store{Place: Ref{b.TempDir(), Default}}
	if out, err := exec.Command("git", "init", "-q", ref.Place.(Ref).Repository).CombinedOutput(); err != nil {
		b.Skip(string(out))
	}
	folder := history.Store{Place: history.Dir(b.TempDir())}
	rng := rand.New(rand.NewPCG(1, 2))
	all := make([]*history.Run, runs)
	for i := range all {
		run := &history.Run{Schema: history.Schema, Started: time.Unix(1.7e9+int64(i)*3600, 0).UTC(), Commit: fmt.Sprintf("%040x", i), Origin: "suite", Digest: fmt.Sprintf("sha256:%064x", i)}
		for c := range 100 {
			v := 1e-6 * (1 + rng.Float64())
			run.Cases = append(run.Cases, history.Case{Suite: "s", Name: fmt.Sprint("case/", c), Metrics: []history.Metric{
				{Name: "time", Unit: "s", Better: result.Lower, Value: v, Low: new(v * 0.99), High: new(v * 1.01), N: 30}, {Name: "allocs", Better: result.Lower, Value: 3, N: 1}}})
		}
		all[i] = run
	}
	for _, s := range []history.Store{folder, ref} {
		start := time.Now()
		if _, err := s.SaveAll(all); err != nil {
			b.Fatal(err)
		}
		b.Logf("saving %d runs in %s: %v", runs, s.Place, time.Since(start))
	}
	for _, packed := range []bool{false, true} {
		if packed {
			if out, err := exec.Command("git", "-C", ref.Place.(Ref).Repository, "gc", "-q").CombinedOutput(); err != nil {
				b.Fatal(string(out))
			}
		}
		for what, wanted := range map[string]func(string, string) bool{"runs": nil, "cases": history.AnyCase} {
			b.Run(fmt.Sprintf("%s/packed=%v", what, packed), func(b *testing.B) {
				var took [2]time.Duration
				for b.Loop() {
					for i, s := range []history.Store{folder, ref} {
						start := time.Now()
						if entries, err := s.Read(wanted); err != nil || len(entries) != runs {
							b.Fatal(len(entries), err)
						}
						took[i] += time.Since(start)
					}
				}
				b.ReportMetric(took[0].Seconds()/float64(b.N), "folder-s")
				b.ReportMetric(took[1].Seconds()/float64(b.N), "ref-s")
				b.ReportMetric(took[1].Seconds()/took[0].Seconds(), "ratio")
			})
		}
	}
}
