package process

import (
	"strings"
	"testing"
)

func TestCommandLinesCanBePasted(t *testing.T) {
	for want, argv := range map[string][]string{
		"cd /tmp/x && ls -l --color=auto":              {"ls", "-l", "--color=auto"},
		`cd /tmp/x && echo '' 'a b' 'it'\''s' '$HOME'`: {"echo", "", "a b", "it's", "$HOME"},
	} {
		if got := CommandLine("/tmp/x", argv); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := CommandLine("/tmp/x", []string{"echo", strings.Repeat("é", longestLine)}); len(got) > longestLine+100 || !strings.HasSuffix(got, "é …") {
		t.Errorf("%d bytes, want a line that ends somewhere", len(got))
	}
}
