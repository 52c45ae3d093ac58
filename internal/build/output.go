package build

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lazy"
)

// maxLines is how many lines of go's output are kept if none has a place.
const maxLines = 20

// placed matches a place as compilers, go vet and the go command write it.
var placed = lazy.Regexp(`^(?:go: )?(\S.*?\.(?:go|s|S|c|cc|cpp|h|mod|work|sum)):(\d+)(?::(\d+))?: (.*)$`)

// userTree is what a request builds, on the disk, and how problems name its files.
type userTree struct {
	dir     string            // of the suite file, absolute
	root    string            // of the module that main is generated into, absolute; go runs there
	members []string          // modules of the workspace, absolute
	origin  map[string]string // copies in the cache → files of the user
}

// failed returns the error of a go command that has printed text.
func (t *userTree) failed(text string, err error) error {
	if _, ok := err.(interface{ ExitCode() int }); !ok {
		return err
	}
	if strings.TrimSpace(text) == "" {
		text = "go failed: " + err.Error()
	}
	return &Error{unique(t.read(text))}
}

// read turns the output of go into problems, at least one. Indented lines belong to the
// problem before them.
func (t *userTree) read(text string) (problems []Problem) {
	var rest []string
	var last *Problem
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		match := placed().FindStringSubmatch(line)
		switch {
		case match != nil:
			problems = append(problems,
				Problem{Problem: diag.Problem{Code: diag.Build, Place: t.placeOf(match), Message: match[4]}})
			last = &problems[len(problems)-1]
		case line == "", strings.HasPrefix(line, "# "), strings.HasPrefix(line, "go: downloading "),
			line == "too many errors", strings.HasSuffix(line, ": too many errors"):
			last = nil
		case last != nil && strings.HasPrefix(line, "\t"):
			last.follow(strings.TrimSpace(line))
		default:
			last, rest = nil, append(rest, strings.TrimPrefix(line, "go: "))
		}
	}
	if len(problems) == 0 {
		rest = t.translate(rest)
		if len(rest) > maxLines {
			rest = append(rest[:maxLines], "…")
		}
		problems = []Problem{wrong("", "", "")}
		for _, line := range rest {
			problems[0].follow(strings.TrimSpace(line))
		}
	}
	for i := range problems {
		problems[i].advise()
	}
	return problems
}

// go names files relative to the folder in which it runs.
func (t *userTree) placeOf(match []string) diag.Place {
	file := filepath.FromSlash(match[1])
	if !filepath.IsAbs(file) {
		file = filepath.Join(t.root, file)
	}
	if original, ok := t.origin[file]; ok {
		file = original
	}
	line, _ := strconv.Atoi(match[2]) // digits, as matched
	col, _ := strconv.Atoi(match[3])  // or empty: column 1
	return diag.Place{File: t.place(file), Line: line, Col: max(col, 1)}
}

// place names a file as problems do: relative to the suite's folder if it is in that
// folder or in a module that is built, otherwise absolute.
func (t *userTree) place(file string) string { return place(t.dir, file, append(t.members, t.root)...) }

// copied returns the path of the go.mod in a folder of the cache. Problems in it are shown with the user's go.mod.
func (t *userTree) copied(dir string) string {
	file := filepath.Join(dir, "go.mod")
	t.origin[file] = filepath.Join(t.root, "go.mod")
	return file
}

// translate replaces copies in the cache with the user's files. go names a file relative to
// the folder in which it runs if that is shorter.
func (t *userTree) translate(lines []string) []string {
	for i := range lines {
		for file, original := range t.origin {
			lines[i] = strings.ReplaceAll(lines[i], file, t.place(original))
			if near, err := filepath.Rel(t.root, file); err == nil {
				lines[i] = strings.ReplaceAll(lines[i], near, t.place(original))
			}
		}
	}
	return lines
}

var command = lazy.Regexp(`[;,] (to add|to add it|to add missing requirements, run|to update it|` +
	`you can add the module to the workspace using):?$`)

// follow adds a line to a problem. A command that solves it becomes its hint.
func (p *Problem) follow(line string) {
	switch {
	case p.Message == "":
		p.Message = line
	case strings.HasPrefix(line, "go ") && strings.HasSuffix(p.Message, ":"):
		p.Message, p.Hint = strings.TrimSuffix(command().ReplaceAllString(p.Message, ""), ":"), line
	default:
		p.Message += "\n\t" + line
	}
}

// advice is what to do about errors for which go has no advice.
var advice = []struct {
	message func() *regexp.Regexp
	hint    string
}{
	{lazy.Regexp(`requires go >= (\S+?) \(running`),
		"install Go $1 or later, or let go fetch it: toolchain: {env: {GOTOOLCHAIN: auto}}"},
	{lazy.Regexp(`GOPROXY=off|dial tcp|no such host|toolchain not available`),
		"with a network, in the module's folder: go mod download"},
	{lazy.Regexp(`C compiler ".*" not found`),
		`install a C compiler, or do without: toolchain: {env: {CGO_ENABLED: "0"}}`},
	{lazy.Regexp(`-race (requires|is not supported)`), "install a C compiler, or take -race out of toolchain.flags"},
	{lazy.Regexp(`use of internal package`),
		"internal packages belong to the tree above their folder; name one of the suite's own module"},
	{lazy.Regexp(`no space left on device`),
		"make room, or set XDG_CACHE_HOME, GOCACHE and TMPDIR to folders that have it"},
	{lazy.Regexp(`is not in std$`), "a folder is named ./NAME, a package of another module by its whole import path"},
}

// unprovided and notStandard match messages that go prints because we made it look
// nothing up, or that name a folder of its own.
var (
	unprovided = lazy.Regexp(`^(?:cannot find module providing|no required module provides) package (\S+?)` +
		`(?:: import lookup disabled by -mod=readonly)?$`)
	notStandard = lazy.Regexp(`^(package \S+ is not in std) \(.*\)$`)
)

func (p *Problem) advise() {
	p.Message = notStandard().ReplaceAllString(p.Message, "$1")
	if m := unprovided().FindStringSubmatch(p.Message); m != nil {
		p.Message, p.Hint = "no required module provides package "+m[1], "go get "+m[1]
		if below(m[1], suiteModule) {
			p.Hint = "of " + suiteModule + " a host is built with " + strings.Join(importable(), ", ") + " only"
		}
	}
	if flag, ok := strings.CutPrefix(p.Message, "flag provided but not defined: "); ok {
		flag, _, _ = strings.Cut(flag, "\n")
		p.Message, p.Hint = fmt.Sprintf("go build knows no flag %s", flag), "go help build lists them"
	}
	for _, a := range advice {
		if m := a.message().FindStringSubmatchIndex(p.Message); m != nil && p.Hint == "" {
			p.Hint = string(a.message().ExpandString(nil, a.hint, p.Message, m))
		}
	}
}
