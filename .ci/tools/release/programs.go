package main

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// target is a system that programs are built for, in the words of the go command.
type target struct{ system, architecture string }

func (t target) String() string { return t.system + "/" + t.architecture }

// systems are the targets of a release.
var systems = []target{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"},
	{"darwin", "arm64"}, {"windows", "amd64"}}

func names(targets []target) (all []string) {
	for _, t := range targets {
		all = append(all, t.String())
	}
	return all
}

// parseTargets returns the targets that a command line names, each once, or all of them if it names none.
func parseTargets(asked []string) (targets []target, err error) {
	if len(asked) == 0 {
		return systems, nil
	}
	for _, name := range asked {
		at := slices.Index(names(systems), name)
		if at < 0 {
			return nil, &usageError{fmt.Sprintf("no release for the system %q", name),
				"choose from " + strings.Join(names(systems), ", ")}
		}
		if !slices.Contains(targets, systems[at]) {
			targets = append(targets, systems[at])
		}
	}
	return targets, nil
}

// program is a program that was built, with the modules that it contains.
type program struct {
	path      string // of the file
	goVersion string // of the Go release that built it, such as go1.26.8
	modules   []dependency
}

// dependency is a module of somebody else in a program.
type dependency struct {
	path, version string
	sum           string // as go.sum has it
	folder        string // its source
}

// mains are the programs of a release: their names, and the folders of their modules and packages.
var mains = []struct{ name, module, path string }{
	{"suite", ".", "./cmd/suite"},
	{"suite-push", "stores", "./suite-push"},
}

// build builds the programs for a target. What would make the bytes of two machines differ is fixed: folders are cut
// from paths, and of git's state only the version is kept, because the go command does not find it in every kind of
// clone.
func (r *release) build(ctx context.Context, t target) (programs []program, err error) {
	if r.built[t] != nil {
		return r.built[t], nil
	}
	defer func() {
		if err == nil {
			r.built[t] = programs
		}
	}()
	env := []string{"CGO_ENABLED=0", "GOOS=" + t.system, "GOARCH=" + t.architecture, "GOFLAGS=", "GOEXPERIMENT=",
		"GOAMD64=v1", "GOARM64=v8.0", "GOWORK=off"}
	for _, p := range mains {
		file := filepath.Join(r.work, t.system+"_"+t.architecture, p.name)
		if t.system == "windows" {
			file += ".exe"
		}
		_, err := output(ctx, filepath.Join(r.tree, p.module), env, "go", "build", "-trimpath", "-buildvcs=false",
			"-ldflags", "-s -w -X main.release="+r.version, "-o", file, p.path)
		if err != nil {
			return nil, err
		}
		info, err := buildinfo.ReadFile(file)
		if err != nil {
			return nil, err
		}
		modules, err := r.dependencies(ctx, info, filepath.Join(r.tree, p.module))
		if err != nil {
			return nil, err
		}
		programs = append(programs, program{file, info.GoVersion, modules})
	}
	return programs, nil
}

// dependencies are the modules of others that a program contains, in alphabetical order. module is the folder of the
// module that the program was built in.
func (r *release) dependencies(
	ctx context.Context, info *buildinfo.BuildInfo, module string,
) (all []dependency, err error) {
	arguments := []string{"list", "-m", "-f", "{{.Dir}}"}
	for _, m := range info.Deps {
		if m.Path == r.module {
			continue
		}
		if m.Replace != nil {
			return nil, fmt.Errorf("%s replaces %s: a release cannot name its source",
				filepath.Join(module, "go.mod"), m.Path)
		}
		all = append(all, dependency{path: m.Path, version: m.Version, sum: m.Sum})
		arguments = append(arguments, m.Path)
	}
	folders, err := output(ctx, module, []string{"GOFLAGS=", "GOWORK=off"}, "go", arguments...)
	if err != nil {
		return nil, err
	}
	for i, folder := range strings.Split(folders, "\n") {
		all[i].folder = folder
	}
	return all, nil
}

// describeItself lets suite write its manual pages and completions, and returns their files.
func (r *release) describeItself(ctx context.Context) (files []file, err error) {
	native, err := r.build(ctx, target{runtime.GOOS, runtime.GOARCH})
	if err != nil {
		return nil, err
	}
	suite := native[0].path
	pages := filepath.Join(r.work, "man")
	if _, err := output(ctx, r.work, nil, suite, "help", "--man="+pages); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(pages)
	if err != nil {
		return nil, err
	}
	for _, page := range entries {
		files = append(files, file{"man/" + page.Name(), filepath.Join(pages, page.Name()), 0o644})
	}
	for shell, name := range map[string]string{"bash": "suite.bash", "zsh": "_suite", "fish": "suite.fish",
		"powershell": "suite.ps1"} {
		text, err := output(ctx, r.work, nil, suite, "completion", shell)
		if err != nil {
			return nil, err
		}
		path := filepath.Join(r.work, name)
		if err := os.WriteFile(path, []byte(text+"\n"), 0o644); err != nil {
			return nil, err
		}
		files = append(files, file{"completions/" + name, path, 0o644})
	}
	return files, nil
}
