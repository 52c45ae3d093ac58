package ci

import (
	"encoding/json"
	"strings"
	"testing"
)

// No line of guarded text is a command, in whatever pieces it is written, and other text stays
// as it is.
func TestGuardedTextHasNoCommands(t *testing.T) {
	for text, want := range map[string]string{
		"::error::x":                    `\x3a:error::x`,
		"a\n \t ::error::x\n":           "a\n \t \\x3a:error::x\n",
		"a\r::warning::x":               "a\r\\x3a:warning::x",
		"\u00a0\u2003::add-mask::x":     "\u00a0\u2003\\x3a:add-mask::x",
		"name ##[error]x":               `name ##\x5berror]x`,
		"###[group]":                    `###\x5bgroup]`,
		"a ##vso[task.setvariable]x":    `a ##vso\x5btask.setvariable]x`,
		"##teamcity[x]":                 `##teamcity\x5bx]`,
		"a::b :c # [x] #[y] ## [z] a:b": "a::b :c # [x] #[y] ## [z] a:b",
		"  µs: 1 ::x\n":                 "  µs: 1 ::x\n",
	} {
		var whole, b strings.Builder
		if _, err := Guard(&whole).Write([]byte(text)); err != nil || whole.String() != want {
			t.Errorf("%q: got %q, want %q: %v", text, whole.String(), want, err)
		}
		w := Guard(&b)
		for i := range len(text) {
			if n, err := w.Write([]byte{text[i]}); err != nil || n != 1 {
				t.Fatal(n, err)
			}
		}
		if got := b.String(); strings.Contains(got, "\n::") || strings.HasPrefix(got, "::") || strings.Contains(got, "##[") || strings.Contains(text, "µ") && !strings.Contains(got, "µ") {
			t.Errorf("%q in pieces: %q", text, got)
		}
	}
}

// JSON keeps its values, and labels of OpenMetrics a backslash.
func TestGuardedDataIsRead(t *testing.T) {
	name := "a ##[error]x ##vso[task]y [z] \u202e\u009b31m\x7f"
	text, _ := json.Marshal([]string{name})
	var b strings.Builder
	_, _ = GuardJSON(&b).Write(text)
	var got []string
	if err := json.Unmarshal([]byte(b.String()), &got); err != nil || len(got) != 1 || got[0] != name || strings.Contains(b.String(), "##[") || strings.Contains(b.String(), "vso[") || strings.ContainsAny(b.String(), "\u202e\u009b\x7f") {
		t.Errorf("%s: %q, %v", b.String(), got, err)
	}
	b.Reset()
	_, _ = GuardFile(&b).Write([]byte("a,\x1b[2J\u2066\tb\r\n"))
	if want := "a,\\x1b[2J\\u2066\tb\r\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	b.Reset()
	_, _ = GuardLabels(&b).Write([]byte(`x{name="##[error]"} 1`))
	if want := `x{name="##\\x5berror]"} 1`; b.String() != want {
		t.Errorf("%s, want %s", b.String(), want)
	}
}

func TestPresent(t *testing.T) {
	for _, test := range []struct {
		name, value string
		want        bool
	}{{"CI", "true", true}, {"TEAMCITY_VERSION", "2024.1", true}, {"CI", "false", false}, {"HOME", "/", false}} {
		if got := Present(func(name string) string { return map[string]string{test.name: test.value}[name] }); got != test.want {
			t.Errorf("%s=%s: %v", test.name, test.value, got)
		}
	}
}
