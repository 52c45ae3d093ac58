package build

import (
	"path/filepath"
	"reflect"
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
