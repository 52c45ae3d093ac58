package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/diag"
	"github.com/google/go-cmp/cmp"
)

func mustParse(t testing.TB, text string) *Suite {
	t.Helper()
	s, problems := Parse("dir/a.yaml", []byte(text), none)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return s
}

func mustPlan(t testing.TB, s *Suite, o Overrides) *Plan {
	t.Helper()
	p, problems := s.Plan(catalogue(), o)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestLaterLayersWin(t *testing.T) {
	s := mustParse(t, `
defaults: {warmup: 1s, target_time: 2s, gc: off}
benchmarks:
  - {go: hash/sha256, target_time: 3s}
  - {name: c, shell: "true"}
`)
	p := mustPlan(t, s, Overrides{"timeout": "4s", "samples.min": "3", "parallel": "2"})
	want := Defaults()
	want.Warmup = Duration(time.Second)
	want.TargetTime = Duration(3 * time.Second)
	want.GC = "off"
	want.Timeout = Duration(4 * time.Second)
	want.SamplesMin = 3
	want.Parallel = 2
	if diff := cmp.Diff(want, p.Cases[0].Settings); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for key, want := range map[string]Origin{"warmup": FromDefaults, "target_time": FromBenchmark, "gc": FromDefaults,
		"timeout": FromFlag, "samples.min": FromFlag, "parallel": FromFlag, "coalesce": FromBuiltin} {
		if got := p.Cases[0].Origins[key]; got != want {
			t.Errorf("%s comes from %q, want %q", key, got, want)
		}
	}
	command := p.Cases[1]
	if _, ok := command.Origins["gc"]; ok || command.Settings.GC != "on" || command.Settings.Parallel != 1 {
		t.Errorf("a command has settings of loops: %+v %v", command.Settings, command.Origins)
	}
	if again := mustPlan(t, s, nil); again.Cases[0].Origins["timeout"] != FromBuiltin {
		t.Error("flags of one plan are seen in the next")
	}
}

func TestOverridesAreChecked(t *testing.T) {
	s := mustParse(t, `benchmarks: [{shell: "true"}]`)
	_, problems := s.Plan(catalogue(), Overrides{"timeuot": "1s", "warmup": "fast", "samples.min": "0"})
	want := `command line: samples.min: "0" is not between 1 and 1000000
command line: unknown setting "timeuot"
	hint: did you mean "timeout"?
command line: warmup: "fast" is not a duration: write it like 100ms, 1.5s or 2m`
	if diff := cmp.Diff(want, problems.Error()); diff != "" {
		t.Error(diff)
	}
}

func TestOfflinePlansLeaveFunctionsUnchecked(t *testing.T) {
	s := mustParse(t, `benchmarks: [{go: not/registered}]`)
	if _, problems := s.Plan(Catalogue{}, nil); !strings.Contains(problems.Error(), "there are none") {
		t.Errorf("no functions: %v", problems)
	}
	p, problems := s.Plan(Catalogue{Offline: true}, nil)
	if problems != nil || p.Cases[0].Function != "not/registered" {
		t.Errorf("offline: %v", problems)
	}
}

func TestPlanIsJSON(t *testing.T) {
	s := mustParse(t, `
suite: s
budget: 5m
benchmarks:
  - {go: hash/sha256, work: "${size}", matrix: {size: [1KiB]}, warmup: 1m, max_time: 2m, expect: time.median < 1s}
`)
	p := mustPlan(t, s, nil)
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"budget":"5m"`, `"warmup":"1m"`, `"target_time":"1s"`, `"params":[{"name":"size","value":{"text":"1KiB","number":1024}}]`,
		`"work":1024`, `"clock":["wall"]`, `"origins":{"arrivals":"built-in"`, `"id":"time.median \u003c 1s"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
}

func TestDurationsPrintAsPeopleWriteThem(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0s", 100 * time.Millisecond: "100ms", time.Minute: "1m", 90 * time.Second: "1m30s",
		time.Hour: "1h", 61 * time.Minute: "1h1m", time.Hour + time.Second: "1h0m1s", 10 * time.Second: "10s", 20 * time.Hour: "20h", 1500: "1.5µs"} {
		if got := Duration(d).String(); got != want {
			t.Errorf("%v prints as %s, want %s", d, got, want)
		}
		var back Duration
		if err := back.UnmarshalText([]byte(want)); err != nil || back != Duration(d) {
			t.Errorf("%s reads as %v, %v", want, back, err)
		}
	}
}

// Hostile files end in problems, soon and in little space.
func TestHostileFilesAreRefused(t *testing.T) {
	list := strings.Repeat("*a, ", 9999) + "*a"
	for name, text := range map[string]string{
		"a case 10,000 times":  "benchmarks:\n  - &a {name: x, shell: \"true\"}\n" + strings.Repeat("  - *a\n", 9999),
		"lists of lists":       "a: &a [" + strings.Repeat("x, ", 999) + "x]\nb: &b [" + list + "]\nbenchmarks: [*b, *b]",
		"wide expectations":    "benchmarks:\n  - {shell: a, expect: &a [" + strings.Repeat("x<1, ", 9999) + "]}\n" + strings.Repeat("  - {shell: b, expect: *a}\n", 99),
		"200,000 list openers": strings.Repeat("[", 200_000),
		"200,000 dashes":       strings.Repeat("-\n", 200_000),
		"nested merges":        "benchmarks:\n  - &a {shell: x}\n" + strings.Repeat("  - &a {<<: [*a, *a]}\n", 60),
		"a long number":        "benchmarks: [{shell: x, work: " + strings.Repeat("9", 500_000) + "}]",
		"a long name":          "benchmarks: [{shell: " + strings.Repeat("x", 500_000) + "}]",
		"a long key":           "benchmarks: [{? " + strings.Repeat("x", 500_000) + " : 1}]",
		"a long expression":    "benchmarks: [{shell: \"${" + strings.Repeat("1+", 100_000) + "1}\"}]",
		"many benchmarks":      "benchmarks:\n" + strings.Repeat("  - {shell: x, matrix: {n: &n [1,2,3,4,5,6,7,8,9], m: *n, o: *n, p: *n, q: *n}}\n", 100),
	} {
		start := time.Now()
		s, problems := Parse("a.yaml", []byte(text), none)
		if s != nil {
			_, problems = s.Plan(catalogue(), nil)
		}
		if len(problems) == 0 || len(problems) > 1000 {
			t.Errorf("%s: %d problems", name, len(problems))
		}
		for _, p := range problems {
			if len(p.Error()) > 2000 {
				t.Errorf("%s: a problem of %d bytes", name, len(p.Error()))
				break
			}
		}
		// Ten times what it takes; what it catches would take minutes.
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("%s: took %v", name, d)
		}
	}
}

// tenThousand cases written out one by one: 0.7 MiB.
func tenThousand() []byte {
	var b bytes.Buffer
	b.WriteString("defaults: {unit: byte}\nbenchmarks:\n")
	for i := range 10_000 {
		fmt.Fprintf(&b, "- {name: case %d, go: hash/sha256, work: %d, expect: time.median < 2ms}\n", i, i+1)
	}
	return b.Bytes()
}

// BenchmarkCheck10000 is load and plan; the aim is under 300 ms and 100 MB.
func BenchmarkCheck10000(b *testing.B) {
	written := tenThousand()
	product := []byte(`
benchmarks:
  - name: case ${a} ${b}
    go: hash/sha256
    matrix:
      a: [` + strings.TrimSuffix(strings.Repeat("%d, ", 100), ", ") + `]
      b: [` + strings.TrimSuffix(strings.Repeat("%d, ", 100), ", ") + `]
    work: ${a * 100 + b + 1}
    expect: time.median < 2ms
`)
	var numbers []any
	for i := range 200 {
		numbers = append(numbers, i%100)
	}
	product = fmt.Appendf(nil, string(product), numbers...)
	for name, text := range map[string][]byte{"written": written, "product": product} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if p := mustPlan(b, mustParse(b, string(text)), nil); len(p.Cases) != 10_000 {
					b.Fatal(len(p.Cases))
				}
			}
		})
	}
}

func TestFunctionsOfPackagesAreThoseOfTheirHost(t *testing.T) {
	text := "packages: [./a]\ntoolchain: {tags: [x]}\nbenchmarks: [{go: theirs/hash}, {go: hash/md5}]\n"
	suite, problems := Parse("s/suite.yaml", []byte(text), nil)
	if suite == nil {
		t.Fatal(problems)
	}
	cat, asked := catalogue(), Packages{}
	cat.Build = func(dir string, p Packages) ([]string, diag.Problems) {
		asked = p
		if dir != suite.Dir {
			t.Errorf("built in %s", dir)
		}
		return []string{"theirs/hash"}, nil
	}
	_, problems = suite.Plan(cat, nil)
	if len(problems) != 1 || !strings.Contains(problems[0].Message, `"hash/md5"`) || asked.Patterns[0] != "./a" || asked.Tags[0] != "x" {
		t.Errorf("problems %v, asked for %+v", problems, asked)
	}
	cat.Build = func(string, Packages) ([]string, diag.Problems) {
		return nil, diag.Problems{{Place: diag.Place{File: "a.go", Line: 3}, Message: "undefined: x"}}
	}
	_, problems = suite.Plan(cat, nil)
	if len(problems) != 1 || problems[0].Message != "undefined: x" {
		t.Errorf("problems %v, want the compiler's alone", problems)
	}
}

// A series in a matrix is a list of its values.
func TestASeriesIsAListOfItsValues(t *testing.T) {
	names := func(text string) (all []string) {
		for _, c := range mustPlan(t, mustParse(t, text), Overrides{}).Cases {
			all = append(all, c.Name)
		}
		return all
	}
	for series, list := range map[string]string{"1..1000*10": "[1, 10, 100, 1000]", "1KiB..4KiB*2": "[1KiB, 2KiB, 4KiB]", "0..1+0.5": "[0, 0.5, 1]"} {
		const suite = "benchmarks:\n  - {shell: 'seq ${n}', name: 'seq ${n} ${n * 2}', matrix: {n: %s}}\n"
		got, want := names(fmt.Sprintf(suite, series)), names(fmt.Sprintf(suite, list))
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", series, got, want)
		}
	}
}

// max_time includes the warm-up. A warm-up that leaves nothing is a mistake of whoever set it,
// and made shorter if nobody did.
func TestAWarmUpLeavesTimeForSamples(t *testing.T) {
	for _, test := range []struct {
		file string
		o    Overrides
		want time.Duration // the warm-up
		bad  string
	}{
		{"max_time: 1s", nil, 100 * time.Millisecond, ""},
		{"max_time: 200ms", nil, 100 * time.Millisecond, ""},
		{"max_time: 100ms", nil, 5 * time.Millisecond, ""},
		{"max_time: 100ms, warmup: 90ms", nil, 90 * time.Millisecond, ""},
		{"max_time: 100ms, warmup: 0", nil, 0, ""},
		{"{}", Overrides{"max_time": "60ms"}, 3 * time.Millisecond, ""},
		{"warmup: 80ms", Overrides{"max_time": "60ms"}, 3 * time.Millisecond, ""},
		{"warmup: 50ms", Overrides{"max_time": "60ms"}, 50 * time.Millisecond, ""},
		{"max_time: 1s", Overrides{"warmup": "1s"}, 0, "command line: warmup 1s leaves no time for samples within max_time 1s"},
		{"{}", Overrides{"warmup": "2s", "max_time": "1s"}, 0, "command line: warmup 2s leaves no time for samples within max_time 1s"},
		{`params: {w: "2s"}, warmup: "${w}", max_time: 1s`, nil, 0, "a.yaml:1:14: warmup 2s leaves no time for samples within max_time 1s"},
	} {
		file := strings.Trim(test.file, "{}")
		if file != "" {
			file = ", " + test.file
		}
		s := mustParse(t, "benchmarks: [{go: hash/sha256, target_time: 50ms"+file+"}]")
		p, problems := s.Plan(catalogue(), test.o)
		switch {
		case test.bad != "":
			if err := problems.Err(); err == nil || !strings.Contains(err.Error(), test.bad) {
				t.Errorf("%+v: %v", test, err)
			}
		case problems.Err() != nil || p.Cases[0].Settings.Warmup != Duration(test.want):
			t.Errorf("%+v: %v, %+v", test, problems.Err(), p)
		}
	}
}
