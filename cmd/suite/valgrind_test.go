package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"example.com/suite/runner/callgrind"
)

// counts is the valgrind of all tests of this package but the script callgrind. suite counts whatever is undecided or worse
// in six runs of each side, each of which takes the real valgrind 0.2 s for a shell and 1 s for a host of functions. This
// one runs a command at once and writes that it has executed 1000 instructions for each unit of the largest number in the
// command line. It refuses the hosts of functions, so that they are measured as on a machine without valgrind.
func counts() {
	if os.Args[1] == "--version" {
		fmt.Println("valgrind-3")
		return
	}
	out := ""
	program := os.Args[1:]
	for ; strings.HasPrefix(program[0], "-"); program = program[1:] {
		if file, ok := strings.CutPrefix(program[0], "--callgrind-out-file="); ok {
			out = strings.Replace(file, "%p", strconv.Itoa(os.Getpid()), 1)
		}
		if strings.HasPrefix(program[0], "--demangle=") {
			fmt.Fprintln(os.Stderr, "this valgrind counts commands alone")
			os.Exit(1)
		}
	}
	largest := 1
	for _, number := range regexp.MustCompile(`\b[0-9]{1,6}\b`).FindAllString(strings.Join(program[1:], " "), -1) {
		n, _ := strconv.Atoi(number) // it has digits alone
		largest = max(largest, n)
	}
	total := strconv.Itoa(1000 * largest)
	if err := os.WriteFile(out, []byte("version: 1\nevents: Ir\n\nfn=(1) main\n3 "+total+"\n\ntotals: "+total+"\n"), 0o666); err != nil {
		panic(err)
	}
	cmd := exec.Command(program[0], program[1:]...)
	cmd.Stdin = os.Stdin
	cmd.Stdout = os.Stdout
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		panic(err)
	}
	os.Exit(endedBy(cmd.ProcessState))
}

// realValgrind is the folder of the valgrind of this machine, or empty.
func realValgrind() string {
	own := filepath.Dir(programPath("suite"))
	for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
		if path, err := exec.LookPath(filepath.Join(folder, callgrind.Program)); err == nil && folder != own {
			return filepath.Dir(path)
		}
	}
	return ""
}
