package build

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/orphan"
	"example.com/suite/runner/host/wire"
)

// Output is what a test binary printed and how it ended.
type Output struct {
	Stdout, Stderr string
	Err            error // *exec.ExitError if it failed, ErrSlow, ErrMuch, or why it did not start
}

// lastLines is how much of a program's output explains a failure.
const lastLines = 10

// Last returns the last lines of standard error, or of standard output if that is empty.
func (o Output) Last() string {
	text := strings.TrimSpace(o.Stderr)
	if text == "" {
		text = strings.TrimSpace(o.Stdout)
	}
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(len(lines)-lastLines, 0):], "\n")
}

// Reasons for killing a test binary.
var (
	ErrSlow = errors.New("it takes too long")
	ErrMuch = errors.New("it prints more than 16 MiB")
)

// Run starts the binary in the folder of its package, as go test does, and waits for its end, as the function Run
// does.
func (t *Test) Run(ctx context.Context, limit time.Duration, env []string, args ...string) (Output, error) {
	return Run(ctx, limit, Start{Path: t.Path, Args: append([]string{"-test.paniconexit0"}, args...), Dir: t.Dir,
		Env: env})
}

// Start is a program to be asked what it contains.
type Start struct {
	Path  string // as exec.Command takes it
	Args  []string
	Dir   string
	Env   []string   // NAME=value, added to the environment of this process
	Input string     // on its standard input
	Files []*os.File // its descriptors from 3 on
}

// Run starts a program and waits for its end. It is killed after limit. When it ends, for whatever reason,
// everything that it has started is killed; on systems without orphans, only its process group. The
// error is the cause of an ended context.
func Run(ctx context.Context, limit time.Duration, s Start) (Output, error) {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timed, end := context.WithTimeoutCause(inner, limit, ErrSlow)
	defer end()
	stdout, stderr := &bounded{full: cancel}, &bounded{full: cancel}
	cmd := exec.CommandContext(timed, s.Path, s.Args...)
	cmd.Dir = s.Dir
	if s.Input != "" {
		cmd.Stdin = strings.NewReader(s.Input)
	}
	cmd.Stdout = stdout
	cmd.Stderr = stderr
	cmd.ExtraFiles = s.Files
	cmd.Env = wire.WithoutPegs(slices.Concat(cmd.Environ(), orphan.Environ(), s.Env))
	cmd.WaitDelay = time.Second // processes that it started may keep the pipes open
	grouped(cmd)
	apart(cmd)
	tied(cmd)
	runtime.LockOSThread() // see tied
	defer runtime.UnlockOSThread()
	err := runToEnd(cmd)
	sweep(cmd)
	orphan.Kill()
	if ctx.Err() != nil {
		return Output{}, context.Cause(ctx)
	}
	if cause := context.Cause(timed); errors.Is(cause, ErrSlow) || errors.Is(cause, ErrMuch) {
		err = cause
	}
	if errors.Is(err, exec.ErrWaitDelay) { // it succeeded, and a process that it started did not end
		err = nil
	}
	return Output{stdout.text.String(), stderr.text.String(), err}, nil
}

// runToEnd is cmd.Run for a process that must not be taken for an orphan.
func runToEnd(cmd *exec.Cmd) error {
	ended, err := orphan.Start(cmd)
	if err != nil {
		return err
	}
	defer ended()
	return cmd.Wait()
}

// bounded keeps what is printed, and ends a process that prints too much. The buffer is not
// embedded: its ReadFrom would bypass Write.
type bounded struct {
	text bytes.Buffer
	full context.CancelCauseFunc
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.text.Len()+len(p) > 16<<20 {
		b.full(ErrMuch)
		return len(p), nil
	}
	return b.text.Write(p)
}
