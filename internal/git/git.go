// Package git runs git so that nothing of the user's configuration starts, nothing is asked, and
// no variable of the environment ties git to another repository. Its callers know what a
// repository is for.
package git

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Git runs git in one folder.
type Git struct {
	Dir  string
	Args []string // arguments of git itself, before every command
	Env  []string // NAME=value, in addition to what every git gets
}

// settings switch off what the user's configuration could start when suite runs git: hooks,
// monitors, maintenance in the background, questions.
var settings = []string{
	"-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false",
	"-c", "core.askPass=", "-c", "submodule.recurse=false", "-c", "advice.detachedHead=false",
}

// quiet is added to the environment of every git. With it git asks nothing, writes no more than
// necessary, fetches no large files, and prints its messages in English, which we recognise.
var quiet = []string{
	"GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_LFS_SKIP_SMUDGE=1", "LC_ALL=C", "GIT_PAGER=cat",
}

// Frugal is an environment that keeps git from fetching objects that a partial clone lacks, because it would write
// them into the user's repository. git before 2.44 knows only the second variable.
var Frugal = []string{"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none"}

// Run runs git and returns what it prints. If the context ends, git and everything that it
// started is killed, and the error is the context's cause. Otherwise the error is a *Failure if git
// ran, and a *NotRun if it did not.
func (g Git) Run(ctx context.Context, args ...string) (string, error) {
	return g.Feed(ctx, "", args...)
}

// Feed is Run with text on standard input.
func (g Git) Feed(ctx context.Context, text string, args ...string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", context.Cause(ctx)
	}
	var out, errs bytes.Buffer
	cmd := g.command(ctx, args)
	cmd.Stdout = &out
	cmd.Stderr = &errs
	if text != "" {
		cmd.Stdin = strings.NewReader(text)
	}
	err := explain(ctx, cmd.Run(), args, &errs)
	var failure *Failure
	if err != nil && !errors.As(err, &failure) {
		return "", err
	}
	return out.String(), err
}

// Stream is Feed for much output: read gets it while git runs. If read returns an error, git is
// killed, and the error is the one of read.
func (g Git) Stream(ctx context.Context, text string, read func(io.Reader) error, args ...string) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	running, kill := context.WithCancel(ctx)
	defer kill()
	var errs bytes.Buffer
	cmd := g.command(running, args)
	cmd.Stderr = &errs
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return explain(ctx, err, args, &errs)
	}
	failed := read(out)
	if failed != nil && ctx.Err() == nil {
		kill()
		_ = cmd.Wait() // it was killed
		return failed
	}
	return explain(ctx, cmd.Wait(), args, &errs)
}

func (g Git) command(ctx context.Context, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", slices.Concat(settings, g.Args, args)...)
	cmd.Dir = g.Dir
	cmd.Env = slices.Concat(environment(os.Environ()), quiet, g.Env)
	cmd.WaitDelay = 2 * time.Second // a filter that outlives git keeps the pipes open
	apart(cmd)
	return cmd
}

// explain returns the error for what became of a git, as Run returns it.
func explain(ctx context.Context, err error, args []string, errs *bytes.Buffer) error {
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &exit):
		return &Failure{args, errs.String(), exit}
	case err != nil && !errors.Is(err, exec.ErrWaitDelay): // after ErrWaitDelay git itself has succeeded
		return &NotRun{err}
	}
	return nil
}

// NotRun is the error if git could not be started.
type NotRun struct{ Err error }

func (e *NotRun) Error() string { return "cannot run git: " + e.Err.Error() }

func (e *NotRun) Unwrap() error { return e.Err }

// IsMissing reports whether there is no git in PATH.
func (e *NotRun) IsMissing() bool { return errors.Is(e.Err, exec.ErrNotFound) }

// Failure is the error of a git that exited with a status other than 0.
type Failure struct {
	Args   []string // of the command, its name first
	Stderr string   // in English
	Exit   *exec.ExitError
}

// Error shortens the message of git to six lines, indented after the first.
func (f *Failure) Error() string {
	var lines []string
	for line := range strings.Lines(f.Stderr) {
		line = strings.TrimSpace(line)
		line = strings.TrimPrefix(strings.TrimPrefix(line, "fatal: "), "error: ")
		if line != "" && len(lines) < 6 {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		lines = []string{f.Exit.Error()}
	}
	return "git " + f.Args[0] + ": " + strings.Join(lines, "\n\t")
}

// allowed lists the variables of git that the user may set: how to reach a server, and which
// files contain the configuration. The others are meant for one call of git; inside a hook they
// name the hook's repository.
var allowed = []string{
	"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT",
	"GIT_CONFIG_KEY_*", "GIT_CONFIG_VALUE_*",
	"GIT_EXEC_PATH", "GIT_SSL_*", "GIT_SSH*", "GIT_PROXY_*", "GIT_HTTP_*", "GIT_DISCOVERY_ACROSS_FILESYSTEM",
	"GIT_TEST_ASSUME_DIFFERENT_OWNER",
}

// environment returns env without the variables of git that are not allowed.
func environment(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		name = strings.ToUpper(name) // as windows reads them
		return name == "SSH_ASKPASS" || strings.HasPrefix(name, "GIT_") && !listed(name, allowed)
	})
}

func listed(name string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		prefix, open := strings.CutSuffix(p, "*")
		return name == p || open && strings.HasPrefix(name, prefix)
	})
}
