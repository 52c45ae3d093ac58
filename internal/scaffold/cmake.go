package scaffold

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/lazy"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/units"
)

var (
	// googleTarget and catchTarget match a program of a CMakeLists.txt that is linked with google-benchmark or Catch2.
	googleTarget = lazy.Regexp(`(?is)\btarget_link_libraries\s*\(\s*([A-Za-z0-9_.+-]+)\s[^)]*\bbenchmark::benchmark`)
	catchTarget  = lazy.Regexp(`(?is)\btarget_link_libraries\s*\(\s*([A-Za-z0-9_.+-]+)\s[^)]*\bCatch2::Catch2`)
	// catchBenchmark matches a benchmark of Catch2: google-benchmark has a macro of this name, whose argument is no
	// text.
	catchBenchmark = lazy.Regexp(`\bBENCHMARK(?:_ADVANCED)?\s*\(\s*"`)
	// cmakeComments matches what CMake does not read.
	cmakeComments = lazy.Regexp(`#.*`)
)

// cmake finds the programs with benchmarks that a folder with a CMakeLists.txt builds, by the paths that they have
// below the folder build. A program of Catch2 counts if there are benchmarks in its folder or below: most of them have
// only tests.
func (s *Survey) cmake(dir string) error {
	if !paths.Exists(filepath.Join(dir, "CMakeLists.txt")) {
		return nil
	}
	left := mostEntries
	var tests, sources []string // programs of Catch2, and the folders of sources with its benchmarks
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if left--; err != nil || left < 0 {
			return skipUnreadable(d, err, left)
		}
		if d.IsDir() {
			if file != dir && (isNoPackage(d.Name()) || paths.Exists(filepath.Join(file, "CMakeCache.txt"))) {
				return fs.SkipDir
			}
			return nil
		}
		isSource := slices.Contains(cppEndings, path.Ext(d.Name()))
		if d.Name() != "CMakeLists.txt" && !isSource {
			return nil
		}
		text, err := paths.ReadRegular(file)
		if err != nil {
			return nil // what cannot be read is not measured
		}
		folder := below(dir, filepath.Dir(file))
		if isSource {
			if catchBenchmark().Match(text) {
				sources = append(sources, folder)
			}
			return nil
		}
		text = cmakeComments().ReplaceAll(text, nil)
		s.Google = appendTargets(s.Google, folder, googleTarget().FindAllSubmatch(text, -1))
		tests = appendTargets(tests, folder, catchTarget().FindAllSubmatch(text, -1))
		return nil
	})
	for _, program := range tests {
		within := func(folder string) bool {
			return strings.HasPrefix(path.Clean(folder)+"/", path.Dir(program)+"/") || path.Dir(program) == "."
		}
		if slices.ContainsFunc(sources, within) {
			s.Catch = append(s.Catch, program)
		}
	}
	return err
}

// cppEndings are the endings of sources in C++.
var cppEndings = []string{".cpp", ".cc", ".cxx", ".C", ".hpp", ".h"}

// appendTargets appends the programs of a folder that an expression has found.
func appendTargets(programs []string, folder string, found [][][]byte) []string {
	for _, m := range found {
		if program := path.Join(folder, string(m[1])); !slices.Contains(programs, program) {
			programs = append(programs, program)
		}
	}
	return programs
}

// cmakePrograms writes an entry for each program with benchmarks.
func (s *Survey) cmakePrograms(b *strings.Builder) string {
	google, tests := s.Google[:min(len(s.Google), mostPackages)], s.Catch[:min(len(s.Catch), mostPackages)]
	targets := ""
	for _, program := range slices.Concat(google, tests) {
		targets += " " + path.Base(program)
	}
	fmt.Fprintf(b, cmakeBuild, targets)
	b.WriteString("benchmarks:\n")
	var found []string
	if len(google) > 0 {
		b.WriteString("  # Benchmarks of google-benchmark, as they are: each is a case. On a busy machine\n" +
			"  # the header suites/google-benchmark decides sooner: docs/harnesses.md#google-benchmark\n")
		for _, program := range google {
			fmt.Fprintf(b, cmakeCase, yamlWord(path.Base(program)), "google-benchmark", yamlWord("./build/"+program))
		}
		found = append(found, units.Plural(len(google), "program")+" with benchmarks of google-benchmark")
	}
	if len(tests) > 0 {
		b.WriteString("  # Benchmarks of Catch2, as they are: each is a case. A process of Catch2 takes 1.6 s " +
			"to start.\n")
		for _, program := range tests {
			fmt.Fprintf(b, cmakeCase, yamlWord(path.Base(program)), "catch2", yamlWord("./build/"+program))
			b.WriteString("    max_time: 15m\n")
		}
		found = append(found, units.Plural(len(tests), "program")+" with benchmarks of Catch2")
	}
	b.WriteString("    # match: ^BM_Parse    # only some of them: an expression for a part of the name\n")
	return strings.Join(found, ", and ")
}

const cmakeBuild = `build:    # runs before anything is measured, with --against in the other tree too
  - sh
  - -c
  - cmake -S . -B build -DCMAKE_BUILD_TYPE=Release > /dev/null && cmake --build build --target%s

`

const cmakeCase = `  - name: %s
    harness: %s
    command: [%s]
`
