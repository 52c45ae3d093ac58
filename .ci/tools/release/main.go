// Command release makes the files of a release of suite: archives and packages of its programs, an
// image, bills of materials, and the checksums of all of them. .ci/release starts it, and
// docs/releasing.md describes what the owner does before and afterwards.
//
// The same commit, built by the same release of Go, gives the same bytes on every machine and in
// every folder: all times are the commit's, no path is in a program, and nothing is signed here.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

const usage = `usage: .ci/release [flags] [SYSTEM/ARCHITECTURE ...]

Makes the files of the release whose tag HEAD has: for each system an archive and a bill of
materials, for Linux also packages (deb, rpm, apk) and an image, and SHA256SUMS. Without
arguments it does so for all systems: %s.

`

// Exit statuses.
const (
	exitFailed = 1 // something could not be made
	exitUsage  = 2 // a wrong command line, or a state of the tree that cannot be released; nothing was made
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:]))
}

func run(ctx context.Context, args []string) int {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	tree := flags.String("tree", ".", "the clone of suite's repository, a `FOLDER`")
	out := flags.String("out", "",
		"the `FOLDER` of the files, which must be new or empty (default .bin/release, which is replaced)")
	snapshot := flags.Bool("snapshot", false, "for a trial: neither a tag nor a clean tree is needed")
	maintainer := flags.String("maintainer", "", "whom users of the packages write to, `NAME <MAIL>`")
	flags.Usage = func() {
		fmt.Fprintf(flags.Output(), usage, strings.Join(names(systems), ", "))
		flags.PrintDefaults()
	}
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return exitUsage
	}
	err := makeRelease(ctx, os.Stdout, request{*tree, *out, *maintainer, *snapshot, flags.Args()})
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, "release: "+err.Error())
	if wrong := new(usageError); errors.As(err, &wrong) {
		fmt.Fprintln(os.Stderr, "\thint: "+wrong.hint)
		return exitUsage
	}
	return exitFailed
}

// usageError is something that the user has to change, with what to do.
type usageError struct{ message, hint string }

func (e *usageError) Error() string { return e.message }

// request is what a command line asks for.
type request struct {
	tree, out, maintainer string
	snapshot              bool
	targets               []string // empty: all of them
}

// makeRelease makes the files, and prints to stdout which.
func makeRelease(ctx context.Context, stdout io.Writer, q request) error {
	tree, err := filepath.Abs(q.tree)
	if err != nil {
		return err
	}
	targets, err := parseTargets(q.targets)
	if err != nil {
		return err
	}
	source, err := readSource(ctx, tree, q.snapshot)
	if err != nil {
		return err
	}
	out, err := emptyFolder(tree, q.out)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "suite-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	maintainer := q.maintainer
	if maintainer == "" {
		maintainer = "the authors of suite <" + source.homepage() + ">"
	}
	r := release{source: source, maintainer: maintainer, out: out, work: work, built: map[target][]program{}}
	if err := r.make(ctx, targets); err != nil {
		return err
	}
	if err := r.writeChecksums(); err != nil {
		return err
	}
	return r.describe(stdout)
}

// emptyFolder makes the folder for the files. The default folder is emptied, any other folder has to
// be empty already.
func emptyFolder(tree, out string) (string, error) {
	if out == "" {
		out = filepath.Join(tree, ".bin", "release")
		if err := os.RemoveAll(out); err != nil {
			return "", err
		}
	}
	out, err := filepath.Abs(out)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return "", err
	}
	entries, err := os.ReadDir(out)
	if err != nil {
		return "", err
	}
	if len(entries) > 0 {
		return "", &usageError{fmt.Sprintf("the folder %s is not empty", out), "name a new folder, or remove it first"}
	}
	// a folder that cannot be written is found before minutes of building
	trial, err := os.CreateTemp(out, ".writable-")
	if err != nil {
		return "", err
	}
	return out, errors.Join(trial.Close(), os.Remove(trial.Name()))
}
