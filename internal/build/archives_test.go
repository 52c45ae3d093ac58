package build

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// The packages of a host are listed once, because that takes 0.2 s. Whether they are still those of which go links
// the host is another question.
func TestPackagesOfAHostAreListedOnce(t *testing.T) {
	dir := tree(t, "-- a/a.go --\nREGISTER:a\n")
	p := built(t, offline(dir, "./a"))
	first, err := p.Archives(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "a/a.go"), register("a")+"\nfunc init() { println() }\n")
	second, err := p.Archives(t.Context())
	if err != nil || len(first) == 0 || !reflect.DeepEqual(first, second) {
		t.Errorf("%d and %d archives, %v", len(first), len(second), err)
	}
	if err := p.Changed(t.Context()); err == nil {
		t.Error("no error after the source of the host has changed")
	}
}

func TestSettingsThatOnlyOneBinaryHas(t *testing.T) {
	for _, test := range []struct {
		a, b []string
		want string
	}{
		{[]string{"-race", "-tags=x"}, []string{"-tags=x"}, "-race"},
		{[]string{"-buildmode=exe", "DefaultGODEBUG=panicnil=1,tls3des=1,urlmaxqueryparams=0"}, []string{"-buildmode=exe", "DefaultGODEBUG=urlmaxqueryparams=0"},
			"DefaultGODEBUG panicnil=1, DefaultGODEBUG tls3des=1"},
		{[]string{"a", "b", "c", "d"}, []string{"e"}, "a, b, c and 2 more"},
		{[]string{"-s", "-w"}, []string{"-w", "-s"}, "the order of -s -w"},
	} {
		if got := unlike(test.a, test.b); got != test.want {
			t.Errorf("%q, %q: %s, want %s", test.a, test.b, got, test.want)
		}
	}
}

// Of a host with two packages, the one that is not edited is the same in two trees.
func TestPackagesOfAHostThatAreTheSame(t *testing.T) {
	const files = "-- one/one.go --\nREGISTER:one\n-- two/two.go --\npackage two\n\nimport (\n\t" +
		"\"example.org/m/two/below\"\n\t\"example.com/suite/bench\"\n)\n\n" +
		"func init() {\n\tbelow.F()\n\tbench.Register(\"two\", nil)\n}\n-- two/below/b.go --\n"
	const below = "package below\n\n//go:noinline\nfunc F() { println(1) }\n"
	base, here := tree(t, files+below), tree(t, files+strings.Replace(below, "1", "2", 1))
	before, after := built(t, offline(base, "./one", "./two")), built(t, offline(here, "./one", "./two"))
	for pkg, want := range map[string]bool{"one": true, "two": false} {
		path := before.Packages[slices.IndexFunc(before.Packages, func(p string) bool { return strings.HasSuffix(p, pkg) })]
		alone := built(t, offline(here, "./"+pkg))
		if got := SamePackage(t.Context(), before, after, alone, path); got != want {
			t.Errorf("package %s is the same: %v", pkg, got)
		}
	}
	path := before.Packages[0]
	write(t, filepath.Join(here, "one/one.go"), register("one")+"\nfunc init() { println() }\n")
	if SamePackage(t.Context(), before, after, built(t, offline(here, "./one")), path) {
		t.Error("a package that was edited after its host was built is the same")
	}
	if SamePackage(t.Context(), before, after, before, "example.org/m/none") {
		t.Error("a package of neither host is the same")
	}
}
