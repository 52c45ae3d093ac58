package host

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// check opens the files of a run for once, so that a mistake shows before the
// first run.
func (c *command) check() error {
	stdin, stdout, err := c.open()
	if err == nil {
		c.release(stdin)
		c.shut(stdout)
	}
	return err
}

// open opens standard input and output, never a pipe, in the state of the first run:
// input at its beginning, output empty. They are opened for each run, because a hook
// may have put another file in their place.
func (c *command) open() (stdin, stdout *os.File, err error) {
	if stdin, err = c.openInput(); err != nil {
		return nil, nil, err
	}
	if stdout, err = c.openOutput(); err != nil {
		c.release(stdin)
		return nil, nil, err
	}
	return stdin, stdout, nil
}

// openPlain opens a file or a device; without a path the null device. It refuses
// pipes, whose opening would block, and folders, which would fail only when read.
func openPlain(what, path string, flag int) (*os.File, error) {
	if path == "" {
		return os.OpenFile(os.DevNull, flag&^(os.O_CREATE|os.O_TRUNC), 0)
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s %q is a folder", what, path)
	case err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0:
		return nil, fmt.Errorf("%s %q is a pipe, which would be timed as well: give a file", what, path)
	}
	f, err := os.OpenFile(path, flag, 0o666)
	if failed := (*os.PathError)(nil); errors.As(err, &failed) {
		return nil, fmt.Errorf("%s %q: %w", what, path, failed.Err)
	}
	return f, err
}

func truncate(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.Seek(0, 0)
	return err
}

// unkept returns why what a program wrote to a file may be cut off, nil if there is
// room for more. The disk may have filled up while the program ran, and many programs
// do not report that.
func unkept(f *os.File) error {
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil // the disk may still have room
	}
	_, err = f.WriteAt(make([]byte, 64<<10), end)
	_ = f.Truncate(end) // on an error zeros follow the text
	var failed *os.PathError
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// Lost returns a clause to end a message with, that what a program wrote to a
// temporary file may be cut off; empty if it is not.
func Lost(f *os.File) string {
	err := unkept(f)
	if err == nil {
		return ""
	}
	return fmt.Sprintf("; what it printed may be lost: %s has no room: %v", filepath.Dir(f.Name()), err)
}

// tailBytes of standard error go into a report.
const tailBytes = 4 << 10

// Tail returns the end of a file that a program wrote, at most 4 KiB, without the
// newlines after it; what cannot be read is left out.
func Tail(f *os.File) string {
	size, err := f.Seek(0, 2)
	if err != nil {
		return ""
	}
	from := max(size-tailBytes, 0)
	text := make([]byte, size-from)
	n, _ := f.ReadAt(text, from) // a short read only shortens the explanation
	return strings.ToValidUTF8(strings.TrimRight(string(text[:n]), "\n"), "\uFFFD")
}
