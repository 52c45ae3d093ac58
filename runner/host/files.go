package host

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"

	"example.com/suite/internal/scratch"
	"example.com/suite/runner/host/wire"
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
	stdin, err = c.openInput()
	if err != nil {
		return nil, nil, err
	}
	stdout, err = c.openOutput()
	if err != nil {
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

// A run writes to a file without a name.
func scratchFile() (*os.File, error) { return scratch.New("suite-stderr-*") }

// keepInput puts the text that runs read into a file, which they cannot change.
// On Unix it has no name, as scratch files have none.
func (c *command) keepInput() error {
	if c.spec.Input == "" {
		return nil
	}
	f, err := scratch.Named("suite-stdin-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(c.spec.Input)
	if late := f.Close(); err == nil {
		err = late
	}
	if err == nil {
		c.input, err = os.Open(f.Name())
	}
	if err != nil || runtime.GOOS != "windows" {
		os.Remove(f.Name())
	}
	return err
}

// openInput rewinds standard input: each run finds it as the first run did.
func (c *command) openInput() (*os.File, error) {
	if c.input == nil {
		return openPlain("stdin", c.spec.Stdin, os.O_RDONLY)
	}
	_, err := c.input.Seek(0, 0)
	return c.input, err
}

// release closes standard input after a run, unless it is the file with Input, which
// serves the next run.
func (c *command) release(stdin *os.File) {
	if stdin != c.input {
		stdin.Close()
	}
}

func (c *command) dropInput() {
	if c.input != nil {
		scratch.Discard(c.input)
	}
}

// hookEnv is the environment of prepare and conclude. The measured program has
// less: a variable whose length changes from run to run would move its stack,
// and with it its time (Mytkowicz et al., ASPLOS 2009).
func (c *command) hookEnv() []string {
	vars := append([]string{wire.RoundVariable + "=" + strconv.Itoa(c.round)}, c.spec.HookVars...)
	return environment(append(vars, c.spec.Env...), c.spec.Dir)
}
