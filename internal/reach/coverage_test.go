package reach

import (
	"errors"
	"fmt"
	"go/build"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestSymbolsOfIdleFunctions(t *testing.T) {
	idle := []string{"example.com/x.F", "example.com/x.T.M", "example.com/x.glob", "gopkg.in/yaml%2ev3.Marshal"}
	c := &Coverage{Idle: idle}
	for _, idle := range []string{"example.com/x.F", "example.com/x.F.func1", "example.com/x.F.func1.2", "example.com/x.F.gowrap1", "example.com/x.F-range1",
		"example.com/x.F[go.shape.struct { example.com/y.Z []int }]", "example.com/x.F[go.shape.int].func2", "example.com/x.F.G.func1",
		"example.com/x.T.M", "example.com/x.(*T).M", "example.com/x.T.M-fm", "example.com/x.(*T).M-fm", "example.com/x.(*T[go.shape.int]).M", "example.com/x.(*T).M.func1",
		"gopkg.in/yaml%2ev3.Marshal", "example.com/x.glob.func1"} {
		if !c.IsIdle(idle) {
			t.Errorf("%s is not idle", idle)
		}
	}
	c = &Coverage{Varying: []string{"example.com/x.init"}}
	for _, varies := range []string{"example.com/x.init", "example.com/x.init.0", "example.com/x.init.1.func1", "example.com/x.init.func2.1", "example.com/x.glob..func1",
		"example.com/x.suiteInit_a", "example.com/x.suiteInit_a_b.func1"} {
		if !c.IsVarying(varies) {
			t.Errorf("%s does not vary", varies)
		}
	}
	if c.IsVarying("example.com/x.F") || c.IsVarying("example.com/x.map.init.0") || c.IsVarying("example.com/y.init") {
		t.Error("others vary")
	}
	c = &Coverage{Idle: idle}
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

func observeSource(sources []Source, run Run) (*Coverage, error) {
	program, err := NewFunctions(sources)
	if err != nil {
		return nil, err
	}
	return Observe(program, run)
}

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
	read := func(files []string, profiles ...string) (*Coverage, int, error) {
		runs := 0
		c, err := observeSource([]Source{{Path: "example.com/x", Dir: dir, Files: files}}, func(bool) (io.ReadCloser, error) {
			runs++
			return io.NopCloser(strings.NewReader(profiles[min(runs, len(profiles))-1])), nil
		})
		return c, runs, err
	}
	idle := []string{"example.com/x.T.M", "example.com/x.idle"}
	c, runs, err := read([]string{"x.go", "moved.go"}, profile)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.Idle, idle) || len(c.Varying) > 0 || runs != 2 {
		t.Errorf("%+v after %d runs, want idle %q", c, runs, idle)
	}
	further := strings.Replace(profile, "12.3 1 0", "12.3 1 1", 1)
	c, runs, err = read([]string{"x.go"}, profile, further)
	if want := []string{"example.com/x.halfway"}; err != nil || !slices.Equal(c.Varying, want) || !slices.Equal(c.Idle, idle) || runs != 8 {
		t.Errorf("%+v, %v after %d runs, want varying %q", c, err, runs, want)
	}
	other := strings.Replace(further, "5.14 0 0", "5.14 0 1", 1) // idle is executed
	if c, _, err := read([]string{"x.go"}, profile, further, profile, other); err != nil || slices.Contains(c.Idle, "example.com/x.idle") || !slices.Contains(c.Varying, "example.com/x.idle") {
		t.Errorf("%+v, %v, want idle to vary", c, err)
	}
	for want, profiles := range map[string][]string{
		"its runs execute more each time: x.idle":              {profile, further, profile, further, other},
		"its runs do not execute the same: moved.go:4.14,4.15": {profile, strings.Replace(profile, "4.15 0 0", "4.15 0 1", 1)},
		"its runs do not execute the same: x.go:21.1,21.2":     {profile, profile + "example.com/x/x.go:21.1,21.2 1 1\n"},
	} {
		if _, _, err := read([]string{"x.go", "moved.go"}, profiles...); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for text, word := range map[string]string{"testing.Testing()": "Testing", `flag.Lookup("test.v") != nil`: "test.v"} {
		write("tested.go", "package x\n\nvar short = "+text+"\n")
		source := Source{Path: "example.com/x", Dir: dir, Files: []string{"tested.go"}}
		run := func(bool) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(profile)), nil }
		_, err := observeSource([]Source{source}, run)
		source.AsTest = true
		if _, refused := observeSource([]Source{source}, run); err != nil || refused == nil || refused.Error() != "tested.go asks for "+word {
			t.Errorf("%s: a test binary %v, a host %v", text, err, refused)
		}
	}
	write("asks.go", "package x\n\nimport \"testing\"\n\nvar short = testing.CoverMode() == \"\"\n")
	for name, one := range map[string][2]string{"asks": {"asks.go", profile}, "broken": {"x.go", "mode: set\nx.go:1.2 1\n"}, "missing": {"none.go", profile}} {
		if _, _, err := read([]string{one[0]}, one[1]); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
}

// What looks at the clock may get to its other parts in a process that lives longer than a run.
func TestCoverageOfTime(t *testing.T) {
	const text = `package x

import "time"

func janitor(t *time.Ticker) {
	for range t.C {
		sweep()
	}
}

func late(since time.Time) {
	if time.Since(since) > 1 {
		sweep()
	}
}

func stamp() time.Time { return time.Now() }

func convert(n int) time.Duration {
	if n > 0 {
		return time.Duration(n)
	}
	return 0
}

func idle() { time.Sleep(1) }

func sweep() {}

func begin() {
	go func() { time.Sleep(1); sweep() }()
}

func expired(at, now time.Time) bool {
	if now.After(at) {
		return true
	}
	return false
}

func unasked(n int, at time.Time) int64 {
	if n > 0 {
		return at.Unix()
	}
	return 0
}

func chosen(n int, at, now time.Time) int {
	switch {
	case n > 0:
		return 1
	case now.After(at):
		return 2
	}
	return 0
}

func nested(n int, at time.Time) func() int64 {
	return func() int64 {
		if n > 0 {
			return 0
		}
		return at.Unix()
	}
}

func init() {
	go func() { time.Sleep(1); sweep() }()
}

func init() { _ = time.Now() }
`
	const other = `package y

import "time"

var begins = func() { <-time.After(1) }

var stamps = func() time.Time { return time.Now() }

var idle = func() { time.Sleep(1) }
`
	const late = `package z

import "time"

func init() {
	if time.Now().Year() > 3000 {
		panic(1)
	}
}
`
	const profile = `mode: set
example.com/x/x.go:5.30,6.18 1 1
example.com/x/x.go:6.18,8.3 1 0
example.com/x/x.go:11.28,12.31 1 1
example.com/x/x.go:12.31,14.3 1 0
example.com/x/x.go:17.24,17.45 1 1
example.com/x/x.go:19.35,20.11 1 1
example.com/x/x.go:20.11,22.3 1 0
example.com/x/x.go:23.2,23.10 1 1
example.com/x/x.go:26.13,26.29 1 0
example.com/x/x.go:28.14,28.15 0 0
example.com/x/x.go:30.14,31.40 2 1
example.com/x/x.go:34.46,35.20 1 1
example.com/x/x.go:35.20,37.3 1 0
example.com/x/x.go:38.2,38.14 1 1
example.com/x/x.go:41.41,42.11 1 1
example.com/x/x.go:42.11,44.3 1 0
example.com/x/x.go:45.2,45.10 1 1
example.com/x/x.go:48.43,49.9 1 1
example.com/x/x.go:50.13,51.11 1 0
example.com/x/x.go:52.21,53.11 1 0
example.com/x/x.go:55.2,55.10 1 1
example.com/x/x.go:58.47,59.22 1 1
example.com/x/x.go:59.22,60.12 1 1
example.com/x/x.go:60.12,62.4 1 0
example.com/x/x.go:63.3,63.19 1 1
example.com/x/x.go:67.13,68.12 1 1
example.com/x/x.go:68.12,68.38 2 0
example.com/x/x.go:71.13,71.31 1 1
example.com/y/y.go:5.21,5.40 1 1
example.com/y/y.go:7.31,7.52 1 1
example.com/y/y.go:9.19,9.35 1 0
example.com/z/z.go:5.13,6.30 1 1
example.com/z/z.go:6.30,8.3 1 0
`
	dir := t.TempDir()
	var sources []Source
	for name, text := range map[string]string{"x": text, "y": other, "z": late} {
		if err := os.WriteFile(filepath.Join(dir, name+".go"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		sources = append(sources, Source{Path: "example.com/" + name, Dir: dir, Files: []string{name + ".go"}})
	}
	runs := 0
	c, err := observeSource(sources, func(bool) (io.ReadCloser, error) {
		runs++
		return io.NopCloser(strings.NewReader(profile)), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := &Coverage{
		Literals: []string{"example.com/x.init:68", "example.com/y.init:9"},
		Idle:     []string{"example.com/x.idle", "example.com/x.sweep"},
		Varying: []string{"example.com/x.begin", "example.com/x.chosen", "example.com/x.expired", "example.com/x.init",
			"example.com/x.janitor", "example.com/x.late", "example.com/x.nested", "example.com/y.init", "example.com/z.init"},
	}
	if !reflect.DeepEqual(c, want) || runs != 4 {
		t.Errorf("%+v after %d runs, want %+v after 2, and 2 long ones", c, runs, want)
	}
}

// TestLongRuns has functions that wait, and long runs that show what they do, or fail to.
func TestLongRuns(t *testing.T) {
	const text = `package x

import (
	"context"
	"time"
)

func Sleeps() {
	time.Sleep(1)
	if n > 0 {
		sweep()
	}
}

func sweep() {}

func ends(c context.Context) { context.WithTimeout(c, 1) }

func expired(at time.Time) bool {
	if time.Now().After(at) {
		return true
	}
	return false
}

func init() { go func() { <-time.After(1) }() }

func other() { _ = func() { n++ } }

func cleans(all []time.Time) {
	now := time.Now()
	for _, at := range all {
		if now.After(at) {
			n++
		}
	}
}
`
	// The functions that wait and their parts, whether expired returns true, and other with a function literal.
	const profile = `mode: set
example.com/x/x.go:8.15,10.11 2 SLEEPS
example.com/x/x.go:10.11,12.3 1 SWEEPS
example.com/x/x.go:15.14,15.15 0 SWEEPS
example.com/x/x.go:17.30,17.56 1 ENDS
example.com/x/x.go:19.34,20.26 1 ASKS
example.com/x/x.go:20.26,22.3 1 LATE
example.com/x/x.go:23.2,23.14 1 ASKS
example.com/x/x.go:26.13,26.25 1 STARTS
example.com/x/x.go:26.25,26.42 1 RUNS
example.com/x/x.go:28.14,28.27 1 1
example.com/x/x.go:28.27,28.34 1 LITERAL
example.com/x/x.go:30.30,32.25 2 NOTES
example.com/x/x.go:32.25,33.20 1 COMPARES
example.com/x/x.go:33.20,35.4 1 0
`
	executing := func(what ...string) string {
		text := profile
		for _, one := range what {
			text = strings.ReplaceAll(text, " "+one, " 1")
		}
		return regexp.MustCompile(" [A-Z]+").ReplaceAllString(text, " 0")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"x.go": text, "moved.go": "package m\n\n//line y.go:1\nfunc moved() {}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sources := []Source{{Path: "example.com/x", Dir: dir, Files: []string{"x.go"}}}
	const mark, recorded = "long 1\n", "recorded 65536\n"
	sleeps, more := executing("SLEEPS"), executing("SLEEPS", "SWEEPS", "LITERAL")
	starts, asks := executing("STARTS"), executing("SLEEPS", "ASKS")
	notes, compares := executing("SLEEPS", "NOTES"), executing("SLEEPS", "NOTES", "COMPARES")
	ends, late := executing("ENDS"), executing("SLEEPS", "ASKS", "LATE")
	literal, runs := executing("SLEEPS", "LITERAL"), executing("STARTS", "RUNS")
	for what, test := range map[string]struct {
		short    string    // profile of all short runs
		long     [2]string // profiles; an empty one is a run that fails
		executed string    // of Sleeps, cleans, ends, expired and sweep, and the literal in other
		varying  string
		runs     int
	}{
		"nothing waits":                        {short: executing("ASKS"), executed: "expired", varying: "expired", runs: 2},
		"they do the same":                     {sleeps, [2]string{sleeps + mark, sleeps + mark}, "Sleeps", "", 4},
		"they do more":                         {sleeps, [2]string{more + mark, more + mark}, "Sleeps sweep other:28", "", 4},
		"they do less":                         {more, [2]string{sleeps + mark, sleeps + mark}, "Sleeps sweep other:28", "", 4},
		"an initialiser waits":                 {starts, [2]string{starts + mark, starts + mark}, "", "", 4},
		"an initialiser has no mark":           {starts, [2]string{starts, starts}, "", "init", 4},
		"a context ends":                       {ends, [2]string{ends, ends}, "ends", "ends", 4},
		"what asks is unclear":                 {asks, [2]string{asks + mark, asks + mark}, "Sleeps expired", "timed:expired", 4},
		"what asks goes on":                    {asks, [2]string{late + mark, late + mark}, "Sleeps expired", "", 4},
		"only they ask":                        {sleeps, [2]string{asks + mark, asks + mark}, "Sleeps expired", "timed:expired", 4},
		"only they note the time":              {sleeps, [2]string{notes + mark, notes + mark}, "Sleeps cleans", "", 4},
		"no mark, and only they note the time": {sleeps, [2]string{notes, notes}, "Sleeps cleans", "Sleeps cleans", 4},
		"only they compare times":              {sleeps, [2]string{compares + mark, compares + mark}, "Sleeps cleans", "timed:cleans", 4},
		"all note the time":                    {notes, [2]string{notes + mark, notes + mark}, "Sleeps cleans", "timed:cleans", 4},
		"one of them asks":                     {sleeps, [2]string{asks + mark, sleeps + mark}, "Sleeps expired", "expired", 4},
		"no mark, and only they ask":           {sleeps, [2]string{asks, asks}, "Sleeps expired", "Sleeps expired", 4},
		"no mark":                              {sleeps, [2]string{more, more}, "Sleeps sweep other:28", "Sleeps", 4},
		"one mark":                             {sleeps, [2]string{sleeps + mark, sleeps}, "Sleeps", "Sleeps", 4},
		"the first fails":                      {sleeps, [2]string{"", ""}, "Sleeps", "Sleeps", 3},
		"the second fails":                     {sleeps, [2]string{more + mark, ""}, "Sleeps sweep other:28", "Sleeps", 4},
		"they differ":                          {sleeps, [2]string{sleeps + mark, more + mark}, "Sleeps sweep other:28", "Sleeps other sweep", 4},
		"they differ in what is idle":          {sleeps, [2]string{sleeps + mark, literal + mark}, "Sleeps other:28", "other", 4},
		"they differ in initialisers":          {starts, [2]string{starts + mark, runs + mark}, "", "init", 4},
		"they record types":                    {sleeps + recorded, [2]string{sleeps + mark + recorded, sleeps + mark + recorded}, "Sleeps", "", 4},
		"they record no types":                 {sleeps + recorded, [2]string{sleeps + mark + recorded, sleeps + mark}, "Sleeps", "", 4},
		"they follow a type":                   {sleeps + recorded, [2]string{sleeps + mark + recorded + "followed 7\n", sleeps + mark + recorded}, "Sleeps", "", 4},
	} {
		runs, longRuns := 0, 0
		c, err := observeSource(sources, func(long bool) (io.ReadCloser, error) {
			runs++
			profile := test.short
			if long {
				profile = test.long[longRuns]
				longRuns++
			}
			if profile == "" {
				return nil, errors.New("it fails")
			}
			return io.NopCloser(strings.NewReader(profile)), nil
		})
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		var executed, varying []string
		for _, name := range []string{"Sleeps", "cleans", "ends", "expired", "sweep"} {
			if !slices.Contains(c.Idle, "example.com/x."+name) {
				executed = append(executed, name)
			}
		}
		if !slices.Contains(c.Literals, "example.com/x.other:28") {
			executed = append(executed, "other:28")
		}
		for _, name := range c.Varying {
			varying = append(varying, strings.TrimPrefix(name, "example.com/x."))
		}
		for _, name := range c.Timed {
			varying = append(varying, "timed:"+strings.TrimPrefix(name, "example.com/x."))
		}
		if strings.Join(executed, " ") != test.executed || strings.Join(varying, " ") != test.varying || runs != test.runs {
			t.Errorf("%s: %q are executed and %q vary after %d runs, want %q, %q and %d", what, executed, varying, runs, test.executed, test.varying, test.runs)
		}
		records, follows := slices.Contains([]string{"they record types", "they follow a type"}, what), slices.Equal(c.Followed, []int{7})
		if c.Recorded != records || follows != (what == "they follow a type") {
			t.Errorf("%s: types are recorded: %t, followed %d", what, c.Recorded, c.Followed)
		}
	}
	differ := 0
	_, err := observeSource(append(sources, Source{Path: "example.com/m", Dir: dir, Files: []string{"moved.go"}}), func(long bool) (io.ReadCloser, error) {
		if long {
			differ++
		}
		return io.NopCloser(strings.NewReader(fmt.Sprintf("%sexample.com/m/moved.go:1.1,1.2 1 %d\n%s", sleeps, differ%2, mark))), nil
	})
	if err == nil || err.Error() != "its runs do not execute the same: moved.go:1.1,1.2" {
		t.Errorf("%v, and a function without a name varies", err)
	}
}

// What only runs with a fast clock execute comes with time, if long runs show that. What some of them execute is chance.
func TestTimed(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.go"), []byte("package x\n\nfunc waits() { time.Sleep(1) }\n\nfunc f() {\n\tif n > 0 {\n\t\tn++\n\t}\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for what, test := range map[string]struct {
		executes       []int // runs, from 1; every second one is fast
		fails          bool
		varying, timed string
	}{
		"all":                             {[]int{1, 2, 3, 4, 5, 6, 7, 8}, false, "", ""},
		"none":                            {nil, false, "", ""},
		"fast runs":                       {[]int{2, 4, 6, 8}, false, "", "example.com/x.f"},
		"slow runs":                       {[]int{1, 3, 5, 7}, false, "", "example.com/x.f"},
		"fast runs, and nothing is known": {[]int{2, 4, 6, 8}, true, "example.com/x.f example.com/x.waits", ""},
		"a fast run":                      {[]int{2}, false, "example.com/x.f", ""},
		"a slow run":                      {[]int{1}, false, "example.com/x.f", ""},
		"all but a fast run":              {[]int{1, 3, 4, 5, 6, 7, 8}, false, "example.com/x.f", ""},
		"all but a slow run":              {[]int{2, 3, 4, 5, 6, 7, 8}, false, "example.com/x.f", ""},
	} {
		run := 0
		c, err := observeSource([]Source{{Path: "example.com/x", Dir: dir, Files: []string{"x.go"}}}, func(long bool) (io.ReadCloser, error) {
			run++
			if long && test.fails {
				return nil, errors.New("it fails")
			}
			n := 0
			if slices.Contains(test.executes, run) {
				n = 1
			}
			profile := fmt.Sprintf("mode: set\nexample.com/x/x.go:3.14,3.31 1 1\nexample.com/x/x.go:5.10,6.12 1 1\nexample.com/x/x.go:6.12,8.3 1 %d\n", n)
			if long {
				profile += "long 1\n"
			}
			return io.NopCloser(strings.NewReader(profile)), nil
		})
		if err != nil || strings.Join(c.Varying, " ") != test.varying || strings.Join(c.Timed, " ") != test.timed {
			t.Errorf("%s: %v, %q vary and %q are timed, want %q and %q", what, err, c.Varying, c.Timed, test.varying, test.timed)
		}
	}
}

// Code of tests is not counted. What it calls after a wait is executed in long runs, or not known.
func TestTestsThatWait(t *testing.T) {
	const waits = "func init() { go func() { for range time.Tick(1) { Sweep() } }() }"
	for text, long := range map[string]bool{
		waits: true, strings.Replace(waits, "init()", "TestMain(m *testing.M)", 1): true, strings.Replace(waits, "init()", "start()", 1): true,
		strings.Replace(waits, "init()", "(t Test) start()", 1):    true,
		strings.Replace(waits, "init()", "TestX(t *testing.T)", 1): false, strings.Replace(waits, "init()", "ExampleX()", 1): false,
		strings.Replace(waits, "init()", "FuzzX(f *testing.F)", 1): false, "func init() { Sweep() }": false,
		"var sleep = time.Sleep": true, "var zone = time.UTC": false,
		"import clock \"time\"\n\nfunc init() { clock.Sleep(1) }": true, "func init() { runtime.AddCleanup(x, y, z) }": true,
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"x.go": "package x\n\nfunc Sweep() {}\n", "x_test.go": "package x\n\n" + text + "\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		sources := []Source{{Path: "example.com/x", Dir: dir, Files: []string{"x.go", "x_test.go"}}}
		for _, fails := range []bool{false, true} {
			c, err := observeSource(sources, func(isLong bool) (io.ReadCloser, error) {
				if isLong && fails {
					return nil, errors.New("it fails")
				}
				profile := "mode: set\nexample.com/x/x.go:3.14,3.15 0 0\n"
				if isLong {
					profile = "mode: set\nexample.com/x/x.go:3.14,3.15 0 1\nlong 1\n"
				}
				return io.NopCloser(strings.NewReader(profile)), nil
			})
			switch {
			case long && fails:
				if err == nil {
					t.Errorf("%s: what it executes is known, and long runs fail", text)
				}
			case err != nil || (len(c.Idle) == 0) != long:
				t.Errorf("%s: %v, idle are %q; there are long runs: %t", text, err, c.Idle, long)
			}
		}
	}
}

// TestCoverageOfTypes finds out at which types runs have looked. It is not known if one of them has not recorded it.
func TestCoverageOfTypes(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.go"), []byte("package x\n\nfunc f(n int) {\n\tif n > 0 {\n\t\treturn\n\t}\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sources := []Source{{Path: "example.com/x", Dir: dir, Files: []string{"x.go"}}}
	const whole = "example.com/x/x.go:3.15,4.11 1 1\nexample.com/x/x.go:4.11,6.3 1 1\n"
	for what, test := range map[string]struct {
		profiles []string
		want     Coverage
	}{
		"at none":             {[]string{whole + "recorded 65536\n"}, Coverage{Recorded: true}},
		"at three":            {[]string{whole + "recorded 65536\nfollowed 7\nlooked 7\nfollowed 65535\n"}, Coverage{Recorded: true, Followed: []int{7, 65535}, Looked: []int{7}}},
		"at others each time": {[]string{whole + "recorded 65536\nfollowed 7\n", whole + "recorded 65536\nfollowed 5\nlooked 1\n"}, Coverage{Recorded: true, Followed: []int{5, 7}, Looked: []int{1}}},
		"not known":           {[]string{whole}, Coverage{}},
		"not known of one":    {[]string{whole + "recorded 65536\n", whole}, Coverage{}},
		"told apart by less":  {[]string{whole + "recorded 256\nfollowed 7\n"}, Coverage{}},
	} {
		runs := 0
		c, err := observeSource(sources, func(bool) (io.ReadCloser, error) {
			runs++
			return io.NopCloser(strings.NewReader("mode: set\n" + test.profiles[min(runs, len(test.profiles))-1])), nil
		})
		if strings.HasPrefix(what, "told") {
			if err == nil {
				t.Errorf("%s: %+v", what, c)
			}
			continue
		}
		if err != nil || c.Recorded != test.want.Recorded || !slices.Equal(c.Followed, test.want.Followed) || !slices.Equal(c.Looked, test.want.Looked) {
			t.Errorf("%s: %+v, %v", what, c, err)
		}
	}
}

func TestOwnersOfLiterals(t *testing.T) {
	for symbol, want := range map[string]string{
		"example.com/x.F.func1": "example.com/x.F", "example.com/x.F.func1.2": "example.com/x.F", "example.com/x.F.func12.3.4": "example.com/x.F",
		"example.com/x.F[go.shape.struct { Y []example.com/y.func1 }].func2": "example.com/x.F",
		"example.com/x.T.M.func1":                    "example.com/x.T.M",
		"example.com/x.(*T).M.func1":                 "example.com/x.T.M",
		"example.com/x.(*T[go.shape.int]).M.func1.2": "example.com/x.T.M",
		"example.com/x.T.func1.func2":                "example.com/x.T.func1",
		"example.com/x.glob..func1":                  "example.com/x.init",
		"example.com/x.init.func1":                   "example.com/x.init",
		"example.com/x.init.0.func1":                 "example.com/x.init",
		"example.com/x.suiteInit_a_b.func1":          "example.com/x.init",
		"gopkg.in/yaml%2ev3.F.func1":                 "gopkg.in/yaml%2ev3.F",
		// a function, a method func1 of T, and what is no literal or is copied from another function
		"example.com/x.F": "", "example.com/x.func1": "", "example.com/x.T.func1": "example.com/x.T", "example.com/x.(*T).func1": "", "example.com/x.init.0": "",
		"example.com/x.map.init.0": "", "example.com/x.F.gowrap1": "", "example.com/x.F.func1.gowrap1": "", "example.com/x.F.deferwrap1": "", "example.com/x.F-range1": "",
		"example.com/x.F.func1-range1": "", "example.com/x.T.M-fm": "", "example.com/x.F.func1-fm": "", "example.com/x.init.New.func1": "example.com/x.init.New",
		"example.com/x.F.T.M.func1": "", "example.com/x.F.(*T).M.func1": "", "example.com/x.(*T).M.G.func1": "", "example.com/x.F.func1.G.1": "",
		"example.com/x.glob..G.func1": "", "example.com/x.F·1.func1": "", "": "",
	} {
		if got := literalOwner(symbol); got != want {
			t.Errorf("%s: %q, want %q", symbol, got, want)
		}
	}
}

// Literals that are not known by their lines count as executed.
func TestCoverageOfLiterals(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"x.go": "package x\n\nvar a = func() {}\n\nfunc F(g func()) {\n\tg()\n\t_ = func() {}\n\t_ = func(\n\t) {}\n\tF(func() { _ = func() {} }); _ = func() {}\n}\n\n" +
			"func init() { _ = func() {} }\n\nfunc idle() { _ = func() {} }\n\ntype T int\n\nfunc (T) init() { _ = func() {} }\n",
		"x_test.go": "package x\n\nfunc testing() { _ = func() {} }\n",
		"moved.go":  "package x\n\n//line x.go:3\nvar b = func() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const profile = `mode: set
example.com/x/x.go:3.16,3.17 0 0
example.com/x/x.go:5.18,7.13 2 1
example.com/x/x.go:7.13,7.14 0 0
example.com/x/x.go:9.4,9.5 0 0
example.com/x/x.go:10.11,10.23 1 0
example.com/x/x.go:10.23,10.24 0 0
example.com/x/x.go:10.42,10.43 0 1
example.com/x/x.go:13.26,13.27 0 0
example.com/x/x.go:15.13,15.25 1 0
example.com/x/x.go:15.25,15.26 0 0
example.com/x/x.go:19.18,19.30 1 1
example.com/x/x.go:19.30,19.31 0 0
`
	at := func(names ...string) (all []string) {
		for _, name := range names {
			all = append(all, "example.com/x."+name)
		}
		return all
	}
	for _, test := range []struct {
		files []string
		want  []string
	}{
		{[]string{"x.go", "x_test.go"}, at("F:7", "F:8", "F:9", "T.init:19", "init:13", "init:3")},
		{[]string{"x.go", "moved.go"}, at("F:7", "F:8", "F:9")}, // and that of a method init, which counts with the variables
	} {
		c, err := observeSource([]Source{{Path: "example.com/x", Dir: dir, Files: test.files}}, func(bool) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(profile)), nil
		})
		if err != nil || !slices.Equal(c.Literals, test.want) {
			t.Errorf("%q: %q, %v, want %q", test.files, c.Literals, err, test.want)
		}
	}
}

// TestCountersOfTheToolchain finds the packages of this toolchain that count methods. Each of them was read: asn1 and
// text/template count those of interfaces, encoding/json asks for an interface in addition, the others find methods too.
func TestCountersOfTheToolchain(t *testing.T) {
	known := []string{"encoding/asn1", "encoding/json", "internal/abi", "internal/reflectlite", "net/rpc", "reflect", "text/template",
		"crypto/internal/cryptotest"} // is for tests of the toolchain
	root, counts := filepath.Join(build.Default.GOROOT, "src"), regexp.MustCompile(`\.(NumMethod|StructOf|exportedMethods|ExportedMethods)\(`)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "cmd" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		pkg, _ := filepath.Rel(root, filepath.Dir(path))
		if counts.Match(text) && !slices.Contains(known, filepath.ToSlash(pkg)) {
			t.Errorf("package %s counts methods", pkg)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestCallingOfTheToolchain reads the numbers of functions of the runtime in object files of this toolchain.
func TestCallingOfTheToolchain(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(build.Default.GOROOT, "src/cmd/internal/goobj/builtinlist.go"))
	if err != nil {
		t.Skip(err)
	}
	release := strings.Join(strings.SplitN(runtime.Version(), ".", 3)[:2], ".")
	var numbers []uint32
	for i, entry := range regexp.MustCompile(`(?m)^\t\{"(.*)", \d\},$`).FindAllSubmatch(text, -1) {
		if slices.Contains([]string{"runtime.newproc", "runtime.deferproc", "runtime.deferprocStack", "runtime.deferprocat"}, string(entry[1])) {
			numbers = append(numbers, uint32(i))
		}
	}
	if known := calling[release]; known != nil && !slices.Equal(numbers, known) {
		t.Errorf("%s has %d, want %d", release, numbers, known)
	}
}
