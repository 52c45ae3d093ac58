package host

import (
	"os"
	"runtime"
	"strconv"

	"example.com/suite/internal/scratch"
	"example.com/suite/runner/host/wire"
)

// keepInput puts the text that runs read into a file, which they cannot change.
// On Unix it has no name, as scratch files have none.
func (c *command) keepInput() error {
	if c.Input == "" {
		return nil
	}
	f, err := scratch.Named("suite-stdin-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(c.Input)
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

// openInput returns standard input as it is at the first run: at its beginning.
func (c *command) openInput() (*os.File, error) {
	if c.input == nil {
		return openPlain("stdin", c.Stdin, os.O_RDONLY)
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
	told := append([]string{wire.RoundVariable + "=" + strconv.Itoa(c.round)}, c.Told...)
	return environment(append(told, c.Env...), c.Dir)
}
