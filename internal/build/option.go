package build

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/lazy"
	"example.com/suite/internal/paths"
)

// refused are the flags of go build that would break the build of a host, and why.
var refused = map[string]string{
	"o":         "suite names the program itself",
	"overlay":   "the main of the host enters the build by it",
	"modfile":   "suite's own timing code enters the build by it",
	"mod":       "the build uses a copy of go.mod that stays as it is",
	"C":         "packages are named relative to the suite file",
	"n":         "nothing would be built",
	"x":         "what go prints is read for errors",
	"v":         "what go prints is read for errors",
	"json":      "what go prints is read for errors",
	"work":      "what go prints is read for errors",
	"buildmode": "a host is a program",
	"cover":     "its counters would be timed with the code",
	"covermode": "its counters would be timed with the code",
	"coverpkg":  "its counters would be timed with the code",
	"tags":      "tags have a key of their own, tags: [a, b]",
}

var tag = lazy.Regexp(`^[\pL\pN_.]+$`)

// options turns tags and flags into flags for go, and checks the environment.
func options(r Request) (flags []string, problems []Problem) {
	// Without this the program changes with every commit, and git runs in every build.
	flags = []string{"-buildvcs=false"}
	for _, t := range r.Tags {
		if !tag().MatchString(t) {
			problems = append(problems, wrong(t, fmt.Sprintf("%q is no build tag", t),
				"one tag is letters, digits, dots and underscores"))
		}
	}
	if len(r.Tags) > 0 {
		flags = append(flags, "-tags="+strings.Join(r.Tags, ","))
	}
	for _, f := range r.Flags {
		checked, p := option(r.Dir, f)
		flags, problems = append(flags, checked), append(problems, p...)
	}
	for _, e := range r.Env {
		if name, _, ok := strings.Cut(e, "="); !ok || name == "" {
			problems = append(problems, wrong(e, fmt.Sprintf("%q sets no variable", e), "NAME=value"))
		}
	}
	return flags, problems
}

// option checks one flag, and makes the path of a profile absolute.
func option(dir, flag string) (string, []Problem) {
	name, value, valued := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(flag, "-"), "-"), "=")
	reason, bad := refused[name]
	switch {
	case !strings.HasPrefix(flag, "-") || name == "":
		return "", []Problem{wrong(flag, fmt.Sprintf("%q is no flag of go build", flag),
			"a flag and its value are one text: -pgo=cpu.pgo")}
	case bad:
		return "", []Problem{wrong(flag, fmt.Sprintf("flag -%s cannot be used for a host: %s", name, reason), "")}
	case name != "pgo" || value == "off":
		return flag, nil
	case !valued || value == "auto":
		return "", []Problem{wrong(flag, "flag -pgo needs a file: a host has no folder with a default.pgo",
			"-pgo=FILE, relative to the suite file")}
	}
	if !filepath.IsAbs(value) {
		value = filepath.Join(dir, value)
	}
	if _, err := os.Stat(value); err != nil {
		return "", []Problem{wrong(flag, fmt.Sprintf("no profile %q", place(dir, value)),
			"a CPU profile of these benchmarks, as go tool pprof reads it")}
	}
	return "-pgo=" + value, nil
}

// surroundings refuses values of GOFLAGS, GOOS and others that would break the build.
func (b *building) surroundings() error {
	env := b.vars
	for _, flag := range strings.Fields(env["GOFLAGS"]) {
		name, _, _ := strings.Cut(strings.TrimLeft(flag, "-'\""), "=")
		// -mod is overruled, and -tags and -v do what they should.
		if reason, bad := refused[name]; bad && !slices.Contains([]string{"mod", "tags", "v"}, name) {
			return fault("GOFLAGS", fmt.Sprintf("GOFLAGS contains -%s, which cannot be used for a host: %s", name,
				reason), "toolchain: {env: {GOFLAGS: \"\"}}")
		}
	}
	if env["GO111MODULE"] == "off" {
		return fault("GO111MODULE", "GO111MODULE=off: hosts are built in modules only",
			"toolchain: {env: {GO111MODULE: on}}")
	}
	if !runsHere(env["GOOS"], env["GOARCH"]) {
		return fault("GOOS", fmt.Sprintf("a host for %s/%s does not run on this machine", env["GOOS"], env["GOARCH"]),
			"unset GOOS and GOARCH")
	}
	return nil
}

// place names a file relative to dir if it is in dir or in one of the trees, otherwise absolute.
func place(dir, file string, trees ...string) string {
	for _, tree := range append(trees, dir) {
		if _, inside := paths.Within(tree, file); tree == "" || !inside {
			continue
		}
		if rel, err := filepath.Rel(dir, file); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return file
}
