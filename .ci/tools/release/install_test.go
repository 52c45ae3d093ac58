package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// go install finds all that it needs in what a module proxy makes of the tag: names that every system takes, all packages, and the files that they
// embed. The proxy is a folder, as every proxy is; other modules come from those that are on this machine. Nothing is compiled, which would take
// 30 s on one core; the version of a program that go install has built is what internal/self tests.
func TestGoInstall(t *testing.T) {
	tree := copyTree(t, "v1.2.3")
	path := must(modulePath(tree))(t)
	proxy := t.TempDir()
	folder := filepath.Join(proxy, filepath.FromSlash(path), "@v")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	version := module.Version{Path: path, Version: "v1.2.3"}
	err := create(filepath.Join(folder, "v1.2.3.zip"), func(w io.Writer) error { return zip.CreateFromVCS(w, version, tree, "v1.2.3", "") })
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"v1.2.3.mod":  string(must(os.ReadFile(filepath.Join(tree, "go.mod")))(t)),
		"list":        "v1.2.3\n",
		"v1.2.3.info": `{"Version": "v1.2.3", "Time": "2001-02-03T04:05:06Z"}`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cache := must(output(t.Context(), tree, nil, "go", "env", "GOMODCACHE"))(t)
	user := t.TempDir()
	env := []string{
		fmt.Sprintf("GOPROXY=file://%s,file://%s/cache/download", filepath.ToSlash(proxy), filepath.ToSlash(cache)),
		"GOSUMDB=off", // it does not know this version, and go.sum has the others
		"GOMODCACHE=" + t.TempDir(), "GOFLAGS=-modcacherw", "GOWORK=off",
	}
	for _, args := range [][]string{{"mod", "init", "example.org/user"}, {"get", path + "/cmd/suite@v1.2.3", path + "/bench@v1.2.3"}} {
		must(output(t.Context(), user, env, "go", args...))(t)
	}
	files := must(output(t.Context(), user, env, "go", "list", "-deps", "-f", "{{join .EmbedFiles \"\\n\"}}", path+"/cmd/suite"))(t)
	if !strings.Contains(files, "suite.schema.json") {
		t.Errorf("the schema is not among the embedded files:\n%s", files)
	}
	// go install refuses a module whose go.mod replaces or excludes others.
	m := must(modfile.Parse("go.mod", must(os.ReadFile(filepath.Join(tree, "go.mod")))(t), nil))(t)
	if len(m.Replace)+len(m.Exclude) > 0 {
		t.Error("go.mod replaces or excludes modules, so go install refuses it")
	}
}
