package build

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// stale is a module whose vendor folder holds other code than the modules that go.mod
// names. Module b lies inside of module a, and neither has a go.mod in there; c is
// required, and nothing imports it.
const stale = `
-- go.mod --
module example.org/m

go 1.26

require (
	example.com/suite v1.0.0
	example.org/dep v1.0.0
	example.org/dep/inner v1.1.0
	example.org/unused v1.0.0
)

replace example.org/dep => ./elsewhere
-- a/a.go --
package a

import (
	"example.com/suite/bench"
	"example.org/dep"
	"example.org/dep/inner/deep"
)

func init() {
	bench.Register(dep.Name+"/"+deep.Name, func(*bench.Case) bench.Loop { return func(int) {} })
}
-- elsewhere/go.mod --
module example.org/dep
-- elsewhere/dep.go --
package dep

const Name = "elsewhere"
-- vendor/modules.txt --
# example.com/suite v1.0.0
## explicit; go 1.26.0
example.com/suite/bench
# example.org/dep v1.0.0 => ./elsewhere
## explicit; go 1.20
example.org/dep
# example.org/dep/inner v1.1.0
## explicit
example.org/dep/inner/deep
# example.org/unused v1.0.0
## explicit
# example.org/dep => ./elsewhere
-- vendor/example.com/suite/bench/bench.go --
package bench
-- vendor/example.org/dep/dep.go --
package dep

import _ "embed"

//go:embed name.txt
var Name string
-- vendor/example.org/dep/name.txt --
vendored
-- vendor/example.org/dep/inner/deep/deep.go --
package deep

const Name = "inner"
`

// vendorRequest is built with what go build has by itself.
func vendorRequest(dir string) Request {
	r := offline(dir, "./...")
	r.Env = slices.DeleteFunc(r.Env, func(e string) bool { return strings.HasPrefix(e, "GOFLAGS=") })
	r.Env = append(r.Env, "GOFLAGS=")
	return r
}

// A host measures what go build builds and what ships.
func TestHostIsBuiltFromTheVendorFolder(t *testing.T) {
	dir := tree(t, stale)
	before := contents(t, dir)
	for range 2 { // the second time from the copy
		p := built(t, vendorRequest(dir))
		lists(t, p, "vendored\n/inner")
		if len(p.Notes) > 0 {
			t.Errorf("notes %q", p.Notes)
		}
	}
	if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
		t.Errorf("the tree of the user was changed:\n%s", diff)
	}

	// Another content of the same version.
	write(t, filepath.Join(dir, "vendor/example.org/dep/name.txt"), "edited")
	lists(t, built(t, vendorRequest(dir)), "edited/inner")
}

func TestVendorFolderThatGoBuildLeavesOutIsLeftOut(t *testing.T) {
	dir := tree(t, strings.ReplaceAll(stale, "replace example.org/dep =>", "replace example.org/dep/inner => ./vendor/example.org/dep/inner\n\nreplace example.org/dep =>")+
		"-- vendor/example.org/dep/inner/go.mod --\nmodule example.org/dep/inner\n")
	r := vendorRequest(dir)
	r.Env = append(r.Env, "GOFLAGS=-mod=readonly")
	lists(t, built(t, r), "elsewhere/inner")
}

func TestVendorFolderThatDoesNotFitIsRefusedAsByGo(t *testing.T) {
	dir := tree(t, strings.Replace(stale, "example.org/dep v1.0.0\n", "example.org/dep v1.2.0\n", 1))
	_, err := Host(t.Context(), vendorRequest(dir))
	if err == nil || !strings.Contains(err.Error(), "inconsistent vendoring") || !strings.Contains(err.Error(), "go mod vendor") {
		t.Errorf("error %v", err)
	}
}

func TestVendorFolderOfAWorkspaceIsRefused(t *testing.T) {
	dir := tree(t, workspace+"-- vendor/modules.txt --\n## workspace\n")
	r := vendorRequest(dir)
	r.Packages = []string{"./x/a"}
	if _, err := Host(t.Context(), r); err == nil || !strings.Contains(err.Error(), "vendor folder of a workspace") {
		t.Errorf("error %v", err)
	}
	r.Env = append(r.Env, "GOFLAGS=-mod=readonly")
	lists(t, built(t, r), "a")
}

// x/sys comes from the vendor folder where hosts can be built with it, else from
// where it came without one.
func TestSysOfAVendorFolder(t *testing.T) {
	sys := strings.TrimSpace(run(t, ".", "go", "list", "-m", "-f", "{{.Dir}}", sysModule))
	const newer = "v0.999.0"
	files := "-- go.mod --\n" + goMod + "\nrequire golang.org/x/sys VERSION\n-- a/a.go --\nREGISTER:a\n-- vendor/modules.txt --\n# example.com/suite v1.0.0\n## explicit\nexample.com/suite/bench\n" +
		"# golang.org/x/sys VERSION\n## explicit; go 1.26.0\ngolang.org/x/sys/" + sysPackage + "\n-- vendor/golang.org/x/sys/PATENTS --\n"
	dir := tree(t, strings.ReplaceAll(files, "VERSION", newer))
	if err := os.CopyFS(filepath.Join(dir, "vendor/golang.org/x/sys", sysPackage), os.DirFS(filepath.Join(sys, sysPackage))); err != nil {
		t.Fatal(err)
	}
	p := built(t, vendorRequest(dir))
	lists(t, p, "a")
	if got := run(t, dir, "go", "version", "-m", p.Path); !strings.Contains(got, sysModule+"\t"+newer) {
		t.Errorf("the host is built with\n%s", got)
	}

	p = built(t, vendorRequest(tree(t, strings.ReplaceAll(files, "VERSION", "v0.30.0"))))
	lists(t, p, "a")
	if len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "x/sys "+sysVersion) {
		t.Errorf("notes %q", p.Notes)
	}
}

func TestReadModules(t *testing.T) {
	got := readModules("## workspace\n# a v1.0.0 => ./x\n## explicit; go 1.20\na\na/b\n# c v2.0.0+incompatible\n# d v0.1.0\n## explicit\nd\n# a => ./x\n")
	want := []vendored{{"a", "v1.0.0", "1.20", 2}, {"d", "v0.1.0", "", 1}}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}
