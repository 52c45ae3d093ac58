package reach

import (
	"debug/elf"
	"encoding/binary"
	"slices"
	"strings"
)

// finders are the functions of a program that find a method by package reflect and call it. The linker knows most of
// them too: it leaves out the code of a method that neither an interface nor one of them calls.
type finders struct {
	// functions of package reflect by which methods are found, by their index; empty: all may be
	calls    map[uint32]bool
	counters map[uint32]bool // the same of those by which methods are counted
	countAt  int             // where the descriptor of reflect.Type has its method NumMethod
	reflects string          // the content of package reflect
	always   bool            // something finds methods that is no function, or not known
	any      []string        // functions that may find any method
	counting []string        // functions outside of the toolchain that count methods; "": something else does
	// functions that find a method by a constant, which is the key, or call an interface in generic code
	byName map[string][]string
	file   string          // the linked program; "": not known
	linked map[string]bool // names of its symbols; nil: not read
	failed bool            // they cannot be read, so all functions count
	found  map[string]bool // whether a method of a name may be found

	counted *bool // whether something counts methods; nil: not asked
}

// reflecting are the functions of package reflect by which methods are found. The compiler marks who calls them, but
// not who has them as values or links them by another name.
var reflecting = []string{"reflect.Value.Method", "reflect.Value.MethodByName", "reflect.(*rtype).Method",
	"reflect.(*rtype).MethodByName"}

const reflectPackage = "reflect"

// counting are the functions of package reflect by which methods are counted, or copied to another type. In the
// toolchain few packages call them: for the methods of interfaces, next to finding methods, and encoding/json before
// it asks for an interface.
var counting = []string{"reflect.Value.NumMethod", "reflect.(*Value).NumMethod", "reflect.(*rtype).NumMethod",
	"reflect.Type.NumMethod", "reflect.(*rtype).exportedMethods", "reflect.(*rtype).uncommon", "reflect.StructOf"}

const (
	reflectType = "type:reflect.Type"
	countName   = "NumMethod"
)

func newFinders(archives []Archive) *finders {
	f := &finders{calls: map[uint32]bool{}, counters: map[uint32]bool{}, byName: map[string][]string{},
		found: map[string]bool{}}
	at := slices.IndexFunc(archives, func(a Archive) bool { return a.Path == reflectPackage })
	if at < 0 {
		return f
	}
	f.reflects = archives[at].Content
	objects, _, _ := readArchive(archives[at].File)
	found := 0
	for _, o := range objects {
		for i := range o.symbols() {
			s := symbol{o, i}
			if s.label() == reflectType {
				s.eachMethod(func(at int, m signature) {
					if m.name == countName {
						f.countAt = at
					}
				})
			}
			if i < o.first[ofHash64] && slices.Contains(counting, s.label()) {
				f.counters[uint32(i)] = true
			}
			if !slices.Contains(reflecting, s.label()) {
				continue
			}
			if found++; i < o.first[ofHash64] { // others are known by their names
				f.calls[uint32(i)] = true
			}
		}
	}
	f.always = found != len(reflecting) || f.countAt == 0
	return f
}

// like returns finders of the same program that have found nothing yet.
func (f *finders) like() finders {
	return finders{calls: f.calls, counters: f.counters, countAt: f.countAt, reflects: f.reflects,
		byName: map[string][]string{}}
}

// join adds what others of the same program have found.
func (f *finders) join(others finders) {
	f.always = f.always || others.always
	f.any = append(f.any, others.any...)
	f.counting = append(f.counting, others.counting...)
	for name, functions := range others.byName {
		f.byName[name] = append(f.byName[name], functions...)
	}
}

// add notes the finders in an object of a package, and who counts methods unless the package is of the toolchain.
func (f *finders) add(a Archive, o *object) {
	for i := range o.symbols() {
		s := symbol{o, i}
		if s.flag2()&flag2Itab != 0 { // who calls it is marked
			continue
		}
		finds, counts := s.flag()&flagReflect != 0, false
		if !a.Standard && !strings.HasPrefix(s.label(), "type:go.shape.") { // generic code names the methods that it calls
			s.eachMethod(func(_ int, m signature) { counts = counts || m.name == countName })
		}
		for r := s.relocs(); len(r) > 0; r = r[relocBytes:] {
			to, kind := target(r[15:]), binary.LittleEndian.Uint16(r[5:])
			if !a.Standard {
				counts = counts || leadsTo(o, to, f.counters, counting) || kind == relocIfaceMethod &&
					int(binary.LittleEndian.Uint64(r[7:])) == f.countAt && o.nameOf(to) == reflectType
			}
			if kind != relocNamedMethod {
				finds = finds || a.Path != reflectPackage && leadsTo(o, to, f.calls, reflecting)
			} else if text, ok := o.own(to); ok {
				name := string(text.data())
				f.byName[name] = append(f.byName[name], s.label())
			} else {
				finds = true
			}
		}
		switch {
		case finds && s.isFunc() && s.label() != "":
			f.any = append(f.any, s.label())
		case finds:
			f.always = true
		}
		switch {
		case counts && s.isFunc():
			f.counting = append(f.counting, s.label())
		case counts:
			f.counting = append(f.counting, "")
		}
	}
}

// leadsTo reports whether a reference leads to one of some functions of package reflect.
func leadsTo(o *object, r reference, functions map[uint32]bool, names []string) bool {
	if r.pkg == refNone {
		i := o.first[ofName] + int(r.index)
		return i >= o.first[asReference] && slices.Contains(names, o.name(i))
	}
	return functions[r.index] && int(r.pkg) < len(o.names) && o.names[r.pkg] == reflectPackage
}

// Linked names the files of the two programs, as go has linked them. Without it each function that finds methods by
// package reflect counts, wherever it is; with it those that the linker has kept.
func (c *Comparison) Linked(base, here string) {
	if c.base != nil {
		c.base.finders.file, c.here.finders.file = base, here
	}
}

// finds reports whether a function of the program may find a method of a name by package reflect.
func (p *program) finds(name string) bool {
	f := p.finders
	found, known := f.found[name]
	if !known {
		found = f.always || f.hasAny(f.any) || f.hasAny(f.byName[name])
		f.found[name] = found
	}
	return found
}

// counts reports whether a function of the program may count the methods of a type.
func (p *program) counts() bool {
	if p.finders.counted == nil {
		counts := slices.Contains(p.finders.counting, "") || p.finders.hasAny(p.finders.counting) || p.finds(countName)
		p.finders.counted = &counts
	}
	return *p.finders.counted
}

func (f *finders) hasAny(functions []string) bool { return slices.ContainsFunc(functions, f.isLinked) }

// isLinked reports whether the linker has kept a function.
func (f *finders) isLinked(function string) bool {
	if f.linked == nil && !f.failed {
		f.linked = Symbols(f.file)
		f.failed = !f.linked["main.main"] // it has no table of symbols, or another one
	}
	inTable := strings.ReplaceAll(function, "·", ".")
	return f.failed || f.linked[inTable] || f.linked[inTable+".abi0"] // of an assembler
}

// Symbols returns the names of the symbols of a program, nil if they cannot be read.
func Symbols(path string) map[string]bool {
	file, err := elf.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	symbols, err := file.Symbols()
	if err != nil {
		return nil
	}
	names := map[string]bool{}
	for _, s := range symbols {
		names[s.Name] = true
	}
	return names
}
