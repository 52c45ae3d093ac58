package lang

import (
	"errors"
	"strings"
	"testing"

	"example.com/suite/internal/diag"
)

func scope() Scope {
	return Scope{
		Params: map[string]Value{
			"size": ParameterValue("1KiB", "!!str"), "n": ParameterValue("7", "!!int"),
			"file": StringValue("a.txt"), "big": ParameterValue("true", "!!bool"), "count": StringValue("1M"),
		},
		Env:   func(name string) (string, bool) { return "/home/u", name == "HOME" },
		Suite: "hashing", Dir: "/s",
	}
}

var templateNames = Names{Params: []string{"size", "n", "file", "big", "count"}}

func TestExpand(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                      "plain",
		"":                           "",
		"sha256/${size}":             "sha256/1KiB", // the spelling
		"${size * 2}":                "2048",        // the number
		"${ n / 2 }":                 "3.5",
		"${n}${n}":                   "77",
		"$${n} $n $ $$ ${n}$":        "${n} $n $ $$ 7$",
		"$$${n}":                     "$${n}", // a $, then a literal ${
		"${env.HOME}/x":              "/home/u/x",
		`${env["HOME"]}`:             "/home/u",
		"${suite.name}@${suite.dir}": "hashing@/s",
		`${file + "}"}`:              "a.txt}",
		"${upper(file)}":             "A.TXT",
		"${big}":                     "true",
		"${!big}":                    "false",
		`${n > 5 ? "many" : "few"}`:  "many",
		"${n % 4}":                   "3",
		"${50% * n}":                 "3.5",
		"größe ${size}":              "größe 1KiB",
		"${len(file)}":               "5",
		"${size}B":                   "1KiBB",
	} {
		tmpl, err := ParseTemplate(text(in), templateNames)
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		got, err := tmpl.Expand(scope())
		if err != nil || got.Value != want {
			t.Errorf("%s = %q, %v; want %q", in, got.Value, err, want)
		}
	}
}

func TestTemplateProblems(t *testing.T) {
	for in, want := range map[string]string{
		"a ${sise} b":    `4: unknown name "sise" | did you mean "size"?`,
		"${qqqq}":        `2: unknown name "qqqq" | known names: abs, big, ceil, count, duration, env, file, floor, len, lower, max, min, n, replace, round, size, suite, trim, trimPrefix, trimSuffix, upper`,
		"x ${size":       `2: "${" has no closing "}" | for a literal ${ write $${`,
		`x ${"}`:         `2: "${" has no closing "}" | for a literal ${ write $${`,
		"x ${}":          `4: the expression is empty`,
		"x ${ }":         `4: the expression is empty`,
		"x ${n +}":       `7: the expression ends too early`,
		"x ${n + 2sm}":   `8: "2sm" is not a number | did you mean "2ms"?`,
		"x ${suite.nam}": `10: unknown field "nam" of "suite" | did you mean "name"?`,
		"x ${env}":       `4: "env" is not a value of its own | write env.NAME`,
		"x ${env[file]}": `4: "env" is not a value of its own | write env.NAME`,
		"x ${env.NOPE}":  `8: the environment variable "NOPE" is not set`,
		"x ${file + 1}":  `9: invalid operation: text + number`,
		"x ${n / 0}":     `6: "n / 0" is infinite`,
		"x ${[n]}":       `2: the expression is neither text nor a number`,
		"x ${now()}":     `4: unknown name "now" | known names: abs, big, ceil, count, duration, env, file, floor, len, lower, max, min, n, replace, round, size, suite, trim, trimPrefix, trimSuffix, upper`,
	} {
		tmpl, err := ParseTemplate(text(in), templateNames)
		if err == nil {
			_, err = tmpl.Expand(scope())
		}
		if got := flat(err); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", in, got, want)
		}
	}
	_, err := ParseTemplate(text("echo ${PATH}"), Names{})
	if got, want := flat(err), `7: unknown name "PATH" | for the value of an environment variable write ${env.PATH}`; got != want {
		t.Errorf("no shell\ngot  %s\nwant %s", got, want)
	}
	_, err = ParseTemplate(text("echo ${PATH}"), Names{Shell: true})
	if got, want := flat(err), `7: unknown name "PATH" | `+shellHint; got != want {
		t.Errorf("shell\ngot  %s\nwant %s", got, want)
	}
}

func TestTemplateNumber(t *testing.T) {
	for in, want := range map[string]float64{"${size}": 1024, "${size * 2}": 2048, "64KiB": 65536, "12": 12, "${n}KiB": 7168} {
		tmpl, err := ParseTemplate(text(in), templateNames)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tmpl.Number(scope()); err != nil || got != want {
			t.Errorf("%s = %v, %v; want %v", in, got, err, want)
		}
	}
	for in, want := range map[string]string{
		"${count}": `0: "1M" is not a number | units are ` + unitNames, "x": `0: "x" is not a number | units are ` + unitNames,
		"": `0: "" is not a number | units are ` + unitNames, "${big}": `0: "true" is not a number | units are ` + unitNames,
	} {
		tmpl, err := ParseTemplate(text(in), templateNames)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tmpl.Number(scope()); flat(err) != want {
			t.Errorf("%s: got %s, want %s", in, flat(err), want)
		}
	}
}

func TestLiteral(t *testing.T) {
	for in, want := range map[string]bool{"x": true, "": true, "$${x} $": true, "${n}": false, "a ${n * 2}": false} {
		if tmpl, err := ParseTemplate(text(in), templateNames); err != nil || tmpl.Literal() != want {
			t.Errorf("%s: Literal() = %v, %v", in, !want, err)
		}
	}
}

func TestUses(t *testing.T) {
	tmpl, err := ParseTemplate(text("${size} ${n + size} ${env.HOME} ${suite.dir}"), templateNames)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(tmpl.Uses(), " "); got != "size n env suite" {
		t.Errorf("Uses() = %s", got)
	}
}

func TestPlacesSurviveExpansion(t *testing.T) {
	block := Text{Value: "a ${n} b\nc ${file} d\n", Place: diag.Place{File: "f", Line: 5, Col: 7},
		Marks: []Mark{{Offset: 9, Place: diag.Place{File: "f", Line: 6, Col: 7}}}}
	tmpl, err := ParseTemplate(block, templateNames)
	if err != nil {
		t.Fatal(err)
	}
	got, err := tmpl.Expand(scope())
	if err != nil || got.Value != "a 7 b\nc a.txt d\n" {
		t.Fatalf("%q, %v", got.Value, err)
	}
	for offset, want := range map[int]string{0: "f:5:7", 2: "f:5:9", 4: "f:5:14", 6: "f:6:7", 8: "f:6:9", 12: "f:6:9", 14: "f:6:17"} {
		if at := got.At(offset).String(); at != want {
			t.Errorf("character %d (%q) stands at %s, want %s", offset, []rune(got.Value)[offset], at, want)
		}
	}
	p := got.Problem(14, "x", "")
	if p.Source != "c a.txt d" || p.Caret != 8 {
		t.Errorf("source %q, caret %d", p.Source, p.Caret)
	}
	if part := got.Slice(9, 15); part.Value != ".txt d" || part.At(1).String() != "f:6:9" || part.At(5).String() != "f:6:17" {
		t.Errorf("slice %q at %v, %v", part.Value, part.At(1), part.At(5))
	}
}

func TestLongLinesAreCutAroundTheCaret(t *testing.T) {
	p := text(strings.Repeat("x", 500)+"Y"+strings.Repeat("z", 500)).Problem(500, "m", "")
	if len(p.Source) != 100 || p.Source[p.Caret] != 'Y' {
		t.Errorf("caret %d in %q", p.Caret, p.Source)
	}
}

func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"${size}", "$${x}", "a ${n + 1} ${env.HOME}", "${\"}\"}", "${`", "$$${n % 2}", "${5%}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		tmpl, err := ParseTemplate(text(s), templateNames)
		if err != nil {
			return
		}
		out, err := tmpl.Expand(scope())
		if err != nil {
			return
		}
		if tmpl.Literal() && !strings.Contains(s, "${") && out.Value != s {
			t.Fatalf("%q became %q", s, out.Value)
		}
		for i := range len([]rune(out.Value)) + 1 {
			if at := out.At(i); at.Line != 3 {
				t.Fatalf("character %d of %q stands at %v", i, out.Value, at)
			}
		}
	})
}

// An expansion is bounded, and takes time in proportion to its text: these took minutes when
// each expression went over the whole text.
func TestExpansionsAreBounded(t *testing.T) {
	expand := func(text string, value string) (Text, error) {
		t.Helper()
		tmpl, err := ParseTemplate(Text{Value: text, Place: diag.Place{Line: 1, Col: 1}}, Names{Params: []string{"x"}})
		if err != nil {
			t.Fatal(err)
		}
		return tmpl.Expand(Scope{Params: map[string]Value{"x": StringValue(value)}})
	}
	_, err := expand(strings.Repeat("${x}", 2000), strings.Repeat("y", 100_000))
	var problem diag.Problem
	if !errors.As(err, &problem) || !strings.Contains(problem.Message, "longer than 2097152 characters") || problem.Place.Col != 1+4*20 {
		t.Errorf("%v at %v", err, problem.Place)
	}
	const many = 200_000
	text, err := expand(strings.Repeat("${x}-", many), "é")
	if err != nil || text.Value != strings.Repeat("é-", many) {
		t.Fatalf("%d bytes, %v", len(text.Value), err)
	}
	for _, k := range []int{0, 1, many / 2, many - 1} {
		if at := text.At(2 * k).Col; at != 1+5*k {
			t.Errorf("value %d is of column %d, want %d", k, at, 1+5*k)
		}
		if at := text.At(2*k + 1).Col; at != 1+5*k+4 {
			t.Errorf("the text after value %d is of column %d, want %d", k, at, 1+5*k+4)
		}
	}
}
