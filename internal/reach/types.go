package reach

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"slices"
	"strings"
)

// The descriptor of a type begins as internal/abi.Type of these architectures, whose addresses have 64 bits.
var wide = []string{"amd64", "arm64", "loong64", "ppc64", "ppc64le", "riscv64", "s390x", "mips64", "mips64le"}

const (
	typeBytes  = 48
	elementAt  = typeBytes // of a pointer or a slice: the type of its elements
	hashAt     = 16        // of its name, with the path of its package
	hashBytes  = 4
	tflagAt    = 20
	kindAt     = 23
	equalAt    = 24
	kindMask   = 31
	uncommon   = 1 // the flag of a type with a name or methods: internal/abi.UncommonType follows
	named      = 4 // the flag of a type with a name
	countsAt   = 4 // in UncommonType: how many methods there are, and where their table begins
	countsEnd  = 12
	offsetAt   = 8
	extraBytes = 16

	entryRelocs   = 4  // of a method: its name, its type and its two functions
	interfaceAt   = 56 // in the descriptor of an interface: the address of its methods, and their number
	interfaceSize = 64
	imethodBytes  = 8 // of one of them: its name and its type
)

// ofKind is how many bytes the descriptor of a kind has before its UncommonType. Maps, channels and arrays are left
// out.
var ofKind = map[reflect.Kind]int{reflect.Struct: typeBytes + 32, reflect.Interface: typeBytes + 32,
	reflect.Pointer: typeBytes + 8,
	reflect.Slice:   typeBytes + 8, reflect.Func: typeBytes + 8, reflect.String: typeBytes}

// withoutMethods returns the content of a type without its table of methods, which comes last, and without their
// number. A pointer has an UncommonType only for its methods, which is left out too. Nothing reads these of a type
// whose values are not converted to interfaces: the linker leaves its methods out. methods are the relocations of the
// table.
func (s symbol) withoutMethods() (data, relocs, methods []byte) {
	data, relocs = s.data(), s.relocs()
	if len(data) < typeBytes || data[tflagAt]&uncommon == 0 {
		return data, relocs, nil
	}
	kind := reflect.Kind(data[kindAt] & kindMask)
	at, known := ofKind[kind]
	if reflect.Bool <= kind && kind <= reflect.Complex128 {
		at, known = typeBytes, true
	}
	if !known || len(data) < at+extraBytes {
		return data, relocs, nil
	}
	table := at + int(binary.LittleEndian.Uint32(data[at+offsetAt:]))
	if table < at+extraBytes || table > len(data) {
		return data, relocs, nil
	}
	rest := table
	data = slices.Clone(data[:table])
	clear(data[at+countsAt : at+countsEnd])
	if kind == reflect.Pointer && data[tflagAt]&named == 0 {
		data, rest = data[:at], at
		data[tflagAt] &^= uncommon
	}
	var kept []byte
	for r := relocs; len(r) > 0; r = r[relocBytes:] {
		switch place := int(binary.LittleEndian.Uint32(r)); {
		case place < rest:
			kept = append(kept, r[:relocBytes]...)
		case place >= table:
			methods = append(methods, r[:relocBytes]...)
		}
	}
	return data, kept, methods
}

// sameType compares two types. Methods of a type whose values are not converted to interfaces do not count. Of another
// type, the code of a method counts if it may be called by who has such a value and does not know its type. A method
// that only one of both has does not count if it is not called, and nothing looks at the methods of a type. known is
// false if a table of methods is not understood.
func (w *walk) sameType(i int) (same, known bool) {
	a, b := w.steps[i].base, w.steps[i].here
	data, relocs, methods := a.withoutMethods()
	others, theirs, further := b.withoutMethods()
	if !w.steps[i].inIface {
		return bytes.Equal(data, others) && w.sameRelocs(i, relocs, theirs) && w.sameAux(i), true
	}
	was, ok1 := w.base.methods(a.object, methods)
	is, ok2 := w.here.methods(b.object, further)
	if !ok1 || !ok2 || w.base.dynamic == nil || w.here.dynamic == nil {
		return false, false
	}
	if (len(was) == 0) != (len(is) == 0) && (w.base.namedPointers || w.here.namedPointers) {
		// runtime.SetFinalizer takes a *T for a named pointer to T only if one of both has no methods
		return false, true
	}
	by := w.recorded.looks(a)
	for _, m := range was {
		at := slices.IndexFunc(is, m.isLike)
		switch {
		case at < 0 && w.isNoticed(m.signature, by):
			return false, true
		case at >= 0 && (w.isCalled(m.signature) || by != nobodyLooks && w.isFound(m.name)):
			relocs, theirs = append(relocs, m.relocs...), append(theirs, is[at].relocs...)
		case at >= 0:
			relocs, theirs = append(relocs, m.described()...), append(theirs, is[at].described()...)
		}
	}
	for _, m := range is {
		if !slices.ContainsFunc(was, m.isLike) && w.isNoticed(m.signature, by) {
			return false, true
		}
	}
	return bytes.Equal(data, others) && w.sameRelocs(i, relocs, theirs) && w.sameAux(i), true
}

// looks is whether something looks at the methods of a type by package reflect.
type looks int

const (
	somebodyLooks looks = iota
	nobodyKnown         // nothing that was executed does, what varies might
	nobodyLooks
)

// looks returns what runs show of it. Nothing is known without them.
func (c *Coverage) looks(s symbol) looks {
	switch {
	case c == nil || !c.Recorded || s.isAmong(c.Looked):
		return somebodyLooks
	case len(c.Varying) > 0:
		return nobodyKnown
	}
	return nobodyLooks
}

// isNoticed reports whether something in either program may notice that a type has a method, or that it has not. If it
// is not known who looks at methods, those count that find or count them, whether they were executed or not.
func (w *walk) isNoticed(m signature, by looks) bool {
	return by == somebodyLooks || w.isCalled(m) ||
		by == nobodyKnown && (w.isFound(m.name) || w.base.counts() || w.here.counts())
}

// Marks of lines in a coverage profile by which a run records at which types Lookers look: how many are told apart,
// then, by the ends of their hashes, those that they have got as the types of the elements of others, and those whose
// methods they may have read.
const (
	RecordedMark = "recorded"
	FollowedMark = "followed"
	LookedMark   = "looked"
)

// LongMark is the mark of a run with fast timers that has lived longer than a process that takes samples.
const LongMark = "long"

// TypesRecorded is how many types are told apart by the ends of their hashes.
const TypesRecorded = 1 << 16

// addMark adds what follows a mark, and reports whether it is one.
func (o *observation) addMark(mark string, number int) bool {
	switch {
	case mark == LongMark:
		o.long++
		return true
	case mark == RecordedMark && number == TypesRecorded:
		o.recorded++
		return true
	}
	if o.types[mark] == nil {
		return false
	}
	o.types[mark][number] = true
	return true
}

// isAmong reports whether a type is one of those that runs have recorded.
func (s symbol) isAmong(types []int) bool {
	data := s.data()
	if len(data) < typeBytes {
		return true
	}
	_, found := slices.BinarySearch(types, int(binary.LittleEndian.Uint32(data[hashAt:])%TypesRecorded))
	return found
}

// follows reports whether a run may get a type as that of the elements of another one.
func (c *Coverage) follows(s symbol) bool {
	return !c.Recorded || len(c.Varying) > 0 || s.isAmong(c.Followed)
}

// leadsToElements reports whether a relocation of a type leads to the type of the elements of a pointer or a slice,
// which does not matter: no run with coverage has followed it to there. The runtime does so for values that exist
// already, and who makes one refers to its type itself. A program with package arena makes values by the types of
// their pointers.
func (w *walk) leadsToElements(s symbol, reloc []byte) bool {
	if w.executed == nil || !w.wide || s.flag()&flagGoType == 0 ||
		w.base.makesByPointer || w.here.makesByPointer {
		return false
	}
	data := s.data()
	if len(data) < typeBytes || binary.LittleEndian.Uint32(reloc) != elementAt {
		return false
	}
	kind := reflect.Kind(data[kindAt] & kindMask)
	if kind != reflect.Pointer && kind != reflect.Slice {
		return false
	}
	elements, ok, _ := w.base.resolve(s.object, target(reloc[15:]))
	return ok && !w.executed.follows(elements)
}

// sameIdentity compares two types to which references lead by their names, kinds, and whether they are comparable.
func (w *walk) sameIdentity(s step, p, q reference) bool {
	a, ok, leaf := w.base.resolve(s.base.object, p)
	b, ok2, leaf2 := w.here.resolve(s.here.object, q)
	if !ok || !ok2 {
		return ok == ok2 && leaf == leaf2
	}
	x, y := a.data(), b.data()
	return len(x) >= typeBytes && len(y) >= typeBytes && x[kindAt] == y[kindAt] &&
		a.isComparable() == b.isComparable() &&
		bytes.Equal(x[hashAt:hashAt+hashBytes], y[hashAt:hashAt+hashBytes])
}

// isComparable reports whether the descriptor of a type has a function that compares two values.
func (s symbol) isComparable() bool {
	for r := s.relocs(); len(r) > 0; r = r[relocBytes:] {
		if binary.LittleEndian.Uint32(r) == equalAt {
			return true
		}
	}
	return false
}

// isCalled reports whether an interface of either program may ask for a method.
func (c *Comparison) isCalled(m signature) bool {
	return c.base.dynamic.has(m) || c.here.dynamic.has(m)
}

// isFound reports whether either program may call a method of a name that it has found by package reflect.
func (c *Comparison) isFound(name string) bool { return c.base.finds(name) || c.here.finds(name) }

// signature is what a method of a type and of an interface have in common if one is called by the other: the package of
// a name that is not exported is left out.
type signature struct {
	name string
	// the symbol of its type: the runtime compares where that is, and the linker keeps one of each name; "": not known
	of string
}

// signatures are methods of interfaces.
type signatures map[signature]bool

// add notes a method. It counts by its name alone if its type is not known.
func (s signatures) add(m signature) {
	s[m] = true
	s[signature{m.name, anyType}] = true
}

// anyType is the type in an entry for all methods of a name.
const anyType = "*"

func (s signatures) has(m signature) bool {
	if m.of == "" {
		return s[signature{m.name, anyType}]
	}
	return s[m] || s[signature{m.name, ""}]
}

// method is an entry in the table of methods of a type.
type method struct {
	signature
	relocs []byte // without their places
}

// described are the relocations of its name and its type, without its code.
func (m method) described() []byte { return m.relocs[:2*relocBytes] }

func (m method) isLike(other method) bool { return m.signature == other.signature }

// methods lists the entries of a table of methods. ok is false if it has not the form that is known, or two methods
// that differ only in the package of their name.
func (p *program) methods(o *object, relocs []byte) (list []method, ok bool) {
	const entry = entryRelocs * relocBytes
	for ; len(relocs) >= entry; relocs = relocs[entry:] {
		m := method{relocs: slices.Clone(relocs[:entry])}
		first := binary.LittleEndian.Uint32(relocs)
		for i := range entryRelocs {
			r := m.relocs[i*relocBytes:]
			isFunction := binary.LittleEndian.Uint16(r[5:]) == relocMethod
			if binary.LittleEndian.Uint32(r) != first+uint32(4*i) || isFunction != (i > 0) {
				return nil, false
			}
			clear(r[:4])
		}
		s, found, _ := p.resolve(o, target(relocs[15:]))
		if !found {
			return nil, false
		}
		if m.name, ok = s.nameText(); !ok {
			return nil, false
		}
		m.of = o.typeName(target(relocs[relocBytes+15:]))
		if slices.ContainsFunc(list, m.isLike) {
			return nil, false
		}
		list = append(list, m)
	}
	return list, len(relocs) == 0
}

// nameText returns the name in a symbol that has one: flags, a length, and the text.
func (s symbol) nameText() (text string, ok bool) {
	data := s.data()
	if len(data) < 2 {
		return "", false
	}
	length, n := binary.Uvarint(data[1:])
	if n <= 0 || length == 0 || uint64(len(data)-1-n) < length {
		return "", false
	}
	return string(data[1+n : 1+n+int(length)]), true
}

// isNamedPointer reports whether a symbol is a type that was declared as a pointer. The compiler names others for
// itself.
func (s symbol) isNamedPointer() bool {
	data := s.data()
	return s.flag()&flagGoType != 0 && len(data) >= typeBytes &&
		reflect.Kind(data[kindAt]&kindMask) == reflect.Pointer &&
		data[tflagAt]&named != 0 && !strings.HasPrefix(s.label(), "type:go.shape.")
}

// typeName returns the name of the symbol of a type, which is the same in all objects, "" if it is not known.
func (o *object) typeName(r reference) string {
	i := o.first[ofName] + int(r.index)
	if r.pkg == refNone && i < o.first[symbolKinds] && strings.HasPrefix(o.name(i), "type:") {
		return o.name(i)
	}
	return ""
}

// addInterfaces notes the methods of all interfaces that an object describes. It returns false if it does not
// understand one.
func (o *object) addInterfaces(all signatures) bool {
	for i := range o.symbols() {
		if !(symbol{o, i}).eachMethod(func(_ int, m signature) { all.add(m) }) {
			return false
		}
	}
	return true
}

// eachMethod calls f with the methods of an interface, if a symbol describes one, and with their places in it. It
// returns false if it does not understand the description.
func (s symbol) eachMethod(f func(at int, m signature)) bool {
	if s.flag()&flagGoType == 0 {
		return true
	}
	data := s.data()
	if len(data) < typeBytes || reflect.Kind(data[kindAt]&kindMask) != reflect.Interface {
		return true
	}
	if len(data) < interfaceSize+8 {
		return false
	}
	count := int(binary.LittleEndian.Uint64(data[interfaceSize:]))
	begins, found := -1, 0
	for r := s.relocs(); len(r) > 0; r = r[relocBytes:] {
		at := int(binary.LittleEndian.Uint32(r))
		if at == interfaceAt {
			begins = int(binary.LittleEndian.Uint64(r[7:]))
		}
		if begins < 0 || at < begins || at >= begins+count*imethodBytes || (at-begins)%imethodBytes != 0 {
			continue
		}
		named, ok := s.own(target(r[15:]))
		if !ok {
			return false
		}
		m := signature{}
		if m.name, ok = named.nameText(); !ok {
			return false
		}
		if next := r[relocBytes:]; len(next) > 0 && int(binary.LittleEndian.Uint32(next)) == at+imethodBytes/2 {
			m.of = s.typeName(target(next[15:]))
		}
		f(at, m)
		found++
	}
	return found == count
}
