//go:build unix

package reach

import (
	"os"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// mostMapped bounds how many archives are mapped: a process has at most 65,530 mappings on Linux, its heap included.
const mostMapped = 2000

var mapped atomic.Int64

// readFile returns the content of an archive, as memory that may not be written. A program has 30 to 60 MB of archives,
// of which little is looked at, so the first ones are mapped, and stay mapped. Files in go's cache are never written
// again; go's linker maps them too.
func readFile(path string) ([]byte, error) {
	if mapped.Add(1) > mostMapped {
		return os.ReadFile(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return nil, err
	}
	return unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_PRIVATE)
}
