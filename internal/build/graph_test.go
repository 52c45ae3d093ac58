package build

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/reach"
)

// linkedModule has tests inside and outside of packages, a package that is compiled anew for a test, and C code in
// package net of the toolchain.
const linkedModule = `
-- go.mod --
module example.org/m

go 1.24
-- a/a.go --
package a

import _ "net"

var A = 1
-- a/a_test.go --
package a

import "testing"

func BenchmarkOne(b *testing.B) {}
-- a/x_test.go --
package a_test

import (
	"testing"

	"example.org/m/b"
)

func BenchmarkTwo(*testing.B) { _ = b.B }
-- b/b.go --
package b

import "example.org/m/a"

var B = a.A
-- b/b_test.go --
package b

import "testing"

func BenchmarkB(b *testing.B) {}
`

// A build names the same archives as go list, which is asked if the build has named none.
func TestABuildNamesWhatItLinks(t *testing.T) {
	for name, binary := range map[string]func(t *testing.T) (of Binary, l *linked, main string){
		"host": func(t *testing.T) (Binary, *linked, string) {
			p := built(t, offline(tree(t, "-- a/a.go --\nREGISTER:a\n"), "./a"))
			return p, &p.linked, ""
		},
		"one of two tests": func(t *testing.T) (Binary, *linked, string) {
			one := tests(t, offline(tree(t, linkedModule), "./..."))[0]
			return one, &one.linked, "example.org/m/a.test"
		},
		"test": func(t *testing.T) (Binary, *linked, string) {
			one := tests(t, offline(tree(t, linkedModule), "./b"))[0]
			return one, &one.linked, "example.org/m/b.test"
		},
	} {
		t.Run(name, func(t *testing.T) {
			of, l, main := binary(t)
			listed, err := l.listArchives(t.Context(), main)
			if err != nil {
				t.Fatal(err)
			}
			named, err := l.linkedArchives(main)
			if err != nil {
				t.Fatal(err)
			}
			if want, got := comparable(listed, main), comparable(named, main); !reflect.DeepEqual(got, want) {
				t.Errorf("the build names\n%v\ngo list names\n%v", got, want)
			}
			l.graph = nil
			fallback, err := of.Archives(t.Context())
			if err != nil || !reflect.DeepEqual(fallback, listed) {
				t.Errorf("without a graph: %d archives, %v", len(fallback), err)
			}
		})
	}
}

// comparable sorts archives, and what each of them needs, by their paths. The main package that go makes for tests
// contains the name of its file, which differs.
func comparable(all []reach.Archive, main string) []reach.Archive {
	all = slices.Clone(all)
	for i := range all {
		all[i].Needs = slices.Sorted(slices.Values(all[i].Needs))
		if all[i].Path == reach.MainPackage && main != "" {
			all[i].File, all[i].Content = "", ""
		}
	}
	slices.SortFunc(all, func(x, y reach.Archive) int { return strings.Compare(x.Path, y.Path) })
	return all
}

// What go list names is of no use if it is not what was linked.
func TestArchivesThatAreListedAfterAChangeAreAnError(t *testing.T) {
	dir := tree(t, benchModule)
	one := tests(t, offline(dir, "./a"))[0]
	one.graph = nil
	write(t, filepath.Join(dir, "a/a.go"), "package a\n\nfunc init() { println() }\n")
	if list, err := one.Archives(t.Context()); err == nil || !strings.Contains(err.Error(), "source has changed") {
		t.Errorf("%d archives, error %v", len(list), err)
	}
}

// A graph that is not as expected is an error, and never fewer archives.
func TestGraphsThatAreNotAsExpected(t *testing.T) {
	const (
		link = `{"ID": 0, "Mode": "link", "Package": "m", "Deps": [1]}`
		main = `{"ID": 1, "Mode": "build", "Package": "m", "Deps": [2], "BuildID": "AAAA/BBBB"}`
		of   = `{"ID": 2, "Mode": "build", "Package": "p", "Deps": []}`
	)
	b := &building{Request: Request{Cache: t.TempDir()},
		vars: map[string]string{"GOCACHE": t.TempDir(), "GOROOT": t.TempDir()}}
	for text, want := range map[string]string{
		"":                                       "unexpected end",
		"{}":                                     "cannot unmarshal",
		"[]":                                     "without a link",
		"[" + of + "]":                           "without a link",
		"[" + link + "]":                         "without step 1",
		"[" + link + "," + main + "," + of + "]": "does not link package p",
		"[" + link + "," + link + "," + main + "," + of + "]":                                    "two links",
		`[{"ID": 0, "Mode": "link", "Package": "m", "Deps": [2]},` + of + "]":                    "links no main package",
		`[{"ID": 0, "Mode": "link", "Package": "m", "Deps": [1, 2]},` + main + "," + of + "]":    "package m: open ",
		`[{"ID": 0, "Mode": "link", "Package": "m", "Deps": [1, 1, 2]},` + main + "," + of + "]": "package m twice",
	} {
		list, err := (&linked{request: b, graph: []byte(text)}).linkedArchives("m")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, error %v, want %q", text, list, err, want)
		}
	}
}

// What the index says is checked: a file in go's cache may be gone, or the index may be damaged.
func TestAnIndexOfOtherArchivesIsNotBelieved(t *testing.T) {
	r := offline(tree(t, benchModule), "./a")
	r.Cache = t.TempDir()
	one := tests(t, r)[0]
	want, err := one.linkedArchives("example.org/m/a.test")
	if err != nil {
		t.Fatal(err)
	}
	vars := one.request.vars
	index := readIndex(r.Cache, vars["GOCACHE"])
	if len(index.found) != len(want) {
		t.Errorf("the index has %d archives of %d", len(index.found), len(want))
	}
	i := 0
	for id := range index.found {
		index.found[id] = []string{want[0].File, filepath.Join(r.Cache, "gone")}[i%2]
		i++
	}
	g, err := readGraph(one.graph, "example.org/m/a.test")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := g.archives(index, vars["GOROOT"]); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%d archives of %d, %v", len(got), len(want), err)
	}
}
