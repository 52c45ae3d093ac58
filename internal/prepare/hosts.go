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
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.com/suite/internal/build"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/tree"
	"example.com/suite/runner/binary"
	"example.com/suite/runner/draw"
	"example.com/suite/spec"
)

// Hosts builds the programs in which the cases of plans run, each once. It is used
// by one goroutine.
type Hosts struct {
	// Say prints a line for the user at once, from any goroutine.
	Say func(format string, args ...any)
	// Cache is the folder of built programs; empty: suite in the user's cache.
	Cache string
	// Deep is set if each existing benchmark is run once to find its sub-benchmarks.
	Deep bool
	// Alike is set if equal code in two folders must become equal programs.
	Alike bool
	// LeavesOut reports which existing benchmarks are not wanted. If it is nil, all are.
	LeavesOut LeavesOut
	// Own starts the host of plans without packages.
	Own []string
	// Binaries receives the hash of each program that is built. It may be nil.
	Binaries *binary.Hashes

	ctx     context.Context
	built   map[string]builtHost     // by folder and request
	tests   map[string]goTests       // by query
	skips   map[goTestName]string    // why benchmarks were skipped when they were listed
	makers  map[string]string        // folders in which a tool has built programs, by those
	listed  map[string]listed        // benchmarks of programs, by query
	made    map[string]diag.Problems // of build commands, by folder and command
	spans   []tree.Span              // when these commands ran, until ran records it
	reports map[string]reported      // by program and case
	left    bool                     // LeavesOut has left out any
	said    map[string]bool          // notes and lines that have been printed
	linked  map[string]binary.Linker // by the path of a program that was built
	bins    map[string]build.Binary  // hosts and test binaries, by their paths
	folders map[string]string        // in which they were built, by their paths
}

// LeavesOut reports which existing benchmarks are not wanted.
type LeavesOut interface {
	// LeavesOut reports whether no benchmark of a query is wanted. The query's packages are then not built.
	LeavesOut(q *spec.GoTestQuery) bool
	// LeavesOutFunction reports the same of a function in the test binary of a package, which is then not run.
	LeavesOutFunction(q *spec.GoTestQuery, pkg, function string) bool
}

// builtHost is a host with the functions that it registers, or the problems of its build.
type builtHost struct {
	program   *build.Program
	functions []string
	problems  diag.Problems
}

// NewHosts returns a Hosts without programs. Its builds end when ctx ends.
func NewHosts(ctx context.Context, say func(format string, args ...any), cache string) *Hosts {
	return &Hosts{Say: say, Cache: cache, ctx: ctx, built: map[string]builtHost{}, tests: map[string]goTests{},
		skips:  map[goTestName]string{},
		listed: map[string]listed{}, makers: map[string]string{}, made: map[string]diag.Problems{},
		reports: map[string]reported{}, said: map[string]bool{}, linked: map[string]binary.Linker{},
		bins: map[string]build.Binary{}, folders: map[string]string{}}
}

// SomeLeftOut reports whether a query was not built, or a function not run, because of LeavesOut.
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
	defer h.announce(slowBuild, "building", dir, p).Stop()
	var err error
	b.program, err = build.Host(h.ctx, h.request(dir, p))
	if err == nil {
		h.linked[b.program.Path], h.bins[b.program.Path] = linker(b.program.Link), b.program
		h.folders[b.program.Path] = dir
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

// flags returns the flags of a build. If two trees are compared, it adds -trimpath: without
// it programs contain the names of their folders, and names of different lengths move the code
// that follows, so that equal code differs in speed.
func (h *Hosts) flags(p *spec.Packages) []string {
	if !h.Alike {
		return p.Flags
	}
	return append([]string{"-trimpath"}, p.Flags...) // -trimpath=false in the file wins
}

// note prints how a build differs from the module's own build. If two trees are compared, it
// prints each note once.
func (h *Hosts) note(p *spec.Packages, note string) {
	if !h.Alike || !h.said[note] {
		h.Say("%s: %s", p.Place.File, note)
	}
	h.said[note] = true
}

// slowBuild is the time after which a build is announced, and slowList that for the runs that list benchmarks.
const (
	slowBuild = time.Second
	slowList  = 5 * time.Second
)

// announce prints what is being done with packages if it takes longer than a time. The caller stops the timer when it
// is over.
func (h *Hosts) announce(after time.Duration, doing, dir string, p *spec.Packages) *time.Timer {
	line := h.doingLine(doing, dir, p)
	return time.AfterFunc(after, func() { h.Say("%s", line) })
}

// doingLine returns the line that announces what is done. What is done with the same packages again, of another tree or
// suite file, is announced with its folder.
func (h *Hosts) doingLine(doing, dir string, p *spec.Packages) string {
	line := doing + " " + strings.Join(p.Patterns, " ")
	if h.said[line] {
		return line + " in " + dir
	}
	h.said[line] = true
	return line
}

// hostProblems returns the problems of a failed build with their places: in the Go files,
// relative to the current folder, or at the word of the suite file that caused the failure.
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

// Forget removes the programs that were built in the folder of a tree, and forgets what is known of it:
// a search through hundreds of commits would fill the disk.
func (h *Hosts) Forget(root string) {
	isOf := func(dir string) bool { return dir == root || strings.HasPrefix(dir, root+string(filepath.Separator)) }
	for path, dir := range h.folders {
		if isOf(dir) {
			_ = os.RemoveAll(filepath.Dir(path)) // if it fails, the program is removed in a month
			delete(h.folders, path)
			delete(h.bins, path)
			delete(h.linked, path)
		}
	}
	quoted, _ := json.Marshal(root) // words always can be
	inside := strings.TrimSuffix(string(quoted), `"`)
	maps.DeleteFunc(h.built, func(key string, _ builtHost) bool { return isOf(strings.SplitN(key, "\x00", 2)[0]) })
	maps.DeleteFunc(h.tests, func(key string, _ goTests) bool { return strings.Contains(key, inside) })
	h.Rebuild(root)
}

// Rebuild forgets what commands have built in the folder of a tree, and the benchmarks that programs there have listed.
func (h *Hosts) Rebuild(root string) {
	quoted, _ := json.Marshal(root) // words always can be
	inside := strings.TrimSuffix(string(quoted), `"`)
	maps.DeleteFunc(h.listed, func(key string, _ listed) bool { return strings.Contains(key, inside) })
	maps.DeleteFunc(h.made, func(key string, _ diag.Problems) bool { return strings.Contains(key, root) })
}

// Link links a program again, with its functions in a layout, and writes it to target.
func (h *Hosts) Link(ctx context.Context, program string, layout draw.Layout, target string) error {
	link := h.linked[program]
	if link == nil {
		return fmt.Errorf("%w: suite has not built the program", build.ErrNoLayout)
	}
	return link(ctx, program, layout, target)
}

// linker adapts the link function of one program to the type that the runner wants.
func linker(link func(ctx context.Context, layout build.Layout, target string) error) binary.Linker {
	return func(ctx context.Context, _ string, layout draw.Layout, target string) error {
		return link(ctx, build.Layout(layout), target)
	}
}

// Argv returns the command that starts the host of a plan, nil if the host is suite itself.
func (h *Hosts) Argv(plan *spec.Plan) []string {
	if plan.Packages == nil {
		return nil
	}
	return h.Program(plan).Argv()
}

// Program returns the host of a plan that has packages, nil if it was not built.
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
