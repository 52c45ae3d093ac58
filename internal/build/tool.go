package build

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// tool is the go command and its environment.
type tool struct {
	path string
	dir  string // in which it runs
	env  []string
	temp string // where go makes its temporary folder; empty: TMPDIR
}

// findGo looks for go in the PATH of the request or, if it sets none, in our own.
func findGo(env []string) (tool, error) {
	path := os.Getenv("PATH")
	for _, e := range env {
		if value, ok := strings.CutPrefix(e, "PATH="); ok {
			path = value
		}
	}
	for _, dir := range filepath.SplitList(path) {
		if found, err := exec.LookPath(filepath.Join(dir, "go")); err == nil && filepath.IsAbs(found) {
			return tool{path: found, env: env}, nil
		}
	}
	return tool{}, fault("", "packages have to be built, and there is no go command in PATH",
		"install Go from https://go.dev/dl, or add its bin folder to PATH")
}

// run runs go and returns what it prints. If the context ends, go is killed with the
// compilers that it has started, and the error is the context's cause. What go then leaves in its temporary folder is
// removed.
func (t tool) run(ctx context.Context, args ...string) (stdout, stderr string, err error) {
	if dir, err := os.MkdirTemp(t.temp, "suite-go-"); err == nil {
		defer os.RemoveAll(dir)
		t = t.within(dir)
	}
	return t.start(ctx, args...)
}

// build is run for a command that builds, with arguments last at its end. It returns the graph of the build, which is
// empty if go writes none, and what go prints if it fails. temp is a folder for the graph.
func (t tool) build(ctx context.Context, temp string, args, last []string) (graph []byte, text string, err error) {
	file := filepath.Join(temp, "graph.json")
	out, text, err := t.run(ctx, slices.Concat(args, []string{graphFlag + file}, last)...)
	if err != nil && strings.Contains(text, strings.TrimSuffix(graphFlag, "=")) {
		out, text, err = t.run(ctx, slices.Concat(args, last)...)
	}
	if err != nil {
		return nil, cmp.Or(text, out), err
	}
	graph, _ = os.ReadFile(file) // without it, archives are listed
	return graph, "", nil
}

// within is the tool with another place for its temporary folder.
func (t tool) within(dir string) tool {
	t.env = append(slices.Clip(t.env), "GOTMPDIR="+dir)
	return t
}

// start is run with the place for temporary files that go has by itself.
func (t tool) start(ctx context.Context, args ...string) (stdout, stderr string, err error) {
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, t.path, args...)
	cmd.Dir = t.dir
	cmd.Stdout = &out
	cmd.Stderr = &errs
	cmd.Env = append(cmd.Environ(), t.env...)
	cmd.WaitDelay = 2 * time.Second // a compiler that outlives its go command keeps the pipes open
	grouped(cmd)
	err = cmd.Run()
	if ctx.Err() != nil {
		return "", "", context.Cause(ctx)
	}
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		return "", "", fault("", "cannot run "+t.path+": "+err.Error(), "go version")
	}
	return out.String(), errs.String(), err
}

// variables reads the environment as go does.
func (t tool) variables(ctx context.Context) (map[string]string, string, error) {
	out, errs, err := t.start(ctx, "env", "-json", "GOFLAGS", "GO111MODULE", "GOOS", "GOARCH", "GOVERSION", "GOROOT",
		"GOCACHE", "GOMODCACHE", "GOWORK", "GOMOD", "GOTMPDIR")
	vars := map[string]string{}
	if err == nil {
		err = json.Unmarshal([]byte(out), &vars)
	}
	return vars, errs, err
}

// runsHere reports whether this machine runs programs of a system. 64-bit x86 runs 32-bit
// programs.
func runsHere(goos, goarch string) bool {
	return goos == runtime.GOOS && (goarch == runtime.GOARCH || goarch == "386" && runtime.GOARCH == "amd64")
}
