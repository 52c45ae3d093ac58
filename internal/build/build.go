// Package build turns Go packages that register benchmarks into a host program. It takes
// patterns as `go list` knows them and returns the path of an executable that answers the
// host protocol, or problems with their places. It writes only to a cache folder, never
// into the tree that it builds, and knows nothing of suite files.
//
// The program contains the bench, timer, stats and host packages of the suite that builds
// it, whatever version the module requires, so that two trees that are compared run the
// same timing loop.
package build

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"example.com/suite/internal/usercache"
)

// Request is what to build.
type Request struct {
	Dir      string   // folder of the suite file; empty: the current folder
	Packages []string // patterns: ./hashbench, ../other/..., example.com/x/y; paths are relative to Dir
	Tags     []string // build tags, one each
	Flags    []string // of go build, each in one piece: -race, -pgo=cpu.pgo; the file is relative to Dir
	Env      []string // NAME=value, added to the environment of this process
	Cache    string   // folder; empty: suite in os.UserCacheDir
}

// Program is a host that can be started.
type Program struct {
	Path     string        // absolute; its content never changes
	Packages []string      // import paths, in alphabetical order
	Hash     string        // sha256 of the program, hexadecimal
	Cached   bool          // a program with the same content was in the cache
	Elapsed  time.Duration // of the whole request
	Notes    []string      // differences from a build in the module itself

	linked
}

// hostArgument is the argument that starts the host in a program that contains one.
const hostArgument = "__host"

// Argv is the command that starts the host.
func (p *Program) Argv() []string { return []string{p.Path, hostArgument} }

// Host builds the host program for a request, or finds that nothing has changed since the
// last build, which takes 0.2 s, half of it in go build. The error is an *Error for a wrong
// request, a wrong module and code that does not compile. If the context ends, the error is
// its cause.
func Host(ctx context.Context, r Request) (*Program, error) {
	b, err := begin(r)
	if err != nil {
		return nil, err
	}
	return b.make(ctx)
}

// make carries out the request.
func (b *building) make(ctx context.Context) (*Program, error) {
	began := time.Now()
	if err := b.join(ctx); err != nil { // patterns → one module, or one workspace …
		return nil, err
	}
	if err := b.list(ctx); err != nil { // … patterns → packages …
		return nil, err
	}
	if err := b.generate(); err != nil { // … packages → a main that imports them …
		return nil, err
	}
	p, err := b.link(ctx) // … main → program
	if err != nil {
		return nil, err
	}
	p.Elapsed = time.Since(began)
	return p, nil
}

// building is one request while it is carried out.
type building struct {
	Request
	flags    []string // of every go command that loads packages
	tool     tool
	tree     userTree
	path     string // of the module of tree.root
	notes    []string
	tests    bool              // test binaries are built, no host
	serves   bool              // they can stay, and take a sample for each request
	vars     map[string]string // of go in the folder where it runs, asked once
	vendor   vendoring         // of the module
	overlay  string            // file that shows go the modules of the vendor folder; empty: none
	wanted   []pattern
	packages []*pkg
	slot     string // folder in the cache for hosts of this request
	main     string // import path of main, relative to root
	compiled compilation
}

// begin checks what can be checked without running go.
func begin(r Request) (*building, error) {
	dir, err := filepath.Abs(r.Dir)
	if err != nil {
		return nil, err
	}
	r.Dir, r.Env = dir, slices.Clone(r.Env)
	b := &building{Request: r, tree: userTree{dir: dir, origin: map[string]string{}}}
	var problems []Problem
	b.flags, problems = options(r)
	if len(problems) > 0 {
		return nil, &Error{problems}
	}
	b.tool, err = findGo(r.Env)
	if err != nil {
		return nil, err
	}
	b.Cache, err = usercache.Folder(b.Cache)
	if err != nil {
		return nil, fault("", "no folder for built hosts: "+err.Error(),
			"set XDG_CACHE_HOME to a folder that can be written")
	}
	return b, nil
}
