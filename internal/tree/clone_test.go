package tree

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/paths"
)

// program writes a script of the shell.
func program(t *testing.T, file, text string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	write(t, file, "#!/bin/sh\n"+text+"\n")
	if err := os.Chmod(file, 0o777); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestHooksOfTheUserDoNotRun(t *testing.T) {
	r := history(t)
	ran := filepath.Join(folder(t), "ran")
	hooks := folder(t)
	for _, dir := range []string{r.path(".git/hooks"), hooks} {
		for _, hook := range []string{"post-checkout", "reference-transaction", "post-index-change", "fsmonitor"} {
			program(t, filepath.Join(dir, hook), "echo \"$0\" >> "+ran)
		}
	}
	config := filepath.Join(folder(t), "config")
	template := folder(t)
	program(t, filepath.Join(template, "hooks", "post-checkout"), "echo template >> "+ran)
	write(t, config, "[core]\n\thooksPath = "+hooks+"\n\tfsmonitor = "+filepath.Join(hooks, "fsmonitor")+"\n[init]\n\ttemplateDir = "+template+"\n")
	for _, global := range []string{os.DevNull, config} {
		t.Setenv("GIT_CONFIG_GLOBAL", global)
		o := Options{Dir: string(r), Against: "main", Cache: folder(t)}
		got := open(t, o)
		write(t, filepath.Join(got.Root, "which"), "mend this")
		got.Close()
		if open(t, o); paths.IsFolder(filepath.Join(got.Root, ".git/hooks")) {
			t.Error("git commands of a build would run the hooks of a template")
		}
	}
	if text, err := os.ReadFile(ran); err == nil {
		t.Errorf("ran %s", text)
	}
}

// A suite that a hook starts is told of that hook's repository.
func TestVariablesOfASurroundingGitDoNotLeakIn(t *testing.T) {
	r, elsewhere := history(t), history(t)
	elsewhere.git(t, "branch", "-f", "main", "HEAD")
	before := snapshot(t, string(elsewhere))
	for name, value := range map[string]string{
		"GIT_DIR": elsewhere.path(".git"), "GIT_WORK_TREE": string(elsewhere), "GIT_INDEX_FILE": elsewhere.path(".git/index"),
		"GIT_OBJECT_DIRECTORY": elsewhere.path(".git/objects"), "GIT_COMMON_DIR": elsewhere.path(".git"), "GIT_PREFIX": "bench/",
		"GIT_CONFIG_PARAMETERS": "'core.bare'='true'", "GIT_LITERAL_PATHSPECS": "1", "GIT_NAMESPACE": "n", "GIT_TRACE": "1",
		"GIT_CEILING_DIRECTORIES": string(r), "GIT_SHALLOW_FILE": "/x", "GIT_DEFAULT_HASH": "sha256", "GIT_TEMPLATE_DIR": "/gone",
	} {
		t.Setenv(name, value)
	}
	o := Options{Dir: r.path("bench"), Against: "main", Cache: folder(t)}
	got := open(t, o)
	same(t, "which", content(t, filepath.Join(got.Root, "which")), "base")
	got.Close()
	open(t, o)
	same(t, "elsewhere", snapshot(t, string(elsewhere)), before)
}

func TestEnviron(t *testing.T) {
	env := []string{"PATH=/bin", "GIT_DIR=/x", "GIT_INDEX_FILE=i", "GIT_CONFIG_GLOBAL=g", "GIT_AUTHOR_NAME=a", "GIT_CONFIG_PARAMETERS=p", "git_work_tree=w",
		"OLDPWD=/there", "_=/bin/suite", "oldpwd=mine", "SSH_TTY=/dev/pts/1", "SSH_AUTH_SOCK=/s", "WINDOWID=7", "TERM=xterm"}
	same(t, "environ", strings.Join(Environ(env), " "),
		"PATH=/bin GIT_CONFIG_GLOBAL=g GIT_AUTHOR_NAME=a oldpwd=mine SSH_AUTH_SOCK=/s TERM=xterm")
	if len(env) != 14 || slices.Contains(env, "") {
		t.Error("the list was changed", env)
	}
	own := newRepo(t)
	for _, name := range strings.Fields(own.git(t, "rev-parse", "--local-env-vars")) {
		if left := Environ([]string{name + "=x"}); len(left) > 0 && name != "GIT_CONFIG_COUNT" {
			t.Errorf("%s is left", name)
		}
	}
}

func TestSubmodulesAndLFSThatAreAbsentAreSaid(t *testing.T) {
	r, module := history(t), history(t)
	r.git(t, "submodule", "--quiet", "add", string(module), "vendor/module")
	r.write(t, ".gitattributes", "*.bin filter=lfs\n")
	r.write(t, "data.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
	r.write(t, "contents.bin", "these are contents, and more of them than a pointer begins with")
	r.commit(t, "more")
	inside := open(t, Options{Dir: r.path("vendor/module"), Against: "origin/main", Cache: folder(t)})
	same(t, "a submodule", inside.Own, r.path("vendor/module"))
	r.git(t, "submodule", "--quiet", "deinit", "--force", "vendor/module")
	got := open(t, Options{Dir: string(r), Against: "HEAD", Cache: folder(t)})
	same(t, "notes", strings.Join(got.Notes[:2], "\n"), "submodules are not checked out in the base, because this tree does not have their commits: vendor/module; git submodule update --init --recursive\n"+
		"files of git-lfs are pointers in the base, without their contents: data.bin")
	same(t, "dirty", got.Notes[2], "the base is HEAD itself, and nothing is uncommitted: equal code is compared")
}

// The base has the commits of submodules that its commit records, and their submodules. What
// a build changes in them is repaired, and what the user has changed is not used.
func TestSubmodules(t *testing.T) {
	r, module, inner := history(t), history(t), history(t)
	module.git(t, "submodule", "--quiet", "add", string(inner), "inner")
	module.commit(t, "inner")
	r.git(t, "submodule", "--quiet", "add", string(module), "vendor/module")
	r.git(t, "submodule", "--quiet", "update", "--init", "--recursive")
	r.commit(t, "module")
	want := map[string]string{}
	for _, file := range []string{"which", "inner/which"} {
		want[file] = content(t, r.path("vendor/module/"+file))
	}
	repo(r.path("vendor/module")).commit(t, "newer")
	r.commit(t, "newer module")
	o := Options{Dir: string(r), Against: "HEAD~1", Cache: folder(t)}
	for _, damage := range []string{"", "which", "inner/which", "left"} {
		got := open(t, o)
		for file, text := range want {
			same(t, file+" after "+damage, content(t, filepath.Join(got.Root, "vendor/module", file)), text)
		}
		if left := filepath.Join(got.Root, "vendor/module/left"); paths.Exists(left) {
			t.Error("the output of a build is left")
		}
		if len(got.Notes) > 0 {
			t.Error(got.Notes)
		}
		if next := map[string]string{"": "which", "which": "inner/which", "inner/which": "left"}[damage]; next != "" {
			write(t, filepath.Join(got.Root, "vendor/module", next), "damaged")
		}
		got.Close()
	}
}

// The bytes of both trees are made by the same settings.
func TestSettingsThatShapeFiles(t *testing.T) {
	r := history(t)
	r.git(t, "config", "core.autocrlf", "true")
	r.git(t, "config", "filter.shout.smudge", "tr a-z A-Z")
	r.git(t, "config", "--add", "filter.shout.clean", "tr A-Z a-z")
	r.git(t, "config", "filter.shout.required", "true")
	r.write(t, ".git/info/attributes", "*.txt filter=shout\n")
	r.write(t, "loud.txt", "loud\n")
	r.commit(t, "loud")
	if runtime.GOOS == "windows" {
		t.Skip("needs tr")
	}
	o := Options{Dir: string(r), Against: "HEAD", Cache: folder(t)}
	got := open(t, o)
	text, err := os.ReadFile(filepath.Join(got.Root, "loud.txt"))
	if err != nil || string(text) != "LOUD\r\n" {
		t.Errorf("%q, %v", text, err)
	}
	reopen(t, got, o)
}

// A repository may hold files that its own attributes would change.
func TestFilesThatAreNeverClean(t *testing.T) {
	r := history(t)
	r.write(t, "dos", "a\r\nb\r\n")
	r.commit(t, "dos")
	r.write(t, ".gitattributes", "dos text eol=lf\n")
	r.git(t, "add", ".gitattributes")
	r.git(t, "commit", "-q", "-m", "attributes")
	o := Options{Dir: string(r), Against: "HEAD", Cache: folder(t)}
	for range 3 {
		got := open(t, o)
		same(t, "which", content(t, filepath.Join(got.Root, "which")), "dos")
		got.Close()
	}
}

func TestHashesOf256Bits(t *testing.T) {
	r := history(t, "--object-format=sha256")
	got := open(t, Options{Dir: string(r), Against: "main", Cache: folder(t)})
	same(t, "which", content(t, filepath.Join(got.Root, "which")), "base")
	if len(got.Revision) != 64 {
		t.Error(got.Revision)
	}
}

// A partial clone fetches what it lacks, into the cache, and leaves no password
// there.
func TestAPartialClone(t *testing.T) {
	src := history(t)
	src.git(t, "config", "uploadpack.allowFilter", "true")
	src.git(t, "config", "uploadpack.allowAnySHA1InWant", "true")
	r := repo(filepath.Join(folder(t), "proj"))
	run(t, ".", "clone", "-q", "--filter=blob:none", "--branch=feature", "file://"+filepath.ToSlash(string(src)), string(r))
	r.git(t, "config", "http.extraHeader", "Authorization: secret")
	r.git(t, "status")
	before := snapshot(t, string(r))
	o := Options{Dir: string(r), Against: "main", Cache: folder(t)}
	got := open(t, o)
	same(t, "which", content(t, filepath.Join(got.Root, "which")), "base")
	same(t, "clone", snapshot(t, string(r)), before)
	if text := content(t, filepath.Join(got.Root, ".git/config")); strings.Contains(text, "secret") || strings.Contains(text, "remote") {
		t.Error(text)
	}
	same(t, "describe", run(t, got.Root, "describe", "--dirty"), "v1")
	reopen(t, got, o).Close()
	if err := os.RemoveAll(string(src)); err != nil {
		t.Fatal(err)
	}
	o.Cache = folder(t)
	if text := refused(t, o); !strings.HasPrefix(text, "git checkout: ") || !strings.HasSuffix(text, "\nin a partial clone git fetch has to reach the remote, without asking for a password") {
		t.Error(text)
	}
}

// What a partial clone lacks is nothing that our looking around may fetch.
func TestLookingAroundFetchesNothing(t *testing.T) {
	src := history(t)
	src.git(t, "config", "uploadpack.allowFilter", "true")
	r := repo(filepath.Join(folder(t), "proj"))
	run(t, ".", "clone", "-q", "--filter=tree:0", "--branch=feature", "file://"+filepath.ToSlash(string(src)), string(r))
	before := snapshot(t, string(r))
	for _, against := range []string{"main", src.git(t, "rev-parse", "main:which"), "HEAD~1:which"} {
		got, err := Open(t.Context(), Options{Dir: string(r), Against: against, Cache: folder(t)})
		if against == "main" && err != nil || against != "main" && err == nil {
			t.Error(against, err)
		} else if err == nil {
			got.Close()
		}
	}
	same(t, "clone", snapshot(t, string(r)), before)
}
