package host

import (
	"errors"
	"fmt"
	"os"

	"example.com/suite/internal/scratch"
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

// scratchFile returns an empty file without a name for what a run writes.
func scratchFile() (*os.File, error) { return scratch.New("suite-stderr-*") }
