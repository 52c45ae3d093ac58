package pagecache

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// drop removes a file from the page cache. It reports whether the file has left it: pages that
// a process has mapped stay, and so does everything on a file system that lives in memory.
func drop(file *os.File) bool {
	fd := int(file.Fd())
	if unix.Fadvise(fd, 0, 0, unix.FADV_DONTNEED) == nil && !isCached(fd) {
		return true
	}
	// Pages that are not on the disk yet cannot be dropped.
	return unix.Fdatasync(fd) == nil && unix.Fadvise(fd, 0, 0, unix.FADV_DONTNEED) == nil && !isCached(fd)
}

// isCached reports whether the first byte of a file can be read without waiting for the disk. A
// file system that cannot tell counts as one that keeps its files.
func isCached(fd int) bool {
	_, err := unix.Preadv2(fd, [][]byte{make([]byte, 1)}, 0, unix.RWF_NOWAIT)
	return err != unix.EAGAIN
}

// load reads a file into the page cache.
func load(file *os.File) {
	_, _ = io.CopyBuffer(io.Discard, struct{ io.Reader }{file}, make([]byte, 256<<10))
}
