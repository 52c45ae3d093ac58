package reach

import (
	"encoding/binary"
	"reflect"
	"slices"
)

// The descriptor of a type begins as internal/abi.Type of these architectures, whose addresses have 64 bits.
var wide = []string{"amd64", "arm64", "loong64", "ppc64", "ppc64le", "riscv64", "s390x", "mips64", "mips64le"}

const (
	typeBytes  = 48
	tflagAt    = 20
	kindAt     = 23
	kindMask   = 31
	uncommon   = 1 // the flag of a type with a name or methods: internal/abi.UncommonType follows
	countsAt   = 4 // in UncommonType: how many methods there are, and where their table begins
	countsEnd  = 12
	offsetAt   = 8
	extraBytes = 16
)

// ofKind is how many bytes the descriptor of a kind has before its UncommonType. Maps, channels and arrays are left out.
var ofKind = map[reflect.Kind]int{reflect.Struct: typeBytes + 32, reflect.Interface: typeBytes + 32, reflect.Pointer: typeBytes + 8,
	reflect.Slice: typeBytes + 8, reflect.Func: typeBytes + 8, reflect.String: typeBytes}

// withoutMethods returns the content of a type without its table of methods, which comes last, and without their number.
// Nothing reads these of a type whose values are not converted to interfaces: the linker leaves its methods out.
func (s symbol) withoutMethods() (data, relocs []byte) {
	data, relocs = s.data(), s.relocs()
	if len(data) < typeBytes || data[tflagAt]&uncommon == 0 {
		return data, relocs
	}
	kind := reflect.Kind(data[kindAt] & kindMask)
	at, known := ofKind[kind]
	if reflect.Bool <= kind && kind <= reflect.Complex128 {
		at, known = typeBytes, true
	}
	if !known || len(data) < at+extraBytes {
		return data, relocs
	}
	table := at + int(binary.LittleEndian.Uint32(data[at+offsetAt:]))
	if table < at+extraBytes || table > len(data) {
		return data, relocs
	}
	data = slices.Clone(data[:table])
	clear(data[at+countsAt : at+countsEnd])
	var kept []byte
	for r := relocs; len(r) > 0; r = r[relocBytes:] {
		if int(binary.LittleEndian.Uint32(r)) < table {
			kept = append(kept, r[:relocBytes]...)
		}
	}
	return data, kept
}
