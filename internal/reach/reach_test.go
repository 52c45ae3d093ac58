package reach_test

import (
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/build"
	"example.com/suite/internal/reach"
	"example.com/suite/internal/testfile"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestMain collects garbage seldom: compilers and linkers do so for a third of their time otherwise.
func TestMain(m *testing.M) {
	debug.SetGCPercent(800)
	os.Setenv("GOGC", "800")
	os.Exit(m.Run())
}

// TestReach compares two trees that differ in many places. Each benchmark of the base is affected or not;
// the names of those that are not are in the list.
func TestReach(t *testing.T) {
	same := map[string][]string{
		"example.com/reach/code":    {"BenchmarkCommented", "BenchmarkDynamic", "BenchmarkEmpty", "BenchmarkNeighbour", "BenchmarkSquare", "BenchmarkTicket"},
		"example.com/reach/initial": nil, "example.com/reach/mains": nil, "example.com/reach/alias": nil,
		"example.com/reach/imports": {"BenchmarkCount"}, "example.com/reach/news": nil, "example.com/reach/pushes": nil, "example.com/reach/turned": nil,
		"example.com/reach/starts": nil,
	}
	paths := map[string]string{
		"BenchmarkDirect":     "BenchmarkDirect → Direct (code.go:29)",
		"BenchmarkInlined":    "BenchmarkInlined → Outer (code.go:34)",
		"BenchmarkDeep":       "BenchmarkDeep → Deep → deeper → deepest (code.go:43)",
		"BenchmarkGroup":      "BenchmarkGroup → Deep → deeper → deepest (code.go:43)",
		"BenchmarkInterface":  "BenchmarkInterface → type Circle → (*Circle).Area ()",
		"BenchmarkGeneric":    "BenchmarkGeneric → pick[go.shape.string] (code.go:81)",
		"BenchmarkTable":      "BenchmarkTable → table ()",
		"BenchmarkEmbedded":   "BenchmarkEmbedded → data ()",
		"BenchmarkAlloc":      "BenchmarkAlloc → type message ()",
		"BenchmarkBoxed":      "BenchmarkBoxed → type Boxed ()",
		"BenchmarkDependency": "BenchmarkDependency → dep.Used (dep.go:4)",
		"BenchmarkLinkname":   "BenchmarkLinkname → pulled → other.hidden (other.go:7)",
		"BenchmarkBoth":       "BenchmarkBoth → y ()",
		"BenchmarkStart":      "the main function ()",
		"BenchmarkFirst":      "initialisers of b ()",
		"BenchmarkNames":      "initialisers of initial → init.0 (initial.go:7)",
	}
	base, here := trees(t, "testdata/changes.txtar")
	before, after := archives(t, base), archives(t, here)
	for pkg, unaffected := range same {
		c, err := reach.New(before[pkg], after[pkg])
		if err != nil {
			t.Fatal(pkg, err)
		}
		var got []string
		for _, name := range benchmarks(t, filepath.Join(base, filepath.Base(pkg))) {
			d, err := c.Benchmark(name)
			if err != nil {
				t.Error(name, err)
				continue
			}
			if d == nil {
				got = append(got, name)
				continue
			}
			way := strings.Join(d.Path, " → ") + " (" + d.Place + ")"
			t.Logf("%s: %s", name, way)
			if want := paths[name]; want != "" && want != way {
				t.Errorf("%s: %s, want %s", name, way, want)
			}
		}
		if !slices.Equal(got, unaffected) {
			t.Errorf("%s: %q cannot reach a change, want %q", pkg, got, unaffected)
		}
	}
	executing(t, before["example.com/reach/code"], after["example.com/reach/code"])
	for pkg := range same { // the same trees
		if c, err := reach.New(before[pkg], before[pkg]); err != nil {
			t.Error(pkg, err)
		} else if d, err := c.Benchmark(benchmarks(t, filepath.Join(base, filepath.Base(pkg)))[0]); d != nil || err != nil {
			t.Error(pkg, d, err)
		}
	}
}

// executing asks for a benchmark that can reach a change in deepest by what it has executed.
func executing(t *testing.T, before, after []reach.Archive) {
	t.Helper()
	of := func(functions ...string) (all []string) {
		for _, name := range functions {
			all = append(all, "example.com/reach/code."+name)
		}
		return all
	}
	c, err := reach.New(before, after)
	if err != nil {
		t.Fatal(err)
	}
	const whole, held = "BenchmarkDeep → Deep → deeper → deepest", "BenchmarkHeld → Deep → deeper → deepest"
	for _, test := range []struct {
		idle, varying []string
		want          string
		might         bool
	}{
		{nil, nil, whole, false},
		{of("Direct"), of("Deep"), whole, false},
		{of("deepest"), nil, "", false},
		{of("deeper"), nil, "", false},
		{of("deepest"), of("Direct"), "", false}, // the benchmark has nothing to do with it
		{of("deepest"), of("deeper"), whole, true},
		{of("deeper", "deepest"), of("Deep"), whole, true},
	} {
		for range 2 { // what one question leaves behind is no answer to the next
			d, err := c.Executing("BenchmarkDeep", &reach.Coverage{Idle: test.idle, Varying: test.varying})
			got := pathOf(d)
			if err != nil || got != test.want || d != nil && d.Might != test.might {
				t.Errorf("idle %q, varying %q: %s, %v; want %s", test.idle, test.varying, got, err, test.want)
			}
		}
	}
	// A function that calls others by their addresses may call any of which the address is known.
	for _, test := range []struct {
		idle, varying, want string
	}{
		{"Deep", "Neighbour", ""}, {"Deep", "Held", held}, {"deeper", "Held", ""},
	} {
		d, err := c.Executing("BenchmarkHeld", &reach.Coverage{Idle: of(test.idle), Varying: of(test.varying)})
		if got := pathOf(d); err != nil || got != test.want || d != nil && !d.Might {
			t.Errorf("%s, which was not executed, and %s, which varies: %s, %v; want %s", test.idle, test.varying, got, err, test.want)
		}
	}
}

func pathOf(d *reach.Difference) string {
	if d == nil {
		return ""
	}
	return strings.Join(d.Path, " → ")
}

// trees unpacks an archive into two folders.
func trees(t testing.TB, file string) (base, here string) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	base, here = filepath.Join(t.TempDir(), "base"), filepath.Join(t.TempDir(), "here")
	files := map[string][]byte{}
	for _, f := range archive.Files {
		if rest, ofHere := strings.CutPrefix(f.Name, "here/"); ofHere {
			files[rest] = f.Data
			continue
		}
		files[f.Name] = f.Data
		write(t, filepath.Join(base, f.Name), f.Data)
	}
	for name, data := range files {
		write(t, filepath.Join(here, name), data)
	}
	return base, here
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	testfile.Write(t, path, data)
}

// archives lists the compiled packages of each test binary, by the path of its package.
func archives(t testing.TB, dir string) map[string][]reach.Archive {
	t.Helper()
	all, err := build.Archives(t.Context(), build.Request{Dir: dir, Packages: []string{"./..."}, Flags: []string{"-trimpath"}, Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// benchmarks lists the functions in the tests of a folder, in alphabetical order.
func benchmarks(t testing.TB, dir string) []string {
	t.Helper()
	names := map[string]bool{}
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	for _, file := range files {
		text := testfile.Read(t, file)
		for _, line := range strings.Split(string(text), "\n") {
			if rest, ok := strings.CutPrefix(line, "func Benchmark"); ok {
				name, _, _ := strings.Cut(rest, "(")
				names["Benchmark"+name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// TestMethodsThatNobodyLooksAt compares types that gain or lose methods, for benchmarks whose runs have not looked at the
// methods of a type. What an interface asks for counts, by name and type, wherever the interface is.
func TestMethodsThatNobodyLooksAt(t *testing.T) {
	base, here := trees(t, "testdata/methods.txtar")
	all, others := archives(t, base), archives(t, here)
	before, after := all["example.com/methods"], others["example.com/methods"]
	unaffected := []string{"BenchmarkBoundOther", "BenchmarkEmbeds", "BenchmarkFewer", "BenchmarkFirst", "BenchmarkFirstValue", "BenchmarkFormatting",
		"BenchmarkGeneric", "BenchmarkHolding", "BenchmarkLast", "BenchmarkOther", "BenchmarkOtherNamed", "BenchmarkPlain", "BenchmarkRetyped", "BenchmarkValue"}
	decide := func(coverage reach.Coverage, more ...reach.Archive) (same []string) {
		c, err := reach.New(slices.Concat(before, more), slices.Concat(after, more))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range benchmarks(t, base) {
			d, err := c.Executing(name, &coverage)
			if err != nil {
				t.Error(name, err)
			}
			if d == nil {
				same = append(same, name)
			} else {
				t.Logf("%s: %s", name, strings.Join(d.Path, " → "))
			}
		}
		return same
	}
	if same := decide(reach.Coverage{Recorded: true}); !slices.Equal(same, unaffected) {
		t.Errorf("%q execute no change, want %q", same, unaffected)
	}
	every := make([]int, reach.TypesRecorded)
	for i := range every {
		every[i] = i
	}
	if same := decide(reach.Coverage{Recorded: true, Followed: every}); !slices.Equal(same, unaffected) {
		t.Errorf("%q execute no change if their runs follow types, want %q", same, unaffected)
	}
	if same := decide(reach.Coverage{Recorded: true, Followed: every, Looked: every}); len(same) > 0 {
		t.Errorf("%q execute no change, although their runs look at methods", same)
	}
	if same := decide(reach.Coverage{}); len(same) > 0 {
		t.Errorf("%q execute no change, although their runs may look at methods", same)
	}
	c, err := reach.New(all["example.com/methods/named"], others["example.com/methods/named"])
	if err != nil {
		t.Fatal(err)
	}
	if d, err := c.Executing("BenchmarkNamed", &reach.Coverage{Recorded: true}); d == nil || err != nil {
		t.Errorf("a first method of a type with a named pointer: %v, %v", d, err)
	}
	plugin := before[slices.IndexFunc(before, func(a reach.Archive) bool { return a.Path == "errors" })]
	plugin.Path = "plugin" // a package that is loaded while a program runs may have interfaces that nobody knows
	if same := decide(reach.Coverage{Recorded: true}, plugin); len(same) > 0 {
		t.Errorf("%q execute no change in a program with plugins", same)
	}
}

// TestElementsThatNobodyFollows compares types that have another field, for benchmarks whose runs have not followed the
// type of a pointer or a slice to that of its elements. Who makes a value of such a type, or has one in another value,
// refers to it.
func TestElementsThatNobodyFollows(t *testing.T) {
	base, here := trees(t, "testdata/elements.txtar")
	before, after := archives(t, base)["example.com/elements"], archives(t, here)["example.com/elements"]
	arena := before[slices.IndexFunc(before, func(a reach.Archive) bool { return a.Path == "errors" })]
	arena.Path = "arena" // it makes a value by the type of a pointer
	every := make([]int, reach.TypesRecorded)
	for i := range every {
		every[i] = i
	}
	for _, test := range []struct {
		what       string
		coverage   reach.Coverage
		more       []reach.Archive
		unaffected []string
	}{
		{"their runs follow none", reach.Coverage{Recorded: true}, nil, []string{"BenchmarkChannel", "BenchmarkEmbeds",
			"BenchmarkInterface", "BenchmarkMap", "BenchmarkParameter", "BenchmarkPointer", "BenchmarkSlice"}},
		{"they may follow one", reach.Coverage{Recorded: true, Varying: []string{"example.com/elements.Any"}}, nil, nil},
		{"it is not known", reach.Coverage{}, nil, nil},
		{"they follow all", reach.Coverage{Recorded: true, Followed: every}, nil, nil},
		{"the program has package arena", reach.Coverage{Recorded: true}, []reach.Archive{arena}, nil},
	} {
		c, err := reach.New(slices.Concat(before, test.more), slices.Concat(after, test.more))
		if err != nil {
			t.Fatal(err)
		}
		var same []string
		for _, name := range benchmarks(t, base) {
			d, err := c.Executing(name, &test.coverage)
			if err != nil {
				t.Error(name, err)
			}
			if d == nil {
				same = append(same, name)
			} else {
				t.Logf("%s: %s", name, strings.Join(d.Path, " → "))
			}
		}
		if !slices.Equal(same, test.unaffected) {
			t.Errorf("if %s: %q execute no change, want %q", test.what, same, test.unaffected)
		}
	}
}

// TestMethodsThatNobodyCalls compares types whose methods have other code, which counts if an interface asks for the method
// or package reflect may find it, by whatever way a function of it is called.
func TestMethodsThatNobodyCalls(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	base, here := trees(t, "testdata/finders.txtar")
	before, after := archives(t, base), archives(t, here)
	linked := t.TempDir() // takes a second: eleven small programs, with symbols but nothing for debuggers
	link := exec.Command("go", "test", "-c", "-vet=off", "-trimpath", "-ldflags=-w", "-o", linked, "./...")
	link.Dir, link.Env = base, append(os.Environ(), "GOGC=off") // a link takes 100 MB
	if text, err := link.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	const counts = "type held.Held → held.(*Held).Unasked"
	for name, want := range map[string]string{
		"none Asks": "", "none Direct": "held.Direct → held.(*Held).Unasked", "other Asks": "", "other OtherType": "",
		"asks Asks": counts, "byname Finds": counts, "byconst Finds": counts, "byother Finds": "", "bytype Finds": counts, "bynumber Finds": counts,
		"byvalue Finds": counts, "bybound Finds": counts, "bygeneric Finds": counts, "bylink Finds": counts,
	} {
		pkg, benchmark, _ := strings.Cut(name, " ")
		pkg = "example.com/finders/" + pkg
		c, err := reach.New(before[pkg], after[pkg])
		if err != nil {
			t.Fatal(err)
		}
		c.Linked(filepath.Join(linked, path.Base(pkg)+".test"), filepath.Join(linked, path.Base(pkg)+".test")) // both call the same
		d, err := c.Benchmark("Benchmark" + benchmark)
		got := ""
		if d != nil {
			got = strings.Join(d.Path[1:], " → ")
		}
		if err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", name, got, err, want)
		}
	}
}

// TestInitialisers compares packages that initialise variables in another way. It counts for all benchmarks what may have
// changed more than variables of the package, and the rest for those that can reach it.
func TestInitialisers(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	base, here := trees(t, "testdata/initialisers.txtar")
	var splits [2]func(of, pkg string) (reach.Units, error)
	for i, dir := range []string{base, here} {
		addBenchmarks(t, dir)
		var err error
		splits[i], err = build.Splits(t.Context(), build.Request{Dir: dir, Packages: []string{"./..."},
			Flags: []string{"-trimpath"}, Cache: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
	}
	type question struct{ pkg, path string }
	known := map[question][2]reach.Units{} // a split takes two runs of go
	split := func(pkg, path string) [2]reach.Units {
		both, found := known[question{pkg, path}]
		for i := range both {
			if found {
				break
			}
			var err error
			if both[i], err = splits[i](pkg, path); err != nil {
				t.Error(path, err)
			}
		}
		known[question{pkg, path}] = both
		return both
	}
	before, after := archives(t, base), archives(t, here)
	for _, test := range []struct{ pkg, benchmark, want string }{
		{"quiet", "Other", ""},
		{"quiet", "Table", "BenchmarkTable → table"},
		{"quiet", "Named", "BenchmarkNamed → names → initialisers of quiet"},
		{"quiet", "Hooked", "BenchmarkHooked → hook → init"},
		{"quiet", "Pointed", "BenchmarkPointed → pointer → initialisers of quiet"},
		{"quiet", "Counted", "BenchmarkCounted → counter → initialisers of quiet"},
		{"registers", "Other", ""},
		{"registers", "Uses", "BenchmarkUses → all → initialisers of registers"},
		{"order", "Other", "initialisers of order"},
		{"elsewhere", "Other", "initialisers of elsewhere"},
		{"hidden", "Other", "initialisers of hidden"},
		{"value", "Other", "initialisers of value"},
		{"captured", "Other", "initialisers of captured"},
		{"jumps", "Other", "initialisers of jumps"},
		{"goroutine", "Other", "initialisers of goroutine"},
		{"address", "Other", "initialisers of address"},
		{"linked", "Other", "initialisers of linked"},
		{"assembly", "Other", "initialisers of assembly"},
		{"pulled", "Other", "initialisers of pulled"},
		{"closed", "Other", "x → initialisers of closed"},
		{"iterates", "Other", "initialisers of iterates"},
		{"received", "Other", "initialisers of received → init.0 → queue → initialisers of received"},
		{"inits", "Other", "initialisers of inits → init.0 → limit → initialisers of inits"},
		{"added", "Other", ""},
		{"imports", "Other", ""},
	} {
		pkg := "example.com/units/" + test.pkg
		c, err := reach.New(before[pkg], after[pkg])
		if err != nil {
			t.Fatal(pkg, err)
		}
		if d, err := c.Benchmark("Benchmark" + test.benchmark); d == nil || err != nil {
			t.Errorf("%s of %s is the same without splitting: %v", test.benchmark, test.pkg, err)
		}
		c.SplitBy(func(path string) ([2]reach.Units, error) { return split(pkg, path), nil })
		d, err := c.Benchmark("Benchmark" + test.benchmark)
		got := ""
		if d != nil {
			got = strings.Join(d.Path, " → ")
		}
		if err != nil || got != test.want {
			t.Errorf("%s of %s: %s, %v; want %s", test.benchmark, test.pkg, got, err, test.want)
		}
	}
}

// addBenchmarks writes benchmarks of Other and Uses for the packages without tests.
func addBenchmarks(t testing.TB, dir string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "*", "p.go"))
	for _, file := range files {
		text := testfile.Read(t, file)
		test := filepath.Join(filepath.Dir(file), "p_test.go")
		if _, err := os.Stat(test); err == nil {
			continue
		}
		added := "package " + filepath.Base(filepath.Dir(file)) + "\n\nimport \"testing\"\n\nvar sink any\n"
		for _, name := range []string{"Other", "Uses"} {
			if strings.Contains(string(text), "func "+name+"(") {
				added += "\nfunc Benchmark" + name + "(b *testing.B) { sink = " + name + "() }\n"
			}
		}
		write(t, test, []byte(added))
	}
}
