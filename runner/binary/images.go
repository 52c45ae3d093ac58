package binary

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"

	"example.com/suite/runner/draw"
)

// A Linker links a program again, with its functions in a layout, and writes it to target. Any
// error but a context's means that this program cannot be linked in another order.
type Linker func(ctx context.Context, program string, layout draw.Layout, target string) error

// Images makes the files that launches run from. The addresses of a file's pages, which
// the kernel chooses, and of the functions in it, which the linker chooses, decide how
// fast code is: between byte-identical files up to 20 %, between two orders up to 50 %,
// the same in every launch until they are chosen again. So each launch of a comparison
// gets a file of its own in a layout of its own.
type Images struct {
	link    Linker // nil: files stay what they are
	sums    *Hashes
	folders map[string]string
	linked  map[Image]*imageFile
	known   map[string]bool   // programs that First has returned
	fixed   map[string]string // why the layout of a program cannot be drawn
	unmoved map[string]string // why the data of a program stay where they are
	twins   map[string]string // the first program with each hash
	files   []*imageFile      // in the order in which they were made
	inUse   int               // how many of the newest files launches still need
	bytes   int64             // of all files
}

// Image is a program in a layout.
type Image struct {
	Program string
	Layout  draw.Layout
}

type imageFile struct {
	path string
	size int64
	used bool // a launch runs from it, or did
	gone bool
}

// mostImageBytes of files are kept during a run, so that the cases of a later window
// find what was linked for an earlier one.
const mostImageBytes = 512 << 20

// NewImages makes images by link; nil if files stay what they are. A launch may still run
// from one of the newest files, inUse of them, so these are never removed.
func NewImages(link Linker, sums *Hashes, inUse int) *Images {
	return &Images{link: link, sums: sums, inUse: inUse, folders: map[string]string{}, linked: map[Image]*imageFile{},
		known: map[string]bool{}, fixed: map[string]string{}, unmoved: map[string]string{}, twins: map[string]string{}}
}

// Original is the first program with the same bytes as program. Both sides are often
// one program, for instance if only a data file differs between two trees: one link
// serves both then, and the second side gets a copy of the file.
func (s *Images) Original(program string) string {
	hash := s.sums.Sum(program)
	if hash == "" { // it cannot be read, as the link will report
		return program
	}
	if s.twins[hash] == "" {
		s.twins[hash] = program
	}
	return s.twins[hash]
}

// First returns one image of each program that was not linked before.
func (s *Images) First(wanted []Image) (first []Image) {
	for _, i := range wanted {
		if !s.known[i.Program] {
			s.known[i.Program] = true
			first = append(first, i)
		}
	}
	return first
}

// LinkAll links the images that are not linked yet, several at once. An ended context is the
// error; a program that cannot be linked keeps its layout, and one whose data cannot be moved
// is linked with data that stay.
func (s *Images) LinkAll(ctx context.Context, wanted []Image) error {
	type made struct {
		Image
		file    *imageFile
		unmoved error // why its data were not moved, as the layout says
		err     error
	}
	var missing []*made
	for _, i := range wanted {
		file := s.linked[i]
		known := file != nil && !file.gone || s.fixed[i.Program] != ""
		for _, m := range missing {
			known = known || m.Image == i
		}
		if !known {
			missing = append(missing, &made{Image: i})
		}
	}
	var all sync.WaitGroup
	places := make(chan struct{}, max(runtime.GOMAXPROCS(0), 1)) // a linker takes gigabytes for a large module
	for n, m := range missing {
		folder, err := s.folder(m.Program)
		if err != nil {
			m.err = err
			continue
		}
		target := filepath.Join(folder, fmt.Sprintf("layout-%d-%d%s", len(s.files), n, filepath.Ext(m.Program)))
		all.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			m.unmoved, m.err = s.linkTo(ctx, m.Image, target)
			if m.err == nil {
				m.file, m.err = fileAt(target)
			}
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, m := range missing {
		if m.err != nil {
			s.fixed[m.Program] = m.err.Error()
			continue
		}
		if m.unmoved != nil {
			s.unmoved[m.Program] = m.unmoved.Error()
		}
		s.linked[m.Image] = m.file
		s.keep(m.file)
	}
	return nil
}

// linkTo links an image. If that is not possible unless its data stay where they are, unmoved is the reason.
func (s *Images) linkTo(ctx context.Context, i Image, target string) (unmoved, err error) {
	if s.unmoved[i.Program] != "" {
		i.Layout.Data = 0
	}
	if err = s.link(ctx, i.Program, i.Layout, target); err == nil || i.Layout.Data == 0 || ctx.Err() != nil {
		return nil, err
	}
	i.Layout.Data, unmoved = 0, err
	return unmoved, s.link(ctx, i.Program, i.Layout, target)
}

// Linked returns the file of an image with its data where its layout says, "" if there is none. It may be executed, and
// launches may have run from it.
func (s *Images) Linked(i Image) (path string) {
	if file := s.linked[i]; file != nil && !file.gone && s.unmoved[i.Program] == "" {
		return file.path
	}
	return ""
}

// Fresh makes a file with a program in a layout that no launch has run from: the one
// that was linked, or a copy of it. A program whose layout is fixed is copied. If there
// is no room for a file, it returns an error and the path of a file that was used
// before.
func (s *Images) Fresh(i Image) (path string, err error) {
	source := i.Program
	if file := s.linked[i]; file != nil && !file.gone {
		if !file.used {
			file.used = true
			return file.path, nil
		}
		source = file.path
	}
	folder, err := s.folder(i.Program)
	if err != nil {
		return source, err
	}
	target := filepath.Join(folder, fmt.Sprintf("copy-%d%s", len(s.files), filepath.Ext(i.Program)))
	if err := copyProgram(source, target); err != nil {
		return source, err
	}
	file, err := fileAt(target)
	if err != nil {
		return source, err
	}
	file.used = true
	s.keep(file)
	return target, nil
}

// keep records a file, and removes the oldest files if all have too many bytes. A file
// that a process runs from can be removed; if the system refuses, it stays until the
// run is over.
func (s *Images) keep(file *imageFile) {
	s.files = append(s.files, file)
	s.bytes += file.size
	for _, old := range s.files[:max(0, len(s.files)-s.inUse)] {
		if s.bytes <= mostImageBytes {
			return
		}
		if !old.gone && os.Remove(old.path) == nil {
			old.gone = true
			s.bytes -= old.size
		}
	}
}

// Fixed explains why the layout of a program cannot be drawn, empty if it can.
func (s *Images) Fixed(program string) string { return s.fixed[program] }

// Unmoved explains why the data of a program stay where they are, empty if they do not.
func (s *Images) Unmoved(program string) string { return cmp.Or(s.fixed[program], s.unmoved[program]) }

// folder is for the files of a program. It is in the folder of the program, because
// programs may be started from there.
func (s *Images) folder(program string) (string, error) {
	folder := filepath.Dir(program)
	if s.folders[folder] == "" {
		made, err := os.MkdirTemp(folder, "launch-")
		if err != nil {
			return "", err
		}
		s.folders[folder] = made
	}
	return s.folders[folder], nil
}

// Remove removes all files.
func (s *Images) Remove() {
	for _, folder := range s.folders {
		_ = os.RemoveAll(folder) // what stays is removed by a later build
	}
}

func fileAt(path string) (*imageFile, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	return &imageFile{path: path, size: info.Size()}, nil
}

// copyProgram copies a file that can be executed; a copy that is not whole is removed.
func copyProgram(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return writeProgram(in, to)
}

// writeProgram makes a file that can be executed. No process is started meanwhile: it
// would hold the file open for writing until it is a program of its own, and whoever
// executed the file before that would be refused ("text file busy").
func writeProgram(from io.Reader, to string) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, from)
	err = errors.Join(err, out.Close())
	if err != nil {
		_ = os.Remove(to)
	}
	return err
}
