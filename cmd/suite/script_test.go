package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/suite/internal/golden"
	"example.com/suite/internal/lock"
	"example.com/suite/internal/observe"
	"example.com/suite/internal/pagecache"
	"example.com/suite/internal/testfile"
	"example.com/suite/runner/binary"
	"example.com/suite/runner/profile"
	"github.com/rogpeppe/go-internal/testscript"
)

// patience bounds every wait for another process, so that no test waits for ever.
const patience = 30 * time.Second

func TestScripts(t *testing.T) {
	t.Parallel()
	var scripts atomic.Int64
	testscript.Run(t, testscript.Params{
		Files: scriptFiles(t), WorkdirRoot: scriptFolders(t), UpdateScripts: golden.Updating(), RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir)
			for _, cache := range []string{".cache/suite", "cache/suite", "cache"} { // HOME, XDG_CACHE_HOME and SUITE_CACHE of scripts
				if err := giveHash(filepath.Join(e.WorkDir, cache, "own")); err != nil {
					return err
				}
			}
			for name, value := range goVariables() {
				e.Setenv(name, value)
			}
			e.Setenv(lock.Variable, filepath.Join(e.WorkDir, "suite.lock")) // scripts run in parallel and must not wait for each other
			e.Setenv("BAD", "red\x1b[31m\a")
			e.Setenv("PORT", freePort())
			e.Setenv("OTHER", freePort())
			e.Setenv("REPO", repository)
			e.Setenv("VALGRIND", realValgrind())     // the one in PATH counts in no time
			e.Setenv(profile.Variable, profile.None) // scripts about profiles ask for them
			// An argument of sleep that only this script uses, so that `gone` finds its processes.
			e.Setenv("AGES", fmt.Sprintf("%d.%07d", 1000+scripts.Add(1), os.Getpid()))
			e.Setenv("RUSTUP_HOME", filepath.Join(os.Getenv("HOME"), ".rustup")) // rustup finds its cargo there
			return nil
		},
		Condition: func(what string) (bool, error) {
			switch what {
			case "disk":
				return hasDisk(), nil
			case "observes":
				return observes(), nil
			case "valgrind":
				return realValgrind() != "", nil
			case "places":
				return places(), nil
			case "google-benchmark":
				return exists("/usr/include/benchmark/benchmark.h"), nil
			case "pytest-benchmark":
				return exists("/usr/lib/python3/dist-packages/pytest_benchmark"), nil
			case "cxx", "javascript", "rust":
				return strings.Contains(os.Getenv("SUITE_PROOF"), what), nil
			case "catch2":
				return strings.Contains(os.Getenv("SUITE_PROOF"), what) && exists("/usr/include/catch2/catch.hpp"), nil
			case "criterion":
				return strings.Contains(os.Getenv("SUITE_PROOF"), what) && exists("/usr/share/cargo/registry/criterion-0.3.6"), nil
			}
			return false, fmt.Errorf("unknown condition %q", what)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "sign": sign, "gone": gone, "valid": valid, "appears": appears, "disk": disk,
		},
	})
}

// scriptFiles lists the scripts, the dearest last: parallel subtests begin with the last one, and none shall run alone at the
// end. What builds with go is dearest, then what starts suite most often.
func scriptFiles(t *testing.T) []string {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	cost := map[string]int{}
	for _, file := range files {
		text := testfile.Read(t, file)
		script, _, _ := bytes.Cut(text, []byte("\n-- "))
		cost[file] = bytes.Count(script, []byte(" suite"))
		if bytes.Contains(script, []byte("[!exec:go]")) {
			cost[file] *= 10
		}
	}
	slices.SortStableFunc(files, func(a, b string) int { return cmp.Compare(cost[a], cost[b]) })
	return files
}

// scriptFolders is the folder of the scripts' folders. It is removed after the last script, and
// not a part of it after each: ext4 searches among the files that were removed in the last
// seconds whenever it makes a new one, which is a twentieth of the CPU time of all scripts.
func scriptFolders(t *testing.T) string {
	root, err := os.MkdirTemp("", "go-test-script")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error { // some scripts make folders that cannot be written
			if err == nil && e.IsDir() {
				_ = os.Chmod(path, 0o700)
			}
			return nil
		})
		if err := os.RemoveAll(root); err != nil {
			t.Error(err)
		}
	})
	return root
}

// quietGo is a folder for settings in which the telemetry of go is off. In a new home the first
// go command starts another one that looks for reports to send.
var quietGo = sync.OnceValue(func() string {
	settings := filepath.Join(filepath.Dir(programPath("suite")), "settings") // removed with the programs
	folder := filepath.Join(settings, "go", "telemetry")
	if err := errors.Join(os.MkdirAll(folder, 0o777), os.WriteFile(filepath.Join(folder, "mode"), []byte("off\n"), 0o666)); err != nil {
		panic(err)
	}
	return settings
})

// giveHash puts the hash of the host into a folder of a script's cache, which is empty
// otherwise: the host has 38 MB, and reading them takes 30 ms. The programs of TestMain are
// too new for that in the first 2 s; scripts that start then hash the host.
func giveHash(folder string) error {
	host := programPath("suite-host")
	shared := host + ".hash"
	new(binary.Hashes).Load(host, shared)
	text, err := os.ReadFile(shared)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return errors.Join(err, os.MkdirAll(folder, 0o700), os.WriteFile(filepath.Join(folder, "hash"), text, 0o600))
}

// observes reports whether what a program reads can be recorded here.
var observes = sync.OnceValue(func() bool {
	program, err := exec.LookPath("true")
	if err != nil {
		return false
	}
	_, err = observe.Run(context.Background(), observe.Command{Path: program, Args: []string{program}})
	return err == nil
})

// places reports whether files in the folder of the scripts can be placed anew in memory.
var places = sync.OnceValue(func() bool {
	file, err := os.CreateTemp("", "suite-places-")
	if err != nil {
		return false
	}
	defer os.Remove(file.Name())
	_, err = file.WriteString("a file")
	return errors.Join(err, file.Close()) == nil && len(pagecache.Place(context.Background(), []string{file.Name()})) == 0
})

// The go commands of scripts and pages share caches, so that none compiles what another
// one, or an earlier run of the tests, has compiled. They also share -trimpath, without
// which a compiled package contains the name of its folder, and every script has a
// folder of its own. With -ldflags, which suite does not replace, it links each program once
// and not anew for each launch (a link takes 0.3 s); scripts about layouts unset it. Without
// GOGC, go, suite and its hosts collect garbage for a sixth of their CPU time.
var goVariables = sync.OnceValue(func() map[string]string {
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil { // without go no script builds anything
		return nil
	}
	dirs := strings.Split(string(out), "\n")
	return map[string]string{"GOCACHE": dirs[0], "GOMODCACHE": dirs[1], "GOFLAGS": "-trimpath -buildvcs=false -ldflags=-s", "GOGC": "800", "XDG_CONFIG_HOME": quietGo()}
})

// Whoever does more than wait is started for each run.
func TestIdleCommands(t *testing.T) {
	for text, want := range map[string]bool{
		"sleep 0.01": true, "/bin/sleep 1": true, "true": true, "sh -c sleep 0.005": true, "sh -c : ; exec sleep 1": true,
		"#!/bin/sh\nsleep 0.005\n": true, "#!/bin/sh\ntrue; true; exit 0\n": true,
		"/tmp/suite-nothing-123": true,
		"sleep":                  false, "sleep 1 2": false, "false": false, "exit 1": false, "sh -c sleep 1; touch x": false, "sh -c sleep 1 && touch x": false,
		"sh -c sleep 1 & true": false, "sh -c sleep $X": false, "sh -c true >x": false, "#!/bin/sh\ntrue\ntouch x\n": false,
		"#!/usr/bin/python3\ntrue\n": false, "sh -c : $(touch x)": false, "trueish": false, "": false,
	} {
		if got := idles.MatchString(text); got != want {
			t.Errorf("%q: idle is %v, want %v", text, got, want)
		}
	}
}

// exits STATUS[,STATUS] PROGRAM [ARG…] runs a program and fails unless its exit status is
// one of these. stdout, stderr and cmp see its output.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS[,STATUS] PROGRAM [ARG…]")
	}
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if !slices.Contains(strings.Split(args[0], ","), strconv.Itoa(got)) {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

// gone WORD waits until no process has the word in its command line.
func gone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gone WORD")
	}
	findsItself(ts)
	for begun := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		left := processes(ts, args[0])
		if len(left) == 0 {
			return
		}
		if time.Since(begun) > patience {
			ts.Fatalf("left behind: %s", strings.Join(left, "\n"))
		}
	}
}

// seen is true after this test has found itself in /proc. To read all command lines takes 14 ms while 90 processes run.
var seen atomic.Bool

// findsItself fails if this test is not in /proc, so that no process can be found there.
func findsItself(ts *testscript.TestScript) {
	if !seen.Load() && len(processes(ts, filepath.Base(os.Args[0]))) == 0 {
		ts.Fatalf("this test is not in /proc, so no process can be found there")
	}
	seen.Store(true)
}

// processes lists the command lines of all processes that contain a word.
func processes(ts *testscript.TestScript, word string) (all []string) {
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	ts.Check(err)
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err == nil && bytes.Contains(line, []byte(word)) { // an error means that the process has ended
			all = append(all, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return all
}

// validator is the program that checks JSON files, built next to the programs of TestMain. It
// runs until the tests end, because it takes 50 ms to start and to read a schema.
type validator struct {
	mu        sync.Mutex
	questions io.Writer
	answers   *bufio.Reader
}

var startValidator = sync.OnceValues(func() (*validator, error) {
	path := filepath.Join(filepath.Dir(programPath("suite")), "validate")
	cmd := exec.Command("go", "build", "-o", path, "../../schemas/validate")
	cmd.Env = append(os.Environ(), "GOFLAGS="+goVariables()["GOFLAGS"])
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	cmd = exec.Command(path)
	questions, err := cmd.StdinPipe() // closed when the tests end, which ends the program
	if err != nil {
		return nil, err
	}
	answers, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = os.Stderr
	return &validator{questions: questions, answers: bufio.NewReader(answers)}, cmd.Start()
})

// check returns an error that says why a file does not follow a schema.
func (v *validator) check(schema, file string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := json.NewEncoder(v.questions).Encode([]string{schema, file}); err != nil {
		return err
	}
	line, err := v.answers.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("validate has ended: %w", err)
	}
	var problem *string
	if err := json.Unmarshal(line, &problem); err != nil || problem == nil {
		return err
	}
	return errors.New(*problem)
}

// valid suite|result|bisect FILE checks a JSON file against a schema of suite.
func valid(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: valid suite|result|bisect FILE")
	}
	v, err := startValidator()
	ts.Check(err)
	if err := v.check(args[0], ts.MkAbs(args[1])); err != nil {
		ts.Fatalf("%s: %v", args[1], err)
	}
}

// signalled is a program: signalled INT,TERM READY,READY PROGRAM [ARG…] runs a program,
// sends it each signal as soon as the condition of the same number is true, and exits with
// the status that a shell would report. A condition is FILE, which exists; FILE=TEXT, a
// file that contains a text; @stopped, the program is stopped; or @blocked, it waits for
// the other end of a pipe.
func signalled() {
	names := strings.Split(os.Args[1], ",")
	conditions := strings.Split(os.Args[2], ",")
	argv := os.Args[3:]
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin = os.Stdin
	cmd.Stdout = os.Stdout
	cmd.Stderr = os.Stderr
	apart(cmd)
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	for i, name := range names {
		for begun := time.Now(); !isTrue(conditions[i], cmd.Process.Pid); time.Sleep(5 * time.Millisecond) {
			if time.Since(begun) > patience {
				panic(conditions[i] + " never became true")
			}
		}
		_ = cmd.Process.Signal(signalNamed(name)) // fails if the program has ended, which the script checks
	}
	_ = cmd.Wait() // ProcessState has the status
	os.Exit(endedBy(cmd.ProcessState))
}

// isTrue reports whether a condition of signalled is true for a process.
func isTrue(condition string, pid int) bool {
	switch condition {
	case "@stopped":
		return isStopped(pid)
	case "@blocked":
		return isBlocked(pid)
	}
	file, text, _ := strings.Cut(condition, "=")
	found, err := os.ReadFile(file)
	return err == nil && strings.Contains(string(found), text)
}

// appears FILE… waits until the files exist.
func appears(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: appears FILE…")
	}
	for _, file := range args {
		for begun := time.Now(); !exists(ts.MkAbs(file)); time.Sleep(5 * time.Millisecond) {
			if time.Since(begun) > patience {
				ts.Fatalf("%s never appeared", file)
			}
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
