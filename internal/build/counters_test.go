package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Coverage is written without package reflect by this toolchain, whatever its folder is called, and its clock and timers
// can be fast.
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
		if err := b.serving(test.goroot, ""); err != nil {
			t.Fatal(err)
		}
		args, err := b.ofCounting([]string{"./x"})
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
			"cfile/testsupport.go": "suiteMark(tf",
		} {
			text, err := os.ReadFile(seen.Replace[filepath.Join(test.goroot, "src", "internal", "coverage", file)])
			if err != nil || !strings.Contains(string(text), want) || strings.Contains(string(text), "binary.Write(") {
				t.Errorf("%s: %v, without %s or with binary.Write", file, err, want)
			}
		}
		clock := filepath.Join(test.goroot, "src", "time")
		for name, want := range map[string]int{"time.go": 3, "sleep.go": 2, "tick.go": 2, "suite.go": 4} { // Now, Since and Until; Sleep and others; two
			text, err := os.ReadFile(seen.Replace[filepath.Join(clock, name)])
			if n := strings.Count(string(text), "suiteN"); err != nil || n < want {
				t.Errorf("time/%s: %v, time is faster in %d places, want %d", name, err, n, want)
			}
		}
		text, err := os.ReadFile(seen.Replace[filepath.Join(test.goroot, "src", "testing", "suite.go")])
		if n := strings.Count(string(text), "time.SuiteLive()"); b.serves && (err != nil || n != 2) {
			t.Errorf("package testing: %v, it waits in %d places, want 2", err, n)
		}
	}
	other := &building{vars: map[string]string{"GOROOT": goroot, "GOARCH": "s390x"}}
	if args, err := other.ofCounting([]string{"./x"}); err != nil || len(args) != 1 {
		t.Errorf("headers of s390x are not little-endian: %q, %v", args, err)
	}
}
