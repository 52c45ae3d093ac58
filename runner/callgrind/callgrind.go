// Package callgrind knows how valgrind counts the instructions of a program: what it has to be told, and what it
// writes. It starts nothing. Valgrind executes a program about fifty times as slowly as the processor, one thread at a
// time, and counts exactly, however busy the machine is.
package callgrind

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"example.com/suite/runner/host/wire"
)

// Program is the name of the program that counts.
const Program = "valgrind"

// ErrMissing is the error of a machine that has no valgrind.
var ErrMissing = errors.New("valgrind is not installed")

// Scope is what of a program is counted.
type Scope int

const (
	// Processes is all that a program and the processes that it starts execute.
	Processes Scope = iota
	// Marked is what one process executes in samples, see wire.CountBegins. On amd64 it asks valgrind to begin.
	Marked
	// Requested is what one process executes that asks valgrind for it. It costs less until the first sample, because
	// callgrind has nothing to do before it is asked to start.
	Requested
	// Sections is the same of the one process that asks, among those that a program starts.
	Sections
)

// Argv returns the command line ahead of a program that makes valgrind count, and write into an empty folder. The error
// is ErrMissing, or explains why valgrind cannot be started.
func Argv(folder string, scope Scope) ([]string, error) {
	path, err := exec.LookPath(Program)
	if errors.Is(err, exec.ErrNotFound) {
		return nil, ErrMissing
	}
	if err != nil {
		return nil, fmt.Errorf("valgrind cannot be started: %w", err)
	}
	argv := []string{path, "--tool=callgrind", "-q", "--vgdb=no",
		"--callgrind-out-file=" + filepath.Join(folder, prefix+"%p")}
	switch scope {
	case Processes:
		return append(argv, "--trace-children=yes"), nil
	case Sections:
		return append(argv, "--trace-children=yes", "--instr-atstart=no"), nil
	}
	argv = append(argv, "--demangle=no")
	if scope == Requested || runtime.GOARCH == "amd64" { // a test binary for another processor cannot ask
		argv = append(argv, "--instr-atstart=no")
	}
	if scope == Requested {
		return argv, nil
	}
	return append(argv, "--zero-before=*."+wire.CountBegins, "--dump-before=*."+wire.CountEnds,
		"--dump-before=*."+wire.CountResets), nil
}

// Check returns why nothing can be counted here, nil if valgrind answers.
func Check() error {
	path, err := exec.LookPath(Program)
	if errors.Is(err, exec.ErrNotFound) {
		return ErrMissing
	}
	if err == nil {
		err = exec.Command(path, "--version").Run()
	}
	if err != nil {
		return fmt.Errorf("valgrind cannot be started: %w", err)
	}
	return nil
}

// HasCrashed reports whether a process ended because valgrind itself crashed, by the end of what was written to standard
// error. Versions to 3.19 at least do at the first signal that a Go program handles, such as the one at the end of a
// process that it has started.
func HasCrashed(stderr string) bool {
	return strings.Contains(stderr, "please report this bug to: www.valgrind.org")
}

// Environ returns the variables, NAME=value, that a program needs in addition to its environment. Versions of valgrind
// to 3.19 at least end at the first signal by which a Go program preempts its goroutines. Its profile of memory is off:
// it takes a stack trace of allocations that it draws by chance. On one processor of the Go runtime no threads spin,
// which valgrind would run one after the other: it is the default, and the program may have another number. Python
// orders sets by hashes of texts, which seed decides, unless the program has one.
func Environ(environ []string, seed uint32) []string {
	const debug, procs, hashes = "GODEBUG=", "GOMAXPROCS=", "PYTHONHASHSEED="
	const calm = "asyncpreemptoff=1,memprofilerate=0"
	settings, chosen, seeded := debug+calm, false, false
	for _, entry := range environ { // of several the last counts
		if value, is := strings.CutPrefix(entry, debug); is {
			settings = debug + strings.TrimPrefix(value+","+calm, ",")
		}
		chosen = chosen || strings.HasPrefix(entry, procs)
		seeded = seeded || strings.HasPrefix(entry, hashes)
	}
	variables := []string{settings}
	if !chosen {
		variables = append(variables, procs+"1")
	}
	if !seeded {
		variables = append(variables, hashes+strconv.FormatUint(uint64(seed), 10))
	}
	return variables
}
