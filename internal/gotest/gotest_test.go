package gotest

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/suite/internal/benchname"
	"example.com/suite/internal/build"
)

// folder is for the module of the test binary and for what a build keeps.
var folder string

func TestMain(m *testing.M) {
	var err error
	folder, err = os.MkdirTemp("", "gotest-test-")
	if err != nil {
		panic(err)
	}
	status := m.Run()
	os.RemoveAll(folder)
	os.Exit(status)
}

// compiled is a test binary with many benchmarks. All tests share it, because a build takes 1 s. The variable MODE
// decides what is wrong with it.
func compiled(t *testing.T) *build.Test {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command in PATH, which builds test binaries")
	}
	one, err := compileOnce()
	if err != nil {
		t.Fatal(err)
	}
	return one
}

var compileOnce = sync.OnceValues(func() (*build.Test, error) {
	dir := filepath.Join(folder, "m")
	err := os.Mkdir(dir, 0o777)
	for name, text := range map[string]string{"go.mod": "module example.org/m\n\ngo 1.24\n", "m_test.go": many, "x_test.go": external} {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	if err != nil {
		return nil, err
	}
	tests, err := build.Tests(context.Background(), build.Request{Dir: dir, Packages: []string{"."}, Cache: filepath.Join(folder, "cache"),
		Env: []string{"GOPROXY=off", "GOFLAGS=", "GOWORK="}, Flags: []string{"-ldflags=-s"}})
	if err != nil {
		return nil, err
	}
	return tests[0], nil
})

const many = `package m

import (
	"fmt"
	"os"
	"testing"
	"time"
)

var mode = os.Getenv("MODE")

func init() {
	if mode == "init hangs" {
		time.Sleep(time.Hour)
	}
}

func TestMain(m *testing.M) {
	switch mode {
	case "TestMain exits":
		println("no database")
		os.Exit(3)
	case "TestMain ends":
		return
	}
	starts, _ := os.OpenFile("starts", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	starts.WriteString("x")
	fmt.Print("no line ends here")
	status := m.Run()
	fmt.Println("BenchmarkNotThere 1 2 ns/op")
	os.Exit(status)
}

func body(b *testing.B) {
	for b.Loop() {
	}
}

func BenchmarkPlain(b *testing.B) {
	if mode == "Plain hangs" {
		time.Sleep(time.Hour)
	}
	body(b)
}
func BenchmarkSub(b *testing.B) {
	for _, name := range []string{"small", "size-10", "a b", "x/y", "p=[1]|(2)", "small", "日本"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(64)
			body(b)
			b.ReportMetric(3, "hits/s")
		})
	}
}
func BenchmarkFails(b *testing.B) {
	b.Run("good", body)
	b.Run("bad", func(b *testing.B) { b.Fatal("boom") })
}
func BenchmarkSkips(b *testing.B) {
	b.Run("all", func(b *testing.B) { b.Skip("no network") })
}
func BenchmarkPanics(b *testing.B) { panic("ouch") }
func BenchmarkLogs(b *testing.B)   { b.Log("BenchmarkLogs/fake 1 2 ns/op"); fmt.Println("BenchmarkOther-2 1 2 ns/op"); body(b) }
func BenchmarkNothing(b *testing.B) { b.Run("x", func(b *testing.B) { b.SkipNow() }) }
func BenchmarkTorn(b *testing.B)   { fmt.Print("torn"); body(b) }
func BenchmarkMute(b *testing.B)   { body(b); os.Stdout, _ = os.Open(os.DevNull) }
func BenchmarkTwin(b *testing.B)   { body(b) }
`

const external = `package m_test

import "testing"

func BenchmarkTwin(b *testing.B) { b.Fatal("not the other") }
`

func options(t *testing.T, match string, procs int) Options {
	t.Helper()
	m, err := benchname.ParseMatch(match)
	if err != nil {
		t.Fatal(err)
	}
	return Options{Match: m, Limit: time.Minute, Procs: procs, Deep: true}
}

func names(l *Listing) (names []string) {
	for _, b := range l.Found {
		names = append(names, b.Name)
	}
	return names
}

func TestAllBenchmarksOfABinaryAreFound(t *testing.T) {
	t.Parallel()
	one := compiled(t)
	want := []string{"BenchmarkPlain", "BenchmarkSub/small", "BenchmarkSub/size-10", "BenchmarkSub/a_b", "BenchmarkSub/x/y", "BenchmarkSub/p=[1]|(2)",
		"BenchmarkSub/small#01", "BenchmarkSub/日本", "BenchmarkFails/good", "BenchmarkFails/bad", "BenchmarkPanics", "BenchmarkLogs", "BenchmarkTorn", "BenchmarkMute"}
	for _, procs := range []int{1, 3} {
		l, err := List(context.Background(), one, options(t, "", procs))
		if err != nil {
			t.Fatal(err)
		}
		if got := names(l); !slices.Equal(got, want) {
			t.Errorf("GOMAXPROCS %d: found %q\nwant %q", procs, got, want)
		}
		twins := "both m and its external tests have a benchmark of this name, and go test cannot run one without the other; rename one"
		if want := []Note{{"BenchmarkTwin", twins}, {"BenchmarkSkips/all", "m_test.go:59: no network"}, {"BenchmarkNothing/x", ""}}; !slices.Equal(l.Notes, want) {
			t.Errorf("notes %q, want %q", l.Notes, want)
		}
		if units := strings.Join(l.Found[1].Units, " "); units != "ns/op MB/s hits/s B/op allocs/op" {
			t.Errorf("units %s", units)
		}
	}
}

func TestPatternsPickBenchmarks(t *testing.T) { // not in parallel: it counts the starts of the binary
	one := compiled(t)
	for match, want := range map[string][]string{
		"^Sub$/^small$": {"BenchmarkSub/small"},
		"Sub/x/y":       {"BenchmarkSub/x/y"},
		"Plain/x":       nil,
		"Fails/b":       {"BenchmarkFails/bad"},
		"Plain|Sub/a_b": {"BenchmarkPlain", "BenchmarkSub/a_b"},
	} {
		l, err := List(context.Background(), one, options(t, match, 1))
		if err != nil || !slices.Equal(names(l), want) {
			t.Errorf("%s: %q, %v; want %q", match, names(l), err, want)
		}
	}
	// One process lists the functions and another one runs them. One runs those alone that fail, print nothing or crash;
	// all are run alone after a crash.
	for match, want := range map[string]int{"Plain|Sub|Skips": 2, "Plain|Sub|Fails|Logs|Mute": 4, "Plain|Sub|Panics": 5} {
		counted := filepath.Join(one.Dir, "starts")
		os.Remove(counted)
		if _, err := List(context.Background(), one, options(t, match, 1)); err != nil {
			t.Fatal(err)
		}
		starts, err := os.ReadFile(counted)
		if err != nil || len(starts) != want {
			t.Errorf("%s: %d starts, %v, want %d", match, len(starts), err, want)
		}
	}
	o := options(t, "Sub/a_b|Pl", 1)
	o.Deep = false
	l, err := List(context.Background(), one, o)
	if err != nil || !slices.Equal(names(l), []string{"BenchmarkPlain", "BenchmarkSub"}) || !l.Found[1].Top || len(l.Names) != 10 {
		t.Errorf("%+v, %v", l, err)
	}
}

func TestFunctionThatIsLeftOutIsNotRun(t *testing.T) {
	t.Parallel()
	o := options(t, "^(Plain|Torn)$", 1)
	o.Limit = 2 * time.Second
	o.Env = []string{"MODE=Plain hangs"}
	o.LeavesOut = func(function string) bool { return function == "BenchmarkPlain" }
	l, err := List(context.Background(), compiled(t), o)
	if err != nil || !slices.Equal(names(l), []string{"BenchmarkTorn"}) || !l.Left ||
		!slices.Contains(l.Names, "BenchmarkPlain") {
		t.Errorf("%+v, %v", l, err)
	}
}

func TestBinaryThatDoesNotListSaysWhy(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string]string{
		"TestMain exits": "does not list its benchmarks: exit status 3",
		"TestMain ends":  "lists no benchmark",
		"init hangs":     "does not list its benchmarks within 300ms",
	} {
		o := options(t, "", 1)
		o.Env = []string{"MODE=" + mode}
		if mode == "init hangs" {
			o.Limit = 300 * time.Millisecond
		}
		_, err := List(context.Background(), compiled(t), o)
		var silent *Error
		if !errors.As(err, &silent) || !strings.Contains(err.Error(), want) || (mode == "TestMain exits") != (silent.Detail == "no database") {
			t.Errorf("%s: %v, %+v; want %s", mode, err, silent, want)
		}
	}
}

func TestBenchmarkThatHangsIsKept(t *testing.T) {
	t.Parallel()
	o := options(t, "^(Plain|Torn)$", 1)
	o.Limit = 2 * time.Second
	o.Env = []string{"MODE=Plain hangs"}
	l, err := List(context.Background(), compiled(t), o)
	if err != nil || !slices.Equal(names(l), []string{"BenchmarkPlain", "BenchmarkTorn"}) || l.Found[0].Units != nil {
		t.Errorf("%+v, %v", l, err)
	}
}
