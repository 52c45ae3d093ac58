package extract

import (
	"strings"
	"testing"
)

func TestNumbersAreFoundWhereTheRuleSays(t *testing.T) {
	const log = "start\ntotal: 12 of 20 lines\r\ntotal: 13 of 21 lines\nend\n"
	const object = `{"results": [{"ms": 1.5, "text": "2.5"}, {"ms": -3e2}], "ok": true}`
	const bench = "goos: linux\nBenchmarkSum/a-4 \t 100\t 120.5 ns/op\t 33.5 MB/s\t 0 B/op\t 7 p99-ns/op\nBenchmarkSum/b 10 3 ns/op\nPASS\n"
	for _, c := range []struct {
		rule Rule
		text string
		want float64
	}{
		{Rule{Regex: `total: (\d+)`}, log, 13}, // the last line, and in it the first match
		{Rule{Regex: `(\d+) lines$`}, log, 21},
		{Rule{Regex: `^(\d+)$`}, "7\n", 7},
		{Rule{Regex: `^\d+$`}, "1\n2", 2},
		{Rule{Regex: `^x=(.*)$`}, "x= 1.5e-3 \n\n\n", 0.0015},
		{Rule{Regex: `v\d+\.(\d+)`}, "v1.26.", 26}, // what the regex has seen itself is no part of the number
		{Rule{Regex: `p99=(\d+),`}, "p50=1.5,p99=7,1.5", 7},
		{Rule{Regex: `^(\d+)`}, "1,2,3", 1},
		{Rule{Regex: `,(\d+)$`}, "12,345", 345},
		{Rule{JSON: "results.0.ms"}, object, 1.5},
		{Rule{JSON: "results.1.ms"}, "\n" + object + "\n", -300},
		{Rule{JSON: "results.0.text"}, object, 2.5},
		{Rule{JSON: "results.#"}, object, 2},
		{Rule{JSON: `results.#(ms<0).ms`}, object, -300},
		{Rule{JSON: "n"}, "log line\n{\"n\": 1}\n{\"n\": 2}\n{\"m\": 3}\nbye\n", 2},
		{Rule{Bench: "ns/op"}, bench, 3},
		{Rule{Bench: "B/s"}, bench, 33.5e6},
		{Rule{Bench: "MB/s"}, bench, 33.5},
		{Rule{Bench: "B/op"}, bench, 0},
		{Rule{Bench: "p99-ns/op"}, bench, 7},
	} {
		find, err := Open(c.rule)
		if err != nil {
			t.Errorf("%+v: %v", c.rule, err)
			continue
		}
		if got, err := find([]byte(c.text)); err != nil || got != c.want {
			t.Errorf("%+v in %q: %v, %v, want %v", c.rule, c.text, got, err, c.want)
		}
	}
}

func TestWhatIsNoNumberIsSaid(t *testing.T) {
	for _, c := range []struct {
		rule       Rule
		text, want string
	}{
		{Rule{Regex: `total: (\d+)`}, "nothing", "no line matches the regex `total: (\\d+)`"},
		{Rule{Regex: `total: \d+`}, "total: 5", "\"total: 5\" is not a number: put the number in the regex `total: \\d+` in ( )"},
		{Rule{Regex: `total: (.*)`}, "total: NaN", `"NaN" is not a number`},
		{Rule{Regex: `total: (.*)`}, "total: 1,234", `"1,234" is not a number`},
		{Rule{Regex: `total: (.*)`}, "total: 1e999", `"1e999" is too large`},
		{Rule{Regex: `(\d+) ms`}, "took 3.5 ms", "the regex `(\\d+) ms` matches \"5 ms\", which is cut out of the number \"3.5\""},
		{Rule{Regex: `took (\d+)`}, "took 12.75s", "the regex `took (\\d+)` matches \"took 12\", which is cut out of the number \"12.75\""},
		{Rule{Regex: `\d\d`}, "n=1234", "the regex `\\d\\d` matches \"12\", which is cut out of the number \"1234\""},
		{Rule{Regex: `(\d+) ops`}, "1.5e+06 ops", "the regex `(\\d+) ops` matches \"06 ops\", which is cut out of the number \"1.5e+06\""},
		{Rule{Regex: `(\d+) B`}, "1,234 B", "the regex `(\\d+) B` matches \"234 B\", which is cut out of the number \"1,234\""},
		{Rule{JSON: "a"}, strings.Repeat("[", 15<<20), "neither the whole nor any line of it is JSON"},
		{Rule{Regex: `total: (.*)`}, "total: \x1b[31m5", `"\x1b[31m5" is not a number`},
		{Rule{Regex: `total:( \d+)?`}, "total:", "the group of the regex `total:( \\d+)?` is not part of its match \"total:\""},
		{Rule{JSON: "a"}, "text", "neither the whole nor any line of it is JSON"},
		{Rule{JSON: "a"}, "", "neither the whole nor any line of it is JSON"},
		{Rule{JSON: "a"}, `{"b": 1}`, `the JSON has no "a"`},
		{Rule{JSON: "a"}, "x\n{\"b\": 1}\ny", `no line of JSON has "a"`},
		{Rule{JSON: "a"}, `{"a": [1, 2]}`, `"a" in the JSON is "[1, 2]", not a number`},
		{Rule{JSON: "a"}, `{"a": null}`, `"a" in the JSON is "null", not a number`},
		{Rule{JSON: "a"}, `{"a": "5ms"}`, `"5ms" is not a number`},
		{Rule{JSON: "a"}, `{"a": 1} {"a": 2}`, "neither the whole nor any line of it is JSON"},
		{Rule{Bench: "ns/op"}, "text\nBenchmark results:\n", "no line of the Go benchmark format was printed"},
		{Rule{Bench: "MB/s"}, "BenchmarkX 10 5 ns/op\n", `no benchmark has a value in "MB/s"`},
		{Rule{Bench: "hits"}, "BenchmarkX 10 5 ns/op +Inf hits\n", `"+Inf" is not a number`},
		{Rule{Bench: "ns/op"}, "BenchmarkX 10 NaN ns/op\n", `"NaN" is not a number`},
	} {
		find, err := Open(c.rule)
		if err != nil {
			t.Errorf("%+v: %v", c.rule, err)
			continue
		}
		if x, err := find([]byte(c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%+v in %q: %v, %v, want %q", c.rule, c.text, x, err, c.want)
		}
	}
}

func TestWrongRulesAreRefused(t *testing.T) {
	for _, c := range []struct {
		rule Rule
		want string
	}{
		{Rule{}, "the rule has neither a regex, nor a JSON path, nor a unit"},
		{Rule{Regex: "("}, "regex `(`: missing closing ): "},
		{Rule{Regex: "(a)(b)"}, "regex `(a)(b)`: it has 2 groups"},
		{Rule{JSON: ".results[0].ms"}, `".results[0].ms" is not a path as suite reads them: write "results.0.ms"`},
		{Rule{JSON: "$.a"}, `"$.a" is not a path as suite reads them: write "a"`},
	} {
		if _, err := Open(c.rule); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.rule, err, c.want)
		}
	}
}

func TestBenchmarksAreReadAsGolangPerfDoes(t *testing.T) {
	long := "Benchmark" + strings.Repeat("x", 1<<17)
	got, err := Benchmarks(strings.NewReader("pkg: p\n" + long + "\nBenchmarkSum/size=1KiB-8  \t 1000\t 1234 ns/op\t  0.5 MB/s\t 3 widgets\nBenchmarkOdd\nBenchmarkBad ten 5 ns/op\nBenchmarkZero 1 0 ns/op\nok p 1.2s\n"))
	if err != nil || len(got) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	b := got[0]
	if b.Full != "Sum/size=1KiB-8" || b.Name != "Sum/size=1KiB" || b.Procs != 8 || b.Iterations != 1000 || len(b.Values) != 3 {
		t.Errorf("%+v", b)
	}
	for unit, want := range map[string]Value{
		"ns/op": {1234, "ns/op", 1234e-9, "sec/op"}, "sec/op": {1234, "ns/op", 1234e-9, "sec/op"},
		"MB/s": {0.5, "MB/s", 5e5, "B/s"}, "widgets": {3, "widgets", 3, "widgets"},
	} {
		if v, ok := b.value(unit); !ok || v.Value != want.Value || v.Unit != want.Unit || v.BaseUnit != want.BaseUnit || v.Base/want.Base < 1-1e-12 || v.Base/want.Base > 1+1e-12 {
			t.Errorf("%s: %+v, %t", unit, v, ok)
		}
	}
	if z := got[1]; z.Name != "Zero" || z.Procs != 1 || z.Values[0] != (Value{0, "ns/op", 0, "sec/op"}) {
		t.Errorf("%+v", z)
	}
}

// Whatever a program prints and a suite asks for, there is a number or a reason.
func FuzzOpen(f *testing.F) {
	for _, text := range []string{"total: 5\n", `{"a": [1, {"b": "2"}]}`, "BenchmarkX-4 10 5 ns/op 1 MB/s\n", "{\"a\": 1}\nx\n", "\xff\x00"} {
		f.Add("total: (.*)", text)
		f.Add("a.1.b", text)
		f.Add("ns/op", text)
	}
	f.Fuzz(func(t *testing.T, rule, text string) {
		for _, r := range []Rule{{Regex: rule}, {JSON: rule}, {Bench: rule}} {
			find, err := Open(r)
			if (find == nil) != (err != nil) {
				t.Fatal("want a finder or an error, never both or neither")
			}
			if find == nil {
				continue
			}
			if x, err := find([]byte(text)); err == nil && x-x != 0 {
				t.Fatalf("%+v in %q is %v", r, text, x)
			}
		}
	})
}
