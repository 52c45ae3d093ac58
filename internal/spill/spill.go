// Package spill keeps bytes in a temporary file that is mapped into memory. The system
// reads them when they are looked at, so they are used like any other memory, and
// [Block.Forget] gives that memory back until the next look. The file has no name, and ends with its
// process.
//
// Nothing is ever unmapped: bytes stay valid as long as the process lives.
package spill

import "os"

// segment is the least part of the file that is mapped at once: a process may have some
// 65,000 mappings.
const segment = 64 << 20

// File is a file of bytes. It is not safe for use by several goroutines.
type File struct {
	file    *os.File
	size    int64  // mapped so far
	segment []byte // the last one
	free    []byte // the rest of it
}

// Block is what one call of Add has added.
type Block struct {
	Bytes   []byte // they must not be changed
	segment []byte
}

// Close closes the file, to which nothing can be added then. What was added stays valid.
func (f *File) Close() { f.file.Close() }

// Add appends bytes to the file, from the beginning of a page. After an error nothing was
// added.
func (f *File) Add(text []byte) (*Block, error) {
	pages := (len(text) + os.Getpagesize() - 1) / os.Getpagesize() * os.Getpagesize()
	if pages > len(f.free) {
		size := max(pages, segment)
		if err := f.file.Truncate(f.size + int64(size)); err != nil {
			return nil, err
		}
		memory, err := mapped(f.file, f.size, size)
		if err != nil {
			return nil, err
		}
		f.segment, f.free, f.size = memory, memory, f.size+int64(size)
	}
	// Written and not copied, because a full disk is an error then and no signal.
	if _, err := f.file.WriteAt(text, f.size-int64(len(f.free))); err != nil {
		return nil, err
	}
	added := &Block{f.free[:len(text):len(text)], f.segment}
	f.free = f.free[pages:]
	return added, nil
}

// Forget gives back the memory of a block, and of others near it: the system maps 16 pages
// around the one that is looked at. They are read from the file when they are looked at
// again. It does nothing for nil.
func (b *Block) Forget() {
	if b != nil {
		forget(b.segment)
	}
}
