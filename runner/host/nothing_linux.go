package host

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"runtime"
)

// exits is the machine code that ends a process with status 0, and the number of the
// machine in ELF files, by architecture.
var exits = map[string]struct {
	machine uint16
	code    []byte
}{
	// xor edi, edi; mov eax, 60; syscall
	"amd64": {62, []byte{0x31, 0xff, 0xb8, 60, 0, 0, 0, 0x0f, 0x05}},
	"arm64": {183, []byte{0, 0, 0x80, 0xd2, 0xa8, 0x0b, 0x80, 0xd2, 1, 0, 0, 0xd4}}, // mov x0, 0; mov x8, 93; svc 0
}

// writeNothing writes a static program that does nothing but end, and returns its path.
func writeNothing() (path string, err error) {
	e, known := exits[runtime.GOARCH]
	if !known {
		return "", errors.ErrUnsupported
	}
	f, err := os.CreateTemp("", "suite-nothing-*")
	if err != nil {
		return "", err
	}
	_, err = f.Write(program(e.machine, e.code))
	if err = errors.Join(err, f.Chmod(0o700), f.Close()); err != nil {
		os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

// program is an ELF file of one segment, which holds the headers and the code.
func program(machine uint16, code []byte) []byte {
	const (
		base                 = 0x400000
		fileSize, headerSize = 64, 56
	)
	size := uint64(fileSize + headerSize + len(code))
	file := bytes.NewBufferString("\x7fELF\x02\x01\x01") // 64 bits, little endian, version 1
	file.Write(make([]byte, 9))
	for _, field := range []any{
		// an executable, version 1, where it begins
		uint16(2), machine, uint32(1), uint64(base + fileSize + headerSize),
		uint64(fileSize), uint64(0), uint32(0), // where the segments are listed, no sections, no flags
		uint16(fileSize), uint16(headerSize), uint16(1), uint16(0), uint16(0), uint16(0), // one segment, no sections
		// loaded to be read and executed
		uint32(1), uint32(5), uint64(0), uint64(base), uint64(base), size, size, uint64(0x1000),
		code,
	} {
		_ = binary.Write(file, binary.LittleEndian, field) // a buffer takes everything
	}
	return file.Bytes()
}
