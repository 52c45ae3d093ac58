package main

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Two packages have to be initialised before others, and only their import paths and their
// few imports make it so. The spawner takes the process over before anything is allocated.
// Entry removes the variables for pegs before peg reads them. This test program contains all
// packages of suite, and those of a program have the same order in a larger one.
func TestPackagesThatComeFirst(t *testing.T) {
	const module = "example.com/suite/"
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	trace, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, trace)
	}
	var order []string
	allocated := map[string]bool{}
	for line := range strings.Lines(string(trace)) { // init PATH @0.55 ms, 0.006 ms clock, 0 bytes, 0 allocs
		words := strings.Fields(line)
		if len(words) > 2 && words[0] == "init" {
			order = append(order, words[1])
			allocated[words[1]] = !strings.HasSuffix(strings.TrimSpace(line), ", 0 allocs")
		}
	}
	entry, peg := slices.Index(order, module+"internal/entry"), slices.Index(order, module+"peg")
	if entry < 0 || peg < entry {
		t.Errorf("internal/entry is initialised as number %d, and peg as number %d", entry, peg)
	}
	if runtime.GOOS != "linux" {
		return
	}
	spawner := slices.Index(order, module+"runner/host/spawner")
	if spawner < 0 {
		t.Fatalf("the spawner is not initialised: %q", order)
	}
	for _, path := range order[:spawner] {
		if strings.Contains(path, ".") || allocated[path] {
			t.Errorf("%s is initialised before the spawner, and allocates: %t", path, allocated[path])
		}
	}
}
