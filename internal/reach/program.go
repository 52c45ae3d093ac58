package reach

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Archive is one package of a program, as it was compiled.
type Archive struct {
	Path     string   // import path; "main" for the main package
	File     string   // the archive
	Content  string   // equal if the content is equal
	Standard bool     // it belongs to the toolchain
	Needs    []string // import paths of the packages that it needs, directly or not
}

// MainPackage is the path of the main package of a program.
const MainPackage = "main"

// program is what the linker makes one program of. Packages that are the same in both programs, with
// all that they need, are not read: they are closed.
type program struct {
	packages map[string]*pkg
	objects  []*object
	symbols  int
	named    map[name]symbol // definitions, by their names
	called   []symbol        // what code of closed packages can call by its name
	order    []string        // packages whose initialisers run, in this order
	inIface  []bool          // by the number of a symbol: a type whose values are converted to interfaces
	starters map[string]starter
	dynamic  signatures // methods of all interfaces, also of closed packages; nil: not known
	finders  *finders
	units    map[string]*units // of packages that are split, by import path
	shared   map[string]bool   // variables that a package defines under the name of another package's, by linkname

	namedPointers  bool // a type of a package that is not closed is declared as a pointer
	makesByPointer bool // it may make a value by the type of a pointer to it
}

// starter is a closed package by which a program starts others, which nobody has seen.
type starter struct {
	all       bool
	functions map[uint32]bool // by their index
}

// starting are functions of the toolchain that start programs.
var starting = map[string][]string{"os": {"os.StartProcess"},
	"syscall": {"syscall.StartProcess", "syscall.ForkExec", "syscall.Exec"}}

const execPackage = "os/exec"

// pluginPackage loads packages that are not in a program.
const pluginPackage = "plugin"

// arenaPackage makes a value by the type of a pointer to it.
const arenaPackage = "arena"

// needsExec reports whether a package may start programs by package os/exec.
func needsExec(a Archive) bool {
	return a.Path == execPackage || !a.Standard && slices.Contains(a.Needs, execPackage)
}

// starterOf returns by which functions a closed package starts programs, nil if it starts none.
func starterOf(a Archive, objects []*object) *starter {
	if needsExec(a) {
		return &starter{all: true}
	}
	names := starting[a.Path]
	if names == nil {
		return nil
	}
	s := &starter{functions: map[uint32]bool{}}
	for i := range objects[0].first[ofHash64] {
		if slices.Contains(names, objects[0].name(i)) {
			s.functions[uint32(i)] = true
		}
	}
	return s
}

// starts returns the closed package of a reference if that may start a program, else "".
func (p *program) starts(o *object, r reference) string {
	if int(r.pkg) >= len(o.names) {
		return ""
	}
	path := o.names[r.pkg]
	if s := p.starters[path]; s.all || s.functions[r.index] {
		return path
	}
	return ""
}

type pkg struct {
	path    string
	objects []*object
}

type name struct {
	text string
	abi  uint16
}

// closed returns the packages that are the same in both programs, with all that they need. Packages of the
// toolchain that only one program has are among them: whatever uses them is not.
func closed(base, here []Archive) map[string]bool {
	content, of := map[string]string{}, map[string]string{}
	for _, a := range base {
		content[a.Path] = a.Content
	}
	for _, a := range here {
		of[a.Path] = a.Content
	}
	same := map[string]bool{}
	for _, a := range slices.Concat(base, here) {
		before, ok1 := content[a.Path]
		after, ok2 := of[a.Path]
		same[a.Path] = before == after && before != "" || a.Standard && ok1 != ok2
	}
	whole := map[string]bool{}
	for _, a := range slices.Concat(base, here) {
		whole[a.Path] = same[a.Path] && !slices.ContainsFunc(a.Needs, func(path string) bool { return !same[path] })
	}
	return whole
}

// load reads the packages of a program that are not closed. It returns an error for what it does not
// understand: code that Go did not compile, other toolchains, other formats.
func load(archives []Archive, whole map[string]bool) (*program, string, error) {
	p := &program{
		packages: map[string]*pkg{},
		named:    map[name]symbol{},
		starters: map[string]starter{},
		shared:   map[string]bool{},
		dynamic:  signatures{},
		finders:  newFinders(archives),
	}
	toolchain := ""
	wanted := map[string]bool{} // names that closed packages look for, or define as the same by linkname
	starts := map[string]start{}
	for _, a := range archives {
		k, objects := p.finders.outline(a, whole[a.Path])
		if k.starts {
			starts[a.Path] = k.start
		}
		if a.Path == pluginPackage || k.dynamic == nil {
			p.dynamic = nil
		}
		p.makesByPointer = p.makesByPointer || a.Path == arenaPackage || a.Path == pluginPackage
		if p.dynamic != nil {
			maps.Copy(p.dynamic, k.dynamic)
		}
		p.finders.join(k.finders)
		if k.starter != nil {
			p.starters[a.Path] = *k.starter
		}
		switch {
		case whole[a.Path] && a.Standard && k.compiled: // C code of net and others
			continue
		case k.err != nil: // C code that is the same may call Go code by names
			return nil, "", fmt.Errorf("package %s: %w", a.Path, k.err)
		case a.Standard:
			return nil, "", fmt.Errorf("package %s of the toolchain differs", a.Path)
		case toolchain != "" && k.toolchain != toolchain:
			return nil, "", fmt.Errorf("package %s was compiled in another way: %s", a.Path, k.toolchain)
		}
		toolchain = k.toolchain
		if whole[a.Path] {
			for _, name := range k.names {
				wanted[name] = true
			}
			continue
		}
		one := &pkg{path: a.Path, objects: objects}
		p.packages[a.Path] = one
		for _, o := range objects {
			o.pkg, o.base = one, p.symbols
			p.symbols += o.symbols()
		}
		p.objects = append(p.objects, objects...)
	}
	p.order = order(archives, starts)
	p.inIface = make([]bool, p.symbols)
	for _, o := range p.objects {
		p.define(o, wanted)
	}
	for _, o := range p.objects {
		p.flagReferences(o)
	}
	return p, toolchain, nil
}

// flagReferences notes types of other objects whose values an object converts to interfaces.
func (p *program) flagReferences(o *object) {
	for at := o.block[blockRefFlags]; at+refBytes <= o.block[blockRefFlags+1]; at += refBytes {
		if s, ok, _ := p.resolve(o, target(o.bytes[at:])); ok && o.bytes[at+9]&flag2UsedIface != 0 {
			p.inIface[s.base+s.index] = true
		}
	}
}

// define lists the definitions of an object by their names.
func (p *program) define(o *object, wanted map[string]bool) {
	own := prefix(o.pkg.path) + "."
	for i := range o.symbols() {
		s := symbol{o, i}
		text := s.label()
		if s.flag2()&flag2UsedIface != 0 {
			p.inIface[o.base+i] = true
		}
		p.namedPointers = p.namedPointers || s.isNamedPointer()
		if o.abi(i) == abiStatic || s.isHashed() || text == "" {
			continue
		}
		key := name{text, o.abi(i)}
		if _, twice := p.named[key]; !twice {
			p.named[key] = s
		}
		foreign := s.flag()&flagDupok == 0 && !strings.HasPrefix(text, own) && !strings.Contains(text, ":")
		pushed := s.isFunc() && foreign
		if foreign && !s.isFunc() {
			p.shared[text] = true
		}
		if wanted[text] && s.flag()&flagDupok == 0 || pushed {
			p.called = append(p.called, s)
		}
	}
}

// prefix returns the path of a package as names of symbols have it.
func prefix(path string) string {
	slash := strings.LastIndexByte(path, '/') + 1
	var b strings.Builder
	for i := range len(path) {
		c := path[i]
		if c <= ' ' || c == '%' || c == '"' || c >= 0x7f || c == '.' && i >= slash {
			fmt.Fprintf(&b, "%%%02x", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// resolve returns the definition to which a reference of an object leads. If that is in a closed
// package, or made by the linker, ok is false and the text tells it from others.
func (p *program) resolve(o *object, r reference) (s symbol, ok bool, leaf string) {
	switch r.pkg {
	case 0:
		return s, false, ""
	case refBuiltin:
		return s, false, fmt.Sprintf("builtin %d", r.index)
	case refSelf, refHash64, refHash:
		s, ok = o.own(r)
		if !ok {
			panic(errFormat)
		}
		return p.original(s), true, ""
	case refNone:
		i := o.first[ofName] + int(r.index)
		text, abi := o.name(i), o.abi(i)
		defined := i < o.first[asReference]
		if defined && (abi == abiStatic || o.head(i)[11]&flagDupok == 0) {
			return p.original(symbol{o, i}), true, ""
		}
		if s, ok = p.named[name{text, abi}]; ok {
			return s, true, ""
		}
		if defined { // only a package that is split needs it
			return symbol{o, i}, true, ""
		}
		return s, false, fmt.Sprintf("%s<%d>", text, abi)
	}
	path := o.names[r.pkg]
	if k := p.packages[path]; k != nil {
		s = symbol{k.objects[0], int(r.index)}
		if s.index >= s.first[ofHash64] {
			panic(errFormat)
		}
		return s, true, ""
	}
	return s, false, fmt.Sprintf("%s %d", path, r.index)
}

// nameOf returns the name of a symbol to which a reference of an object leads, "" if it is not known.
func (p *program) nameOf(o *object, r reference) string {
	if s, ok, _ := p.resolve(o, r); ok {
		return s.label()
	}
	return o.nameOf(r)
}

// start is the initialisation of a package.
type start struct{ runs bool } // false if the package has only to wait for others

const inittask = "..inittask"

// runs returns the packages whose initialisers run, in this order, without the packages of which nothing counts for
// all.
func (p *program) runs() (list []string) {
	for _, of := range p.order {
		if p.units[of] == nil || p.runsForAll(of) {
			list = append(list, of)
		}
	}
	return list
}

// start finds the initialisation of the package that an object belongs to.
func (o *object) start(path string) (begins start, found bool) {
	want := prefix(path) + inittask
	for i := range o.symbols() {
		if int(o.number(o.block[blockDefs]+uint32(i)*symbolBytes)) == len(want) && o.name(i) == want {
			return start{binary.LittleEndian.Uint32(o.head(i)[13:]) > 8}, true // two numbers, then the functions
		}
	}
	return start{}, false
}

// order returns the packages whose initialisers run, in the order that the linker gives them: always the
// first by its name of those that wait for no other.
func order(archives []Archive, starts map[string]start) (run []string) {
	waits := map[string]int{}
	waiting := map[string][]string{}
	var ready []string
	name := func(path string) string { return prefix(path) + inittask }
	later := func(path string) {
		at, _ := slices.BinarySearchFunc(ready, path, func(a, b string) int {
			return strings.Compare(name(a), name(b))
		})
		ready = slices.Insert(ready, at, path)
	}
	for _, a := range archives {
		if _, ok := starts[a.Path]; !ok {
			continue
		}
		for _, need := range a.Needs {
			if _, ok := starts[need]; ok {
				waits[a.Path]++
				waiting[need] = append(waiting[need], a.Path)
			}
		}
		if waits[a.Path] == 0 {
			later(a.Path)
		}
	}
	for len(ready) > 0 {
		path := ready[0]
		ready = ready[1:]
		if starts[path].runs {
			run = append(run, path)
		}
		for _, of := range waiting[path] {
			if waits[of]--; waits[of] == 0 {
				later(of)
			}
		}
	}
	return run
}
