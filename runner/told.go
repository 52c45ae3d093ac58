package runner

import (
	"slices"
	"strconv"

	"example.com/suite/runner/host"
	"example.com/suite/spec"
)

// longestTold is what a hook is told of a parameter at most, bytes: Linux starts
// no program with a variable of 128 KiB.
const longestTold = 64 << 10

// told is what the hooks of a case are told of it, NAME=value, but for the
// number of the run.
func (t *track) told() []string {
	told := []string{"SUITE_SUITE=" + t.result.Suite, "SUITE_CASE=" + t.spec.Name}
	for _, p := range t.spec.Params {
		if len(p.Value.Text) <= longestTold {
			told = append(told, spec.ParamVariable(p.Name)+"="+p.Value.Text)
		}
	}
	return told
}

// hookEnv is the environment of setup and cleanup. The round is that of the last
// run, 0 before the first.
func (t *track) hookEnv() []string {
	return slices.Concat(t.told(), []string{host.RoundVariable + "=" + strconv.Itoa(t.Runs)}, t.spec.Env)
}
