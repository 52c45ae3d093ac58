package shard

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/shellword"
	"example.com/suite/result"
)

// Variables of suite's own, for engines that cannot tell a process how many there are.
const (
	countVariable = "SUITE_SHARDS"
	indexVariable = "SUITE_SHARD_INDEX"
	jobVariable   = "SUITE_JOB"
)

// engine is a program that starts several processes with one command and numbers them in
// environment variables.
type engine struct {
	name  string
	index string // variable with the number of this process
	first string // number of the first process: 0 or 1, or the variable that has it
	step  string // variable with the distance between two numbers; empty: 1
	// counts are variables with the number of processes; the first that is set is used.
	counts []string
	// remedy is where a user sets the count, if the engine does not.
	remedy string
	// job is the variable with the name of the job; empty: the printed job sets jobVariable.
	job string
	// again is the command that starts shards of a job again; see repeat.
	again string
}

// engines are the engines that --shard auto knows. docs/shards.md has the same table, and a
// test compares them.
var engines = []engine{
	{name: "suite", index: indexVariable, first: "0", counts: []string{countVariable},
		remedy: "set it to the number of shards"},
	{name: "GitLab", index: "CI_NODE_INDEX", first: "1", counts: []string{"CI_NODE_TOTAL"},
		remedy: "parallel: N sets it"},
	{name: "CircleCI", index: "CIRCLE_NODE_INDEX", first: "0", counts: []string{"CIRCLE_NODE_TOTAL"},
		remedy: "parallelism: N sets it"},
	{name: "Buildkite", index: "BUILDKITE_PARALLEL_JOB", first: "0", counts: []string{"BUILDKITE_PARALLEL_JOB_COUNT"},
		remedy: "parallelism: N sets it"},
	{name: "Slurm", index: "SLURM_ARRAY_TASK_ID", first: "SLURM_ARRAY_TASK_MIN", step: "SLURM_ARRAY_TASK_STEP",
		counts: []string{"SLURM_ARRAY_TASK_COUNT"},
		remedy: "sbatch --array=1-N sets it", job: "SLURM_JOB_NAME", again: "sbatch --array=LIST FILE"},
	{name: "Kubernetes", index: "JOB_COMPLETION_INDEX", first: "0", counts: []string{countVariable},
		remedy: "Kubernetes does not tell a pod the completions: of its job: repeat the number in env: of " +
			"the container", again: kubernetesAgain},
	{name: "Nomad", index: "NOMAD_ALLOC_INDEX", first: "0",
		counts: []string{countVariable, "NOMAD_META_" + countVariable},
		remedy: "Nomad does not tell a task the count of its group: repeat the number in its env or meta block",
		job:    "NOMAD_JOB_NAME", again: "nomad job eval -force-reschedule JOB"},
	{name: "GNU parallel", index: "PARALLEL_SEQ", first: "1", counts: []string{countVariable},
		remedy: "set it in front of parallel, or use --shard {#}/N in its command", again: "sh FILE WORDS"},
}

// kubernetesAgain makes a job of its own for each shard from the printed manifest: an Indexed
// Job cannot start an index again. The result is put with the others.
const kubernetesAgain = `for i in WORDS; do sed "/^---/,\$d; s/^  name: JOB\$/&-$i/; ` +
	`s/^  completions:.*/  completions: 1/; s/^  parallelism:.*/  parallelism: 1/; ` +
	`s/--shard auto/--shard $i\/COUNT/; s/.JOB_COMPLETION_INDEX.json/again-$i.json/" FILE | kubectl create -f -; done`

// Started returns the engine that has started this process as one of several, and the name of
// its job. Both are empty if nothing numbers the process.
func Started(env func(string) (string, bool)) (name, job string) {
	for _, e := range engines {
		if value, ok := env(e.index); ok && value != "" {
			job, _ = env(cmp.Or(e.job, jobVariable))
			return e.name, job
		}
	}
	return "", ""
}

// repeat is the command that measures missing shards, in the words of the engine that has
// started the others.
func repeat(d *result.Division, missing []int) string {
	var numbers []string
	for _, index := range missing {
		numbers = append(numbers, strconv.Itoa(index))
	}
	at := slices.IndexFunc(engines, func(e engine) bool { return e.name == d.Engine && e.again != "" })
	if at < 0 {
		return "suite run --shard " + Shard{missing[0], d.Count}.String() +
			" --out json=FILE, with the same files and flags,"
	}
	return strings.NewReplacer("LIST", strings.Join(numbers, ","), "WORDS", strings.Join(numbers, " "), "COUNT",
		strconv.Itoa(d.Count), "JOB_", "JOB_",
		"JOB", shellword.Quote(cmp.Or(d.Job, "JOB"))).Replace(engines[at].again)
}

// lookup returns an environment variable, and whether it is set and not empty.
type lookup func(name string) (string, bool)

// Auto finds out from the environment which shard this process is, and which engine
// numbers the processes. If none does, or two engines disagree, the error lists what was
// looked for or found.
func Auto(env func(string) (string, bool)) (s Shard, by string, err error) {
	set := lookup(func(name string) (string, bool) {
		value, ok := env(name)
		return strings.TrimSpace(value), ok && strings.TrimSpace(value) != ""
	})
	var found []Shard
	var names []string
	var wrong error // of the first engine that numbers this process and cannot be used
	for _, e := range engines {
		if _, is := set(e.index); !is {
			continue
		}
		one, err := e.read(set)
		if err != nil {
			wrong = cmp.Or(wrong, err)
			continue
		}
		found, names = append(found, one), append(names, e.name)
	}
	switch {
	case len(found) == 0 && wrong != nil:
		return Shard{}, "", wrong
	case len(found) == 0:
		return Shard{}, "", diag.Hinted("--shard auto: nothing numbers this process: none of "+
			strings.Join(indexVariables(), ", ")+" is set",
			fmt.Sprintf("set %s to 0 … N-1 and %s to N, or use --shard 1/N", indexVariable, countVariable))
	}
	for i := range found {
		if found[i] != found[0] {
			return Shard{}, "", diag.Hinted(fmt.Sprintf("--shard auto: %s calls this process %s, and %s calls it %s",
				names[0], found[0], names[i], found[i]),
				"--shard "+found[0].String()+", or the other one")
		}
	}
	return found[0], names[0], nil
}

// indexVariables lists what Auto looks for.
func indexVariables() (names []string) {
	for _, e := range engines {
		names = append(names, e.index)
	}
	return names
}

func (e engine) read(set lookup) (Shard, error) {
	at := slices.IndexFunc(e.counts, func(name string) bool { _, is := set(name); return is })
	if at < 0 {
		return Shard{}, e.wrong(strings.Join(e.counts, " or ")+" is not set, so the number of shards is not known",
			e.remedy)
	}
	var numbers [4]int
	for i, name := range []string{e.index, e.counts[at], e.first, cmp.Or(e.step, "1")} {
		text := name // of a number that is the same everywhere
		if isName := strings.Contains(name, "_"); isName {
			value, is := set(name)
			if !is {
				return Shard{}, e.wrong(name+" is not set", e.remedy)
			}
			text = value
		}
		n, err := strconv.Atoi(text)
		if err != nil {
			return Shard{}, e.wrong(fmt.Sprintf("%s is %q, and not a whole number", name, text), byHand)
		}
		numbers[i] = n
	}
	index, count, first, step := numbers[0], numbers[1], numbers[2], numbers[3]
	if e.first != "0" && e.first != "1" && (first > 1 || count == 1) { // sbatch --array=3
		return Shard{}, e.wrong(fmt.Sprintf("%s is %d and %s is %d: these are some shards of another array", e.first,
			first, e.counts[at], count),
			fmt.Sprintf(`--shard "$%s"/N, with the N of that array`, e.index))
	}
	s := Shard{Index: (index-first)/max(1, step) + 1, Count: count}
	if step < 1 || (index-first)%step != 0 || s.check() != nil {
		return Shard{}, e.wrong(fmt.Sprintf("%s is %d, which is none of %d numbers from %d in steps of %d", e.index,
			index, count, first, step),
			"number the processes without gaps; "+byHand)
	}
	return s, nil
}

const byHand = "--shard I/N sets it by hand"

func (e engine) wrong(what, hint string) error {
	return diag.Hinted(fmt.Sprintf("--shard auto: %s has set %s, but %s", e.name, e.index, what), hint)
}
