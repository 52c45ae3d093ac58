// Package prepare makes plans ready to be measured: it builds the programs that contain
// their functions, lists the existing benchmarks that they name, and compares them with
// another version of the code, whose programs it builds too.
//
// It prints nothing. A line that the user has to see at once is passed to Say; what is
// wrong is returned, with its place.
package prepare

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"example.com/suite/internal/build"
	"example.com/suite/internal/diag"
	"example.com/suite/runner"
	"example.com/suite/spec"
)

// Hosts builds the programs in which the cases of plans run, each once. It is used
// by one goroutine.
type Hosts struct {
	// Say prints a line for the user at once, from any goroutine.
	Say func(format string, args ...any)
	// Cache is the folder of built programs; empty: suite in the user's cache.
	Cache string
	// Deep runs each existing benchmark once to find the benchmarks below it.
	Deep bool
	// Alike makes equal code in two folders equal programs.
	Alike bool
	// LeavesOut reports that no benchmark of a query is wanted, so that it need not
	// be built; nil: all are wanted.
	LeavesOut func(q *spec.GoTestQuery) bool
	// Binaries takes the hashes of programs that were built; nil: nobody wants them.
	Binaries *runner.Binaries

	ctx    context.Context
	built  map[string]builtHost // by folder and request
	tests  map[string]goTests   // by query
	left   bool
	said   map[string]bool          // notes and lines that have been printed
	linked map[string]runner.Linker // by the path of a program that was built
}

// builtHost is a host with the functions that it registers, or why there is none.
type builtHost struct {
	program   *build.Program
	functions []string
	problems  diag.Problems
}

// NewHosts builds hosts until ctx ends.
func NewHosts(ctx context.Context, say func(format string, args ...any), cache string) *Hosts {
	return &Hosts{Say: say, Cache: cache, ctx: ctx, built: map[string]builtHost{}, tests: map[string]goTests{},
		said: map[string]bool{}, linked: map[string]runner.Linker{}}
}

// SomeLeftOut reports whether LeavesOut was true of a query.
func (h *Hosts) SomeLeftOut() bool { return h.left }

// Functions builds the host of a suite whose file is in dir, and returns the names of
// the functions that it registers.
func (h *Hosts) Functions(dir string, p spec.Packages) ([]string, diag.Problems) {
	key := hostKey(dir, &p)
	b, done := h.built[key]
	if !done {
		b = h.build(dir, &p)
		h.built[key] = b
	}
	return b.functions, b.problems
}

func (h *Hosts) build(dir string, p *spec.Packages) (b builtHost) {
	defer h.announce("", dir, p).Stop()
	var err error
	b.program, err = build.Host(h.ctx, h.request(dir, p))
	if err == nil {
		h.linked[b.program.Path] = linker(b.program.Link)
		if h.Binaries != nil {
			h.Binaries.Add(b.program.Path, "sha256:"+b.program.Hash)
		}
		for _, note := range b.program.Notes {
			h.note(p, note)
		}
		b.functions, err = b.program.Functions(h.ctx)
	}
	if err != nil {
		b.problems = hostProblems(err, p)
	}
	return b
}

func (h *Hosts) request(dir string, p *spec.Packages) build.Request {
	return build.Request{Dir: dir, Packages: p.Patterns, Tags: p.Tags, Flags: h.flags(p), Env: p.Env, Cache: h.Cache}
}

// If two trees are compared, -trimpath comes first: without it a program contains the
// names of its folders, which move what follows them, so that equal code differs in
// speed.
func (h *Hosts) flags(p *spec.Packages) []string {
	if !h.Alike {
		return p.Flags
	}
	return append([]string{"-trimpath"}, p.Flags...) // -trimpath=false in the file wins
}

// note prints how a build differs from the module's own; for two trees once.
func (h *Hosts) note(p *spec.Packages, note string) {
	if !h.Alike || !h.said[note] {
		h.Say("%s: %s", p.Place.File, note)
	}
	h.said[note] = true
}

// slowBuild is the time after which a build is announced.
const slowBuild = time.Second

// announce prints what is built if that takes long. The timer has to be stopped when
// the build is over.
func (h *Hosts) announce(of, dir string, p *spec.Packages) *time.Timer {
	line := h.buildLine(of, dir, p)
	return time.AfterFunc(slowBuild, func() { h.Say("%s", line) })
}

// The second build of the same packages, for another tree or suite file, is named with
// its folder. of is the part of the packages that is built, empty for a host.
func (h *Hosts) buildLine(of, dir string, p *spec.Packages) string {
	line := "building " + of + strings.Join(p.Patterns, " ")
	if h.said[line] {
		return line + " in " + dir
	}
	h.said[line] = true
	return line
}

// hostProblems places what went wrong: in the Go files, relative to the current
// folder, or at the word of the suite file that caused it.
func hostProblems(err error, p *spec.Packages) diag.Problems {
	var failed *build.Error
	if !errors.As(err, &failed) {
		return diag.Problems{{Place: p.Place, Message: "packages: " + err.Error()}}
	}
	problems := failed.At(p.At)
	for i := range problems {
		at := &problems[i].Place
		if at.File != p.Place.File && !filepath.IsAbs(at.File) {
			at.File = filepath.Join(filepath.Dir(p.Place.File), at.File)
		}
	}
	return problems
}

// Link links a program once more, in a layout.
func (h *Hosts) Link(ctx context.Context, program string, layout int64, target string) error {
	link := h.linked[program]
	if link == nil {
		return fmt.Errorf("%w: suite has not built the program", build.ErrNoLayout)
	}
	return link(ctx, program, layout, target)
}

// linker links one program.
func linker(link func(ctx context.Context, layout int64, target string) error) runner.Linker {
	return func(ctx context.Context, _ string, layout int64, target string) error {
		return link(ctx, layout, target)
	}
}

// Argv is the command that starts the host of a plan, nil if that is suite itself.
func (h *Hosts) Argv(plan *spec.Plan) []string {
	if plan.Packages == nil {
		return nil
	}
	return h.Program(plan).Argv()
}

// Program is the host of a plan with packages, nil if it was not built.
func (h *Hosts) Program(plan *spec.Plan) *build.Program {
	return h.built[hostKey(plan.Dir, plan.Packages)].program
}

// Alone builds a host of one package of a plan.
func (h *Hosts) Alone(plan *spec.Plan, name string) (*build.Program, error) {
	request := h.request(plan.Dir, plan.Packages)
	request.Packages = []string{name}
	return build.Host(h.ctx, request)
}

func hostKey(dir string, p *spec.Packages) string {
	key, _ := json.Marshal(p) // words and lists of words always can be
	return dir + "\x00" + string(key)
}
