package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/testfile"
)

// hyperfineOptions are the options of hyperfine 1.20, hidden ones included, as its --help
// and its source have them.
var hyperfineOptions = []string{"COMMAND…", "-w", "--warmup", "-m", "--min-runs", "-M", "--max-runs", "-r", "--runs", "-s", "--setup", "-p", "--prepare", "-C", "--conclude",
	"-c", "--cleanup", "-P", "--parameter-scan", "-D", "--parameter-step-size", "-L", "--parameter-list", "--reference", "--reference-name", "-S", "--shell", "-N",
	"-i", "--ignore-failure", "--style", "--sort", "-u", "--time-unit", "--export-asciidoc", "--export-orgmode", "--export-csv", "--export-json", "--export-markdown",
	"--show-output", "--output", "--input", "-n", "--command-name", "--min-benchmarking-time", "--debug-mode", "-h", "--help", "-V", "--version"}

const (
	hyperfinePage  = "docs/hyperfine.md"
	hyperfineTable = "## The options of hyperfine"
)

func TestEveryOptionOfHyperfineHasARow(t *testing.T) {
	got, want := readPage(t, hyperfinePage).column(t, hyperfineTable), slices.Clone(hyperfineOptions)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the table has\n%v\nand hyperfine\n%v", got, want)
	}
}

var suiteCommand = regexp.MustCompile("`suite ([^`]*)`")

// Each command line of the page is one that suite accepts. Those that measure are run with
// --write, which reads all flags and measures nothing.
func TestCommandsForUsersOfHyperfineAreAccepted(t *testing.T) {
	text := fence.ReplaceAllString(readPage(t, hyperfinePage).text, "")
	e := realEnv(t)
	t.Chdir(t.TempDir())
	testfile.Write(t, "numbers.txt", "1\n")
	rows := 0
	for i, m := range suiteCommand.FindAllStringSubmatch(strings.ReplaceAll(text, `\|`, "|"), -1) {
		args := words(m[1])
		if strings.Contains(m[1], "COMMAND") {
			continue // a form, and no command
		}
		if args[0] == "run" && !slices.Contains(args, "--help") && !slices.Contains(args, "--write") {
			args = slices.Insert(args, 1, "--write", filepath.Join(t.TempDir(), "new.yaml"))
			rows++
		}
		if status, printed := captured(e, args...); status != exitOK {
			t.Errorf("%d: suite %s: exit status %d: %s", i, m[1], status, printed)
		}
	}
	if rows < 25 {
		t.Errorf("%d commands were tried", rows)
	}
	if _, err := os.Stat("bench.yaml"); err != nil {
		t.Errorf("the command with --write on the page: %v", err)
	} else if got := readFile(t, "bench.yaml"); !strings.Contains(readPage(t, hyperfinePage).text, "\n"+got+"```") {
		t.Errorf("the page does not have the file that is written:\n%s", got)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	return string(testfile.Read(t, path))
}
