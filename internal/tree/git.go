package tree

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// git runs git in one folder.
type git struct {
	dir  string
	args []string // arguments of git itself, before every command
	env  []string // in addition to quiet
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

// frugal keeps git from fetching objects that a partial clone lacks, because it would write
// them into the user's repository. git before 2.44 knows only the second variable.
var frugal = []string{"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none"}

// run runs git and returns what it prints. If the context ends, git and everything that it
// started is killed, and the error is the context's cause. Other errors are a *failure or
// an *Error.
func (g git) run(ctx context.Context, args ...string) (string, error) {
	return g.feed(ctx, "", args...)
}

// feed is run with text on standard input.
func (g git) feed(ctx context.Context, text string, args ...string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", context.Cause(ctx)
	}
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, "git", slices.Concat(settings, g.args, args)...)
	cmd.Dir = g.dir
	cmd.Stdout = &out
	cmd.Stderr = &errs
	cmd.Env = slices.Concat(environment(os.Environ()), quiet, g.env)
	cmd.WaitDelay = 2 * time.Second // a filter that outlives git keeps the pipes open
	if text != "" {
		cmd.Stdin = strings.NewReader(text)
	}
	apart(cmd)
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case errors.As(err, &exit):
		return out.String(), &failure{args, errs.String(), exit}
	case errors.Is(err, exec.ErrNotFound):
		return "", &Error{Message: "revisions are checked out by git, and there is no git in PATH", Hint: "install git, or name a folder in place of the revision", Err: err, kind: noGit}
	case err != nil && !errors.Is(err, exec.ErrWaitDelay): // after ErrWaitDelay git itself has succeeded
		return "", &Error{Message: "cannot run git: " + err.Error(), Hint: "git version", Err: err}
	}
	return out.String(), nil
}

// failure is the error of a git that exited with a status other than 0.
type failure struct {
	args   []string
	stderr string
	exit   *exec.ExitError
}

// Error shortens the message of git to six lines, indented after the first.
func (f *failure) Error() string {
	var lines []string
	for line := range strings.Lines(f.stderr) {
		line = strings.TrimSpace(line)
		line = strings.TrimPrefix(strings.TrimPrefix(line, "fatal: "), "error: ")
		if line != "" && len(lines) < 6 {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		lines = []string{f.exit.Error()}
	}
	return "git " + f.args[0] + ": " + strings.Join(lines, "\n\t")
}

// allowed lists the variables of git that the user may set: how to reach a server, and which
// files contain the configuration. The others are meant for one call of git; inside a hook they
// name the hook's repository.
var allowed = []string{
	"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_*", "GIT_CONFIG_VALUE_*",
	"GIT_EXEC_PATH", "GIT_SSL_*", "GIT_SSH*", "GIT_PROXY_*", "GIT_HTTP_*", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_TEST_ASSUME_DIFFERENT_OWNER",
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

// tied lists the variables that tie git to one repository, as `git rev-parse --local-env-vars`
// prints them, except the ones for configuration, which the user may have set.
var tied = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_PREFIX", "GIT_NAMESPACE", "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_QUARANTINE_PATH",
	"GIT_INTERNAL_SUPER_PREFIX", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS",
}

// Environ returns env, a list of NAME=value, without the variables that tie git to one
// repository. Commands in the other tree get this environment: if a git hook starts suite,
// those variables name the user's repository.
func Environ(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return listed(strings.ToUpper(name), tied)
	})
}
