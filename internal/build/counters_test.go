package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Coverage is written without package reflect by this toolchain, whatever its folder is called, and its clock can be
// fast.
func TestAProgramThatCountsHasAnotherToolchain(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("there is no go command")
	}
	goroot := strings.TrimSpace(string(root))
	link := filepath.Join(t.TempDir(), "go")
	if err := os.Symlink(goroot, link); err != nil {
		t.Skip(err)
	}
	for _, test := range []struct {
		goroot string
		env    []string
	}{{goroot, nil}, {link, []string{"GOROOT=" + goroot, "GOROOT=" + link}}} {
		b := &building{Request: Request{Cache: t.TempDir()},
			vars: map[string]string{"GOROOT": goroot, "GOARCH": "amd64"}}
		b.tool.env = test.env
		args, err := b.ofCounting([]string{"-overlay=", "./x"})
		if err != nil || len(args) != 2 || args[1] != "./x" {
			t.Fatalf("got %q, %v", args, err)
		}
		seen, err := readOverlay(strings.TrimPrefix(args[0], "-overlay="))
		if err != nil {
			t.Fatal(err)
		}
		for file, want := range map[string]string{
			"encodemeta/encode.go": "writeHeader(w", "encodemeta/encodefile.go": "writeHeader(m.w",
			"encodemeta/suite.go": "func writeHeader", "encodecounter/encode.go": "writeHeader(cfw.w",
			"encodecounter/suite.go": "func writeHeader", "cfile/emit.go": "metaHash[:]",
		} {
			text, err := os.ReadFile(seen.Replace[filepath.Join(test.goroot, "src", "internal", "coverage", file)])
			if err != nil || !strings.Contains(string(text), want) || strings.Contains(string(text), "binary.Write(") {
				t.Errorf("%s: %v, without %s or with binary.Write", file, err, want)
			}
		}
		clock := filepath.Join(test.goroot, "src", "time")
		text, err := os.ReadFile(seen.Replace[filepath.Join(clock, "time.go")])
		if n := strings.Count(string(text), "suiteN"); err != nil || n != 3 || seen.Replace[filepath.Join(clock, "suite.go")] == "" {
			t.Errorf("package time: %v, its clock is asked in %d places, want 3 in Now, Since and Until", err, n)
		}
	}
	other := &building{vars: map[string]string{"GOROOT": goroot, "GOARCH": "s390x"}}
	if args, err := other.ofCounting([]string{"./x"}); err != nil || len(args) != 1 {
		t.Errorf("headers of s390x are not little-endian: %q, %v", args, err)
	}
}
