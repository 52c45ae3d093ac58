package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"example.com/suite/internal/build"
	"example.com/suite/internal/diag"
	"example.com/suite/runner"
	"example.com/suite/spec"
)

// hosts builds the hosts of suites that have packages of their own, each once.
type hosts struct {
	ctx    context.Context
	stderr io.Writer
	cache  string                   // folder; empty: that of build
	built  map[string]builtHost     // by folder and request
	tests  map[string]goTests       // by query
	deep   bool                     // existing benchmarks are run once each, to know those below them
	filter *filter                  // benchmarks of which it leaves no case are not built; nil: all are
	left   bool                     // the filter has left some out
	alike  bool                     // equal code in two folders gives equal programs
	said   map[string]bool          // notes of builds
	links  map[string]runner.Linker // by the path of a program that was built

	binaries *runner.Binaries // takes the hashes of programs that were built; nil: nobody wants them
}

// builtHost is a host with the functions that it registers, or why there is none.
type builtHost struct {
	program   *build.Program
	functions []string
	problems  diag.Problems
}

func (e env) newHosts(ctx context.Context) *hosts {
	cache, _ := e.lookup(cacheVariable)
	return &hosts{ctx: ctx, stderr: e.stderr, cache: cache, built: map[string]builtHost{}, tests: map[string]goTests{}, said: map[string]bool{}, links: map[string]runner.Linker{}}
}

// functions builds the host of a suite and asks what it registers.
func (h *hosts) functions(dir string, p spec.Packages) ([]string, diag.Problems) {
	key := hostKey(dir, &p)
	b, done := h.built[key]
	if !done {
		b = h.build(dir, &p)
		h.built[key] = b
	}
	return b.functions, b.problems
}

func (h *hosts) build(dir string, p *spec.Packages) (b builtHost) {
	defer h.tell("", dir, p).Stop()
	var err error
	b.program, err = build.Host(h.ctx, h.request(dir, p))
	if err == nil {
		h.links[b.program.Path] = linker(b.program.Link)
		if h.binaries != nil {
			h.binaries.Add(b.program.Path, "sha256:"+b.program.Hash)
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

func (h *hosts) request(dir string, p *spec.Packages) build.Request {
	return build.Request{Dir: dir, Packages: p.Patterns, Tags: p.Tags, Flags: h.flags(p), Env: p.Env, Cache: h.cache}
}

// flags are those of the suite file, and where two trees are compared one without
// which the names of their folders would stand in the programs, move what lies
// behind them, and so make equal code differ in speed.
func (h *hosts) flags(p *spec.Packages) []string {
	if !h.alike {
		return p.Flags
	}
	return append([]string{"-trimpath"}, p.Flags...) // -trimpath=false in the file wins
}

// note says in what a build differs from the module's own; of two trees once.
func (h *hosts) note(p *spec.Packages, note string) {
	if !h.alike || !h.said[note] {
		fmt.Fprintf(h.stderr, "suite: %s: %s\n", p.Place.File, clean(note))
	}
	h.said[note] = true
}

// tell says what is built, unless it is done soon.
func (h *hosts) tell(of, dir string, p *spec.Packages) *time.Timer {
	line := h.building(of, dir, p)
	return time.AfterFunc(slowBuild, func() { fmt.Fprintf(h.stderr, "suite: %s\n", line) })
}

// building says what is built, and of what is called the same in several trees or by
// several suite files where. of is what of the packages it is, empty for a host.
func (h *hosts) building(of, dir string, p *spec.Packages) string {
	line := "building " + of + clean(strings.Join(p.Patterns, " "))
	if h.said[line] {
		return line + " in " + clean(dir)
	}
	h.said[line] = true
	return line
}

// slowBuild is how long a build may take without a word.
const slowBuild = time.Second

// hostProblems places what went wrong: in the Go files, relative to where suite
// was started, or at the word of the suite file that is to blame.
func hostProblems(err error, p *spec.Packages) diag.Problems {
	var failed *build.Error
	if !errors.As(err, &failed) {
		return diag.Problems{{Place: p.Place, Message: "packages: " + err.Error()}}
	}
	problems := failed.At(p.At)
	for i := range problems {
		if at := &problems[i].Place; at.File != p.Place.File && !filepath.IsAbs(at.File) {
			at.File = filepath.Join(filepath.Dir(p.Place.File), at.File)
		}
	}
	return problems
}

// link links a program once more, in a layout.
func (h *hosts) link(ctx context.Context, program string, layout int64, target string) error {
	link := h.links[program]
	if link == nil {
		return fmt.Errorf("%w: suite has not built the program", build.ErrNoLayout)
	}
	return link(ctx, program, layout, target)
}

// linker is the link of one program.
func linker(link func(ctx context.Context, layout int64, target string) error) runner.Linker {
	return func(ctx context.Context, _ string, layout int64, target string) error {
		return link(ctx, layout, target)
	}
}

// argv starts the host of a plan; nil where that is suite itself.
func (h *hosts) argv(plan *spec.Plan) []string {
	if plan.Packages == nil {
		return nil
	}
	return h.built[hostKey(plan.Dir, plan.Packages)].program.Argv()
}

func hostKey(dir string, p *spec.Packages) string {
	key, _ := json.Marshal(p) // words and lists of words always can be
	return dir + "\x00" + string(key)
}
