package main

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/lazy"
	"example.com/suite/spec"
)

// leavesOut reports whether no existing benchmark that a query finds can be wanted,
// which saves building their tests. What cannot be told without building is wanted.
func (f filter) leavesOut(q *spec.GoTestQuery) bool {
	if len(f.tags) > 0 && !slices.ContainsFunc(f.tags, func(tag string) bool { return slices.Contains(q.Tags, tag) }) {
		return true
	}
	return len(f.only) > 0 && !slices.ContainsFunc(f.only, func(pattern string) bool { return mayMatch(pattern, q) })
}

// mayMatch reports whether a pattern may match a name that begins as those of a query
// do: with its name, or with the path of a package in its module.
func mayMatch(pattern string, q *spec.GoTestQuery) bool {
	literal, _, open := strings.Cut(pattern, "*")
	if q.Name != "" {
		return strings.HasPrefix(literal, q.Name+"/") || strings.HasPrefix(q.Name, literal) && (open || match(pattern, q.Name))
	}
	first, _, whole := strings.Cut(literal, "/")
	root, module := moduleOf(q)
	if root == "" || open && !whole {
		return true
	}
	return first == path.Base(module) || isFolder(filepath.Join(root, first))
}

var moduleLine = lazy.Regexp(`(?m)^module\s+"?([^\s"]+)`)

// moduleOf gives the folder and the path of the module that the packages of a query lie
// in; both are empty where they are named by an import path, or in no module.
func moduleOf(q *spec.GoTestQuery) (root, module string) {
	if pattern := filepath.ToSlash(q.Pattern); pattern != "." && !strings.HasPrefix(pattern, "./") && !strings.HasPrefix(pattern, "../") {
		return "", ""
	}
	folder, _, _ := strings.Cut(q.Pattern, "...")
	for dir := filepath.Join(q.Dir, folder); ; dir = filepath.Dir(dir) {
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
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

// lacks reports whether a plan without the benchmarks that a filter has left out cannot
// be told apart from one that is wrong: wanted cases look at others that are not there,
// or the plan lists earlier ones.
func (f filter) lacks(plan *spec.Plan) bool {
	names, needed := planNames(plan), map[string]bool{}
	for i := range plan.Cases {
		if c := &plan.Cases[i]; f.wants(c) {
			lookedAt(c, needed)
		}
	}
	for name := range needed {
		if !slices.Contains(names, name) {
			return true
		}
	}
	return len(plan.Removed) > 0
}
