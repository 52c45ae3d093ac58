package ci

import (
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
		if got := Guarded(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		var b strings.Builder
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
