package gotest

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/benchname"
	"example.com/suite/internal/build"
)

// compiled is the test binary of one package, whose test file is text.
func compiled(t *testing.T, text string) *build.Test {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command in PATH, which builds test binaries")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/m\n\ngo 1.24\n", "m_test.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tests, err := build.Tests(context.Background(), build.Request{Dir: dir, Packages: []string{"."}, Cache: t.TempDir(), Env: []string{"GOPROXY=off", "GOFLAGS=", "GOWORK="}})
	if err != nil {
		t.Fatal(err)
	}
	return tests[0]
}

const many = `package m

import (
	"fmt"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	starts, _ := os.OpenFile("starts", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	starts.WriteString("x")
	fmt.Print("no line ends here ")
	status := m.Run()
	fmt.Println("BenchmarkNotThere 1 2 ns/op")
	os.Exit(status)
}

func body(b *testing.B) {
	for b.Loop() {
	}
}

func BenchmarkPlain(b *testing.B) { body(b) }
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
	one := compiled(t, many)
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
		if want := []Note{{"BenchmarkSkips/all", "m_test.go:38: no network"}, {"BenchmarkNothing/x", ""}}; !slices.Equal(l.Notes, want) {
			t.Errorf("notes %q, want %q", l.Notes, want)
		}
		if units := strings.Join(l.Found[1].Units, " "); units != "ns/op MB/s hits/s B/op allocs/op" {
			t.Errorf("units %s", units)
		}
	}
}

func TestPatternsPickBenchmarks(t *testing.T) {
	one := compiled(t, many)
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
	if err != nil || !slices.Equal(names(l), []string{"BenchmarkPlain", "BenchmarkSub"}) || !l.Found[1].Top || len(l.Names) != 9 {
		t.Errorf("%+v, %v", l, err)
	}
}

func TestBinaryThatDoesNotListSaysWhy(t *testing.T) {
	for text, want := range map[string]string{
		"func TestMain(m *testing.M) { println(`no database`); os.Exit(3) }":               "does not list its benchmarks: exit status 3",
		"func TestMain(m *testing.M) { }":                                                  "lists no benchmark",
		"func init() { if len(os.Args) > 0 { select { case <-time.After(time.Hour): } } }": "does not list its benchmarks within 300ms",
	} {
		one := compiled(t, "package m\n\nimport (\n\t\"os\"\n\t\"testing\"\n\t\"time\"\n)\n\nvar _, _ = os.Args, time.Now\n\nfunc BenchmarkX(b *testing.B) {}\n"+text+"\n")
		o := options(t, "", 1)
		if strings.Contains(text, "init") {
			o.Limit = 300 * time.Millisecond
		}
		_, err := List(context.Background(), one, o)
		var silent *Error
		if !errors.As(err, &silent) || !strings.Contains(err.Error(), want) || strings.Contains(text, "database") != (silent.Detail == "no database") {
			t.Errorf("%s: %v, %+v; want %s", text, err, silent, want)
		}
	}
}

func TestBenchmarkThatHangsIsKept(t *testing.T) {
	one := compiled(t, "package m\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc BenchmarkX(b *testing.B) { time.Sleep(time.Hour) }\nfunc BenchmarkY(b *testing.B) {}\n")
	o := options(t, "", 1)
	o.Limit = 2 * time.Second
	l, err := List(context.Background(), one, o)
	if err != nil || !slices.Equal(names(l), []string{"BenchmarkX", "BenchmarkY"}) || l.Found[0].Units != nil {
		t.Errorf("%+v, %v", l, err)
	}
}
