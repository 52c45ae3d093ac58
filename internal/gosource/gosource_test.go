package gosource

import (
	"slices"
	"strings"
	"testing"
)

func TestPathsAreThoseOfTheModule(t *testing.T) {
	code, tests := Paths(t, false), Paths(t, true)
	if !slices.Contains(code, "internal/gosource/gosource.go") || !slices.Contains(tests, "internal/gosource/gosource_test.go") {
		t.Error("the files of this package are not found")
	}
	for _, path := range slices.Concat(code, tests) {
		if strings.Contains(path, "testdata/") || strings.HasPrefix(path, ".") {
			t.Errorf("%s is found", path)
		}
	}
	if text := Text(t, "internal/gosource/gosource.go"); !strings.HasPrefix(text, "// Package gosource ") {
		t.Errorf("it begins with %.30q", text)
	}
}
