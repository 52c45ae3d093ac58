package peg

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A build with the tag nopeg compiles, and holds no code of this package but for an
// empty function, which a deferred End calls; one without the tag has it all, so that
// the test would see it.
func TestNopegLeavesNothing(t *testing.T) {
	with := symbols(t)
	for _, name := range []string{"peg.(*Lane).record", "peg.New", "peg.(*registry).enable"} {
		if !strings.Contains(with, name) {
			t.Errorf("without the tag there is no %s among the symbols", name)
		}
	}
	for line := range strings.Lines(symbols(t, "-tags=nopeg")) {
		if strings.Contains(line, "example.com/suite/peg.") && !isEmptyEnd(line) {
			t.Errorf("with the tag there is %s", strings.TrimSpace(line))
		}
	}
}

// isEmptyEnd says whether a line, address, size, kind, name, is Mark.End with no room
// for more than a return.
func isEmptyEnd(line string) bool {
	f := strings.Fields(line)
	size, err := strconv.Atoi(f[1])
	return err == nil && size <= 16 && strings.HasSuffix(f[3], "/peg.Mark.End")
}

// symbols of testdata/tiny, which uses all of the API.
func symbols(t *testing.T, flags ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "tiny")
	args := append(append([]string{"build", "-o", program}, flags...), "./testdata/tiny")
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("go %q: %v\n%s", args, err, out)
	}
	out, err := exec.Command("go", "tool", "nm", "-size", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(program).CombinedOutput(); err != nil || string(out) != "done\n" {
		t.Errorf("the program says %q, %v", out, err)
	}
	return string(out)
}
