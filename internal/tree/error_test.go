package tree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each answer is the message and, below it, the hint.
func TestWrongRevisions(t *testing.T) {
	r := history(t)
	const which = `a revision such as main, v1.2 or HEAD~1, or a folder such as ../old`
	const lists = "git branch --all and git tag list the names; a folder is written ./"
	const names = "git log and git reflog list the commits; git help revisions describes their names"
	for against, want := range map[string]string{
		"":                      `"" names no revision and no folder` + "\n" + which,
		"a\x00b":                `"a\x00b" names no revision and no folder` + "\n" + which,
		"main\n":                `"main\n" names no revision and no folder` + "\n" + which,
		"mian":                  `no revision "mian" in DIR` + "\n" + `did you mean "main"?`,
		"v2":                    `no revision "v2" in DIR` + "\n" + `did you mean "v1"?`,
		"nothing like it":       `no revision "nothing like it" in DIR` + "\n" + lists + "nothing like it",
		"HEAD~99":               `no revision "HEAD~99" in DIR` + "\n" + names,
		"main..feature":         `no revision "main..feature" in DIR` + "\n" + lists + "main..feature",
		"gone/":                 `no folder "gone/"` + "\n" + "a folder is relative to the current one; a revision is written without ./",
		"HEAD..HEAD":            `no revision "HEAD..HEAD" in DIR` + "\n" + lists + "HEAD..HEAD",
		"^HEAD":                 `no revision "^HEAD" in DIR` + "\n" + names,
		"HEAD^{tree}":           `no revision "HEAD^{tree}" in DIR` + "\n" + names,
		"HEAD:which":            `no revision "HEAD:which" in DIR` + "\n" + names,
		"0123456789":            `no revision "0123456789" in DIR` + "\n" + "git fetch --all, if it is a commit of somebody else",
		"--upload-pack=touch x": `"--upload-pack=touch x" is no revision: it begins with a dash` + "\n" + "a folder of that name is ./--upload-pack=touch x",
		"--all":                 `"--all" is no revision: it begins with a dash` + "\n" + "a folder of that name is ./--all",
	} {
		got := refused(t, Options{Dir: string(r), Against: against, Cache: folder(t)})
		same(t, against, strings.ReplaceAll(got, string(r), "DIR"), want)
	}
}

func TestWrongSurroundings(t *testing.T) {
	r := history(t)
	empty := newRepo(t)
	bare := filepath.Join(folder(t), "bare.git")
	run(t, ".", "clone", "-q", "--bare", string(r), bare)
	none := folder(t)
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(none))
	unrelated := history(t)
	unrelated.git(t, "checkout", "-q", "--orphan", "alien")
	unborn := unrelated
	for _, c := range []struct{ dir, want string }{
		{none, "DIR is in no git repository, so it has no revisions\na folder is a base too: --against ../old"},
		{string(empty), "DIR has no commit yet, so there is nothing to compare with\ngit commit"},
		{bare, "DIR belongs to a repository, but to no work tree of it\nstart in a work tree: git worktree list"},
		{r.path(".git"), "DIR belongs to a repository, but to no work tree of it\nstart in a work tree: git worktree list"},
		{r.path("gone"), "no folder \"DIR\"\n"},
		{string(unborn), "HEAD has no commit yet, so it has none in common with main\n--exact compares with main itself"},
	} {
		got := refused(t, Options{Dir: c.dir, Against: "main", Cache: folder(t)})
		same(t, c.dir, strings.ReplaceAll(got, c.dir, "DIR"), c.want)
	}
	unrelated.commit(t, "alien")
	same(t, "unrelated", refused(t, Options{Dir: string(unrelated), Against: "main", Cache: folder(t)}),
		"HEAD and main have no commit in common\n--exact compares with main itself")
	got := open(t, Options{Dir: string(unrelated), Against: "main", Exact: true, Cache: folder(t)})
	same(t, "exact", content(t, filepath.Join(got.Root, "which")), "ahead")
}

func TestARepositoryOfSomebodyElse(t *testing.T) {
	r := history(t)
	t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
	same(t, "dubious", refused(t, Options{Dir: r.path("bench"), Against: "main", Cache: folder(t)}),
		"git does not trust "+string(r)+": it belongs to another user\ngit config --global --add safe.directory "+string(r))
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "safe.directory")
	t.Setenv("GIT_CONFIG_VALUE_0", string(r))
	open(t, Options{Dir: r.path("bench"), Against: "main", Cache: folder(t)})
}

func TestNoGit(t *testing.T) {
	r := history(t)
	t.Setenv("PATH", t.TempDir())
	same(t, "no git", refused(t, Options{Dir: string(r), Against: "main", Cache: folder(t)}),
		"revisions are checked out by git, and there is no git in PATH\ninstall git, or name a folder in place of the revision")
}

func TestACacheThatCannotBeWritten(t *testing.T) {
	r := history(t)
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	got := refused(t, Options{Dir: string(r), Against: "main", Cache: filepath.Join(file, "cache")})
	if !strings.HasPrefix(got, "cannot keep the other tree: ") || !strings.HasSuffix(got, "\nSUITE_CACHE=FOLDER in the environment names a place that can be written") {
		t.Error(got)
	}
}

// The first word of each hint is a command: it has to mend what it is said to.
func TestShallowClonesAndWhatMendsThem(t *testing.T) {
	src := history(t)
	url := "file://" + filepath.ToSlash(string(src))
	const inCI = "; in a CI job: fetch-depth: 0 of actions/checkout, GIT_DEPTH: 0 of GitLab"
	for _, c := range []struct {
		clone         []string
		against, want string
	}{
		{nil, "main", `no revision "main" in DIR, which has only a part of its history` + "\ngit fetch --unshallow origin main:refs/remotes/origin/main"},
		{nil, "origin/main", `no revision "origin/main" in DIR, which has only a part of its history` + "\ngit fetch --unshallow origin main:refs/remotes/origin/main"},
		{[]string{"--no-tags"}, "v1.0", `no revision "v1.0" in DIR, which has only a part of its history` + "\ngit fetch --unshallow --tags origin"},
		{nil, "HEAD~1", `no revision "HEAD~1" in DIR, which has only a part of its history` + "\ngit fetch --unshallow origin"},
		{[]string{"--no-single-branch"}, "main", "the last common commit of HEAD and origin/main is not in DIR, which has only a part of its history\ngit fetch --unshallow origin"},
	} {
		src.git(t, "tag", "-f", "v1.0", "v1~0")
		r := repo(filepath.Join(folder(t), "proj"))
		run(t, ".", append(append([]string{"clone", "-q", "--depth=1", "--branch=feature"}, c.clone...), url, string(r))...)
		o := Options{Dir: string(r), Against: c.against, Cache: folder(t)}
		got := strings.ReplaceAll(refused(t, o), string(r), "DIR")
		same(t, c.against, got, c.want+inCI)
		_, command, _ := strings.Cut(strings.TrimSuffix(got, inCI), "\ngit ")
		r.git(t, strings.Fields(command)...)
		open(t, o)
	}
}

// The commits that a shallow clone has are enough for what is asked of those.
func TestAShallowCloneIsABase(t *testing.T) {
	src := history(t)
	r := repo(filepath.Join(folder(t), "proj"))
	run(t, ".", "clone", "-q", "--depth=2", "--branch=feature", "file://"+filepath.ToSlash(string(src)), string(r))
	before := snapshot(t, string(r))
	got := open(t, Options{Dir: string(r), Against: "HEAD~1", Cache: folder(t)})
	same(t, "which", content(t, filepath.Join(got.Root, "which")), "mine")
	same(t, "count", run(t, got.Root, "rev-list", "--count", "HEAD"), "1")
	same(t, "clone", snapshot(t, string(r)), before)
	if err := os.RemoveAll(r.path(".git/shallow")); err != nil {
		t.Fatal(err)
	}
}
