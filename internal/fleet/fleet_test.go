package fleet

import (
	"io"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/ci"
	"example.com/suite/internal/golden"
)

// plainJob is what most users type.
func plainJob() Job {
	return Job{Name: "perf", Suites: []string{"perf.yaml"}, Flags: []string{"--against", "origin/main"}, Shards: 4, Limit: 42 * time.Minute, Image: "registry.example.org/perf:1"}
}

// oddJob has words that every engine would change if it could.
func oddJob() Job {
	return Job{Name: "nightly", Suites: []string{"my bench/it's {1}.yaml", "$(SUITE_SHARDS)/$$.yaml"}, Flags: []string{"--only", "${HOME}/%{x}/{}"}, Shards: 12,
		Limit: 90*time.Second + 5*time.Hour, CPUs: 8, Memory: 16384, Results: "/shared/all results", Image: "perf@sha256:0123", Claim: "shared", Hosts: "4/node1,node2"}
}

func TestJobs(t *testing.T) {
	for _, e := range Engines() {
		for name, job := range map[string]Job{"": plainJob(), "_odd": oddJob()} {
			if problems := e.Check(&job); len(problems) > 0 {
				t.Errorf("%s%s: %v", e.Name, name, problems)
			}
			text, err := e.Write(job)
			if err != nil {
				t.Fatal(err)
			}
			golden.Check(t, "testdata/"+strings.Replace(e.template, ".", name+".", 1), text)

			// A CI job may write the file, and what suite prints there has no commands of that system.
			var guarded strings.Builder
			if _, err := io.WriteString(ci.Guard(&guarded), text); err != nil {
				t.Fatal(err)
			}
			if guarded.String() != text {
				t.Errorf("%s%s: in a CI job it would be\n%s", e.Name, name, guarded.String())
			}
		}
	}
}
