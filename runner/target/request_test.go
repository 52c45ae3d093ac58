package target

import (
	"slices"
	"testing"

	"example.com/suite/spec"
)

// Without collections a benchmark that makes garbage would fill the memory of the machine.
func TestCountedBenchmarksCollectLittle(t *testing.T) {
	for what, c := range map[string]struct{ env, want []string }{
		"nothing set":          {nil, []string{"GOGC=off", "GOMEMLIMIT=1073741824"}},
		"what the file sets":   {[]string{"GOGC=50", "GOMEMLIMIT=2GiB"}, []string{"GOGC=50", "GOMEMLIMIT=2GiB"}},
		"names that look like": {[]string{"GOGCX=1"}, []string{"GOGCX=1", "GOGC=off", "GOMEMLIMIT=1073741824"}},
	} {
		one := &Target{Plan: &spec.Plan{}, Spec: &spec.Case{Env: c.env, GoTest: &spec.GoTest{Benchmark: "BenchmarkX", Serves: true}}}
		if got := one.CountedGoTest("").Env; !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
		if !slices.Equal(one.Spec.Env, c.env) {
			t.Errorf("%s: the environment of the samples has become %q", what, one.Spec.Env)
		}
	}
}
