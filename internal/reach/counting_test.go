package reach_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/suite/internal/reach"
)

// countingModule has a type that gains a method for which no interface asks, and a dependency that counts methods.
var countingModule = map[string]string{
	"go.mod":         "module example.com/counting\n\ngo 1.24\n",
	"held/held.go":   "package held\n\ntype Held struct{ N int }\n\nfunc (h *Held) One() int { return h.N }\n",
	"other/other.go": "package other\n\nimport \"reflect\"\n\n//go:noinline\nfunc Count(t reflect.Type) int { return t.NumMethod() }\n",
}

const gained = "\nfunc (h *Held) Two() int { return h.N }\n"

// programs are functions that may count the methods of a value, and the packages that they import. Those of the first
// table do not.
var (
	countingNothing = map[string][2]string{
		"nothing": {"", "func count(x any) int { return reflect.TypeOf(x).NumField() }"},
		"json":    {"encoding/json", `func count(x any) int { _ = json.Unmarshal([]byte("{}"), x); return reflect.ValueOf(x).NumField() }`},
		"boxed":   {"", "var box any\n\nfunc count(x any) int { v := reflect.ValueOf(x); box = &v; return v.Elem().NumField() }"},
		"nobody":  {"", "func count(any) int { return 0 }\n\nfunc Counts(x any) int { return reflect.ValueOf(x).NumMethod() }"},
		"another": {"", "//go:noinline\nfunc of(t reflect.Type) { _, _ = t.MethodByName(\"One\") }\n\nfunc count(x any) int { of(reflect.TypeOf(x)); return 0 }"},
		"shaped":  {"", "type box[T any] struct{ v T }\n\n//go:noinline\nfunc (b *box[T]) get() T { return b.v }\n\nfunc count(x any) int { return (&box[reflect.Type]{reflect.TypeOf(x)}).get().NumField() }"},
	}
	countingMethods = map[string][2]string{
		"value":     {"", "func count(x any) int { return reflect.ValueOf(x).NumMethod() }"},
		"direct":    {"", "func count(x any) int { return reflect.TypeOf(x).NumMethod() }"},
		"parameter": {"", "//go:noinline\nfunc of(t reflect.Type) int { return t.NumMethod() }\n\nfunc count(x any) int { return of(reflect.TypeOf(x)) }"},
		"function":  {"", "var of = reflect.Value.NumMethod\n\nfunc count(x any) int { return of(reflect.ValueOf(x)) }"},
		"method":    {"", "var of = reflect.Type.NumMethod\n\nfunc count(x any) int { return of(reflect.TypeOf(x)) }"},
		"bound":     {"", "//go:noinline\nfunc of(t reflect.Type) func() int { return t.NumMethod }\n\nfunc count(x any) int { return of(reflect.TypeOf(x))() }"},
		"deferred":  {"", "func count(x any) int { t := reflect.TypeOf(x); defer t.NumMethod(); return 0 }"},
		"interface": {"", "//go:noinline\nfunc of(t any) int { return t.(interface{ NumMethod() int }).NumMethod() }\n\nfunc count(x any) int { return of(reflect.TypeOf(x)) }"},
		"wider":     {"", "type wider interface {\n\treflect.Type\n}\n\n//go:noinline\nfunc of(t wider) int { return t.NumMethod() }\n\nfunc count(x any) int { return of(reflect.TypeOf(x)) }"},
		"generic":   {"", "//go:noinline\nfunc of[T interface{ NumMethod() int }](t T) int { return t.NumMethod() }\n\nfunc count(x any) int { return of(reflect.TypeOf(x)) }"},
		"embedded":  {"", "type held2 struct{ reflect.Type }\n\nfunc count(x any) int { return held2{reflect.TypeOf(x)}.NumMethod() }"},
		"linked":    {"_ unsafe", "//go:linkname of reflect.(*rtype).NumMethod\nfunc of(*byte) int\n\nfunc count(x any) int { return of((*byte)(reflect.ValueOf(reflect.TypeOf(x)).UnsafePointer())) }"},
		"copied":    {"", "func count(x any) int { return reflect.StructOf([]reflect.StructField{{Name: \"Held\", Type: reflect.TypeOf(x), Anonymous: true}}).NumField() }"},
		"found":     {"", "//go:noinline\nfunc of(t reflect.Type) { _, _ = t.MethodByName(\"Two\") }\n\nfunc count(x any) int { of(reflect.TypeOf(x)); return 0 }"},
		"byname":    {"", "//go:noinline\nfunc of(t reflect.Type) { _, _ = t.MethodByName(\"NumMethod\") }\n\nfunc count(x any) int { of(reflect.TypeOf(reflect.TypeOf(x))); return 0 }"},
		"numbered":  {"", "func count(x any) int { return reflect.ValueOf(x).Method(0).Type().NumIn() }"},
		"elsewhere": {"example.com/counting/other", "func count(x any) int { return other.Count(reflect.TypeOf(x)) }"},
	}
)

// TestMethodsThatNobodyCounts compares programs of a type that gains a method. No run has looked at methods, but runs have
// executed different parts: what they might execute counts if it counts methods, in whatever way, or finds this one.
func TestMethodsThatNobodyCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	var dirs [2]string
	for i := range dirs {
		dirs[i] = t.TempDir()
		for name, text := range countingModule {
			if i == 1 && strings.HasPrefix(name, "held/") {
				text += gained
			}
			write(t, filepath.Join(dirs[i], name), []byte(text))
		}
		for _, table := range []map[string][2]string{countingNothing, countingMethods} {
			for name, program := range table {
				text := "package p\n\nimport (\n\t\"reflect\"\n\t\"testing\"\n\n\t\"example.com/counting/held\"\n"
				if program[0] != "" {
					as, path, named := strings.Cut(program[0], " ")
					if !named {
						as, path = "", program[0]
					}
					text += "\t" + as + " \"" + path + "\"\n"
				}
				text += ")\n\n" + program[1] +
					"\n\nvar sum int\n\nfunc BenchmarkHolds(b *testing.B) {\n\tx := any(&held.Held{})\n\tsum = reflect.ValueOf(x).Elem().NumField()\n" +
					"\tif b.N == 0 {\n\t\tsum = count(x)\n\t}\n}\n"
				write(t, filepath.Join(dirs[i], name, "p_test.go"), []byte(text))
				write(t, filepath.Join(dirs[i], name, "empty.s"), nil) // a function without body is linked by name
			}
		}
	}
	linked := t.TempDir()
	link := exec.Command("go", "test", "-c", "-vet=off", "-trimpath", "-ldflags=-w", "-o", linked, "./...")
	link.Dir, link.Env = dirs[0], append(os.Environ(), "GOGC=off")
	if text, err := link.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	before, after := archives(t, dirs[0]), archives(t, dirs[1])
	decide := func(name string, coverage reach.Coverage) string {
		pkg, file := "example.com/counting/"+name, filepath.Join(linked, name+".test")
		c, err := reach.New(before[pkg], after[pkg])
		if err != nil {
			t.Fatal(name, err)
		}
		c.Linked(file, file) // both call the same
		d, err := c.Executing("BenchmarkHolds", &coverage)
		if err != nil {
			t.Fatal(name, err)
		}
		return pathOf(d)
	}
	for name := range countingNothing {
		for _, test := range []struct {
			coverage reach.Coverage
			want     string
		}{
			{reach.Coverage{Recorded: true, Varying: []string{"example.com/counting.Any"}}, ""},
			{reach.Coverage{Recorded: true}, ""},
			{reach.Coverage{Varying: []string{"example.com/counting.Any"}}, "BenchmarkHolds → type held.Held"},
		} {
			if got := decide(name, test.coverage); got != test.want {
				t.Errorf("%s, %+v: %q, want %q", name, test.coverage, got, test.want)
			}
		}
	}
	for name := range countingMethods {
		got := decide(name, reach.Coverage{Recorded: true, Varying: []string{"example.com/counting.Any"}})
		if want := "BenchmarkHolds → type held.Held"; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
