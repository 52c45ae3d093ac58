package reach

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// The format of object files is the one of cmd/internal/goobj in Go 1.24 to 1.26: numbers are
// little-endian, and the header is magic, fingerprint, flags and the offsets of the blocks.
const (
	magic       = "\x00go120ld"
	headerBytes = len(magic) + 8 + 4 + 4*blocks
	symbolBytes = 21
	relocBytes  = 23
	auxBytes    = 9
	refBytes    = 10 // of a flag of a reference
	refNameSize = 16 // of the name of a reference
)

// Blocks of an object file, by their index in the header.
const (
	blockPackages = 1
	blockFiles    = 2
	blockDefs     = 3 // and the blocks of hashed64, hashed and named definitions, and of references
	blockRefFlags = 8
	blockRelocIdx = 11
	blockAuxIdx   = 12
	blockDataIdx  = 13
	blockReloc    = 14
	blockAux      = 15
	blockData     = 16
	blockRefNames = 17
	blocks        = 19
)

// kinds of definitions, in the order of their indices; references to names follow them.
const (
	ofPackage = iota
	ofHash64
	ofHash
	ofName
	asReference
	symbolKinds
)

// A reference to a symbol names a package by its index, or is one of these.
const (
	refNone    = 1<<31 - 1 - iota // a name
	refHash64                     // the content, of this object
	refHash                       // the same, long
	refBuiltin                    // a function of the runtime
	refSelf                       // this package
)

// Flags of symbols.
const (
	flagDupok       = 1 << 0 // several packages may define it
	flagReflect     = 1 << 5 // a function that calls a method by its number, or by a name that it computes
	flagGoType      = 1 << 6
	flag2UsedIface  = 1 << 0 // a type whose values are converted to interfaces
	flag2Itab       = 1 << 1
	abiStatic       = ^uint16(0) // of a name that only its object knows
	kindText        = 1          // of a function; 2 in FIPS modules
	kindReadOnly    = 3
	funcInfoCompare = 10 // bytes of function data before its line: arguments, locals, ID, flags
)

// object is one object file of a package: what the compiler made, or the assembler.
type object struct {
	pkg   *pkg
	bytes []byte
	block [blocks]uint32
	first [symbolKinds + 1]int // index of the first symbol of each kind
	base  int                  // number of its first symbol in its program
	names []string             // of the packages that references name, by index

	splits   bool                 // it has a function for each initialiser, see Units
	refNames map[reference]string // names of symbols of other packages; nil: not read
}

// symbol is a definition of an object.
type symbol struct {
	*object
	index int
}

// reference is what a relocation leads to.
type reference struct{ pkg, index uint32 }

var errFormat = errors.New("an object file of an unknown format")

// readArchive returns the object files of an archive, and the line that describes its toolchain.
// What the compiler made comes first, and is returned although what follows, such as C code, is an error.
func readArchive(file string) (objects []*object, toolchain string, err error) {
	text, err := readFile(file)
	if err != nil {
		return nil, "", err
	}
	const arch, entry = "!<arch>\n", 60
	if !bytes.HasPrefix(text, []byte(arch)) {
		return nil, "", errFormat
	}
	for rest := text[len(arch):]; len(rest) >= entry; {
		name := strings.TrimSpace(string(rest[:16]))
		size, err := strconv.Atoi(strings.TrimSpace(string(rest[48:58])))
		if err != nil || size < 0 || entry+size > len(rest) {
			return nil, "", errFormat
		}
		member := rest[entry : entry+size]
		rest = rest[min(len(rest), entry+size+size%2):]
		if name == "__.PKGDEF" {
			line, _, _ := bytes.Cut(member, []byte("\n"))
			toolchain = string(line)
			continue
		}
		_, after, found := bytes.Cut(member, []byte("\n!\n")) // the object follows a description
		if !found || !bytes.HasPrefix(after, []byte(magic)) {
			return objects, toolchain, fmt.Errorf("it has code of C or another language (%s)", name)
		}
		o, err := newObject(after)
		if err != nil {
			return nil, toolchain, err
		}
		objects = append(objects, o)
	}
	if len(objects) == 0 {
		return nil, toolchain, errFormat
	}
	return objects, toolchain, nil
}

func newObject(text []byte) (*object, error) {
	if len(text) < headerBytes {
		return nil, errFormat
	}
	o := &object{bytes: text}
	at := headerBytes - 4*blocks
	for i := range o.block {
		o.block[i] = binary.LittleEndian.Uint32(text[at+4*i:])
		if int(o.block[i]) > len(text) || i > 0 && o.block[i] < o.block[i-1] {
			return nil, errFormat
		}
	}
	for kind := range symbolKinds {
		o.first[kind+1] = o.first[kind] + int(o.block[blockDefs+kind+1]-o.block[blockDefs+kind])/symbolBytes
	}
	n := o.first[asReference]
	for _, index := range []int{blockRelocIdx, blockAuxIdx, blockDataIdx} {
		if int(o.block[index+1]-o.block[index]) != 4*(n+1) {
			return nil, errFormat
		}
	}
	for at := o.block[blockPackages]; at+8 <= o.block[blockPackages+1]; at += 8 {
		o.names = append(o.names, o.text(at))
	}
	return o, nil
}

func (o *object) number(at uint32) uint32 { return binary.LittleEndian.Uint32(o.bytes[at:]) }

// text returns a string that is stored as its length and its place.
func (o *object) text(at uint32) string {
	n, place := o.number(at), o.number(at+4)
	return string(o.bytes[place : place+n])
}

// symbols is the number of definitions.
func (o *object) symbols() int { return o.first[asReference] }

func (o *object) head(i int) []byte {
	at := o.block[blockDefs] + uint32(i)*symbolBytes
	return o.bytes[at : at+symbolBytes]
}

// Name returns the name of a definition or reference, with the path of its package.
func (o *object) name(i int) string { return o.text(o.block[blockDefs] + uint32(i)*symbolBytes) }

func (o *object) abi(i int) uint16 { return binary.LittleEndian.Uint16(o.head(i)[8:]) }

// span returns the part of a block that belongs to a definition, in units of size bytes.
func (o *object) span(index, block, i, size int) []byte {
	from, to := o.number(o.block[index]+4*uint32(i)), o.number(o.block[index]+4*uint32(i+1))
	begin := int(o.block[block])
	return o.bytes[begin+int(from)*size : begin+int(to)*size]
}

func (s symbol) kind() byte     { return s.head(s.index)[10] }
func (s symbol) flag() byte     { return s.head(s.index)[11] }
func (s symbol) flag2() byte    { return s.head(s.index)[12] }
func (s symbol) data() []byte   { return s.span(blockDataIdx, blockData, s.index, 1) }
func (s symbol) relocs() []byte { return s.span(blockRelocIdx, blockReloc, s.index, relocBytes) }
func (s symbol) auxes() []byte  { return s.span(blockAuxIdx, blockAux, s.index, auxBytes) }
func (s symbol) label() string  { return s.name(s.index) }
func (s symbol) isFunc() bool   { return s.kind() == kindText || s.kind() == kindText+1 }

// isHashed reports whether the linker merges the symbol with others of the same content.
func (s symbol) isHashed() bool { return s.index >= s.first[ofHash64] && s.index < s.first[ofName] }

// kindsOfVariables are kinds of data that code may change: with and without pointers, zero at first or not.
var kindsOfVariables = []byte{5, 7, 9, 10}

// nameOf returns the name of a symbol of another package, "" if it is not known.
func (o *object) nameOf(r reference) string {
	if r.pkg == refNone {
		return o.name(o.first[ofName] + int(r.index))
	}
	if int(r.pkg) >= len(o.names) {
		return ""
	}
	if o.refNames == nil {
		o.refNames = map[reference]string{}
		for at := o.block[blockRefNames]; at+refNameSize <= o.block[blockRefNames+1]; at += refNameSize {
			o.refNames[target(o.bytes[at:])] = o.text(at + 8)
		}
	}
	return o.refNames[r]
}

func target(at []byte) reference {
	return reference{binary.LittleEndian.Uint32(at), binary.LittleEndian.Uint32(at[4:])}
}

// place returns the file and line at which a function begins, "" if that is not known.
func (s symbol) place() string {
	line, file := uint32(0), ""
	for a := s.auxes(); len(a) > 0; a = a[auxBytes:] {
		if a[0] != auxFuncInfo && a[0] != auxPcfile {
			continue
		}
		info, ok := s.own(target(a[1:]))
		if !ok {
			return ""
		}
		data := info.data()
		if a[0] == auxFuncInfo && len(data) >= 16 {
			line = binary.LittleEndian.Uint32(data[12:])
		}
		if a[0] == auxPcfile { // pairs of differences: of the index of the file from -1, and of the address
			if index, n := binary.Varint(data); n > 0 && index > 0 &&
				s.block[blockFiles]+8*uint32(index) <= s.block[blockFiles+1] {
				file = s.text(s.block[blockFiles] + 8*uint32(index-1))
			}
		}
	}
	return atLine(file, line)
}

// line returns the line at which a function begins, 0 if that is not known.
func (s symbol) line() int {
	for a := s.auxes(); len(a) > 0; a = a[auxBytes:] {
		if a[0] != auxFuncInfo {
			continue
		}
		if info, ok := s.own(target(a[1:])); ok && len(info.data()) >= 16 {
			return int(binary.LittleEndian.Uint32(info.data()[12:]))
		}
	}
	return 0
}

// inlined is a function that the compiler has inlined in another one.
type inlined struct {
	function reference
	parent   int // in which it is inlined, by its index; below 0: none
}

// inlined returns the functions that the compiler has inlined in a function.
func (s symbol) inlined() (all []inlined) {
	const files, entry, function = 16, 24, 12 // where their number is; bytes of a function, and where its symbol is
	for a := s.auxes(); len(a) > 0; a = a[auxBytes:] {
		info, ok := s.own(target(a[1:]))
		if a[0] != auxFuncInfo || !ok {
			continue
		}
		data := info.data()
		list := data[files+4+4*binary.LittleEndian.Uint32(data[files:]):]
		n := binary.LittleEndian.Uint32(list)
		for at := list[4:]; n > 0; n, at = n-1, at[entry:] {
			all = append(all, inlined{target(at[function:]), int(int32(binary.LittleEndian.Uint32(at)))})
		}
	}
	return all
}

// code is a stretch of a function.
type code struct {
	end     int // offset of the first byte after it
	inlined int // index of the function that is inlined there; below 0: none
}

// inlinings returns the stretches of a function, by the functions that are inlined there. unit is the number of bytes
// that addresses of instructions are multiples of.
func (s symbol) inlinings(unit int) (all []code) {
	for a := s.auxes(); len(a) > 0; a = a[auxBytes:] {
		table, ok := s.own(target(a[1:]))
		if a[0] != auxPcinline || !ok {
			continue
		}
		at, value := 0, -1
		for data := table.data(); len(data) > 0; { // pairs of differences: of the index, and of the address
			difference, n := binary.Varint(data)
			if n <= 0 || difference == 0 && at > 0 {
				break
			}
			length, m := binary.Uvarint(data[n:])
			if m <= 0 {
				panic(errFormat)
			}
			at, value, data = at+int(length)*unit, value+int(difference), data[n+m:]
			all = append(all, code{at, value})
		}
	}
	return all
}

// atLine is a place for people, "" in a file that they do not have: go writes the main of a test into its cache, where
// the name of a file is a hash and -d.
func atLine(file string, line uint32) string {
	if file == "" || file == "<autogenerated>" || strings.HasSuffix(file, "-d") || line == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", file[strings.LastIndexAny(file, `/\`)+1:], line)
}

// own returns a definition of this object.
func (o *object) own(r reference) (symbol, bool) {
	kind := map[uint32]int{refSelf: ofPackage, refHash64: ofHash64, refHash: ofHash, refNone: ofName}
	if k, ok := kind[r.pkg]; ok {
		i := o.first[k] + int(r.index)
		return symbol{o, i}, i < o.first[asReference]
	}
	return symbol{}, false
}
