package self

import (
	"strings"
	"testing"

	"example.com/suite/internal/testfile"
)

func TestModule(t *testing.T) {
	text := testfile.Read(t, "../../go.mod")
	if line, _, _ := strings.Cut(string(text), "\n"); line != "module "+Module {
		t.Errorf("the path is %q, and go.mod begins with %q", Module, line)
	}
}

func TestVersion(t *testing.T) {
	if got := Version("v1.2.3"); got != "v1.2.3" {
		t.Errorf("the version of a release is %q", got)
	}
	if got := Version(""); got == "" || strings.HasPrefix(got, "v1.2.3") {
		t.Errorf("the version of a test is %q", got)
	}
}
