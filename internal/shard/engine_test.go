package shard

import (
	"fmt"
	"strings"
	"testing"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/testfile"
)

// environment is a list of NAME=value.
type environment []string

func (e environment) lookup(name string) (string, bool) {
	for _, variable := range e {
		if key, value, _ := strings.Cut(variable, "="); key == name {
			return value, true
		}
	}
	return "", false
}

func TestAuto(t *testing.T) {
	for env, want := range map[string]string{
		"SUITE_SHARD_INDEX=0 SUITE_SHARDS=4":                                                             "1/4 suite",
		"CI_NODE_INDEX=4 CI_NODE_TOTAL=4":                                                                "4/4 GitLab",
		"CIRCLE_NODE_INDEX=3 CIRCLE_NODE_TOTAL=4":                                                        "4/4 CircleCI",
		"BUILDKITE_PARALLEL_JOB=1 BUILDKITE_PARALLEL_JOB_COUNT=4":                                        "2/4 Buildkite",
		"JOB_COMPLETION_INDEX=2 SUITE_SHARDS=3":                                                          "3/3 Kubernetes",
		"NOMAD_ALLOC_INDEX=2 SUITE_SHARDS=3":                                                             "3/3 Nomad",
		"NOMAD_ALLOC_INDEX=2 NOMAD_META_SUITE_SHARDS=3":                                                  "3/3 Nomad",
		"PARALLEL_SEQ=3 SUITE_SHARDS=3":                                                                  "3/3 GNU parallel",
		"SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=8":  "1/8 Slurm",
		"SLURM_ARRAY_TASK_ID=15 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_COUNT=8": "8/8 Slurm",

		// An engine inside of another one, which numbers something else and does not count it.
		"NOMAD_ALLOC_INDEX=0 CI_NODE_INDEX=2 CI_NODE_TOTAL=4":              "2/4 GitLab",
		"CI_NODE_TOTAL=1 CIRCLE_NODE_INDEX= PARALLEL_SEQ=1 SUITE_SHARDS=1": "1/1 GNU parallel",
	} {
		s, by, err := Auto(environment(strings.Fields(env)).lookup)
		if got := fmt.Sprintf("%s %s", s, by); err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", env, got, err, want)
		}
	}
}

func TestAutoWithoutAShard(t *testing.T) {
	for env, want := range map[string]string{
		"":                                "none of SUITE_SHARD_INDEX, CI_NODE_INDEX, CIRCLE_NODE_INDEX, BUILDKITE_PARALLEL_JOB, SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, NOMAD_ALLOC_INDEX, PARALLEL_SEQ is set",
		"JOB_COMPLETION_INDEX=2":          "Kubernetes has set JOB_COMPLETION_INDEX, but SUITE_SHARDS is not set",
		"NOMAD_ALLOC_INDEX=2":             "SUITE_SHARDS or NOMAD_META_SUITE_SHARDS is not set",
		"CI_NODE_INDEX=2":                 "CI_NODE_TOTAL is not set",
		"CI_NODE_TOTAL=1":                 "nothing numbers this process", // of a GitLab job without parallel:
		"SUITE_SHARDS=4":                  "nothing numbers this process",
		"CI_NODE_INDEX=x CI_NODE_TOTAL=4": `CI_NODE_INDEX is "x", and not a whole number`,
		"CI_NODE_INDEX=0 CI_NODE_TOTAL=4": "CI_NODE_INDEX is 0, which is none of 4 numbers from 1 in steps of 1",
		"CI_NODE_INDEX=5 CI_NODE_TOTAL=4": "none of 4 numbers",
		"SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=3": "SLURM_ARRAY_TASK_ID is 7, which is none of 3 numbers from 1 in steps of 1", // --array=1,3,7
		"SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_COUNT=4": "none of 4 numbers from 1 in steps of 2",
		"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=1": "SLURM_ARRAY_TASK_MIN is 3 and SLURM_ARRAY_TASK_COUNT is 1: these are some shards of another array", // --array=3
		"SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=1": "some shards of another array",
		"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=2": "some shards of another array", // --array=3,7
		"SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=4":                                                "SLURM_ARRAY_TASK_MIN is not set",
		"CI_NODE_INDEX=2 CI_NODE_TOTAL=4 PARALLEL_SEQ=3 SUITE_SHARDS=4":                                 "GitLab calls this process 2/4, and GNU parallel calls it 3/4",
	} {
		_, _, err := Auto(environment(strings.Fields(env)).lookup)
		if err == nil || !strings.Contains(err.Error(), want) || diag.HintOf(err) == "" {
			t.Errorf("%s: %v (hint %q), want %s", env, err, diag.HintOf(err), want)
		}
	}
}

// The page lists every engine with its variables.
func TestEnginesAreDocumented(t *testing.T) {
	page := testfile.Read(t, "../../docs/shards.md")
	for _, e := range engines {
		row := fmt.Sprintf("| %s | `%s`, from %s | `%s` |", e.name, e.index, map[bool]string{true: e.first, false: "`" + e.first + "`"}[len(e.first) == 1], strings.Join(e.counts, "` or `"))
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/shards.md lacks the row\n%s", row)
		}
	}
}
