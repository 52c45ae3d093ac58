package scaffold

import (
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/lazy"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/units"
)

// NodePackage is a folder with a package.json and benchmarks.
type NodePackage struct {
	Folder  string // slash-separated, relative to the folder of the survey: . or packages/parse
	Vitest  int    // how many files it has with benchmarks of vitest
	Library string // tinybench or mitata, which have no command line; empty if the package needs neither
	Script  string // its script for benchmarks: bench or benchmark; empty if it has none
}

var (
	// vitestFile matches the names of the files that vitest bench reads, and vitestImport what says that one is for
	// vitest.
	vitestFile   = lazy.Regexp(`\.(?:bench|benchmark)\.[cm]?[jt]sx?$`)
	vitestImport = lazy.Regexp(`['"]vitest['"]`)
)

// nodePackage reads a package.json. What cannot be read has no benchmarks.
func nodePackage(folder, file string) NodePackage {
	p := NodePackage{Folder: path.Clean(folder)}
	text, err := paths.ReadRegular(file)
	var manifest struct {
		Scripts         map[string]string `json:"scripts"`
		Dependencies    map[string]any    `json:"dependencies"`
		DevDependencies map[string]any    `json:"devDependencies"`
	}
	if err != nil || json.Unmarshal(text, &manifest) != nil {
		return p
	}
	for _, name := range []string{"mitata", "tinybench"} {
		if manifest.Dependencies[name] != nil || manifest.DevDependencies[name] != nil {
			p.Library = name
		}
	}
	for _, name := range []string{"benchmark", "bench"} {
		if manifest.Scripts[name] != "" {
			p.Script = name
		}
	}
	return p
}

// withBenchmarks gives each file of vitest to the package that contains it, and returns the packages that have
// something to measure.
func withBenchmarks(packages []NodePackage, files []string) []NodePackage {
	for _, file := range files {
		owner := -1
		for i, p := range packages {
			contains := p.Folder == "." || strings.HasPrefix(path.Clean(file), p.Folder+"/")
			if contains && (owner < 0 || len(p.Folder) > len(packages[owner].Folder) || packages[owner].Folder == ".") {
				owner = i
			}
		}
		if owner >= 0 {
			packages[owner].Vitest++
		}
	}
	return slices.DeleteFunc(packages, func(p NodePackage) bool {
		return p.Vitest == 0 && p.Library == "" && p.Script == ""
	})
}

// installers make node_modules from a file that each of them writes.
var installers = []struct{ lock, command string }{
	{"pnpm-lock.yaml", "pnpm, install, --frozen-lockfile"},
	{"yarn.lock", "yarn, install, --frozen-lockfile"},
	{"bun.lock", "bun, install, --frozen-lockfile"},
	{"", "npm, install, --no-save, --no-audit, --no-fund"},
}

// installer is the command that makes node_modules in a folder, as words of YAML.
func installer(dir string) string {
	i := slices.IndexFunc(installers, func(i struct{ lock, command string }) bool {
		return i.lock == "" || paths.Exists(filepath.Join(dir, i.lock))
	})
	return installers[i].command
}

// vitest returns the packages with benchmarks of vitest. If the folder itself has some, vitest also finds those below.
func (s *Survey) vitest() []NodePackage {
	all := slices.DeleteFunc(slices.Clone(s.JavaScript), func(p NodePackage) bool { return p.Vitest == 0 })
	if i := slices.IndexFunc(all, func(p NodePackage) bool { return p.Folder == "." }); i >= 0 {
		for j, p := range all {
			if j != i {
				all[i].Vitest += p.Vitest
			}
		}
		return all[i : i+1]
	}
	return all[:min(len(all), mostPackages)]
}

// vitestCases writes an entry for each package with benchmarks of vitest.
func vitestCases(b *strings.Builder, packages []NodePackage) string {
	files := 0
	b.WriteString("  # Benchmarks of vitest, as they are: each is a case. A process of vitest takes about " +
		"two seconds.\n")
	for _, p := range packages {
		files += p.Vitest
		b.WriteString("  - harness: vitest\n")
		if p.Folder != "." {
			fmt.Fprintf(b, "    name: %s\n    cwd: %[1]s\n", yamlWord(p.Folder))
		}
		b.WriteString("    command: [npx, vitest, bench]\n    max_time: 5m\n")
	}
	return "the benchmarks of vitest in " + units.Plural(files, "file")
}

// nodeScripts writes an entry for each script of a package.json. tinybench and mitata run for a fixed time, so their
// processes are not worth timing: the entry is a comment that names what is.
func (s *Survey) nodeScripts(b *strings.Builder) string {
	var scripts, libraries []NodePackage
	for _, p := range s.JavaScript[:min(len(s.JavaScript), mostPackages)] {
		if p.Library != "" {
			libraries = append(libraries, p)
		} else {
			scripts = append(scripts, p)
		}
	}
	if len(scripts) > 0 {
		fmt.Fprintf(b, nodeBuild, s.Installer)
		b.WriteString("benchmarks:\n")
	}
	for _, p := range scripts {
		name := path.Join(p.Folder, p.Script)
		fmt.Fprintf(b, "  - name: %s\n    command: [npm, run, --silent, %s]    # the time of the whole process\n",
			yamlWord(name), p.Script)
		if p.Folder != "." {
			fmt.Fprintf(b, "    cwd: %s\n", yamlWord(p.Folder))
		}
	}
	measures := units.Plural(len(scripts), "script") + " of package.json"
	if len(scripts) == 0 {
		measures = "an example, as benchmarks of " + libraries[0].Library +
			" have no command line: docs/harnesses.md tells the line to change"
		b.WriteString(exampleCases)
	}
	for _, p := range libraries {
		fmt.Fprintf(b, libraryCase, p.Library, path.Join(p.Folder, "package.json"))
	}
	return measures
}

const nodeBuild = `# runs before anything is measured, with --against in the other tree too: git has no node_modules
build: [%s]

`

// libraryCase is a comment, as the code has to change first.
const libraryCase = `
  # %s, in %s, has no command line. With one line changed its benchmarks are cases: docs/harnesses.md#javascript
  # - harness: lines
  #   command: [node, bench.mjs]
`
