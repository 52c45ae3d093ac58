//go:build linux || darwin

package spill

import (
	"os"

	"golang.org/x/sys/unix"
)

// New makes a file in a folder, or in the folder of temporary files if dir is empty.
func New(dir string) (*File, error) {
	f, err := os.CreateTemp(dir, "suite-rows-")
	if err == nil {
		err = os.Remove(f.Name())
	}
	if err != nil {
		return nil, err
	}
	return &File{file: f}, nil
}

func mapped(f *os.File, at int64, size int) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), at, size, unix.PROT_READ, unix.MAP_SHARED)
}

func forget(memory []byte) {
	_ = unix.Madvise(memory, unix.MADV_DONTNEED) // only advice
}
