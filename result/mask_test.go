package result_test

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Every text of a document is filled with a secret. What programs wrote, and what the
// environment may have been put into, is masked; names, which others refer to, words of
// the format and numbers are not.
func TestWhatIsMasked(t *testing.T) {
	const secret = "hunter2hunter2"
	doc := paired(t)
	c := &doc.Cases[0]
	c.Failure = &result.Failure{}
	c.Counterpart = &result.Counterpart{}
	c.Warnings, doc.Warnings = []result.Warning{{}}, []result.Warning{{}}
	c.Identity.Argv = []string{""}
	c.Pairs.Identity = &result.Identity{Argv: []string{""}}
	doc.Suites[0].Against = &result.Against{Notes: []string{""}}
	doc.Suites[0].Sources = []result.Source{{}}
	doc.Suites[0].Sentinel = &result.Sentinel{Case: result.Case{Failure: &result.Failure{}}}
	fill(reflect.ValueOf(doc).Elem(), "before "+secret+" behind")
	doc.Mask([]result.Secret{{"SHORT", "hunter2"}, {"PASSWORD", secret}, {"EMPTY", ""}})
	var masked []string
	walk(reflect.ValueOf(doc).Elem(), "", func(path, text string) {
		switch text {
		case "before $PASSWORD behind":
			masked = append(masked, path)
		case "before " + secret + " behind":
		default:
			t.Errorf("%s: %q", path, text)
		}
	})
	slices.Sort(masked)
	var want []string
	for _, c := range []string{"Cases", "Suites.Sentinel.Case"} {
		for _, field := range []string{"Failure.Detail", "Failure.Hint", "Failure.Message", "Identity.Program", "Identity.Shell"} {
			want = append(want, c+"."+field)
		}
	}
	want = append(want, "Cases.Counterpart.Reason", "Cases.Identity.Argv", "Cases.Pairs.Identity.Argv", "Cases.Pairs.Identity.Program", "Cases.Pairs.Identity.Shell",
		"Cases.Warnings.Hint", "Cases.Warnings.Message", "Cases.Warnings.Pattern", "Suites.Against.Notes", "Suites.Sources.Text", "Warnings.Hint", "Warnings.Message", "Warnings.Pattern")
	slices.Sort(want)
	if diff := cmp.Diff(want, slices.Compact(masked)); diff != "" {
		t.Errorf("masked (-want +got):\n%s", diff)
	}
}

// fill puts a text into every field that holds one.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		if v.CanSet() {
			v.SetString(text)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			fill(v.Elem(), text)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i), text)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			fill(v.Index(i), text)
		}
	}
}

// walk visits every text that is not empty, with the names of the fields that lead to it.
func walk(v reflect.Value, path string, visit func(path, text string)) {
	switch v.Kind() {
	case reflect.String:
		if v.String() != "" {
			visit(path, v.String())
		}
	case reflect.Pointer:
		if !v.IsNil() {
			walk(v.Elem(), path, visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				walk(v.Field(i), strings.TrimPrefix(path+"."+v.Type().Field(i).Name, "."), visit)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), path, visit)
		}
	}
}

func TestADocumentWithoutSecretsStaysAsItIs(t *testing.T) {
	doc := paired(t)
	doc.Mask(nil)
	doc.Mask([]result.Secret{{"TOKEN", "not in there"}})
	if diff := cmp.Diff(paired(t), doc, cmpopts.IgnoreUnexported(result.Samples{})); diff != "" {
		t.Errorf("masked (-want +got):\n%s", diff)
	}
}

// A password that is a word of the format leaves a document that can be read.
func TestWordsOfTheFormatAreNoSecrets(t *testing.T) {
	for _, word := range []string{"measured", "many", "samples", "time", "sha256", "locked", "target_time", "suite-result/1", "pass", "lower", paired(t).Suites[0].Name, paired(t).Cases[0].Name} {
		doc := paired(t)
		doc.Mask([]result.Secret{{"WORD_TOKEN", word}})
		if err := doc.Validate(); err != nil {
			t.Errorf("with the secret %q: %v", word, err)
		}
	}
}

func TestSecretsAreFoundInWhateverSpelling(t *testing.T) {
	const secret = "first 'line' of it\nsecond \"line\" of it\nshort\n"
	for text, want := range map[string]string{
		secret:                                       "$KEY",
		strconv.Quote(secret):                        `"$KEY"`,
		"a: second \"line\" of it, b":                "a: $KEY, b",
		`"second \"line\" of it" is lost`:            `"$KEY" is lost`,
		`sh -c 'first '\''line'\'' of it'`:           `sh -c '$KEY'`,
		"short of it":                                "short of it",
		`"v=first 'li…" is no number`:                `"v=$KEY…" is no number`,
		`line 1 was …"'line' of it 17"`:              `line 1 was …"$KEY 17"`,
		`"…'line' o…" and "a…"`:                      `"…$KEY…" and "a…"`,
		"it is…":                                     "it is…", // fewer than 8 bytes
		"'line' of it\n" + strings.Repeat("x", 1000): "$KEY" + strings.Repeat("x", 1000),
		"ä…": "ä…",
	} {
		if got := result.Masker([]result.Secret{{"KEY", secret}})(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
