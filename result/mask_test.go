package result_test

import (
	"reflect"
	"strconv"
	"strings"
	"testing"

	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
)

// Every text of a document is filled with a secret: none is left behind, and
// nothing but texts has changed.
func TestNoTextKeepsASecret(t *testing.T) {
	doc := paired(t)
	fill(reflect.ValueOf(doc).Elem(), "before hunter2hunter2 behind")
	doc.Mask([]result.Secret{{"SHORT", "hunter2"}, {"PASSWORD", "hunter2hunter2"}, {"EMPTY", ""}})
	want := paired(t)
	fill(reflect.ValueOf(want).Elem(), "before $PASSWORD behind")
	if diff := cmp.Diff(want, doc); diff != "" {
		t.Errorf("masked (-want +got):\n%s", diff)
	}
	if filled == 0 || strings.Contains(doc.Cases[0].Name, "hunter2") {
		t.Errorf("%d texts filled, name %q", filled, doc.Cases[0].Name)
	}
}

var filled int

// fill puts a text into every field that holds one, and is no word of the format.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		if v.CanSet() {
			filled++
			v.SetString(text)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			fill(v.Elem(), text)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !result.IsVocabulary(v.Type(), v.Type().Field(i)) {
				fill(v.Field(i), text)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			fill(v.Index(i), text)
		}
	}
}

func TestADocumentWithoutSecretsStaysAsItIs(t *testing.T) {
	doc := paired(t)
	doc.Mask(nil)
	doc.Mask([]result.Secret{{"TOKEN", "not in there"}})
	if diff := cmp.Diff(paired(t), doc); diff != "" {
		t.Errorf("masked (-want +got):\n%s", diff)
	}
}

// A password that is a word of the format leaves a document that can be read.
func TestWordsOfTheFormatAreNoSecrets(t *testing.T) {
	for _, word := range []string{"measured", "many", "samples", "time", "sha256", "locked", "target_time", "suite-result/1", "pass", "lower"} {
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
		doc := paired(t)
		doc.Cases[0].Description = text
		doc.Mask([]result.Secret{{"KEY", secret}})
		if got := doc.Cases[0].Description; got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
