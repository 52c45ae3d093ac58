package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/suite/internal/paths"
	"example.com/suite/runner/host"
)

// run runs a command in a folder and gives what it prints.
func run(t *testing.T, dir string, argv ...string) string {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "GOPROXY=off", "GOFLAGS=", "GOWORK=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", argv, err, out)
	}
	return string(out)
}

func TestEmbeddedSourcesAreAllThatAHostImports(t *testing.T) {
	tree(t, "")
	have, _ := sources()
	for _, system := range []string{"linux", "windows"} {
		cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if .Main}}{{range $.GoFiles}}{{$.ImportPath}}/{{.}}\n{{end}}{{range $.SFiles}}{{$.ImportPath}}/{{.}}\n{{end}}{{end}}{{end}}", "../../runner/host")
		cmd.Env = append(cmd.Environ(), "GOOS="+system)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		for file := range strings.FieldsSeq(string(out)) {
			if _, ok := have[strings.TrimPrefix(file, suiteModule+"/")]; !ok {
				t.Errorf("%s: a host is built from %s, which is not embedded", system, file)
			}
		}
	}
	for file := range have {
		if strings.HasSuffix(file, "_test.go") || strings.Contains(file, "testdata") {
			t.Errorf("%s is written to the cache", file)
		}
	}
}

func TestEmbeddedModuleRequiresWhatThisOneDoes(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile("../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"module " + suiteModule, "go " + goLine, "\t" + sysModule + " " + sysVersion} {
		if !strings.Contains(string(mod), line+"\n") {
			t.Errorf("go.mod of suite has no line %q", line)
		}
	}
	for line := range strings.Lines(sourceSum) {
		if !strings.Contains(string(sum), line) {
			t.Errorf("go.sum of suite has no line %q", line)
		}
	}
}

func TestHostArgumentIsThatOfSuite(t *testing.T) {
	text, err := os.ReadFile("../../cmd/suite/main.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), `"`+hostArgument+`"`) {
		t.Errorf("cmd/suite does not start hosts with %q", hostArgument)
	}
}

func TestModuleWithoutTheRequirementIsBuiltWithANote(t *testing.T) {
	dir := tree(t, "-- go.mod --\nmodule example.org/m\n\ngo 1.26\n-- a/a.go --\nREGISTER:a\n")
	for range 2 { // a copy that was made before says so too
		p := built(t, offline(dir, "./a"))
		lists(t, p, "a")
		if len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "go mod edit -require=example.com/suite@v0.0.0") {
			t.Errorf("notes %q", p.Notes)
		}
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "go.mod")); strings.Contains(string(text), "suite") || paths.Exists(filepath.Join(dir, "go.sum")) {
		t.Error("the module of the user was changed")
	}
}

func TestReplacementsOfSuiteGiveWay(t *testing.T) {
	for _, replace := range []string{"example.com/suite", "example.com/suite v1.0.0"} {
		dir := tree(t, "-- go.mod --\n"+goMod+"\ntool example.com/suite/cmd/suite\n\nreplace "+replace+" => ./fork\n-- a/a.go --\nREGISTER:a\n"+
			"-- fork/go.mod --\nmodule example.com/suite\n\ngo 1.26.0\n-- fork/bench/bench.go --\npackage bench\n")
		lists(t, built(t, offline(dir, "./a")), "a")
	}
}

// A module that another one comes with asks for a newer x/sys than ours.
func TestNewerSysIsKept(t *testing.T) {
	sys := strings.TrimSpace(run(t, ".", "go", "list", "-m", "-f", "{{.Dir}}", sysModule))
	dir := tree(t, "-- go.mod --\n"+goMod+"\nrequire example.org/dep v1.0.0\n\nreplace example.org/dep => ./dep\n\nreplace golang.org/x/sys => "+sys+`
-- a/a.go --
package a

import (
	"example.com/suite/bench"
	_ "example.org/dep"
)

func init() { bench.Register("a", func(*bench.Case) bench.Loop { return func(int) {} }) }
-- dep/dep.go --
package dep
-- dep/go.mod --
module example.org/dep

go 1.26.0

require golang.org/x/sys v0.999.0
`)
	p := built(t, offline(dir, "./a"))
	lists(t, p, "a")
	if got := run(t, dir, "go", "version", "-m", p.Path); !strings.Contains(got, sysModule+"\tv0.999.0") {
		t.Errorf("the host is built with\n%s", got)
	}
}

func TestOlderSysIsRaisedWithANote(t *testing.T) {
	dir := tree(t, "-- go.mod --\n"+goMod+"\nrequire golang.org/x/sys v0.30.0\n\nreplace golang.org/x/sys v0.30.0 => ./old\n-- old/go.mod --\nmodule golang.org/x/sys\n-- a/a.go --\nREGISTER:a\n")
	p := built(t, offline(dir, "./a"))
	lists(t, p, "a")
	if len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "x/sys "+sysVersion) || !strings.Contains(p.Notes[0], "v0.30.0") {
		t.Errorf("notes %q", p.Notes)
	}
}

const workspace = `
-- go.work --
go 1.26.0

use (
	./x
	./y
)

replace example.com/suite => ./nowhere

replace example.org/dep v1.0.0 => ./dep
-- x/go.mod --
module example.org/x

go 1.26.0

require example.org/dep v1.0.0
-- x/a/a.go --
package a

import (
	"example.com/suite/bench"
	_ "example.org/dep"
)

func init() { bench.Register("a", func(*bench.Case) bench.Loop { return func(int) {} }) }
-- y/go.mod --
module example.org/y

go 1.26.0

require example.com/suite v1.0.0
-- y/deep/internal/b/b.go --
REGISTER:b
-- dep/go.mod --
module example.org/dep

go 1.26.0
-- dep/dep.go --
package dep
`

func TestWorkspaceJoinsModules(t *testing.T) {
	dir := tree(t, workspace)
	before := contents(t, dir)
	p := built(t, offline(dir, "./x/a", "./y/..."))
	lists(t, p, "a", "b")
	if !built(t, offline(dir, "./x/a", "./y/...")).Cached {
		t.Error("linked again")
	}
	for path, text := range contents(t, dir) {
		if before[path] != text {
			t.Errorf("%s was written", path)
		}
	}
	if hello := greet(t, p); hello.Hash != host.Hash() {
		t.Errorf("host says hash %s, want %s", hello.Hash, host.Hash())
	}
}

func TestWorkspaceBesideTheSuiteFindsImportPaths(t *testing.T) {
	dir := tree(t, workspace)
	lists(t, built(t, offline(dir, "example.org/y/deep/internal/b", "example.org/x/a")), "a", "b")
}

func TestWorkspaceWithASuiteOfItsOwn(t *testing.T) {
	dir := tree(t, strings.Replace(strings.Replace(workspace, "./x\n", "./x\n\t./fork\n", 1), "replace example.com/suite => ./nowhere\n", "", 1)+
		"-- fork/go.mod --\nmodule example.com/suite\n\ngo 1.26.0\n-- fork/bench/bench.go --\npackage bench\n")
	lists(t, built(t, offline(filepath.Join(dir, "x"), "./a")), "a")
}

// Two trees of one module share the copy of their go.mod, unless it names folders, whose
// modules may differ.
func TestTreesOfOneModuleShareItsCopy(t *testing.T) {
	for text, want := range map[string]int{goMod: 1, goMod + "\nrequire example.org/dep v1.0.0\n\nreplace example.org/dep => ./dep\n": 2} {
		folder := t.TempDir()
		for range 2 {
			r := offline(tree(t, "-- go.mod --\n"+text+"-- a/a.go --\nREGISTER:a\n-- dep/go.mod --\nmodule example.org/dep\n"), "./a")
			r.Cache = folder
			b, err := begin(r)
			if err == nil {
				err = b.join(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if made, _ := filepath.Glob(filepath.Join(folder, "mod", "*")); len(made) != want {
			t.Errorf("%d copies of\n%swant %d", len(made), text, want)
		}
	}
}
