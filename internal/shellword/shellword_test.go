package shellword

import (
	"os/exec"
	"strings"
	"testing"
)

func TestWordsAreQuotedIfNecessary(t *testing.T) {
	for word, want := range map[string]string{
		"":             "''",
		"HEAD~1":       "HEAD~1",
		"~/x":          "'~/x'",
		"--width=80":   "--width=80",
		"größe":        "größe",
		"a b":          "'a b'",
		"it's":         `'it'\''s'`,
		"$HOME":        "'$HOME'",
		"sort/*":       "'sort/*'",
		"a\nb":         "'a\nb'",
		"user@host:/x": "user@host:/x",
	} {
		if got := Quote(word); got != want {
			t.Errorf("%q is written as %s, want %s", word, got, want)
		}
	}
	if got := Join([]string{"suite", "run", "my suite.yaml"}); got != "suite run 'my suite.yaml'" {
		t.Errorf("got %s", got)
	}
}

// What a shell reads is what was written.
func TestShellReadsTheSameWords(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	words := []string{"printf", `%s\n`, "", "~", "~root", "a b", "it's", `back\slash`, "$HOME", "`id`", "*", "^a", "a=b", "#x", "é", "!1", "{a,b}"}
	out, err := exec.Command("sh", "-c", Join(words)).Output()
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Join(words[2:], "\n") + "\n"; string(out) != want {
		t.Errorf("got %q, want %q", out, want)
	}
}
