package result

import (
	"errors"
	"unsafe"

	"example.com/suite/internal/spill"
)

// Store keeps the rows of the samples of finished cases. The first storeLimit bytes stay in
// memory. All others are moved to a temporary file that is mapped into memory: 10,000 cases
// of 1000 samples take 1 GB of disk, and only the memory of what is looked at, see
// [Case.Forget]. If there can be no such file, all rows stay in memory. A Store is not safe
// for use by several goroutines.
type Store struct {
	dir   string
	limit int         // bytes of rows that stay in memory
	held  int         // bytes of rows in memory
	file  *spill.File // nil before the first row is moved
	err   error       // of the file, the first one
	text  []byte      // of the last rows: its memory is used again
}

// storeLimit is enough for the rows of most runs, for example of 1000 cases with 200 samples. A
// heap has up to twice the size of what is in it.
const storeLimit = 16 << 20

// NewStore makes a store whose file will be in a folder, or in the folder of temporary files
// if dir is empty.
func NewStore(dir string) *Store { return &Store{dir: dir, limit: storeLimit} }

// Keep takes the rows of a case, and of its base. Nothing may change them any more.
func (s *Store) Keep(c *Case) {
	s.keep(&c.Samples)
	if c.Pairs != nil {
		s.keep(&c.Pairs.Samples, listOf(&c.Pairs.First))
	}
}

func (s *Store) keep(rows *Samples, lists ...list) {
	lists = append(lists, listOf(&rows.Launch), listOf(&rows.Block), listOf(&rows.At))
	for name, column := range rows.Columns {
		lists = append(lists, list{bytesOf(column), func(text []byte) {
			rows.Columns[name] = numbersIn[float64](text)
		}})
	}
	s.text = s.text[:0]
	for _, l := range lists {
		s.text = append(s.text, l.text...)
	}
	if rows.stored != nil || len(s.text) == 0 {
		return
	}
	if s.held+len(s.text) > s.limit {
		rows.stored = s.moved(s.text)
	}
	if rows.stored == nil {
		s.held += len(s.text)
		return
	}
	rest := rows.stored.Bytes
	for _, l := range lists {
		if len(l.text) > 0 {
			l.replace(rest[:len(l.text):len(l.text)])
			rest = rest[len(l.text):]
		}
	}
}

// moved puts bytes into the file. It returns nil if there can be no file.
func (s *Store) moved(text []byte) (stored *spill.Block) {
	if s.file == nil && s.err == nil {
		s.file, s.err = spill.New(s.dir)
	}
	if s.err == nil {
		stored, s.err = s.file.Add(text)
	}
	return stored
}

// Close ends the store: further cases stay in memory. Rows that it has moved stay valid.
func (s *Store) Close() {
	if s.file != nil {
		s.file.Close()
	}
	s.file, s.err, s.text = nil, errClosed, nil
}

var errClosed = errors.New("the store is closed")

// Forget gives back the memory of the rows of a case that a [Store] has moved to a file. They
// are still there: they take memory again when they are looked at. Loops over the rows of all
// cases forget each case, so that the memory they take does not grow with the number of cases.
// It does nothing for nil.
func (c *Case) Forget() {
	if c == nil {
		return
	}
	c.Samples.stored.Forget()
	if c.Pairs != nil {
		c.Pairs.Samples.stored.Forget()
	}
}

// list is the bytes of a list of numbers, which replace makes a list of other bytes.
type list struct {
	text    []byte
	replace func(text []byte)
}

func listOf[T int | float64](xs *[]T) list {
	return list{bytesOf(*xs), func(text []byte) { *xs = numbersIn[T](text) }}
}

func bytesOf[T int | float64](xs []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(xs))), uintptr(len(xs))*unsafe.Sizeof(*new(T)))
}

// numbersIn is the reverse of bytesOf. Text begins at a multiple of the size of a number.
func numbersIn[T int | float64](text []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(text))), uintptr(len(text))/unsafe.Sizeof(*new(T)))
}
