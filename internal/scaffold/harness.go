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

// CargoBench is a program with benchmarks of criterion.
type CargoBench struct {
	Folder string // slash-separated, of its package, relative to the folder of the survey: . or crates/parse
	Name   string // of the target: what --bench takes
	Old    bool   // criterion is older than 0.5, for which suite has another harness
}

// name is what the case names begin with.
func (b *CargoBench) name() string { return path.Join(b.Folder, b.Name) }

var (
	// pythonBenchmark matches a test that uses the fixture of pytest-benchmark.
	pythonBenchmark = lazy.Regexp(`(?m)^\s*(?:async\s+)?def test\w*\([^)]*\bbenchmark\b`)
	// tomlComments matches comments, and what a # in a text of a Cargo.toml begins, which is no name of a target.
	tomlComments = lazy.Regexp(`#.*`)
	// criterionNeeded matches the dependency in a Cargo.toml.
	criterionNeeded = lazy.Regexp(`(?m)^\s*(?:criterion\b|\[.*dependencies\.criterion\])`)
	// criterionVersion matches the version of criterion in a Cargo.toml or Cargo.lock, up to its second number.
	criterionVersion = lazy.Regexp(`(?m)^(?:criterion\s*=\s*"|criterion\s*=.*version\s*=\s*"|` +
		`name = "criterion"\s+version = ")[=^~]?(\d+\.\d+)`)
	benchTable = lazy.Regexp(`(?m)^\s*\[\[bench\]\]\s*$([^\[]*)`)
	targetName = lazy.Regexp(`(?m)^\s*name\s*=\s*"([^"]+)"`)
	ownHarness = lazy.Regexp(`(?m)^\s*harness\s*=\s*false\b`)
)

// harnesses finds benchmarks of criterion, pytest-benchmark and JavaScript in and below a folder.
func (s *Survey) harnesses(dir string) error {
	left := mostEntries
	lock, _ := paths.ReadRegular(filepath.Join(dir, "Cargo.lock")) // without one the Cargo.toml has to do
	var vitest []string
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if left--; err != nil || left < 0 {
			return skipUnreadable(d, err, left)
		}
		if d.IsDir() {
			if file != dir && (isNoPackage(d.Name()) || paths.Exists(filepath.Join(file, "pyvenv.cfg")) ||
				paths.Exists(filepath.Join(file, "CACHEDIR.TAG"))) {
				return fs.SkipDir
			}
			return nil
		}
		switch name := d.Name(); {
		case name == "package.json":
			s.JavaScript = append(s.JavaScript, nodePackage(below(dir, filepath.Dir(file)), file))
		case vitestFile().MatchString(name):
			text, err := paths.ReadRegular(file)
			if err == nil && vitestImport().Match(text) {
				vitest = append(vitest, below(dir, file))
			}
		case name == "Cargo.toml":
			s.cargo(path.Clean(below(dir, filepath.Dir(file))), file, string(lock))
		case path.Ext(name) == ".py" && (strings.HasPrefix(name, "test_") || strings.HasSuffix(name, "_test.py")):
			text, err := paths.ReadRegular(file)
			if err == nil && pythonBenchmark().Match(text) {
				s.Python = append(s.Python, below(dir, file))
			}
		}
		return nil
	})
	s.JavaScript, s.Installer = withBenchmarks(s.JavaScript, vitest), installer(dir)
	return err
}

// cargo finds the programs of a package. What cannot be read is not measured.
func (s *Survey) cargo(folder, file, lock string) {
	whole, err := paths.ReadRegular(file)
	text := tomlComments().ReplaceAllString(string(whole), "")
	if err != nil || !criterionNeeded().MatchString(text) {
		return
	}
	version := criterionVersion().FindStringSubmatch(lock)
	if version == nil {
		version = criterionVersion().FindStringSubmatch(text)
	}
	isOld := version != nil && slices.Contains([]string{"0.1", "0.2", "0.3", "0.4"}, version[1])
	for _, table := range benchTable().FindAllStringSubmatch(text, -1) {
		if name := targetName().FindStringSubmatch(table[1]); name != nil && ownHarness().MatchString(table[1]) {
			s.Criterion = append(s.Criterion, CargoBench{Folder: folder, Name: name[1], Old: isOld})
		}
	}
}

// harnessed writes an entry for each program of criterion and package of vitest, and one for pytest.
func (s *Survey) harnessed(b *strings.Builder) string {
	var found []string
	packages := s.vitest()
	if len(packages) > 0 {
		fmt.Fprintf(b, nodeBuild, s.Installer)
	}
	b.WriteString("benchmarks:\n")
	if programs := s.Criterion[:min(len(s.Criterion), mostPackages)]; len(programs) > 0 {
		b.WriteString("  # Benchmarks of criterion, as they are: each is a case. cargo builds them, with --against " +
			"in the other tree too.\n  # On a busy machine the crate suites/criterion decides sooner: " +
			"docs/harnesses.md#criterion\n")
		for _, p := range programs {
			harness := "criterion"
			if p.Old {
				harness = "criterion-0.3 # takes seconds for each sample; criterion 0.5 takes 10 ms"
			}
			fmt.Fprintf(b, "  - name: %s\n    harness: %s\n    command: [cargo, bench, --bench, %s]\n",
				yamlWord(p.name()), harness, yamlWord(p.Name))
			if p.Folder != "." {
				fmt.Fprintf(b, "    cwd: %s\n", yamlWord(p.Folder))
			}
		}
		found = append(found, units.Plural(len(programs), "program")+" with benchmarks of criterion")
	}
	if len(s.Python) > 0 {
		b.WriteString(pythonCase)
		found = append(found, "the benchmarks of pytest-benchmark in "+units.Plural(len(s.Python), "file"))
	}
	if len(packages) > 0 {
		found = append(found, vitestCases(b, packages))
	}
	b.WriteString("    # match: ^parse    # only some of them: an expression for a part of the name\n")
	return strings.Join(found, ", and ")
}

const pythonCase = `  # Benchmarks of pytest-benchmark, as they are: each test with the fixture is a case.
  - harness: pytest-benchmark
    command: [pytest]
`
