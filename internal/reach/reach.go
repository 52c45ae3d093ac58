// Package reach decides whether a benchmark is the same in two builds of a test binary, or a program in two
// builds: whether all code and data that it can reach is the same. It reads the object files of which go has
// linked the binaries, so whatever the compiler has put into them counts: inlined code, dependencies, embedded
// files, assembly, instances of generic code. Comments, moved lines and renamed variables are not in them.
//
// From the main function, all initialisers and the benchmark, both programs are walked at once, relocation
// by relocation. Two symbols are the same if their bytes are, and if their relocations lead to symbols that
// are the same; no symbol may mean two. A type whose values are converted to interfaces leads to its
// methods that may be called through interfaces or package reflect. Names and lines do not count, so what a
// program prints about its own functions may differ.
package reach

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"example.com/suite/internal/lazy"
)

// Comparison compares two builds of a program.
type Comparison struct {
	base, here *program // nil if they are the same
	partner    []int32  // number of a symbol of here, by the number of a symbol of base; 0: none, else + 1
	reverse    []int32
	walked     []bool // by the number of a symbol of base: also as a type whose values are converted
	benchmarks [2]map[string][]symbol
	wide       bool   // addresses have 64 bits
	release    string // of Go: go1.26
	unit       int    // bytes that addresses of instructions are multiples of

	marksCalls bool            // relocations mark calls by address
	split      Splitter        // nil: packages are not split
	finer      *Comparison     // the same programs, with packages that are split; nil: none was needed
	tried      map[string]bool // packages that finer has split, or could not
}

// Difference is the way from a benchmark to a difference.
type Difference struct {
	Path  []string // functions and variables, from the benchmark to what differs
	Place string   // where the last of them begins: lex.go:120; "" if it is no function
	// no run has executed it, but a function can reach it whose parts were not executed alike in all runs
	Might bool

	initialises string // the package whose initialisation leads to it; "": the benchmark does
}

// New reads two builds of a test binary, or of another program. The error explains what is not understood; nothing is
// known then.
func New(base, here []Archive) (c *Comparison, err error) {
	defer recovered(&err)
	whole := closed(base, here)
	c = &Comparison{}
	if whole[MainPackage] {
		return c, nil // the programs are the same
	}
	var toolchains [2]string
	for i, archives := range [][]Archive{base, here} {
		p, toolchain, err := load(archives, whole)
		if err != nil {
			return nil, err
		}
		toolchains[i] = toolchain
		if i == 0 {
			c.base = p
		} else {
			c.here = p
		}
		c.benchmarks[i] = p.benchmarks()
	}
	if toolchains[0] != toolchains[1] {
		return nil, errors.New("the toolchains differ")
	}
	if release := strings.Fields(toolchains[0]); len(release) < 5 || !isKnown(release[4]) {
		return nil, fmt.Errorf("object files of %q are not known", toolchains[0])
	}
	arch, release := strings.Fields(toolchains[0])[3], strings.Fields(toolchains[0])[4]
	c.release = strings.Join(strings.SplitN(release, ".", 3)[:2], ".")
	c.unit = 4
	if slices.Contains([]string{"386", "amd64", "wasm"}, arch) {
		c.unit = 1
	}
	c.wide, c.marksCalls = slices.Contains(wide, arch), slices.Contains(markingCalls, arch)
	c.partner, c.reverse = make([]int32, c.base.symbols), make([]int32, c.here.symbols)
	c.walked = make([]bool, c.base.symbols)
	return c, nil
}

// isKnown reports whether a release has the format that this package reads.
func isKnown(release string) bool {
	return slices.ContainsFunc([]string{"go1.24", "go1.25", "go1.26"}, func(known string) bool {
		return release == known || strings.HasPrefix(release, known+".")
	})
}

func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w: %v", errFormat, r)
	}
}

// benchmarks lists the functions in the table of the main function of a test binary.
func (p *program) benchmarks() map[string][]symbol {
	all := map[string][]symbol{}
	table, ok := p.named[name{"main.benchmarks", 0}]
	if !ok { // no test binary
		return all
	}
	for r := table.relocs(); len(r) > 0; r = r[relocBytes:] {
		list, ok, _ := p.resolve(table.object, target(r[15:]))
		if !ok {
			continue
		}
		for r := list.relocs(); len(r) > 0; r = r[relocBytes:] {
			if f, ok, _ := p.resolve(list.object, target(r[15:])); ok && strings.HasSuffix(f.label(), "·f") {
				text := strings.TrimSuffix(f.label(), "·f")
				short := text[strings.LastIndexByte(text, '.')+1:]
				all[short] = append(all[short], f)
			}
		}
	}
	return all
}

// Benchmark returns nil if a benchmark, named by its function, is the same in both builds.
func (c *Comparison) Benchmark(function string) (*Difference, error) {
	return c.ask(func(c *Comparison) (*Difference, error) { return c.benchmark(function) })
}

func (c *Comparison) benchmark(function string) (d *Difference, err error) {
	defer recovered(&err)
	if c.base == nil {
		return nil, nil
	}
	if len(c.benchmarks[0][function]) == 0 || len(c.benchmarks[1][function]) == 0 {
		return nil, fmt.Errorf("no %s in the table of benchmarks", function)
	}
	return c.walk(function), nil
}

// Executing is like Benchmark, or like Program if function is "", for a case whose runs in the base have executed what
// a coverage shows: nothing of a function that was idle counts, unless a function can reach it of which the runs have
// executed different parts. Initialisers and the main function have run too.
func (c *Comparison) Executing(function string, by *Coverage) (*Difference, error) {
	return c.ask(func(c *Comparison) (*Difference, error) { return c.executing(function, by) })
}

func (c *Comparison) executing(function string, by *Coverage) (d *Difference, err error) {
	if function == "" {
		d, err = c.program()
	} else {
		d, err = c.benchmark(function)
	}
	if d == nil || err != nil {
		return d, err
	}
	defer recovered(&err)
	w := &walk{Comparison: c.again(), executed: by, recorded: by}
	if d = w.roots(function); d == nil {
		d = w.run()
	}
	if d == nil {
		d = w.beyond(by.Varying, true)
	}
	if d == nil {
		d = w.beyond(by.Timed, false)
	}
	if d == nil && w.starts != "" {
		return nil, fmt.Errorf("it may start programs by %s", w.starts)
	}
	return d, nil
}

// again is the same comparison, of which nothing is known yet.
func (c *Comparison) again() *Comparison {
	fresh := *c
	fresh.partner, fresh.reverse = make([]int32, c.base.symbols), make([]int32, c.here.symbols)
	fresh.walked = make([]bool, c.base.symbols)
	return &fresh
}

// beyond walks from the functions of which runs have executed different parts to all that they can reach: another run
// might execute it. If something there is called by its address, that may be any function of which the address is
// known, unless it is known what is called.
func (w *walk) beyond(functions []string, byAddress bool) *Difference {
	if len(functions) == 0 {
		return nil
	}
	varying := &Coverage{Varying: functions}
	recorded := w.recorded
	if !byAddress {
		recorded = varying // of which types it looks at nothing is known
	}
	all := &walk{Comparison: w.again(), executed: &Coverage{}, recorded: recorded, own: w.ownPackage()}
	follow := func(base, here symbol, from int, inIface bool) *Difference {
		all.push(base, here, -1, inIface)
		d := all.run()
		w.starts = cmp.Or(w.starts, all.starts)
		if d == nil {
			return nil
		}
		way := w.difference(from).Path
		if len(d.Path) > 0 && len(way) > 0 && d.Path[0] == way[len(way)-1] {
			way = way[:len(way)-1]
		}
		d.Path, d.Might = append(way, d.Path...), true
		return d
	}
	for i := range w.steps {
		s := &w.steps[i]
		switch {
		case !s.base.isFunc():
		case varying.IsVarying(s.base.label()):
			if d := follow(s.base, s.here, i, false); d != nil {
				return d
			}
		case !s.idle:
			isVarying := w.varyingParts(s.base, varying)
			p, q := s.base.relocs(), s.here.relocs()
			for ; len(p) > 0; p, q = p[relocBytes:], q[relocBytes:] {
				if !isVarying(int(binary.LittleEndian.Uint32(p))) {
					continue
				}
				base, here, kind, ok := w.calledPart(all, *s, p, q)
				if !ok {
					continue
				}
				if d := follow(base, here, i, kind == relocUseIface); d != nil {
					return d
				}
			}
		}
	}
	if !byAddress || !all.callsByAddress && !w.closedVaries() {
		return nil
	}
	for _, f := range w.addresses {
		if d := follow(f.base, f.here, f.from, false); d != nil {
			return d
		}
	}
	return nil
}

// varyingParts returns a function that reports whether the code at an offset of a function belongs to one that is
// inlined in it, and of which runs have executed different parts.
func (w *walk) varyingParts(s symbol, varying *Coverage) func(offset int) bool {
	all := s.inlined()
	varies := make([]bool, len(all))
	for i, one := range all { // parents come first
		name := w.base.nameOf(s.object, one.function)
		switch {
		case one.parent >= 0 && varies[one.parent]:
			varies[i] = true
		case name == "" && int(one.function.pkg) < len(s.names): // of another package
			varies[i] = varying.variesIn(s.names[one.function.pkg])
		default:
			varies[i] = name == "" || varying.IsVarying(name)
		}
	}
	if !slices.Contains(varies, true) {
		return func(int) bool { return false }
	}
	stretches := s.inlinings(w.unit)
	if n := len(stretches); n == 0 || stretches[n-1].end != len(s.data()) {
		return func(int) bool { return true } // not understood
	}
	return func(offset int) bool {
		for _, c := range stretches {
			if offset < c.end {
				return c.inlined >= 0 && varies[c.inlined]
			}
		}
		return true
	}
}

// calledPart returns the two symbols to which relocations of the varying part of a function lead, and the kind of
// these. ok is false if there are none: then it is noted what they may call.
func (w *walk) calledPart(all *walk, s step, p, q []byte) (base, here symbol, kind uint16, ok bool) {
	switch kind = binary.LittleEndian.Uint16(p[5:]); kind {
	case relocUseField, relocUseType, relocIfaceMethod, relocNamedMethod:
		return base, here, kind, false
	case relocCallIndirect:
		all.callsByAddress = true
		return base, here, kind, false
	}
	base, ok, _ = w.base.resolve(s.base.object, target(p[15:]))
	here, found, _ := w.here.resolve(s.here.object, target(q[15:]))
	if !ok {
		all.callsByAddress = all.callsByAddress || !w.isQuiet(s.base.object, target(p[15:]))
	}
	return base, here, kind, ok && found
}

// variesIn reports whether runs have executed different parts of a function of a package.
func (c *Coverage) variesIn(path string) bool {
	return slices.ContainsFunc(c.Varying, func(function string) bool { return isIn(function, path) })
}

// isIn reports whether a function is one of a package.
func isIn(function, path string) bool {
	rest, ok := strings.CutPrefix(function, prefix(path)+".")
	return ok && !strings.Contains(rest, "/")
}

// closedVaries reports whether runs have executed different parts of a function in a closed package. It leads to
// nothing that differs but what it calls by an address.
func (w *walk) closedVaries() bool {
	return slices.ContainsFunc(w.executed.Varying, func(function string) bool {
		for path := range w.base.packages {
			if isIn(function, path) {
				return false
			}
		}
		return true
	})
}

// note notes what a function may call by an address, and functions that were not executed and could be called so: code
// that was executed, or data of it, has their addresses.
func (w *walk) note(s step, p, q reference, kind uint16) {
	if w.executed == nil {
		return
	}
	isFunc := s.base.isFunc()
	if kind == relocCallIndirect {
		w.callsByAddress = true
		return
	}
	a, ok, _ := w.base.resolve(s.base.object, p)
	if !ok {
		w.callsByAddress = w.callsByAddress || isFunc && !w.isQuiet(s.base.object, p)
		return
	}
	if isFunc && kind != relocPCRelative && kind != relocAddressARM64 || !a.isFunc() || !w.executed.isIdle(a) {
		return
	}
	if b, ok, _ := w.here.resolve(s.here.object, q); ok {
		w.addresses = append(w.addresses, step{base: a, here: b, from: w.next})
	}
}

// quiet are packages of the toolchain that call nothing by an address but what unquiet functions of them are given.
var quiet = []string{"internal/abi", "internal/bytealg", "internal/cpu", "internal/runtime/atomic",
	"internal/runtime/maps", "internal/runtime/sys", "internal/sync", "math", "math/bits", "runtime", "strconv",
	"sync/atomic", "time", "unicode", "unicode/utf16", "unicode/utf8"}

// unquiet call what they are given, which who calls them may have been given too.
var unquiet = []string{"time.AfterFunc", "runtime.SetFinalizer", "runtime.deferprocat", ""}

// calling are the numbers that object files have for the functions of the runtime behind go and defer statements, which
// call what they are given: runtime.newproc, deferproc and deferprocStack. Of other releases they are not known.
var calling = map[string][]uint32{"go1.26": {218, 219, 221}}

// isQuiet reports whether a reference to a closed package leads to one of quiet, or to what calls nothing.
func (c *Comparison) isQuiet(o *object, r reference) bool {
	if r.pkg == refBuiltin {
		numbers, known := calling[c.release]
		return known && !slices.Contains(numbers, r.index)
	}
	text, pkg := o.nameOf(r), ""
	switch {
	case r.pkg == refNone: // its own package allows others to link it
		pkg, _ = symbolParts(text)
	case int(r.pkg) < len(o.names):
		pkg = o.names[r.pkg]
	}
	return isHarmless(text) || slices.Contains(quiet, pkg) && !slices.Contains(unquiet, text)
}

// Program returns nil if all that the main function can reach is the same in both builds.
func (c *Comparison) Program() (*Difference, error) { return c.ask((*Comparison).program) }

func (c *Comparison) program() (d *Difference, err error) {
	defer recovered(&err)
	if c.base == nil {
		return nil, nil
	}
	return c.walk(""), nil
}

func (c *Comparison) walk(function string) *Difference {
	w := &walk{Comparison: c}
	if d := w.roots(function); d != nil {
		return d
	}
	return w.run()
}

// roots begins a walk with what runs before a benchmark, and with the benchmark, "" for none.
func (w *walk) roots(function string) *Difference {
	base, here := w.benchmarks[0][function], w.benchmarks[1][function]
	if len(base) != len(here) {
		return &Difference{Path: []string{function}}
	}
	for i := range base {
		w.push(base[i], here[i], -1, false)
	}
	a, ok1 := w.base.named[name{"main.main", 1}]
	b, ok2 := w.here.named[name{"main.main", 1}]
	if !ok1 || !ok2 {
		panic(errFormat)
	}
	w.push(a, b, -1, false)
	before, after := w.base.runs(), w.here.runs()
	if at := firstDifference(before, after); at != "" {
		return &Difference{Path: []string{"initialisers of " + path.Base(at)}, initialises: at}
	}
	for _, of := range w.base.order {
		if w.base.units[of] != nil {
			if d := w.splitRoots(of); d != nil {
				return d
			}
			continue
		}
		start := name{prefix(of) + inittask, 0}
		if a, ok := w.base.named[start]; ok {
			w.push(a, w.here.named[start], -1, false)
		}
	}
	if len(w.base.called) != len(w.here.called) {
		return &Difference{Path: []string{"functions that other packages call by name"}}
	}
	for i, s := range w.base.called {
		w.push(s, w.here.called[i], -1, false)
	}
	return nil
}

// firstDifference returns the first element that is not the same in two lists, "" if there is none. If one of the two
// lists lacks an element, that is the one.
func firstDifference(a, b []string) string {
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(b) || i < len(a) && a[i] != b[i] && !slices.Contains(b, a[i]):
			return a[i]
		case i >= len(a) || a[i] != b[i]:
			return b[i]
		}
	}
	return ""
}

// walk is one walk through both programs.
type walk struct {
	*Comparison
	steps    []step
	next     int       // the step to compare next
	executed *Coverage // nil: all that can be reached counts
	recorded *Coverage // at which types runs look; nil: not known
	starts   string    // a closed package that it may use to start another program

	callsByAddress bool   // a function may call others by their addresses, or a closed package for it
	addresses      []step // functions that were not executed, and that could be called so

	own string // the package whose name is left out of ways; "": the package of the first step
}

type step struct {
	base, here symbol
	from       int  // the step that led here; -1: none
	inIface    bool // a type whose values are converted to interfaces
	added      bool // partners since this walk
	idle       bool // a function that was not executed: what it is does not matter
}

// push adds a pair of symbols that have to be the same.
func (w *walk) push(base, here symbol, from int, inIface bool) bool {
	a, b := base.base+base.index, here.base+here.index
	inIface = inIface && base.flag()&flagGoType != 0 || w.base.inIface[a] && w.here.inIface[b]
	if !base.isHashed() || !here.isHashed() {
		if w.partner[a] != 0 && w.partner[a] != int32(b)+1 || w.reverse[b] != 0 && w.reverse[b] != int32(a)+1 {
			return false
		}
	}
	known := w.partner[a] == int32(b)+1
	if known && (!inIface || w.walked[a]) {
		return true
	}
	idle := w.executed != nil && base.isFunc() && w.executed.isIdle(base)
	w.steps = append(w.steps, step{base: base, here: here, from: from, inIface: inIface, added: !known, idle: idle})
	w.partner[a], w.reverse[b] = int32(b)+1, int32(a)+1
	w.walked[a] = w.walked[a] || inIface
	return true
}

// run compares until a difference is found. What a walk without a difference has seen is the same for
// all later ones.
func (w *walk) run() *Difference {
	for ; w.next < len(w.steps); w.next++ {
		if w.steps[w.next].idle || w.same(w.next) {
			continue
		}
		d := w.difference(w.next)
		w.undo()
		return d
	}
	return nil
}

// undo takes back what a walk has found to be the same.
func (w *walk) undo() {
	for _, s := range w.steps {
		a, b := s.base.base+s.base.index, s.here.base+s.here.index
		if s.inIface {
			w.walked[a] = false
		}
		if s.added {
			w.partner[a], w.reverse[b] = 0, 0
		}
	}
	w.steps, w.next = nil, 0
}

// Relocations and auxiliary symbols that are not followed, or in another way.
const (
	relocUseField    = 21
	relocUseType     = 22
	relocUseIface    = 23
	relocIfaceMethod = 24
	relocNamedMethod = 25
	relocMethod      = 26

	relocCallIndirect = 10 // marks a call by address, on amd64 and arm64

	// how code refers to what it does not call, on amd64 and arm64
	relocPCRelative   = 14
	relocAddressARM64 = 3

	auxGotype   = 0
	auxFuncInfo = 1
	auxFuncdata = 2
	auxPcsp     = 7
	auxPcfile   = 8
	auxPcinline = 10
	auxPcdata   = 11
)

// tables are variables of the main package that list all tests and benchmarks.
var tables = []string{"main.tests", "main.benchmarks", "main.fuzzTargets", "main.examples"}

// same compares the two symbols of a step, and adds those to which they lead.
func (w *walk) same(i int) bool {
	s := w.steps[i]
	a, b := s.base, s.here
	if a.label() == b.label() && slices.Contains(tables, a.label()) {
		return true
	}
	if !w.followUnits(i) {
		return false
	}
	const unlike = flag2UsedIface
	x, y := a.head(a.index), b.head(b.index)
	if !bytes.Equal(x[8:12], y[8:12]) || x[12]&^unlike != y[12]&^unlike || !bytes.Equal(x[17:], y[17:]) {
		return false
	}
	if w.wide && a.flag()&flagGoType != 0 {
		if same, known := w.sameType(i); known {
			return same
		}
	}
	return bytes.Equal(x[13:17], y[13:17]) && bytes.Equal(a.data(), b.data()) && w.sameRelocs(i, a.relocs(),
		b.relocs()) && w.sameAux(i)
}

func (w *walk) sameRelocs(i int, p, q []byte) bool {
	s := w.steps[i]
	if strings.HasSuffix(s.base.label(), inittask) {
		p, q = functions(p), functions(q)
	}
	if len(p) != len(q) {
		return false
	}
	isType, isItab := s.base.flag()&flagGoType != 0, s.base.flag2()&flag2Itab != 0
	for ; len(p) > 0; p, q = p[relocBytes:], q[relocBytes:] {
		if !bytes.Equal(p[:15], q[:15]) {
			return false
		}
		kind := binary.LittleEndian.Uint16(p[5:])
		switch kind {
		case relocUseField, relocUseType, relocIfaceMethod, relocNamedMethod:
			continue
		case relocMethod:
			if !s.inIface {
				continue
			}
		}
		if w.leadsToElements(s.base, p) {
			if !w.sameIdentity(s, target(p[15:]), target(q[15:])) {
				return false
			}
			continue
		}
		if !w.follow(i, target(p[15:]), target(q[15:]), kind == relocUseIface || isItab || isType && s.inIface) {
			return false
		}
		w.note(s, target(p[15:]), target(q[15:]), kind)
	}
	return true
}

// functions returns the relocations of an initialisation that lead to its functions. The others, of no
// size, lead to the initialisations for which it waits: see order.
func functions(relocs []byte) (list []byte) {
	for r := relocs; len(r) > 0; r = r[relocBytes:] {
		if size := r[4]; size > 0 {
			list = append(list, r[:relocBytes]...)
		}
	}
	return list
}

// follow adds the pair of symbols to which two references lead.
func (w *walk) follow(i int, p, q reference, inIface bool) bool {
	s := w.steps[i]
	a, ok, leaf := w.base.resolve(s.base.object, p)
	b, ok2, leaf2 := w.here.resolve(s.here.object, q)
	if !ok || !ok2 {
		if w.executed != nil && w.starts == "" && s.base.pkg.path != MainPackage {
			// the main of a host serves commands too
			w.starts = w.base.starts(s.base.object, p)
		}
		return ok == ok2 && leaf == leaf2
	}
	return w.push(a, b, i, inIface)
}

func (w *walk) sameAux(i int) bool {
	s := w.steps[i]
	p, q := counted(s.base), counted(s.here)
	if len(p) != len(q) {
		return false
	}
	for n := range p {
		if p[n][0] != q[n][0] {
			return false
		}
		x, y := target(p[n][1:]), target(q[n][1:])
		if kind := p[n][0]; kind == auxFuncInfo || kind == auxGotype {
			length := funcInfoCompare
			if kind == auxGotype {
				length = 16 // its size, and where its pointers end
			}
			if !w.begins(s, x, y, length) {
				return false
			}
		} else if !w.follow(i, x, y, false) {
			return false
		}
	}
	return true
}

// begins compares the first bytes of two symbols.
func (w *walk) begins(s step, p, q reference, length int) bool {
	a, ok, leaf := w.base.resolve(s.base.object, p)
	b, ok2, leaf2 := w.here.resolve(s.here.object, q)
	if !ok || !ok2 {
		return ok == ok2 && leaf == leaf2
	}
	x, y := a.data(), b.data()
	return bytes.Equal(x[:min(length, len(x))], y[:min(length, len(y))])
}

// counted returns the auxiliary symbols that are more than names and lines.
func counted(s symbol) (list [][]byte) {
	for a := s.auxes(); len(a) > 0; a = a[auxBytes:] {
		switch a[0] {
		case auxGotype, auxFuncInfo, auxFuncdata, auxPcsp, auxPcdata:
			list = append(list, a[:auxBytes])
		}
	}
	return list
}

// difference returns the way to the step that differs. Names of the benchmark's package are without it. What
// has no name of its own belongs to the function, variable or type that led to it.
func (w *walk) difference(i int) *Difference {
	for w.steps[i].from >= 0 && shown(w.steps[i].here) == "" {
		i = w.steps[i].from
	}
	d := &Difference{Place: w.steps[i].here.place()}
	own := w.ownPackage()
	last := ""
	for ; i >= 0; i = w.steps[i].from {
		if first := w.steps[i]; first.from < 0 && strings.HasSuffix(first.here.label(), inittask) {
			d.initialises = first.here.pkg.path
		}
		text := shown(w.steps[i].here)
		if rest, isType := strings.CutPrefix(text, "type "+own+"."); isType {
			text = "type " + rest
		}
		if text = strings.TrimPrefix(text, own+"."); text != "" && text != last {
			d.Path, last = append(d.Path, text), text
		}
	}
	slices.Reverse(d.Path)
	if len(d.Path) == 0 { // a TestMain is new, for example
		d.Path = []string{"the main function"}
	}
	return d
}

func (w *walk) ownPackage() string {
	if w.own != "" || len(w.steps) == 0 {
		return w.own
	}
	own, _, _ := strings.Cut(shown(w.steps[0].here), ".")
	return own
}

// shown returns the name of a function, a variable or a type as people write it, with its package and
// without the folder of that. It is "" for what the compiler has named.
func shown(s symbol) string {
	text := strings.TrimSuffix(s.label(), "·f")
	if text == "main..inittask" || text == "main.main" {
		return ""
	}
	if p, ok := strings.CutSuffix(text, "..inittask"); ok {
		return "initialisers of " + path.Base(p)
	}
	if isUnit(text) {
		return "initialisers of " + path.Base(s.pkg.path)
	}
	for _, compilers := range []string{"..", "·", "go:", ".arginfo", ".argliveinfo", ".wrapinfo",
		".opendefer", ".stkobj"} {
		if strings.Contains(text, compilers) {
			return ""
		}
	}
	if rest, isType := strings.CutPrefix(text, "type:"); isType {
		if strings.ContainsAny(rest, " :{") || strings.HasPrefix(rest, ".") {
			return ""
		}
		return "type " + strings.TrimLeft(rest[strings.LastIndexByte(rest, '/')+1:], "*[]")
	}
	text = withoutFolder(text)
	if closure := closures().FindStringIndex(text); closure != nil {
		text = text[:closure[0]]
	}
	return strings.ReplaceAll(text, "%2e", ".")
}

// withoutFolder returns the name of a function or a variable without the folder of its package, and with … for
// arguments of types that contain more than plain names, such as whole structs.
func withoutFolder(name string) string {
	head, arguments, tail := name, "", ""
	if begin, end := strings.IndexByte(name, '['), strings.LastIndexByte(name, ']'); begin >= 0 && end > begin {
		head, arguments, tail = name[:begin], name[begin:end+1], name[end+1:]
	}
	if strings.ContainsAny(arguments, "/ ") {
		arguments = "[…]"
	}
	return head[strings.LastIndexByte(head, '/')+1:] + arguments + tail
}

// closures matches what the compiler adds to the name of a function for those within it.
var closures = lazy.Regexp(`(\.func\d+|\.gowrap\d+|\.deferwrap\d+|-range\d+|-fm)` +
	`(\.\d+|\.func\d+|\.gowrap\d+|\.deferwrap\d+|-range\d+|-fm)*$`)
