package lang

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/diag"
	"github.com/expr-lang/expr/ast"
)

type metric struct {
	Median float64 `expr:"median"`
	Max    float64 `expr:"max"`
	P99    float64 `expr:"p99"`
	N      float64 `expr:"n"`
}

type environment struct {
	Time     metric  `expr:"time"`
	RSS      metric  `expr:"rss"`
	ExitCode float64 `expr:"exit_code"`
	Host     struct {
		OS string `expr:"os"`
	} `expr:"host"`
	//lint:ignore U1000 expressions must not see it
	hidden float64
}

var errNoCase = errors.New(`no case "x"`)

func (environment) Worse(m metric, tolerance float64) bool { return m.Median > tolerance }
func (environment) Case(name string) (environment, error) {
	if name == "x" {
		return environment{}, errNoCase
	}
	return environment{Time: metric{Median: 8}}, nil
}

func sample() environment {
	e := environment{Time: metric{Median: 0.001, Max: 0.5, P99: math.NaN(), N: 7}, RSS: metric{Max: 4096}}
	e.Host.OS = "linux"
	return e
}

func text(s string) Text { return Text{Value: s, Place: diag.Place{File: "a.yaml", Line: 3, Col: 10}} }

func TestRun(t *testing.T) {
	for _, c := range []struct {
		in   string
		want any
	}{
		{"time.median < 2ms", true}, {"time.median < 0.5ms", false}, {"rss.max < 64KiB", true},
		{"time.median < duration(\"2ms\")", true}, {`rss.max == size("4KiB")`, true},
		{"not Worse(time, 3%)", true}, {"3% == 0.03 && 3%==0.03", true}, {"(1 + 5%) * 2", 2.1},
		{"5%", 0.05}, {"[1%, 2 %3][1 - 1] < 1", nil}, // an index must be whole: an error
		{"7 % 3", 1.0}, {"7%3", 1.0}, {"time.n %3", 1.0}, {"7%(3)", 1.0}, {"7% -3", 1.0}, {"7%time.n", 0.0},
		{"3% and", nil}, {"3% in [0.03]", true}, {"3% not in [0.03]", false}, {"3%/* x */ < 1", true},
		{`"2ms 3%" == '2ms 3%'`, true}, {"1 < 2 // 2ms 3%", true}, {"0 < time.median < 2ms", true},
		{"1_000", 1000.0}, {"1e3", 1000.0}, {"0x10", 16.0}, {"-2ms", -0.002}, {"2 ** 10", 1024.0},
		{"10 / 4", 2.5}, {"abs(-1) + min(2, 3) + max(2, 3)", 6.0}, {"true ? 1 : 2", 1.0},
		{`host.os != "linux" || time.median < 3ms`, true}, {"exit_code == 0 and rss.max < 256MiB", true},
		{`Case("large").Time.median / 2`, nil}, {`Case("large").time.median / 2`, 4.0},
		{`time["median"] < 1`, true}, {"time.n in [6, 7]", true}, {"`2ms` == '2ms'", true},
	} {
		got, err := run(c.in, sample())
		if c.want == nil != (err != nil) || err == nil && got != c.want {
			t.Errorf("%s = %v, %v; want %v", c.in, got, err, c.want)
		}
	}
}

func run(s string, env environment) (any, error) {
	p, err := Compile(text(s), environment{}, Options{})
	if err != nil {
		return nil, err
	}
	return p.Run(env)
}

// Each problem is written as offset: message | hint.
func TestProblems(t *testing.T) {
	for in, want := range map[string]string{
		"":                         "0: the expression is empty",
		"// nothing":               "0: the expression is empty",
		"time.medain < 2ms":        `5: unknown field "medain" of "time" | did you mean "median"?`,
		"time.zzz < 2ms":           `5: unknown field "zzz" of "time" | known fields: median, max, p99, n`,
		"tiem.median < 2ms":        `0: unknown name "tiem" | did you mean "time"?`,
		"qqqq < 1":                 `0: unknown name "qqqq" | known names: Case, Worse, abs, ceil, duration, exit_code, floor, host, max, min, round, rss, size, time`,
		"hidden < 1":               `0: unknown name "hidden" | known names: Case, Worse, abs, ceil, duration, exit_code, floor, host, max, min, round, rss, size, time`,
		"time.median = 3":          `12: "=" does not compare | write "=="`,
		"time.median < 2ms # fast": `18: "#" is not part of the language | a comment begins with //`,
		"time?.median < 1":         `4: "?." would hide what is missing | write "."`,
		"time.median ?? 1":         `12: "??" would hide what is missing`,
		"slower than 5%":           `7: unexpected "than" | a gate is written time.median < 2ms, or not worse(time, 3%)`,
		"time.median < 1, 2 > 1":   `15: unexpected "," | write "and", or several gates as a list`,
		"time.median < 2 ms":       `16: unexpected "ms" | write "2ms" without the space`,
		"time.median < 2sm":        `14: "2sm" is not a number | did you mean "2ms"?`,
		"rss.max < 64KB":           `10: "64KB" is not a number | write kB (powers of 1000) or KiB (powers of 1024)`,
		"time.median < 5min":       `14: "5min" is not a number | did you mean "5m"?`,
		"time.median < 10Secs":     `14: "10Secs" is not a number | did you mean "10s"?`,
		"rss.max < 3parsecs":       `10: "3parsecs" is not a number | units are ` + unitNames,
		"time.median < 5 %":        `17: the expression ends too early | a percentage touches its number: 3%`,
		"time.median <":            `13: the expression ends too early`,
		"time.5ms < 2":             `4: ".5ms" is not a number | units are ` + unitNames,
		"(time.median < 1":         `16: the expression ends too early`,
		"time.median < 1)":         `15: unexpected ")"`,
		"time.median < 1 AND 1":    `16: unexpected "AND" | write "and"`,
		`"abc`:                     `4: a text has no closing quote`,
		"time.median @ 1":          `12: unexpected "@"`,
		`duration("2 ms") < 1`:     `9: "2 ms" is not a duration: write it without spaces, like 100ms`,
		`size("64KB") < 1`:         `5: "64KB" is not a size: write kB (powers of 1000) or KiB (powers of 1024)`,
		`duration(time.n) < 1`:     `0: duration takes one text in quotes | duration("2ms")`,
		`now() > 1`:                `0: unknown name "now" | known names: Case, Worse, abs, ceil, duration, exit_code, floor, host, max, min, round, rss, size, time`,
		`$env["time"] == 1`:        `0: "$env" is not part of the language | names have no $ here`,
		"sum([1, 2], #) < 1":       `12: "#" is not part of the language | a comment begins with //`,
		"sum([1, 2]) < 1":          `0: unknown name "sum" | known names: Case, Worse, abs, ceil, duration, exit_code, floor, host, max, min, round, rss, size, time`,
		"1..9 == 1":                `1: ".." is not part of the language`,
		"let x = 1; x < 2":         `0: "let" is not part of the language`,
		"{a: 1}.a < 2":             `0: "{" is not part of the language`,
		"time < 2ms":               `5: invalid operation: < (mismatched types metric and number)`,
		`host.os < 2ms`:            `8: invalid operation: < (mismatched types text and number)`,
		"Worse(time.median, 3%)":   `11: cannot use number as argument to call Worse`,
		"Worse(time)":              `0: not enough arguments to call Worse`,
		"time.median":              `0: the expression is a number, not true or false | compare it with something: time.median < 2ms`,
		"time.median(3) < 2":       `5: "median" is not a function`,
		"time.median < 1e999":      `14: "1e999" is not a number | units are ` + unitNames,
		"nil == 1":                 `0: this form is not part of the language`,
		"time.median[1:2] == 1":    `11: this form is not part of the language`,
		"größe < 2ms and x":        `0: unknown name "größe" | known names: Case, Worse, abs, ceil, duration, exit_code, floor, host, max, min, round, rss, size, time`,
		`host.os matches "("`:      "8: error parsing regexp: missing closing ): `(`",
	} {
		_, err := Compile(text(in), environment{}, Options{Bool: true})
		if got := flat(err); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", in, got, want)
		}
	}
}

func flat(err error) string {
	var p diag.Problem
	if !errors.As(err, &p) {
		return fmt.Sprint(err)
	}
	if p.Place != (diag.Place{File: "a.yaml", Line: 3, Col: 10 + p.Caret}) {
		return fmt.Sprintf("place %v does not fit caret %d", p.Place, p.Caret)
	}
	return strings.TrimSuffix(fmt.Sprintf("%d: %s | %s", p.Caret, p.Message, p.Hint), " | ")
}

func TestRunTimeProblems(t *testing.T) {
	for in, want := range map[string]string{
		"time.p99 < 1":              `5: "time.p99" has no value`,
		"not (time.p99 >= 1)":       `10: "time.p99" has no value`,
		"1 / 0 < 2":                 `2: "1 / 0" is infinite`,
		"not (0 / 0 >= 2)":          `7: "0 / 0" has no value`,
		"(1 + 1) / (2 - 2) > 1":     `8: "(1 + 1) / (2 - 2)" is infinite`,
		"10 ** 999 > 1":             `3: "10 ** 999" is infinite`,
		"1 < time.p99 < 2":          `9: "time.p99" has no value`,
		"1.05 % -0.01 < 1":          `5: "%" is the remainder of whole numbers`,
		"5 % 0 < 1":                 `2: the right side of "%" is zero`,
		`Case("x").time.median < 1`: `0: no case "x"`,
		"min(time.p99, 1) < 2":      `9: "time.p99" has no value`,
	} {
		_, err := run(in, sample())
		if got := flat(err); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", in, got, want)
		}
	}
	if _, err := run(`Case("x").time.median < 1`, sample()); !errors.Is(err, errNoCase) {
		t.Errorf("the cause is lost: %v", err)
	}
}

func TestSpansAreThoseOfTheText(t *testing.T) {
	for in, want := range map[string]string{
		"time.median < 2ms":                         "time.median|2ms",
		"(time.median + 1ms) < 2 * (3 + 4%)":        "time.median + 1ms|2 * (3 + 4%)",
		"((time.median)) + 1 < 2":                   "((time.median)) + 1|2",
		`duration( "2ms" ) < size("1KiB")`:          `duration( "2ms" )|size("1KiB")`,
		`Case("größe").time.median < -abs( 2 )`:     `Case("größe").time.median|-abs( 2 )`,
		`time["median"] < (true ? 1 : 2)`:           `time["median"]|true ? 1 : 2`,
		"min((1), (2)) < max(time.median, rss.max)": "min((1), (2))|max(time.median, rss.max)",
	} {
		p, err := Compile(text(in), environment{}, Options{Bool: true})
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		n := p.Node().(*ast.BinaryNode)
		if got := p.Source(n.Left) + "|" + p.Source(n.Right); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", in, got, want)
		}
	}
}

func TestConstant(t *testing.T) {
	for in, want := range map[string]string{
		"2ms < 1": "0.002", "-2 * 3ms < 1": "-0.006", `duration("1s") + 1 < 1`: "2", "time.n < 1": "false", "1 / 0 < 1": "false", "2 ^ 3 < 1": "8",
	} {
		p, err := Compile(text(in), environment{}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := "false"
		if x, ok := Constant(p.Node().(*ast.BinaryNode).Left); ok {
			got = fmt.Sprint(x)
		}
		if got != want {
			t.Errorf("Constant(%s) = %s, want %s", in, got, want)
		}
	}
}

// Inputs that made other builds of this language run for seconds, or for ever.
func TestHostileExpressionsEndSoon(t *testing.T) {
	chain := strings.Repeat("0<(", 60) + "0" + strings.Repeat("<1)<1", 60)
	shallow := strings.Repeat("0<(", 45) + "0" + strings.Repeat("<1)<1", 45)
	for _, in := range []string{chain, shallow,
		strings.Repeat("(", 100000), strings.Repeat("!", 9000), strings.Repeat("1+", 3000) + "1",
		strings.Repeat("-", 4000) + "1", strings.Repeat("not ", 900) + "true", strings.Repeat("[", 49),
		"sum(1..100, sum(1..100, sum(1..100, #)))", strings.Repeat("a.", 900) + "a", "0?0:" + strings.Repeat("0?0:", 300) + "0"} {
		start := time.Now()
		Compile(text(in), environment{}, Options{Bool: true})
		// A loose bound: what it catches would not end within a day.
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("%.40s…: took %v", in, d)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{"time.median < 2ms", "3% not in [1,2]", "((time.median)) + 1 < 2 // x", `Case("x").time["n"] % 3 == 1`, "`a", "0<(0<1<2)<3", "5%-1", "1h30m > 1.5e+3 ? .5 : 0x1f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := Compile(text(s), environment{}, Options{})
		var problem diag.Problem
		if err != nil {
			if !errors.As(err, &problem) || problem.Message == "" || problem.Line == 0 {
				t.Fatalf("an error without a place: %v", err)
			}
			return
		}
		if from, to := p.Span(p.Node()); from < 0 || to < from || to > len([]rune(s)) {
			t.Fatalf("span %d–%d outside of %q", from, to, s)
		}
		out, err := p.Run(sample())
		if x, ok := out.(float64); ok && (math.IsNaN(x) || math.IsInf(x, 0)) && err == nil {
			t.Fatalf("%q = %v", s, x)
		}
	})
}

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		if _, err := Compile(text("time.median < 2ms and rss.max < 64KiB"), environment{}, Options{Bool: true}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestIdentifiersNeedNoTypes(t *testing.T) {
	for in, want := range map[string]string{
		"worse(time, 3%) and 2ms < ratio(a.base).x": "worse@0 time@6 ratio@26 a@32",
		`abs(time.median) < 1 // base`:              "abs@0 time@4",
		`case("é").wall["base"].x + größe`:          "case@0 größe@27",
		"1 = ":                                      "",
		`"open`:                                     "",
		"":                                          "",
	} {
		var got []string
		for _, n := range Identifiers(text(in)) {
			got = append(got, fmt.Sprintf("%s@%d", n.Name, n.At))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
