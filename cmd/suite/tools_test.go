package main

import (
	"io"
	"strings"
	"testing"

	"example.com/suite/internal/ci"
)

// GitHub Actions executes every line of a log that begins with two colons, also after
// spaces. Text from a file or another program must not look like such a command.
func TestMessagesAreNoWorkflowCommands(t *testing.T) {
	for text, want := range map[string]string{
		"suite: open a\n::error::b": "suite: open a\n\\x3a:error::b", "a\n \t::stop-commands::x": "a\n \\t::stop-commands::x",
		"a\n\t ::add-mask::x": "a\n\t \\x3a:add-mask::x", "a.yaml:1:2: b::c\n\thint: ::": "a.yaml:1:2: b::c\n\thint: ::",
	} {
		var b strings.Builder
		if _, err := io.WriteString(ci.Guard(&b), cleanLines(text)); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); got != want {
			t.Errorf("%q is printed as %q, want %q", text, got, want)
		}
	}
}
