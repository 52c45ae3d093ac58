package entry

import (
	"slices"
	"strings"
	"testing"

	"example.com/suite/internal/gosource"
)

// The environment of the process is a global that every package reads, so only programs change
// it, and packages that take a variable out when the process starts; one of them is a file for package testing.
func TestEnvironmentIsChangedByProgramsOnly(t *testing.T) {
	var found []string
	for _, path := range gosource.Paths(t, false) {
		text := gosource.Text(t, path)
		for _, change := range []string{"os.Setenv(", "os.Unsetenv(", "os.Clearenv("} {
			if strings.Contains(text, change) && !strings.HasPrefix(path, "cmd/") && !slices.Contains(found, path) {
				found = append(found, path)
			}
		}
	}
	if want := []string{"internal/build/inside/inside.go", "internal/entry/entry.go", "runner/host/wire/pipes_windows.go"}; !slices.Equal(found, want) {
		t.Errorf("the environment of the process is changed in %q, not only in %q", found, want)
	}
}
