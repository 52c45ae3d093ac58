package main

import (
	"crypto/sha1"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/testfile"
)

// day is the date of all commits, so that the hash of a commit depends on its files only.
const day = "2026-11-21T00:00:00Z"

// The contents of count.sh in the documents: before the change, slower on a branch, and slower by a sleep, which costs
// no CPU time and which other work does not make longer. Pairs find the short sleep on any machine. A tripwire has the
// long one, and the clock of pages: on a busy machine the 3 ms of its base were 40, and once more than that.
const (
	countsWords      = "seq 2000 | wc -w"
	countsMixedWords = "seq 2000 | sort -R | wc -w"
	countsSlowly     = "sleep 0.03; seq 2000 | wc -w"
	countsMuchSlower = "sleep 0.2; seq 2000 | wc -w"
)

// arrange prepares the files that a document assumes before a command.
func (r *pageRun) arrange(command string) {
	switch {
	case strings.Contains(command, " bisect "):
		slowed(r.t)
	case strings.Contains(command, " --against main "):
		branch(r.t)
	case strings.Contains(command, " history import "):
		oldResults(r.t)
	case strings.Contains(command, " accept ") && strings.Contains(command, " --commit "):
		testfile.Write(r.t, "parser.yaml", "benchmarks: [{name: Parse, command: [sleep, 0.01]}]\n")
	case strings.Contains(command, " --out json=base.json "):
		script(r.t, countsWords)
	case strings.Contains(command, " --against base.json "):
		script(r.t, countsMuchSlower)
	}
}

// branch makes the working directory a repository on a branch that has changed count.sh.
func branch(t *testing.T) {
	t.Helper()
	committing(t)
	script(t, countsWords)
	git(t, "init", "-q", "--object-format=sha1", "-b", "main", ".")
	git(t, "add", "count.sh", "count.yaml")
	testfile.Write(t, ".git/info/exclude", "*\n") // ignores the files of other blocks of the page
	git(t, "commit", "-q", "-m", "base")
	git(t, "checkout", "-q", "-b", "branch")
	script(t, countsMixedWords)
	git(t, "commit", "-q", "-a", "-m", "branch")
}

// committing makes the hashes of commits depend on their files and messages only.
func committing(t *testing.T) {
	t.Helper()
	for name, value := range map[string]string{"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a",
		"GIT_COMMITTER_EMAIL": "a@example.org", "GIT_AUTHOR_DATE": day, "GIT_COMMITTER_DATE": day,
		"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.DevNull} {
		t.Setenv(name, value)
	}
}

// slowed makes the working directory a repository of nine commits, of which the sixth after
// the first makes count.sh much slower.
func slowed(t *testing.T) {
	t.Helper()
	committing(t)
	git(t, "init", "-q", "--object-format=sha1", "-b", "main", ".")
	script(t, countsWords)
	git(t, "add", "count.sh", "words.yaml")
	testfile.Write(t, ".git/info/exclude", "*\n") // ignores the files of other blocks of the page
	git(t, "commit", "-q", "-m", "count words")
	for i, message := range []string{"a comment", "another", "a third", "spaces", "no spaces", "wait for the words", "a comment less", "the last"} {
		line := countsWords
		if i >= 5 {
			line = countsSlowly
		}
		script(t, line+strings.Repeat(" ", i)+"# "+message)
		git(t, "commit", "-q", "-a", "-m", message)
	}
}

// oldResults writes bench.txt, results of go test over forty commits: one benchmark becomes
// slower at once, one slowly, and one stays as it is.
func oldResults(t *testing.T) {
	t.Helper()
	var text strings.Builder
	text.WriteString("goos: linux\ngoarch: amd64\ncpu: AMD EPYC\n")
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 40 {
		hash := sha1.Sum([]byte{byte(i)})
		fmt.Fprintf(&text, "commit: %x\ncommit-time: %s\n", hash, time.Date(2026, 9, 1+i, 12, 0, 0, 0, time.UTC).Format(time.RFC3339))
		large := 3.1e6
		if i >= 25 {
			large *= 1.07
		}
		for _, b := range []struct {
			name string
			ns   float64
		}{{"Parse/large", large}, {"Parse/small", 1200}, {"Print", 500 * math.Pow(1.003, float64(i))}} {
			fmt.Fprintf(&text, "Benchmark%s-8 1000 %.1f ns/op\n", b.name, b.ns*(1+0.01*random.NormFloat64()))
		}
	}
	testfile.Write(t, "bench.txt", text.String())
}

func script(t *testing.T, line string) {
	t.Helper()
	testfile.WriteProgram(t, "count.sh", "#!/bin/sh\n"+line+"\n")
}

func git(t *testing.T, args ...string) {
	t.Helper()
	if text, err := exec.Command("git", args...).CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, text)
	}
}
