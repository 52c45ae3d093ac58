package bench_test

import (
	"embed"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/suite/bench"
	"example.com/suite/internal/benchcase"
	"example.com/suite/internal/testfile"
)

// oldestGo is the release before the release before the one that suite needs. Libraries support
// that many, and their benchmarks import this package.
const oldestGo = "1.24.0"

// The package and what it imports use nothing that is newer than two releases: go vet compiles them
// as that release does, and finds newer names of the standard library.
func TestBuildsWithTheTwoReleasesBefore(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skipf("go vet is the test: %v", err)
	}
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		testfile.Write(t, file, text)
	}
	put("go.mod", "module example.com/suite\n\ngo "+oldestGo+"\n")
	for folder, source := range map[string]embed.FS{"bench": bench.Source, "internal/benchcase": benchcase.Source} {
		entries, err := source.ReadDir(".")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			text, err := source.ReadFile(e.Name())
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(e.Name(), "_test.go") {
				put(folder+"/"+e.Name(), string(text))
			}
		}
	}
	vet := func() (string, error) {
		cmd := exec.Command("go", "vet", "./...")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off")
		text, err := cmd.CombinedOutput()
		return string(text), err
	}
	if text, err := vet(); err != nil {
		t.Errorf("with go %s: %v\n%s", oldestGo, err, text)
	}
	for what, text := range map[string]string{
		"a name of the library": "package bench\n\nimport \"sync\"\n\nfunc newer(g *sync.WaitGroup) { g.Go(func() {}) }\n", // of Go 1.25
		"the language":          "package bench\n\nvar newer = new(1 + 2)\n",                                               // of Go 1.26
	} {
		put("bench/newer.go", text)
		if _, err := vet(); err == nil {
			t.Errorf("%s may be newer, and nobody sees it", what)
		}
	}
}
