package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const newModule = "github.com/ada/suite"

// A tree whose module has another path is the same program: nothing has the old path, all imports are found, and the code knows the new one.
// Other code than imports and texts does not change, so this does not compile all of it a second time; the owner's .ci/run does.
func TestModulePath(t *testing.T) {
	needs(t, "bash")
	dir := copyTree(t, "v1.2.3")
	old := must(modulePath(dir))(t)
	if text := must(modulePath(dir, newModule))(t); !strings.Contains(text, " files have the path "+newModule+" now") {
		t.Errorf("it prints %q", text)
	}
	if text := must(modulePath(dir))(t); text != newModule {
		t.Errorf("the path is %q now", text)
	}
	grep := exec.Command("git", "grep", "-a", "-n", "-F", old)
	grep.Dir = dir
	if text, err := grep.Output(); err == nil {
		t.Errorf("the old path is left:\n%s", text)
	}
	if text := must(output(t.Context(), dir, nil, "gofmt", "-l", "."))(t); text != "" {
		t.Errorf("not formatted any more: %s", text)
	}
	if text := must(output(t.Context(), dir, nil, "git", "status", "--porcelain", "--untracked-files=all"))(t); strings.Contains(text, "??") {
		t.Errorf("files were left: %s", text)
	}
	for _, module := range []string{".", "stores", "report/html/e2e", "internal/fleet/e2e", ".ci/tools/release"} {
		must(output(t.Context(), filepath.Join(dir, module), nil, "go", "list", "-test", "-deps", "./..."))(t)
	}
	must(output(t.Context(), dir, nil, "go", "test", "-trimpath", "./internal/self"))(t)
}

// modulePath runs .ci/module-path in a tree, and returns what it prints.
func modulePath(dir string, args ...string) (string, error) {
	script := exec.Command(filepath.Join(dir, ".ci", "module-path"), args...)
	script.Stderr = os.Stderr
	text, err := script.Output()
	return strings.TrimSpace(string(text)), err
}

// A path that is none changes nothing.
func TestModulePathRefuses(t *testing.T) {
	needs(t, "bash")
	for _, path := range []string{"https://github.com/ada/suite", "suite", "github.com/ada/suite/v2", "github.com/ada/su ite", "github.com/ada/su#ite", "github.com/ada/", ""} {
		script := exec.Command(filepath.Join(repository, ".ci", "module-path"), path)
		text, err := script.CombinedOutput()
		if script.ProcessState.ExitCode() != exitUsage || !strings.Contains(string(text), "\n\thint: ") {
			t.Errorf("%q: %v\n%s", path, err, text)
		}
	}
}
