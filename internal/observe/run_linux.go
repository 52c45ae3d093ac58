//go:build amd64 || arm64

package observe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"example.com/suite/internal/orphan"
)

// Names by which this program knows that it is the tracer, or the process that becomes the
// command.
const (
	tracerName  = "suite-tracer"
	startedName = "suite-traced"
	wrapName    = "suite-wrapped"
)

// Descriptors of the tracer. The command's own follow.
const (
	requestFD = 3
	answerFD  = 4
	filesFD   = 5
)

const (
	patience   = 2 * time.Second // until processes that were killed are given up
	mostAnswer = 64 << 20        // bytes: eight times the paths, as JSON may spell a byte
)

// Wrap returns the argv of a program, which has to contain this package, that runs another one
// in its place: with its streams, its folder, its environment and as many further descriptors.
// At the end, the program writes what the other one looked at to a file of dir; see Records.
func Wrap(program, dir string, files int, argv []string) []string {
	return append([]string{program, wrapName, dir, strconv.Itoa(files)}, argv...)
}

// request is a command as the tracer gets it. The texts are bytes, because JSON replaces
// what is not UTF-8.
type request struct {
	Path, Args, Dir, Env []byte // Args and Env are joined by NUL
	Files                int
	Limits               limits
}

// Run runs a command, and returns what it has looked at after it and all its descendants
// have ended. Processes that outlive the command are killed. A command that fails is not an
// error: see Record.Exit.
//
// The error is an *Error, or what ended ctx. At the end of ctx the tracer is killed, and with
// it everything that it traces. The same happens if this process dies.
func Run(ctx context.Context, c Command) (*Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// The kernel kills the tracer when the thread that started it ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	request, err := c.request()
	if err != nil {
		return nil, &Error{Start, err}
	}
	requests, toTracer, err := os.Pipe()
	if err != nil {
		return nil, &Error{Tracer, err}
	}
	defer requests.Close()
	defer toTracer.Close()
	answers, fromTracer, err := os.Pipe()
	if err != nil {
		return nil, &Error{Tracer, err}
	}
	defer answers.Close()
	defer fromTracer.Close()

	cmd := exec.CommandContext(ctx, "/proc/self/exe")
	cmd.Args = []string{tracerName}
	cmd.Env = []string{} // packages that are initialised earlier see no variables for them
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Stdin, c.Stdout, c.Stderr
	cmd.ExtraFiles = append([]*os.File{requests, fromTracer}, c.Files...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	cmd.WaitDelay = patience
	ended, err := orphan.Start(cmd)
	if err != nil {
		return nil, &Error{Tracer, err}
	}
	requests.Close()
	fromTracer.Close()
	go toTracer.Write(request) // fails if the tracer has ended
	text := make(chan []byte)
	go func() {
		all, _ := io.ReadAll(io.LimitReader(answers, mostAnswer)) // what was cut is not JSON
		text <- all
	}()
	waited := cmd.Wait()
	ended()
	var a answer
	err = json.Unmarshal(<-text, &a)
	switch {
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case err != nil:
		err = &Error{Tracer, errors.Join(waited, err)}
	case a.Record == nil:
		err = &Error{a.Cause, a.Errno}
	default:
		return a.Record, nil
	}
	orphan.Kill() // reaps what died with its tracer
	return nil, err
}

func (c *Command) request() ([]byte, error) {
	env := c.Env
	if env == nil {
		env = os.Environ()
	}
	limits := c.limits
	if limits.Paths == 0 {
		limits = defaults
	}
	args, vars := strings.Join(c.Args, "\x00"), strings.Join(env, "\x00")
	if c.Path == "" || len(c.Args) == 0 || strings.Contains(c.Path+c.Dir, "\x00") ||
		strings.Count(args, "\x00") != len(c.Args)-1 || strings.Count(vars, "\x00") != max(len(env)-1, 0) {
		return nil, fmt.Errorf("%q with the arguments %q is not a command", c.Path, c.Args)
	}
	return json.Marshal(request{Path: []byte(c.Path), Dir: []byte(c.Dir), Args: []byte(args), Env: []byte(vars),
		Files: len(c.Files), Limits: limits})
}
