package html

import (
	"strings"
	"testing"
)

// A page has no control characters, whatever text of a result they were in.
func TestPagesHaveNoControlCharacters(t *testing.T) {
	var b strings.Builder
	const text = "a\x1b[31m\x00\x7f\tb\r\n é"
	n, err := controlFree{&b}.Write([]byte(text))
	if want := "a?[31m??\tb\r\n é"; n != len(text) || err != nil || b.String() != want {
		t.Errorf("%d, %v: %q", n, err, b.String())
	}
}
