package spec

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	_ "example.com/suite/gate" // defines the words of its functions
	"example.com/suite/internal/lang"
	"github.com/google/go-cmp/cmp"
)

// with is the catalogue of a machine on which timerVariable is set.
func with(line string) Catalogue {
	c := catalogue()
	c.Env = func(name string) (string, bool) { return line, name == timerVariable }
	return c
}

const timed = `
timer: clock=posix-thread-cputime
defaults: {timer: cycle=x86-rdtscp}
benchmarks:
  - {name: own, go: sort/ints, timer: {cycle: [any]}}
  - {name: defaults, go: sort/ints}
`

func TestNearestTimerCounts(t *testing.T) {
	const builtin = "clock=wall cycle=null"
	for name, c := range map[string]struct {
		file      string
		env, flag string // flag: - is none
		want      []string
		plan      string
	}{
		"nothing":     {`benchmarks: [{shell: "true"}]`, "", "-", []string{builtin + " built-in"}, builtin},
		"suite":       {"timer: cycle=any\nbenchmarks: [{shell: 'true'}]", "", "-", []string{"clock=wall cycle=any suite"}, "clock=wall cycle=any"},
		"file":        {timed, "", "-", []string{"clock=wall cycle=any benchmark", "clock=wall cycle=x86-rdtscp defaults"}, "clock=posix-thread-cputime cycle=null"},
		"environment": {timed, "cycle=any", "-", []string{"clock=wall cycle=any environment", "clock=wall cycle=any environment"}, "clock=wall cycle=any"},
		"blank":       {timed, " \t\n", "-", []string{"clock=wall cycle=any benchmark", "clock=wall cycle=x86-rdtscp defaults"}, "clock=posix-thread-cputime cycle=null"},
		"flag":        {timed, "cycle=any", "\tclock=posix-thread-cputime,wall\n", []string{"clock=posix-thread-cputime,wall cycle=null flag", "clock=posix-thread-cputime,wall cycle=null flag"}, "clock=posix-thread-cputime,wall cycle=null"},
		"empty flag":  {timed, "cycle=any", "", []string{builtin + " flag", builtin + " flag"}, builtin},
	} {
		o := Overrides{}
		if c.flag != "-" {
			o["timer"] = c.flag
		}
		p, problems := mustParse(t, c.file).Plan(with(c.env), o)
		if err := problems.Err(); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, c := range p.Cases {
			got = append(got, c.Timer.String()+" "+string(c.Origins["timer"]))
		}
		if !slices.Equal(got, c.want) || p.Timer.String() != c.plan {
			t.Errorf("%s: cases %q, suite %s; want %q, %s", name, got, p.Timer, c.want, c.plan)
		}
	}
}

func TestTimersOutsideTheFileAreChecked(t *testing.T) {
	s := mustParse(t, `benchmarks: [{name: a, shell: "true"}, {name: b, shell: "true"}]`)
	for line, want := range map[string]string{
		"clock=wal":              `unknown clock "wal"` + "\n\thint: did you mean \"wall\"?",
		"clock=wall,zzz":         `unknown clock "zzz"` + "\n\thint: known: wall, posix-thread-cputime",
		"clock=wall  clock=wall": `list "clock" comes twice` + "\n\thint: put all names into one list: clock=a,b",
		"clock=wall,":            `an empty name in "clock=wall,"` + "\n\thint: write one comma between two names",
		"list":                   `"list" shows what there is and measures nothing` + "\n\thint: clocks: wall, posix-thread-cputime; cycle counters: x86-rdtscp, null, any",
	} {
		_, problems := s.Plan(with(""), Overrides{"timer": line})
		if diff := cmp.Diff("command line: "+want, problems.Error()); diff != "" {
			t.Error(diff)
		}
		_, problems = s.Plan(with(" "+line), nil)
		at := map[string]string{"clock=wal": "8", "clock=wall,zzz": "13", "clock=wall  clock=wall": "14", "clock=wall,": "13", "list": "2"}[line]
		if diff := cmp.Diff("SUITE_TIMER:1:"+at+": "+want, problems.Error()); diff != "" {
			t.Error(diff)
		}
		if _, problems := s.Plan(with(line), Overrides{"timer": "clock=wall"}); problems != nil {
			t.Errorf("what a flag replaces is looked at: %v", problems)
		}
	}
}

// A wrong name in the file is wrong too while a flag stands in its place.
func TestTimersOfTheFileAreCheckedBehindAFlag(t *testing.T) {
	s := mustParse(t, "timer: clock=wal\nbenchmarks: [{shell: x, timer: cycle=zzz}]")
	_, problems := s.Plan(catalogue(), Overrides{"timer": "clock=wall"})
	if len(problems) != 2 {
		t.Errorf("problems %v, want two", problems)
	}
}

func TestNamesThatNobodyKnowsAreNotChecked(t *testing.T) {
	s := mustParse(t, "timer: clock=x cycle=y\nbenchmarks: [{shell: x, counters: [z-z, task-clock, instructions]}]")
	p, problems := s.Plan(Catalogue{}, nil)
	if problems != nil || p.Cases[0].Timer.String() != "clock=x cycle=y" || !slices.Equal(p.Cases[0].Counters, []string{"instructions", "task_clock", "z_z"}) {
		t.Errorf("%+v, %v", p, problems)
	}
	_, problems = mustParse(t, "benchmarks: [{shell: x, timer: list}]").Plan(Catalogue{}, nil)
	if !strings.Contains(problems.Error(), "suite timers shows") {
		t.Errorf("list: %v", problems)
	}
}

func TestFlagsAreComparedWithTheFile(t *testing.T) {
	s := mustParse(t, `
benchmarks:
  - {name: a, go: sort/ints, batch: 10, samples: {keep: summary}, precision: 1%, counters: [task-clock]}
  - {name: b, shell: "true"}
`)
	for _, c := range []struct {
		o    Overrides
		want string
	}{
		{Overrides{"coalesce": "0"}, "command line: batch 10 with coalesce 0"},
		{Overrides{"coalesce": "0", "batch": "1"}, ""},
		{Overrides{"samples.max": "1e7"}, "command line: samples.max: 10000000 is more than 1000000"},
		{Overrides{"samples.max": "1e7", "samples.keep": "summary"}, ""},
		{Overrides{"samples.max": "1e10", "samples.keep": "summary"}, `command line: samples.max: "1e10" is not between 1 and 1000000000`},
		{Overrides{"reject.quorum": "0"}, `command line: reject.quorum: "0" is not more than 0%`},
		{Overrides{"sampling": "once", "samples.min": "5"}, ""},
		{Overrides{"time": "clock=wall"}, `unknown setting "time"` + "\n\thint: did you mean \"timer\"?"},
	} {
		_, problems := s.Plan(catalogue(), c.o)
		if (c.want == "") != (problems == nil) || !strings.Contains(problems.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.o, problems, c.want)
		}
	}
}

// What is sampled once has settings of one sample, and says so of no others;
// cases beside it keep theirs.
func TestSamplingOnceLeavesOneSample(t *testing.T) {
	s := mustParse(t, `
defaults: {precision: 1%, coalesce: 0, samples: {min: 30, keep: summary}}
benchmarks:
  - {name: a, go: sort/ints, sampling: once}
  - {name: b, go: sort/ints}
`)
	p := mustPlan(t, s, nil)
	want := Defaults()
	want.Sampling = "once"
	want.SamplesMin = 1
	want.SamplesMax = 1
	if diff := cmp.Diff(want, p.Cases[0].Settings); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if _, ok := p.Cases[0].Origins["precision"]; ok || p.Cases[1].Origins["precision"] != FromDefaults {
		t.Errorf("origins %v and %v", p.Cases[0].Origins, p.Cases[1].Origins)
	}
	both := mustPlan(t, mustParse(t, "benchmarks: [{name: a, go: sort/ints}, {name: b, go: sort/ints, precision: 1%}]"), Overrides{"sampling": "once"})
	for _, c := range both.Cases {
		if _, ok := c.Origins["precision"]; ok || c.Origins["sampling"] != FromFlag || c.Settings.SamplesMax != 1 {
			t.Errorf("%s: %v %+v", c.Name, c.Origins, c.Settings)
		}
	}
}

func TestPlansShowTimersCountersAndVoids(t *testing.T) {
	s := mustParse(t, `
report: net
benchmarks:
  - {command: [x], timer: cycle=any, counters: [page-faults, instructions], reject: {exit_codes: [75], quorum: 90%}, samples: {keep: summary}, sampling: many}
`)
	p := mustPlan(t, s, nil)
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"report":"net"`, `"timer":{"clock":["wall"],"cycle":["any"]}`, `"timer":{"clock":["wall"],"cycle":["null"]}`,
		`"counters":["instructions","page_faults"]`, `"reject":[75]`, `"quorum":0.9`, `"keep":"summary"`, `"sampling":"many"`, `"timer":"benchmark"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	var b bytes.Buffer
	if err := p.Text(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"  report: net\n", "  reject         75\n", "  counters       instructions, page_faults\n", "  timer          clock=wall cycle=any  benchmark\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
}

func TestGatesOfSummariesAreRecomputable(t *testing.T) {
	for expr, want := range map[string]int{
		"worse(time, 3%)": 1, "not better(rss)": 1, "ratio(time) < 1.1": 1, "ci(time).low < 2": 1, "base.time.median < 1": 1,
		"time.median < 1": 0, `params.worse == "base"`: 0, "time.median < // ratio\n 1": 0, "case(\"better\").time.median < 2": 0,
		"worse(time) or better(time)": 2, "worse(": 1, "worse(time) = ": 0, `"`: 0,
	} {
		p := &expansion{expander: &expander{}}
		p.recomputable(lang.Text{Value: expr})
		if len(p.Found) != want {
			t.Errorf("%q: %v, want %d problems", expr, p.Found, want)
		}
	}
}
