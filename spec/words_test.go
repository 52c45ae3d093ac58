package spec

import (
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/spec/internal/yaml"
	"mvdan.cc/sh/v3/syntax"
)

// wordsOf splits a line and expands its words.
func wordsOf(t *testing.T, line string, params ...string) ([]string, *diag.Problem) {
	t.Helper()
	text := lang.Text{Value: line}
	template, err := lang.ParseTemplate(text, lang.Names{Params: params})
	if err != nil {
		t.Skip(err)
	}
	l := newSplitter("command", text)
	scope, words := lang.Scope{Params: map[string]lang.Value{}}, []string{}
	for _, name := range params {
		scope.Params[name] = lang.StringValue("a b;c '\"$x")
	}
	for _, picked := range template.Pick(l.words()) {
		word, err := picked.Expand(scope)
		if err != nil {
			t.Fatal(err)
		}
		words = append(words, word.Value)
	}
	return words, l.problem
}

func TestAValueStaysInItsWord(t *testing.T) {
	got, problem := wordsOf(t, `run ${v} a${v}b '${v}' "${v}" "${"}" + v}"`, "v")
	const v = `a b;c '"$x`
	want := []string{"run", v, "a" + v + "b", v, v, "}" + v}
	if problem != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, problem %v", got, problem)
	}
}

// What a quoting library writes for a shell is read back as it was.
func FuzzQuotedWordsComeBack(f *testing.F) {
	for _, seed := range []string{"a", "", "a b", "it's", `"`, `\`, `\\"'$`, "$HOME", "$", "#", "~", "*", "{a,b}", "a=b", "ä ö", "a\nb", "if", "$(x)", "`x`", "\ue000"} {
		f.Add(seed, "x")
		f.Add("x", seed)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		a, b = "x"+a, "y"+b // a first word that is no keyword; none is empty
		var line []string
		for _, word := range []string{a, b} {
			quoted, err := syntax.Quote(word, syntax.LangPOSIX)
			if err != nil || strings.Contains(quoted, "${") {
				t.Skip(err) // NUL, or a character that sh has no escape for; suite's own language
			}
			line = append(line, quoted)
		}
		got, problem := wordsOf(t, strings.Join(line, " "))
		if problem != nil || !slices.Equal(got, []string{a, b}) {
			t.Errorf("%q gave %q, problem %v", line, got, problem)
		}
	})
}

// Any line gives words or one problem, and the problem lies in the line.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{"sort -n ${file}", "a | b", "a > b", `"$(x`, "a\\", "$${x}", "'${", "\\${x}", "{", "[[ a ]]", "<<X", "a\r\nb", "((", "$", "", "\\\n", "a#", "\x00", "&&"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsRune(line, 0) {
			t.Skip()
		}
		words, problem := wordsOf(t, line)
		if (len(words) == 0) != (problem != nil) {
			t.Errorf("%q gave words %q and problem %v", line, words, problem)
		}
		if problem != nil && problem.Message == "" {
			t.Errorf("%q gave an empty problem", line)
		}
	})
}

// A place that is counted from the beginning of the line for each word takes
// minutes here, behind which no signal ends suite.
func TestALineAsLongAsAFileIsSplit(t *testing.T) {
	const words = yaml.MaxFileSize / 4
	got, problem := wordsOf(t, strings.Repeat("é ", words)+"${v}", "v")
	if problem != nil || len(got) != words+1 || got[words-1] != "é" {
		t.Errorf("%d words, problem %v", len(got), problem)
	}
}

func TestOpenQuote(t *testing.T) {
	for text, want := range map[string]int{
		`echo 'a`: 5, `echo "a`: 5, `a 'b' "c`: 6, `don't 'x'`: 8, `a "it's`: 2, `a '"`: 2, `a '\`: 2, `a "\"`: 2, `'`: 0,
		`a 'b'`: -1, `a "it's"`: -1, `a \'`: -1, `a "\""`: -1, `a '\'`: -1, `a\`: -1, ``: -1, `é "b`: 2,
	} {
		if got := (&splitter{runes: []rune(text)}).openQuote(); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}
