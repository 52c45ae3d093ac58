package reach

import (
	"encoding/binary"
	"fmt"
	"path"
	"slices"
	"strings"

	"example.com/suite/internal/disjoint"
)

// The compiler puts the initialisers of all variables of a package into one function, which all benchmarks execute. A
// package can be split: it is compiled once more, with a function for each initialiser, which nothing calls, see Units.
// Then an initialiser that can change nothing but known variables of its package, and memory that it has allocated,
// counts only for benchmarks that reach one of these variables. It may appear, vanish and change for all others.

// markingCalls are architectures whose compiler marks each call by address.
var markingCalls = []string{"amd64", "arm64"}

// UnitPrefix begins the names of the functions that initialise variables in a package that was split.
const UnitPrefix = "suiteInit_"

// Units are the initialisers of a package, each as a function of its own.
type Units struct {
	Archive  string   // the package with these functions
	List     []Unit   // in the order in which they run; empty for a package of the toolchain
	Builtins []string // functions of the runtime, by the numbers that object files have for them
}

// Unit is the initialiser of a variable, or of several at once.
type Unit struct {
	Function string   // its name begins with UnitPrefix, and is the same as long as the variables are
	Vars     []string // without blanks
	Plain    bool     // the expression calls nothing, and receives nothing: nothing but the variables can change
}

// Splitter splits a package of both programs. A program that lacks the package has no units. The error explains why it
// cannot be split, or that what the initialisers of one side allocate could be noticed.
type Splitter func(pkg string) ([2]Units, error)

// SplitBy lets a comparison split packages whose initialisers lead to a difference.
func (c *Comparison) SplitBy(split Splitter) { c.split = split }

// QuietStandard are packages of the toolchain whose initialisers set only variables that no other package reads: Go
// 1.24 to 1.26. (Package log sets one of log/internal, for log/slog.)
var QuietStandard = []string{"log", "log/slog"}

// ask returns the difference of a question. Packages whose initialisers lead to it are split, one after the other.
func (c *Comparison) ask(question func(*Comparison) (*Difference, error)) (*Difference, error) {
	d, err := question(c)
	if err != nil || d == nil || d.initialises == "" || c.split == nil || !c.marksCalls {
		return d, err
	}
	if c.finer == nil {
		c.finer = c.again()
		c.finer.base, c.finer.here, c.finer.tried = c.base.copied(), c.here.copied(), map[string]bool{}
	}
	for {
		fine, err := question(c.finer)
		if err != nil {
			return d, nil
		}
		if fine == nil || !c.finer.divide(fine.initialises) {
			return fine, nil
		}
	}
}

// divide splits a package of both programs. It returns false if it was tried before.
func (c *Comparison) divide(pkg string) bool {
	if pkg == "" || c.tried[pkg] {
		return false
	}
	c.tried[pkg] = true
	if c.base.packages[pkg] == nil && c.here.packages[pkg] == nil && !slices.Contains(QuietStandard, pkg) {
		return false // it is the same, and runs at another time
	}
	both, err := c.split(pkg)
	if err != nil {
		return false
	}
	for i, p := range []*program{c.base, c.here} {
		if err := p.addUnits(pkg, both[i]); err != nil {
			delete(c.base.units, pkg)
			delete(c.here.units, pkg)
			return false
		}
	}
	c.partner, c.reverse = make([]int32, c.base.symbols), make([]int32, c.here.symbols)
	c.walked = make([]bool, c.base.symbols)
	return true
}

// copied returns a copy to which units can be added.
func (p *program) copied() *program {
	fresh := *p
	fresh.objects, fresh.inIface = slices.Clone(p.objects), slices.Clone(p.inIface)
	fresh.units = map[string]*units{}
	return &fresh
}

// units are the initialisers of a package of one program.
type units struct {
	list []*unit // in their order
	// those that count for who reaches a symbol, by the number of that
	of map[int][]*unit
}

type unit struct {
	Unit
	function symbol
	root     bool // it may change what is not known, so it counts for all
}

// addUnits adds the units of a package, none if the program lacks it.
func (p *program) addUnits(pkg string, of Units) (err error) {
	defer recovered(&err)
	all := &units{of: map[int][]*unit{}}
	p.units[pkg] = all
	k := p.packages[pkg]
	if k == nil {
		return nil
	}
	objects, _, err := readArchive(of.Archive)
	if err != nil {
		return err
	}
	o := objects[0]
	o.pkg, o.base, o.splits = k, p.symbols, true
	p.symbols += o.symbols()
	p.objects = append(p.objects, o)
	p.inIface = append(p.inIface, make([]bool, o.symbols())...)
	functions := map[string]symbol{}
	for i := range o.symbols() {
		s := symbol{o, i}
		p.inIface[o.base+i] = s.flag2()&flag2UsedIface != 0
		if rest, ok := strings.CutPrefix(s.label(), prefix(pkg)+"."); ok && s.isFunc() {
			functions[rest] = s
		}
	}
	p.flagReferences(o)
	for _, one := range of.List {
		f, ok := functions[one.Function]
		if !ok {
			return fmt.Errorf("no function %s in the split package %s", one.Function, pkg)
		}
		all.list = append(all.list, &unit{Unit: one, function: f})
	}
	(&quietness{program: p, pkg: k, all: all, builtins: of.Builtins}).decide()
	return nil
}

// isUnit reports whether a function is a unit, or within one.
func isUnit(label string) bool { return strings.Contains(label, "."+UnitPrefix) }

// original returns the symbol that a symbol of a split package means: the one of the package as it is linked,
// unless it belongs to a unit, or the compiler has numbered it.
func (p *program) original(s symbol) symbol {
	text := s.label()
	if !s.splits || text == "" || isUnit(text) || strings.Contains(text, "..") || s.isHashed() {
		return s
	}
	if linked, ok := p.named[name{text, s.abi(s.index)}]; ok {
		return linked
	}
	return s
}

// splitRoots begins a walk with what the initialisation of a split package runs for all: units that may change what is
// not known, then the functions init.
func (w *walk) splitRoots(pkg string) *Difference {
	a, b := w.base.units[pkg], w.here.units[pkg]
	differs := &Difference{Path: []string{"initialisers of " + path.Base(pkg)}, initialises: pkg}
	if !slices.Equal(a.common(b), b.common(a)) {
		return differs
	}
	base, here := a.roots(b), b.roots(a)
	if len(base) != len(here) {
		return differs
	}
	start := name{prefix(pkg) + inittask, 0}
	from := w.begin(start)
	for i, one := range base {
		if one.Function != here[i].Function {
			return differs
		}
		w.push(one.function, here[i].function, from, false)
	}
	p, q := w.base.inits(start), w.here.inits(start)
	if len(p) != len(q) {
		return differs
	}
	for i := range p {
		w.push(p[i], q[i], from, false)
	}
	return nil
}

// begin adds the initialisation of a package to a walk, but not what it leads to.
func (w *walk) begin(start name) (from int) {
	a, ok1 := w.base.named[start]
	b, ok2 := w.here.named[start]
	if !ok1 || !ok2 || !w.push(a, b, -1, false) || len(w.steps) == 0 || w.steps[len(w.steps)-1].base != a {
		return -1
	}
	w.steps[len(w.steps)-1].idle = true
	return len(w.steps) - 1
}

// common returns the names of the units that another list has too, in their order.
func (u *units) common(other *units) (names []string) {
	for _, one := range u.list {
		if other.find(one.Function) != nil {
			names = append(names, one.Function)
		}
	}
	return names
}

// roots returns the units that count for all, in this list or another one.
func (u *units) roots(other *units) (list []*unit) {
	for _, one := range u.list {
		if same := other.find(one.Function); one.root || same != nil && same.root {
			list = append(list, one)
		}
	}
	return list
}

func (u *units) find(function string) *unit {
	i := slices.IndexFunc(u.list, func(one *unit) bool { return one.Function == function })
	if i < 0 {
		return nil
	}
	return u.list[i]
}

// inits returns the functions init of a split package.
func (p *program) inits(start name) (list []symbol) {
	task, ok := p.named[start]
	if !ok {
		return nil
	}
	variables := strings.TrimSuffix(start.text, inittask) + ".init"
	for r := functions(task.relocs()); len(r) > 0; r = r[relocBytes:] {
		if s, ok, _ := p.resolve(task.object, target(r[15:])); ok && s.label() != variables {
			list = append(list, s)
		}
	}
	return list
}

// runsForAll reports whether the initialisation of a split package runs something that counts for all.
func (p *program) runsForAll(pkg string) bool {
	if len(p.inits(name{prefix(pkg) + inittask, 0})) > 0 {
		return true
	}
	return slices.ContainsFunc(p.units[pkg].list, func(one *unit) bool { return one.root })
}

// followUnits adds the units that count for who reaches a symbol: they have to be the same.
func (w *walk) followUnits(i int) bool {
	a, b := w.steps[i].base, w.steps[i].here
	x, y := w.base.units[a.pkg.path], w.here.units[b.pkg.path]
	if x == nil || y == nil {
		return true
	}
	p, q := x.of[a.base+a.index], y.of[b.base+b.index]
	for _, one := range slices.Concat(p, q) {
		base, here := x.find(one.Function), y.find(one.Function)
		if base == nil || here == nil || !w.push(base.function, here.function, i, false) {
			return false
		}
	}
	return true
}

// quietness decides which units of a package are quiet. It goes by what a unit can get hold of: code that has no
// reference to a variable, is given none, calls only code of which the same is known, and calls nothing by its address
// can change only memory that it has allocated.
type quietness struct {
	*program
	pkg      *pkg
	all      *units
	builtins []string

	numbers map[int]int // of variables that units can get hold of: number of the symbol to place in sets
	symbols []int
}

// grasp is what a unit can get hold of.
type grasp struct {
	*quietness
	seen    map[int]bool // numbers of symbols
	holds   map[int]bool // of these, variables of the package
	unknown bool         // and what is not known
}

func (q *quietness) decide() {
	grasps := make([]grasp, len(q.all.list))
	q.numbers = map[int]int{}
	for i, one := range q.all.list {
		grasps[i] = grasp{quietness: q, seen: map[int]bool{}, holds: map[int]bool{}}
		grasps[i].visit(one.function)
		for n := range grasps[i].holds {
			if _, known := q.numbers[n]; !known {
				q.numbers[n] = len(q.symbols)
				q.symbols = append(q.symbols, n)
			}
		}
	}
	// Units that can get hold of one variable can get hold of each other's.
	sets := disjoint.New(len(grasps) + len(q.symbols))
	for i := range grasps {
		for n := range grasps[i].holds {
			sets.Join(i, len(grasps)+q.numbers[n])
		}
	}
	for _, group := range sets.Groups() {
		unknown := slices.ContainsFunc(group, func(i int) bool { return i < len(grasps) && grasps[i].unknown })
		for _, i := range group {
			if i >= len(grasps) {
				continue
			}
			one := q.all.list[i]
			variables, known := q.variables(one)
			switch {
			case !known || unknown && !one.Plain:
				one.root = true
			case one.Plain:
				q.counts(one, variables)
			default:
				for _, k := range group {
					if k >= len(grasps) {
						q.counts(one, []int{q.symbols[k-len(grasps)]})
					}
				}
			}
		}
	}
}

// counts notes that a unit counts for who reaches one of these symbols.
func (q *quietness) counts(one *unit, numbers []int) {
	for _, n := range numbers {
		q.all.of[n] = append(q.all.of[n], one)
	}
}

// variables returns the symbols of the variables that a unit initialises. known is false if one of them has another
// name, or a package has another name for it.
func (q *quietness) variables(one *unit) (numbers []int, known bool) {
	for _, v := range one.Vars {
		s, ok := q.named[name{prefix(q.pkg.path) + "." + v, 0}]
		if !ok || !q.isOwn(s) {
			return nil, false
		}
		numbers = append(numbers, s.base+s.index)
	}
	return numbers, true
}

// isOwn reports whether a symbol is a variable of the package, and of no other by linkname.
func (q *quietness) isOwn(s symbol) bool {
	return s.pkg == q.pkg && slices.Contains(kindsOfVariables, s.kind()) && !q.shared[s.label()]
}

// visit adds what code or data can get hold of.
func (g *grasp) visit(s symbol) {
	n := s.base + s.index
	if g.seen[n] || g.unknown {
		return
	}
	g.seen[n] = true
	isType := s.flag()&flagGoType != 0 || s.flag2()&flag2Itab != 0
	switch {
	case s.isFunc():
		g.unknown = s.object != s.pkg.objects[0] && !s.splits // of an assembler
	case s.kind() == kindReadOnly:
	case g.isOwn(s):
		g.holds[n] = true
	default:
		g.unknown = true
	}
	if isType || strings.HasSuffix(s.label(), "·f") { // functions that only a call by address could call
		return
	}
	for r := s.relocs(); len(r) > 0 && !g.unknown; r = r[relocBytes:] {
		switch binary.LittleEndian.Uint16(r[5:]) {
		case relocCallIndirect:
			g.unknown = true
			continue
		case relocUseField, relocUseType, relocUseIface, relocIfaceMethod, relocNamedMethod:
			continue
		case relocPCRelative, relocAddressARM64:
			if f, ok, _ := g.resolve(s.object, target(r[15:])); ok && f.isFunc() {
				continue // its address is in a closure: see above
			}
		}
		g.follow(s.object, target(r[15:]))
	}
}

// follow adds what a reference leads to.
func (g *grasp) follow(o *object, r reference) {
	if r.pkg == refBuiltin {
		g.unknown = int(r.index) >= len(g.builtins) || !isHarmless(g.builtins[r.index])
		return
	}
	s, ok, _ := g.resolve(o, r)
	switch {
	case ok:
		g.visit(s)
	case r == reference{}: // none
	default:
		g.unknown = !isHarmless(o.nameOf(r))
	}
}

// isHarmless reports whether a symbol of another package, or of the linker, is one by which code can change nothing but
// memory that it has allocated.
func isHarmless(symbol string) bool {
	for _, begin := range []string{"type:", "go:itab.", "go:string.", "runtime.gcbits."} {
		if strings.HasPrefix(symbol, begin) {
			return true
		}
	}
	return slices.Contains(harmless, symbol)
}

// harmless are functions and variables of the toolchain. Those that panic are among them: a program that panics in an
// initialiser does not start, and both have started before they are compared.
var harmless = strings.Fields(`
	runtime.newobject runtime.mallocgc runtime.makeslice runtime.makeslice64 runtime.makeslicecopy runtime.growslice
	runtime.makemap runtime.makemap64 runtime.makemap_small runtime.makechan runtime.makechan64
	runtime.mapassign runtime.mapassign_fast32 runtime.mapassign_fast32ptr runtime.mapassign_fast64
	runtime.mapassign_fast64ptr runtime.mapassign_faststr runtime.mapaccess1 runtime.mapaccess1_fast32
	runtime.mapaccess1_fast64 runtime.mapaccess1_faststr runtime.mapaccess1_fat runtime.mapaccess2
	runtime.mapaccess2_fast32 runtime.mapaccess2_fast64 runtime.mapaccess2_faststr runtime.mapaccess2_fat
	runtime.convT runtime.convTnoptr runtime.convT16 runtime.convT32 runtime.convT64 runtime.convTstring
	runtime.convTslice runtime.concatstring2 runtime.concatstring3 runtime.concatstring4 runtime.concatstring5
	runtime.concatstrings runtime.concatbyte2 runtime.concatbyte3 runtime.concatbyte4 runtime.concatbyte5
	runtime.concatbytes runtime.cmpstring runtime.intstring runtime.slicebytetostring runtime.slicebytetostringtmp
	runtime.slicerunetostring runtime.stringtoslicebyte runtime.stringtoslicerune runtime.slicecopy runtime.decoderune
	runtime.countrunes runtime.typedmemmove runtime.typedmemclr runtime.typedslicecopy runtime.memmove
	runtime.memclrNoHeapPointers runtime.memclrHasPointers runtime.memequal runtime.memequal8 runtime.memequal16
	runtime.memequal32 runtime.memequal64 runtime.memequal128 runtime.strequal runtime.duffzero runtime.duffcopy
	runtime.gcWriteBarrier runtime.gcWriteBarrier1 runtime.gcWriteBarrier2 runtime.gcWriteBarrier3
	runtime.gcWriteBarrier4 runtime.gcWriteBarrier5 runtime.gcWriteBarrier6 runtime.gcWriteBarrier7
	runtime.gcWriteBarrier8 runtime.wbMove runtime.wbZero runtime.writeBarrier runtime.zerobase runtime.staticuint64s
	runtime.morestack runtime.morestackc runtime.morestack_noctxt runtime.x86HasPOPCNT runtime.x86HasSSE41
	runtime.x86HasFMA runtime.arm64HasATOMICS
	runtime.panicdivide runtime.panicshift runtime.panicmakeslicelen runtime.panicmakeslicecap runtime.panicwrap
	runtime.gopanic runtime.goPanicIndex runtime.goPanicIndexU runtime.goPanicSliceAlen runtime.goPanicSliceAlenU
	runtime.goPanicSliceAcap runtime.goPanicSliceAcapU runtime.goPanicSliceB runtime.goPanicSliceBU
	runtime.goPanicSliceConvert runtime.panicIndex runtime.panicIndexU runtime.panicSliceAlen runtime.panicSliceAlenU
	runtime.panicSliceAcap runtime.panicSliceAcapU runtime.panicSliceB runtime.panicSliceBU runtime.panicBounds
	runtime.panicSliceConvert runtime.panicdottypeE runtime.panicdottypeI runtime.panicnildottype
	errors.New net.CIDRMask net.IPv4 net.IPv4Mask`)
