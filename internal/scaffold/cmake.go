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

// googleTarget matches a program of a CMakeLists.txt that is linked with google-benchmark.
var googleTarget = lazy.Regexp(`(?is)\btarget_link_libraries\s*\(\s*([A-Za-z0-9_.+-]+)\s[^)]*\bbenchmark::benchmark`)

// cmakeComments matches what CMake does not read.
var cmakeComments = lazy.Regexp(`#.*`)

// cmake finds the programs with benchmarks that a folder with a CMakeLists.txt builds, by the paths
// that they have below the folder build.
func (s *Survey) cmake(dir string) error {
	if !paths.Exists(filepath.Join(dir, "CMakeLists.txt")) {
		return nil
	}
	left := mostEntries
	return filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if left--; err != nil || left < 0 {
			return skipUnreadable(d, err, left)
		}
		if d.IsDir() {
			if file != dir && (isNoPackage(d.Name()) || paths.Exists(filepath.Join(file, "CMakeCache.txt"))) {
				return fs.SkipDir
			}
			return nil
		}
		if d.Name() != "CMakeLists.txt" {
			return nil
		}
		text, err := paths.ReadRegular(file)
		if err != nil {
			return nil // what cannot be read is not measured
		}
		for _, m := range googleTarget().FindAllSubmatch(cmakeComments().ReplaceAll(text, nil), -1) {
			program := path.Join(below(dir, filepath.Dir(file)), string(m[1]))
			if !slices.Contains(s.Google, program) {
				s.Google = append(s.Google, program)
			}
		}
		return nil
	})
}

// google writes an entry for each program with benchmarks.
func (s *Survey) google(b *strings.Builder) string {
	programs := s.Google[:min(len(s.Google), mostPackages)]
	targets := ""
	for _, program := range programs {
		targets += " " + path.Base(program)
	}
	fmt.Fprintf(b, cmakeBuild, targets)
	b.WriteString("benchmarks:\n  # Benchmarks of google-benchmark, as they are: each is a case.\n")
	for _, program := range programs {
		fmt.Fprintf(b, googleCase, yamlWord(path.Base(program)), yamlWord("./build/"+program))
	}
	b.WriteString("    # match: ^BM_Parse    # only some of them: an expression for a part of the name\n")
	return units.Plural(len(programs), "program") + " with benchmarks of google-benchmark"
}

const cmakeBuild = `build:    # runs before anything is measured, with --against in the other tree too
  - sh
  - -c
  - cmake -S . -B build -DCMAKE_BUILD_TYPE=Release > /dev/null && cmake --build build --target%s

`

const googleCase = `  - name: %s
    harness: google-benchmark
    command: [%s]
`
