package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/ci"
	"example.com/suite/internal/testfile"
)

// A command is a value with streams and a clock: it can be run without a process.
func TestCommandsAreValues(t *testing.T) {
	folder := t.TempDir()
	suite := filepath.Join(folder, "words.yaml")
	testfile.Write(t, suite, "benchmarks:\n  - {name: count, command: [wc, -w, words.txt], tags: [io], expect: time.median < 1h}\n  - {name: sort, command: [sort, words.txt]}\n")
	testfile.Write(t, filepath.Join(folder, "broken.yaml"), "benchmarks: [{nmae: x}]\n")
	type commandLine struct {
		command subcommand
		args    []string
		status  int
		stdout  string
		stderr  string
	}
	var out, errors bytes.Buffer
	e := env{stdout: ci.NewOutput(&out, func(string) string { return "" }), stderr: &errors, lookup: func(string) (string, bool) { return "", false }, now: func() time.Time { return time.Unix(0, 0) }}
	for _, c := range []commandLine{
		{&listCommand{env: e}, []string{"--offline", "--tag", "io", suite}, exitOK, "count", ""},
		{&checkCommand{env: e}, []string{"--offline", suite}, exitOK, "2 cases, 1 gate", "offline"},
		{&checkCommand{env: e}, []string{"--offline", filepath.Join(folder, "broken.yaml")}, exitUsage, "", `unknown key "nmae"`},
		{&trendCommand{env: e}, []string{"--history", folder}, exitUsage, "", "no runs in"},
		{&versionCommand{env: e}, nil, exitOK, "suite version ", ""},
	} {
		out.Reset()
		errors.Reset()
		one := c.command.command()
		one.SetArgs(append([]string{}, c.args...)) // nil means the arguments of this test
		one.SilenceErrors, one.SilenceUsage = true, true
		status := exitOK
		if err := one.ExecuteContext(context.Background()); err != nil {
			status = exitUsage
			e.printError(err)
		}
		if status != c.status || !strings.Contains(out.String(), c.stdout) || !strings.Contains(errors.String(), c.stderr) || c.stdout == "" && out.Len() > 0 {
			t.Errorf("%s %q: status %d, standard output %q, standard error %q", one.Name(), c.args, status, out.String(), errors.String())
		}
	}
}
