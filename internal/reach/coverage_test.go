package reach

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSymbolsOfIdleFunctions(t *testing.T) {
	c := &Coverage{Idle: []string{"example.com/x.F", "example.com/x.T.M", "gopkg.in/yaml%2ev3.Marshal", "example.com/x.glob"}}
	for _, idle := range []string{"example.com/x.F", "example.com/x.F.func1", "example.com/x.F.func1.2", "example.com/x.F.gowrap1", "example.com/x.F-range1",
		"example.com/x.F[go.shape.struct { example.com/y.Z []int }]", "example.com/x.F[go.shape.int].func2", "example.com/x.F.G.func1",
		"example.com/x.T.M", "example.com/x.(*T).M", "example.com/x.T.M-fm", "example.com/x.(*T).M-fm", "example.com/x.(*T[go.shape.int]).M", "example.com/x.(*T).M.func1",
		"gopkg.in/yaml%2ev3.Marshal", "example.com/x.glob.func1"} {
		if !c.IsIdle(idle) {
			t.Errorf("%s is not idle", idle)
		}
	}
	for _, counts := range []string{"example.com/x.G", "example.com/x.G.F.func1", "example.com/y.F", "F", "x.F", "example.com/x.T", "example.com/x.T.N", "example.com/x.(*U).M",
		"example.com/x.glob..func1", "example.com/x.init", "example.com/x.F·1.M", "example.com/x.(*T·1).M", "type:.eq.example.com/x.F", "example.com/x.FF",
		"example.com/x.(*F", "example.com/x.F[", "example.com/x_test.F", ""} {
		if c.IsIdle(counts) {
			t.Errorf("%s is idle", counts)
		}
	}
}

const source = `package x

func executed() { _ = func() {} }

func idle() {}

func init() {}

func halfway(n int) {
	if n > 0 {
		return
	}
}

func withoutCounters() {}

type T[K any] struct{}

func (t *T[K]) M() { _ = func() {} }
`

func TestCoverageOfTwoRuns(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("x.go", source)
	write("moved.go", "package x\n\n//line y.go:1\nfunc moved() {}\n")
	const profile = `mode: set
example.com/x/x.go:3.17,3.34 1 1
example.com/x/x.go:3.29,3.31 0 0
example.com/x/x.go:5.13,5.14 0 0
example.com/x/x.go:7.13,7.14 0 0
example.com/x/x.go:9.21,10.11 1 1
example.com/x/x.go:10.11,12.3 1 0
example.com/x/x.go:19.20,19.37 1 0
example.com/x/x.go:19.31,19.33 0 0
example.com/x/moved.go:4.14,4.15 0 0
`
	read := func(files []string, profiles ...string) (*Coverage, error) {
		sources := []Source{{Path: "example.com/x", Dir: dir, Files: files}}
		if len(profiles) == 1 {
			return ReadCoverage(sources, strings.NewReader(profiles[0]))
		}
		return ReadCoverage(sources, strings.NewReader(profiles[0]), strings.NewReader(profiles[1]))
	}
	c, err := read([]string{"x.go", "moved.go"}, profile, profile)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"example.com/x.T.M", "example.com/x.idle"}; !slices.Equal(c.Idle, want) {
		t.Errorf("idle are %q, want %q", c.Idle, want)
	}
	if _, err := read([]string{"x.go"}, profile, strings.Replace(profile, "12.3 1 0", "12.3 1 1", 1)); err == nil || !strings.HasSuffix(err.Error(), "two runs have not executed the same: x.go:10.11,12.3") {
		t.Errorf("two runs that differ: %v", err)
	}
	for text, word := range map[string]string{"testing.Testing()": "Testing", `flag.Lookup("test.v") != nil`: "test.v"} {
		write("tested.go", "package x\n\nvar short = "+text+"\n")
		source := Source{Path: "example.com/x", Dir: dir, Files: []string{"tested.go"}}
		_, err := ReadCoverage([]Source{source}, strings.NewReader(profile))
		source.AsTest = true
		if _, refused := ReadCoverage([]Source{source}, strings.NewReader(profile)); err != nil || refused == nil || refused.Error() != "tested.go asks for "+word {
			t.Errorf("%s: a test binary %v, a host %v", text, err, refused)
		}
	}
	write("asks.go", "package x\n\nimport \"testing\"\n\nvar short = testing.CoverMode() == \"\"\n")
	for name, one := range map[string][2]string{"asks": {"asks.go", profile}, "broken": {"x.go", "mode: set\nx.go:1.2 1\n"}, "missing": {"none.go", profile}} {
		if _, err := read([]string{one[0]}, one[1]); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
}
