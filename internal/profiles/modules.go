package profiles

import (
	"debug/buildinfo"
	"path"
	"path/filepath"
	"strings"

	"example.com/suite/internal/lazy"
	"example.com/suite/internal/self"
	"github.com/google/pprof/profile"
)

// Modules sorts code into code that may differ between the sides and all other code.
// Functions of the second kind count for the function of the first kind that called them.
type Modules struct {
	own   []string        // paths of modules whose code may differ
	fixed []string        // paths of all other modules
	files bool            // symbols have the files of programs and libraries, in profiles of commands
	known map[string]bool // names of the functions in a profile
	tests bool            // a program is a test binary, whose package main is generated
	all   bool            // nothing is known: all that is not the standard library is own
}

// machinery are the packages of suite, whose own work around a batch is nobody's, that run around measured code, or are
// called by it.
var machinery = []string{"runner/host", "timer", "bench", "peg", "stats", "internal"}

// ReadModules learns from the two programs of a comparison which modules may differ: the
// main module, modules in a folder, and modules whose versions are not the same. base is
// empty if there is none. If a program has no build information, all modules are taken to
// differ.
func ReadModules(here, base string) Modules {
	own, err := buildinfo.ReadFile(here)
	if err != nil {
		return Modules{all: true}
	}
	versions := map[string]string{}
	if base != "" {
		was, err := buildinfo.ReadFile(base)
		if err != nil {
			return Modules{all: true}
		}
		for _, d := range was.Deps {
			versions[d.Path] = d.Version
		}
	}
	m := Modules{own: []string{own.Main.Path}, tests: strings.HasSuffix(own.Path, ".test")}
	for _, d := range own.Deps {
		isFolder := d.Replace != nil && d.Replace.Version == "" || d.Version == "(devel)"
		was, known := versions[d.Path]
		if isFolder || known && was != d.Version {
			m.own = append(m.own, d.Path)
			continue
		}
		m.fixed = append(m.fixed, d.Path)
	}
	return m
}

// Kinds of code.
type origin int

const (
	library origin = iota // the standard library, the runtime, modules that are the same on both sides
	own                   // code that may differ
	ofSuite               // suite's own work
)

// origin of a function by its full name.
func (m Modules) origin(function string) origin {
	pkg := packageOf(function)
	if rest, is := strings.CutPrefix(pkg, self.Module+"/"); is {
		for _, name := range machinery {
			if rest == name || strings.HasPrefix(rest, name+"/") {
				return ofSuite
			}
		}
		return own
	}
	if pkg == "main" {
		if m.tests {
			return library
		}
		return own
	}
	longest, kind := 0, library
	for _, list := range []struct {
		paths []string
		kind  origin
	}{{m.own, own}, {m.fixed, library}} {
		for _, p := range list.paths {
			if p != "" && (pkg == p || strings.HasPrefix(pkg, p+"/") || pkg == p+"_test") && len(p) > longest {
				longest, kind = len(p), list.kind
			}
		}
	}
	if longest > 0 {
		return kind
	}
	if first, _, _ := strings.Cut(pkg, "/"); m.all && strings.Contains(first, ".") {
		return own
	}
	return library
}

// isProgram reports whether a symbol of a command that is no Go program is in a program and
// not in a library or in the kernel.
func (m Modules) isProgram(file string) bool {
	if !m.files || len(m.own) > 0 {
		return false
	}
	name := filepath.Base(file)
	return !strings.HasSuffix(name, ".so") && !strings.Contains(name, ".so.") && !strings.HasPrefix(name, "[")
}

// packageOf is the import path of a function: example.com/a/b of example.com/a/b.T.F. A
// dot in its last element is written as %2e.
func packageOf(function string) string {
	function, _, _ = strings.Cut(function, "[") // type arguments have paths of their own
	dir, last := path.Split(function)
	name, _, _ := strings.Cut(last, ".")
	return dir + strings.ReplaceAll(name, "%2e", ".")
}

// frame is one call of a stack.
type frame struct {
	name, file string
	line       int
	from       origin
}

// callStack is a stack without suite's own work.
type callStack struct {
	all  []frame // the innermost first
	own  []frame // likewise, those whose code may differ
	rest string  // what the stack is if it has no own frame
}

// Names of work that no function of the module called.
const (
	collectorName = "(garbage collection)"
	runtimeName   = "(runtime)"
	suiteName     = "(suite)"
)

// framesOf reads a stack, inlined calls included, from the inside to the first call of
// suite's host, which is outside of the measured code.
func framesOf(sample *profile.Sample, m Modules) (s callStack) {
	s.rest = runtimeName
	for _, location := range sample.Location {
		for _, line := range location.Line {
			if line.Function == nil {
				continue
			}
			name := shortGeneric(line.Function.Name)
			if m.origin(name) == own {
				name = m.declared(name)
			}
			f := frame{name: name, file: line.Function.Filename,
				line: int(line.Function.StartLine), from: m.origin(name)}
			if m.isProgram(f.file) {
				f.from = own
			}
			if strings.HasPrefix(name, hostPackage) {
				s.rest = suiteName
				return s
			}
			if f.from == ofSuite {
				continue
			}
			s.all = append(s.all, f)
			if f.from == own {
				s.own = append(s.own, f)
			}
		}
	}
	if s.has("runtime.gcBgMarkWorker", "runtime.bgsweep", "runtime.bgscavenge", "runtime.gcStart",
		"runtime.gcMarkTermination", "runtime.gcMarkDone") {
		s.rest = collectorName
	}
	return s
}

// hostPackage is what calls measured code.
var hostPackage = self.Module + "/runner/host."

func (s *callStack) has(names ...string) bool {
	for i := range s.all {
		for _, name := range names {
			if s.all[i].name == name || strings.HasPrefix(s.all[i].name, name+".") {
				return true
			}
		}
	}
	return false
}

// owner is the function that the stack counts for.
func (s *callStack) owner() string {
	if len(s.own) == 0 {
		return s.rest
	}
	return s.own[0].name
}

// leaf is the innermost function, empty if there is none.
func (s *callStack) leaf() string {
	if len(s.all) == 0 {
		return ""
	}
	return s.all[0].name
}

// caller is the next own function that is another one than the owner.
func (s *callStack) caller() string {
	for _, f := range s.own {
		if f.name != s.own[0].name {
			return f.name
		}
	}
	return ""
}

// shortGeneric writes the arguments of a generic function as pprof does, F[...].
func shortGeneric(name string) string {
	i := strings.IndexByte(name, '[')
	j := strings.LastIndexByte(name, ']')
	if i < 0 || j < i {
		return name
	}
	return name[:i] + "[...]" + name[j+1:]
}

// waitsForLock reports whether a stack of a block profile waits for a lock, which the mutex
// profile has by who held it.
func waitsForLock(sample *profile.Sample) bool {
	for i, location := range sample.Location {
		for _, line := range location.Line {
			if line.Function == nil {
				continue
			}
			name := line.Function.Name
			if strings.HasPrefix(name, "sync.(*Mutex).") || strings.HasPrefix(name, "sync.(*RWMutex).") ||
				strings.HasPrefix(name, "internal/sync.(*Mutex).") {
				return true
			}
		}
		if i >= 3 {
			return false
		}
	}
	return false
}

// knowing adds the names of a profile's functions.
func (m Modules) knowing(p *profile.Profile) Modules {
	m.known = make(map[string]bool, len(p.Function))
	for _, f := range p.Function {
		m.known[f.Name] = true
	}
	return m
}

// literal is what the compiler appends to a function's name for the functions that it makes
// of parts of it: literals, bodies of range loops over functions, deferred and started calls.
var literal = lazy.Regexp(`(\.func\d+|-range\d+|\.gowrap\d+|\.deferwrap\d+).*$`)

// declared is the declared function that a function is a part of, the function itself if it
// is declared. Literals of init stay apart: they are the bodies of different benchmarks.
func (m Modules) declared(name string) string {
	pkg := name[:len(name)-len(path.Base(name))]
	local := strings.TrimPrefix(name, pkg)
	first, rest, _ := strings.Cut(local, ".")
	cut := literal().ReplaceAllString(rest, "")
	if cut == rest || cut == "init" || strings.HasPrefix(cut, "glob.") || strings.HasPrefix(cut, "init.") {
		return name
	}
	// A literal of an inlined function is named after the function that it was inlined into,
	// and then after itself: F.SplitSeq.splitSeq.func1. No type has the name of a function.
	if outer, _, has := strings.Cut(cut, "."); has && m.known[pkg+first+"."+outer] {
		cut = outer
	}
	return pkg + first + "." + cut
}
