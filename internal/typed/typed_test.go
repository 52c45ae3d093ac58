package typed_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/typed"
	"example.com/suite/spec"
)

func planned(t *testing.T, in typed.Input, o typed.Options) *spec.Plan {
	t.Helper()
	text, problems := in.Suite(o)
	if problems != nil {
		t.Fatal(problems)
	}
	s, problems := spec.Parse("typed.yaml", text.Bytes(), nil)
	if problems != nil {
		t.Fatalf("%v\n%s", problems, text.Bytes())
	}
	plan, problems := s.Plan(spec.Catalogue{}, nil)
	if problems != nil {
		t.Fatalf("%v\n%s", problems, text.Bytes())
	}
	if len(plan.Cases) != text.Cases {
		t.Errorf("%d cases were counted, and there are %d", text.Cases, len(plan.Cases))
	}
	return plan
}

func words(w ...string) typed.Command { return typed.Command{Words: w} }

// Words arrive as they were typed, whatever YAML, the splitter of commands and templates
// would make of them.
func FuzzWordsSurvive(f *testing.F) {
	for _, word := range []string{"a b", "", "'", `"`, `\`, "$HOME", "*", "~", "#", "- a", "a: b", "1", "true", "null", "~", "yes", "[x]", "{x}", "&a", "!t", "|", ">", "%", "@", "`",
		"\n", "\t", " lead", "trail ", "0x10", "1e3", "é", "\u2028", "\ufeff", "a,b", "{a,b}", "=", "A=b", "a\x01b", "a #b", "?", ":", "::", "-", "--", "1..5"} {
		f.Add("echo", word)
	}
	f.Add("\xdd", "\xbe") // two halves of a character
	f.Fuzz(func(t *testing.T, program, word string) {
		if strings.Contains(program+word, "${") || strings.Contains(program+word, "\x00") || strings.TrimSpace(program) == "" {
			t.Skip("templates, and words that no program can be given")
		}
		in := typed.Input{Commands: []typed.Command{words(program, word)}, Names: []string{"case"}}
		text, problems := in.Suite(typed.Options{})
		if problems != nil {
			if !strings.Contains(problems.Error(), "is not UTF-8") {
				t.Fatal(problems)
			}
			return
		}
		s, problems := spec.Parse("typed.yaml", text.Bytes(), nil)
		if problems != nil {
			t.Fatalf("%v\n%s", problems, text.Bytes())
		}
		plan, problems := s.Plan(spec.Catalogue{}, nil)
		if problems != nil {
			t.Fatalf("%v\n%s", problems, text.Bytes())
		}
		if got := plan.Cases[0].Argv; !slices.Equal(got, []string{program, word}) {
			t.Errorf("%q became %q:\n%s", []string{program, word}, got, text.Bytes())
		}
	})
}

func TestTheFirstCommandIsTheBase(t *testing.T) {
	for _, test := range []struct {
		what string
		in   typed.Input
		want []string // name < base
	}{
		{"commands", typed.Input{Commands: []typed.Command{words("a", "x"), {Line: "b  'y z'"}}}, []string{"a x <", "b 'y z' < a x"}},
		{"one command", typed.Input{Commands: []typed.Command{words("a")}}, []string{"a <"}},
		{"the values of a parameter", typed.Input{Commands: []typed.Command{words("a", "{n}")}, Matrix: []string{"n=1..3"}},
			[]string{"a 1 <", "a 2 < a 1", "a 3 < a 1"}},
		{"the same value", typed.Input{Commands: []typed.Command{words("a", "${n}"), words("b", "${n}")}, Matrix: []string{"n=x,y"}},
			[]string{"a x <", "a y <", "b x < a x", "b y < a y"}},
		{"a command without the parameter", typed.Input{Commands: []typed.Command{words("a", "{n}"), words("b")}, Matrix: []string{"n=x,y"}},
			[]string{"a x <", "a y <", "b < a x"}},
		{"a name without the parameter", typed.Input{Commands: []typed.Command{words("a"), words("b")}, Names: []string{"one"}, Prepare: []string{"p {n}"}, Matrix: []string{"n=1,2"}},
			[]string{"one/1 <", "one/2 <", "b/1 < one/1", "b/2 < one/2"}},
	} {
		test.in.Paired = true
		var got []string
		for _, c := range planned(t, test.in, typed.Options{}).Cases {
			got = append(got, strings.TrimSpace(c.Name+" < "+c.Base))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.what, got, test.want)
		}
	}
}

func TestValuesOfParameters(t *testing.T) {
	for text, want := range map[string]string{
		"n=1..4": "1 2 3 4", "n=1..1000*10": "1 10 100 1000", "n=0..1+0.5": "0 0.5 1", "n=1KiB..4KiB*2": "1KiB 2KiB 4KiB",
		"n=a,b,c": "a b c", "n=yes,no": "yes no", "n=-O2,-O3": "-O2 -O3", `n=a\,b,c`: "a,b c", "n=010,0x10": "010 0x10", "n=x": "x", "n=,-v": " -v", "n=1.50,2": "1.50 2", "n=null,~": "null ~",
	} {
		in := typed.Input{Commands: []typed.Command{words("a", "{n}")}, Matrix: []string{text}}
		var got []string
		for _, c := range planned(t, in, typed.Options{}).Cases {
			got = append(got, c.Argv[1])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// Braces around the name of a parameter are its value, as in hyperfine; others are text.
func TestBraces(t *testing.T) {
	in := typed.Input{Commands: []typed.Command{words("a", "{n}-${n}-{m}-$${n}-{{n}}", "{}")}, Matrix: []string{"n=7"}}
	want := []string{"a", "7-7-{m}-${n}-{7}", "{}"}
	if got := planned(t, in, typed.Options{}).Cases[0].Argv; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A file that is written shows its settings, and is a suite with the same cases.
func TestSettingsAreWritten(t *testing.T) {
	in := typed.Input{Commands: []typed.Command{{Line: "a b"}}, ExitCodes: "0, 1", Stdin: "in.txt", Build: "make all", Cleanup: []string{"rm -f x"}}
	plan := planned(t, in, typed.Options{Edit: true, Head: []string{"one", ""}, Folder: "..", Settings: []typed.Setting{
		{"warmup", "3 runs"}, {"samples.min", "20"}, {"samples.max", "30"}, {"reject.quorum", "90%"}, {"timer", "clock=wall cycle=null"}, {"max_time", "1m"},
	}})
	c := &plan.Cases[0]
	s := &c.Settings
	if s.WarmupBatches != 3 || s.SamplesMin != 20 || s.SamplesMax != 30 || s.Quorum != 0.9 || s.MaxTime.String() != "1m" {
		t.Errorf("%+v", s)
	}
	if !slices.Equal(c.ExitCodes, []int{0, 1}) || !strings.HasSuffix(c.Stdin, "in.txt") || plan.Build == nil || c.Cleanup == nil {
		t.Errorf("%+v", c)
	}
}

// Two commands between which a -- was typed can be read as one, and the line for that is the
// words again.
func TestCommandsAreJoined(t *testing.T) {
	in := typed.Input{Commands: []typed.Command{{Line: "a"}, words("cargo", "run"), words("-x", "two words", "{n}"), {Line: "b"}}, Matrix: []string{"n=1,2"}}
	text, problems := in.Suite(typed.Options{Settings: []typed.Setting{{"max_time", "1m"}}})
	if problems != nil {
		t.Fatal(problems)
	}
	s, problems := spec.Parse("typed.yaml", text.Bytes(), nil)
	if problems != nil {
		t.Fatal(problems)
	}
	plan, problems := s.Plan(spec.Catalogue{}, nil)
	if problems != nil {
		t.Fatal(problems)
	}
	const line = `'cargo run -- -x '\''two words'\'' '\''{n}'\'''`
	for i, want := range []string{"", "", line, line, ""} {
		if c := &plan.Cases[i]; text.Joined(c.Place) != want {
			t.Errorf("%s: %s, want %s", c.Name, text.Joined(c.Place), want)
		}
	}
}

// A problem of the text is at the flag that the line comes from.
func TestProblemsAreAtFlags(t *testing.T) {
	in := typed.Input{Commands: []typed.Command{{Line: "a | b"}}, Prepare: []string{"c > d"}, ExitCodes: "300"}
	text, problems := in.Suite(typed.Options{})
	if problems != nil {
		t.Fatal(problems)
	}
	_, problems = spec.Parse("typed.yaml", text.Bytes(), nil)
	var got []string
	for _, p := range text.Explain("typed.yaml", problems) {
		got = append(got, p.Place.String())
		if p.Shell != strings.Contains(p.Hint, "--shell") {
			t.Errorf("the hint %q", p.Hint)
		}
	}
	if want := []string{`--exit-codes "300"`, `--command "a | b"`, `--prepare "c > d"`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
