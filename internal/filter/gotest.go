package filter

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/benchname"
	"example.com/suite/internal/build"
	"example.com/suite/internal/judge"
	"example.com/suite/internal/lazy"
	"example.com/suite/internal/paths"
	"example.com/suite/spec"
)

// LeavesOut reports whether the filter certainly wants none of the benchmarks that a
// query finds, so that their test binaries need not be built. In doubt it returns false.
func (f *Filter) LeavesOut(q *spec.GoTestQuery) bool {
	if len(f.Tags) > 0 && !slices.ContainsFunc(f.Tags, func(tag string) bool { return slices.Contains(q.Tags, tag) }) {
		return true
	}
	return len(f.Only) > 0 && !slices.ContainsFunc(f.Only, func(pattern string) bool { return mayMatch(pattern, q) })
}

// LeavesOutFunction reports the same of a function in the test binary of a package, so that it need not be run to find
// its benchmarks.
func (f *Filter) LeavesOutFunction(q *spec.GoTestQuery, pkg, function string) bool {
	name := cmp.Or(q.Name, pkg) + "/" + benchname.Short(function)
	if len(f.Only) > 0 && !slices.ContainsFunc(f.Only, func(pattern string) bool { return reaches(pattern, name) }) {
		return true
	}
	at := slices.IndexFunc(f.Skip, func(pattern string) bool { return covers(pattern, name, q.Procs > 0) })
	if at >= 0 {
		f.met = append(f.met, f.Skip[at])
	}
	return at >= 0
}

// covers reports whether a pattern matches all names that begin with one. With cpu: they have GOMAXPROCS after it.
func covers(pattern, name string, withProcs bool) bool {
	if pattern == name {
		return !withProcs
	}
	return Match(pattern, name) && (!strings.Contains(pattern, "*") || strings.HasSuffix(pattern, "*"))
}

// mayMatch reports whether a pattern may match a benchmark of a query. Its name begins
// with the query's name or, if that is empty, with a package's folder in the module.
func mayMatch(pattern string, q *spec.GoTestQuery) bool {
	root, module := moduleOf(q)
	if name := cmp.Or(q.Name, onlyPackage(q, root, module)); name != "" {
		return reaches(pattern, name)
	}
	literal, _, open := strings.Cut(pattern, "*")
	first, _, whole := strings.Cut(literal, "/")
	if root == "" || open && !whole {
		return true
	}
	name, _ := build.ModuleName(module)
	return first == name || paths.IsFolder(filepath.Join(root, first)) || paths.IsFolder(filepath.Join(q.Dir, first))
}

// reaches reports whether a pattern may match a name, one below it, or one with GOMAXPROCS after it.
func reaches(pattern, name string) bool {
	literal, _, open := strings.Cut(pattern, "*")
	return strings.HasPrefix(literal, name+"/") || strings.HasPrefix(literal, name+"-") ||
		strings.HasPrefix(name, literal) && (open || Match(pattern, name))
}

// onlyPackage returns the package with which the names of a query begin, as package build names it, "" if the query may
// find several packages or its module is not known.
func onlyPackage(q *spec.GoTestQuery, root, module string) string {
	if root == "" || strings.Contains(q.Pattern, "...") {
		return ""
	}
	dir, root := paths.Real(q.Dir), paths.Real(root)
	folder := filepath.Join(dir, q.Pattern)
	if below, err := filepath.Rel(dir, root); err == nil && below != "." && filepath.IsLocal(below) {
		root = dir // of a module below the suite file, the folder is the name
	}
	name, err := filepath.Rel(root, folder)
	switch {
	case err != nil || !filepath.IsLocal(name):
		return ""
	case name == ".":
		name, _ = build.ModuleName(module)
	}
	return filepath.ToSlash(name)
}

var moduleLine = lazy.Regexp(`(?m)^module\s+"?([^\s"]+)`)

// moduleOf finds the folder and the import path of the module that contains the
// packages of a query. Both are empty if the query names its packages by import path,
// or they are in no module.
func moduleOf(q *spec.GoTestQuery) (root, module string) {
	if pattern := filepath.ToSlash(q.Pattern); pattern != "." && !strings.HasPrefix(pattern, "./") &&
		!strings.HasPrefix(pattern, "../") {
		return "", ""
	}
	folder, _, _ := strings.Cut(q.Pattern, "...")
	for dir := filepath.Join(q.Dir, folder); ; dir = filepath.Dir(dir) {
		if text, err := paths.ReadRegular(filepath.Join(dir, "go.mod")); err == nil {
			if m := moduleLine().FindSubmatch(text); m != nil {
				return dir, string(m[1])
			}
			return "", ""
		}
		if dir == filepath.Dir(dir) {
			return "", ""
		}
	}
}

// Lacks reports whether the benchmarks that LeavesOut has spared may be missing in the
// plan after all: a wanted case refers to a case that is not there, or the plan lists
// removed cases, which may only have been left out.
func (f Filter) Lacks(plan *spec.Plan) bool {
	names, needed := plan.Names(), map[string]bool{}
	for i := range plan.Cases {
		if c := &plan.Cases[i]; f.Wants(c) {
			judge.LookedAt(c, needed)
		}
	}
	for name := range needed {
		if !slices.Contains(names, name) {
			return true
		}
	}
	return len(plan.Removed) > 0
}
