// Package e2e checks the jobs of suite fleet with the types of the engines themselves, runs
// the scripts in them, and starts Slurm and GNU parallel where they are installed. It is a
// module of its own: none of this is a requirement of suite.
package e2e

import (
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/fleet"
)

const shards = 12

// oddWords are words of a command line that every engine would change if it could.
var oddWords = []string{"my bench/it's {1}.yaml", "$(SUITE_SHARDS)/$$.yaml", "--only", "${HOME}/%{x}/{}", "$${a}", `back\slash "quoted"`, "#a: b", "größe"}

// write returns the job of an engine for the odd words.
func write(t *testing.T, engine, results string) string {
	t.Helper()
	job := fleet.Job{Name: "nightly", Suites: oddWords[:2], Flags: oddWords[2:], Shards: shards, Limit: time.Hour, Image: "registry.example.org:5000/perf:1", Results: results}
	for _, e := range fleet.Engines() {
		if e.Name != engine {
			continue
		}
		for _, err := range e.Check(&job) {
			t.Error(err)
		}
		text, err := e.Write(job)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	t.Fatalf("no engine %q", engine)
	return ""
}

// command returns the command in the head of a job that begins with a word, without the
// comment after it.
func command(t *testing.T, job, begins string) string {
	t.Helper()
	for line := range strings.Lines(job) {
		if text, is := strings.CutPrefix(line, "#   "+begins); is {
			text, _, _ = strings.Cut(begins+text, " # ")
			return strings.TrimSpace(text)
		}
	}
	t.Fatalf("the head of the job has no command %q:\n%s", begins, job)
	return ""
}
