package scaffold

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"example.com/suite/internal/units"
)

// Ending is the end of the name of a suite file.
const Ending = ".suite.yaml"

// SuiteFile writes a suite file for what the survey found, and a phrase that describes
// what it measures. The file can be run as it is. If nothing can be measured it
// contains an example.
func (s *Survey) SuiteFile() (file File, measures string) {
	var b strings.Builder
	fmt.Fprintf(&b, head, s.Name, s.Name+Ending, yamlWord(s.Name))
	measures = s.build(&b)
	return File{Path: s.Name + Ending, Text: b.String()}, measures
}

// head is the beginning of a suite file. The tolerance is a comment, because the default is
// good for most.
const head = `# Benchmarks of %s, for suite. ` + "`suite init`" + ` wrote this file once, and it is yours to change.
# suite check --plan %s    shows each case with its settings
suite: %s

# tolerance: 5%%            # --against fails a case that is slower by more than this; 3%% if not set

defaults:
  target_time: 300ms      # measured time of a case; 1s, the default, shows smaller differences

`

// build writes the rest of the file: what builds the programs, and the benchmarks.
func (s *Survey) build(b *strings.Builder) (measures string) {
	recipe, hasRecipe := s.recipe()
	switch {
	case len(s.Packages) > 0:
		b.WriteString("benchmarks:\n")
		measures = s.goTests(b)
		s.excluded(b)
		s.commented(b, s.Benchmarks)
		return measures
	case len(s.Google)+len(s.Catch) > 0:
		return s.cmakePrograms(b)
	case len(s.Criterion)+len(s.Python) > 0 || len(s.vitest()) > 0:
		return s.harnessed(b)
	case len(s.JavaScript) > 0:
		return s.nodeScripts(b)
	case len(s.Benchmarks) > 0:
		b.WriteString("benchmarks:\n")
		for _, file := range first(s.Benchmarks) {
			writeScript(b, "./"+file)
		}
		s.excluded(b)
		s.commented(b, s.Benchmarks[len(first(s.Benchmarks)):], s.Scripts)
		return units.Plural(len(first(s.Benchmarks)), "benchmark script")
	case hasRecipe:
		b.WriteString(recipe.build() + "benchmarks:\n")
		fmt.Fprintf(b, recipeCase, yamlWord(path.Base(recipe.Program)), recipe.command(), recipe.Target)
		others := slices.DeleteFunc(slices.Clone(s.Programs), func(file string) bool { return file == recipe.Program })
		s.commented(b, others, s.Scripts)
		return "what make " + recipe.Target + " runs"
	case len(s.Programs) > 0:
		b.WriteString(builders[s.Make])
		b.WriteString("benchmarks:\n")
		for _, file := range first(s.Programs) {
			fmt.Fprintf(b, programCase, yamlWord(path.Base(file)), yamlWord("./"+file))
		}
		s.commented(b, s.Programs[len(first(s.Programs)):], s.Scripts)
		return units.Plural(len(first(s.Programs)), "program") +
			", started with --version: write arguments of your own there"
	case len(s.Targets) > 0:
		b.WriteString("benchmarks:\n")
		fmt.Fprintf(b, makeCase, yamlWord("make "+s.Targets[0]), yamlWord(s.Targets[0]))
		s.commented(b, s.Scripts)
		return "make " + s.Targets[0]
	}
	measures = "an example, as nothing was found that is safe to run"
	if s.Make != "" {
		b.WriteString(commentedOut(builders[s.Make]))
		measures = "an example, as no program is built here yet; build it, remove this file, and suite init finds it"
	}
	if len(s.Excluded) > 0 {
		measures = "an example, as the benchmarks of go test here are built with tags only"
	}
	if len(s.Loose) > 0 {
		measures = "an example, as the benchmarks of go test here are in no module: run go mod init, remove this file, " +
			"and suite init finds them"
	}
	b.WriteString(exampleCases)
	s.excluded(b)
	s.commented(b, s.Scripts)
	return measures
}

// mostCases bounds the scripts or programs that become cases, mostNamesShown the functions in a
// comment, and mostPackages the packages that have entries of their own.
const (
	mostCases      = 3
	mostNamesShown = 4
	mostPackages   = 8
)

func first(files []string) []string { return files[:min(len(files), mostCases)] }

// goTests writes an entry for each package with benchmarks, or one for all of many packages.
func (s *Survey) goTests(b *strings.Builder) string {
	n := 0
	for _, p := range s.Packages {
		n += len(p.Names)
	}
	b.WriteString("  # Benchmarks of go test, as they are: every function and sub-benchmark is a case.\n")
	if len(s.Packages) > mostPackages {
		for _, module := range s.modules() {
			fmt.Fprintf(b, "  - gotest: %s\n", yamlWord(module+"/..."))
		}
	} else {
		b.WriteString("  # A package that gets its first one later needs a line of its own; ./... takes all.\n")
		for _, p := range s.Packages {
			names := units.List(p.Names, mostNamesShown)
			if names != "" {
				names = "    # " + names
			}
			fmt.Fprintf(b, "  - gotest: %s%s\n", yamlWord(p.Path), names)
		}
	}
	b.WriteString(goTestKeys)
	return units.Plural(n, "benchmark function") + " of go test in " + units.Plural(len(s.Packages), "package")
}

// modules lists the folders of the modules that contain the packages.
func (s *Survey) modules() (all []string) {
	for _, p := range s.Packages {
		all = append(all, p.Module)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// excluded lists benchmarks that only build tags include, or that are in other modules, as comments: a build with tags
// that nobody asked for may need a database, modules of examples or comparisons may need many others, and outside of a
// module go builds none.
func (s *Survey) excluded(b *strings.Builder) {
	commentedPackages(b, s.Excluded,
		"These are built with tags only, which the key toolchain: {tags: [TAG]} at the top of this file sets:")
	commentedPackages(b, s.Nested, "These are in modules of their own, and not measured yet:")
	commentedPackages(b, s.Loose, "go test needs a module (go mod init NAME makes one), and these are in none:")
}

func commentedPackages(b *strings.Builder, packages []GoPackage, why string) {
	if len(packages) > 0 {
		fmt.Fprintf(b, "\n  # %s\n", why)
	}
	for _, p := range packages[:min(len(packages), mostPackages)] {
		fmt.Fprintf(b, "  # - gotest: %s    # %s\n", yamlWord(p.Path), units.List(p.Names, mostNamesShown))
	}
}

// The gate is listed if it is undecided, because the allocations of some benchmarks vary from
// launch to launch, and an undecided gate would end a run with 4.
const goTestKeys = `    # match: Parse/small    # only some of them, as for go test -bench
    # expect: [{expr: "not worse(allocs, 0%)", on_inconclusive: list}]    # a gate: --against fails a case that allocates more
`

const programCase = `  - name: %s
    command: [%s, --version]    # replace --version by what users do; stdin: FILE is its input
    timeout: 10s
`

const scriptCase = `  - name: %s
    command: %s
    timeout: 10m
    max_time: 1m    # it may take long: fewer runs
    samples: {min: 5}
`

const makeCase = `  - name: %s
    command: [make, %s]
    timeout: 10m
    max_time: 1m    # it may take long: fewer runs
    samples: {min: 5}
`

func writeScript(b *strings.Builder, file string) {
	fmt.Fprintf(b, scriptCase, yamlWord(path.Base(file)), "["+yamlWord(file)+"]")
}

// exampleCases is measured if there is nothing else, so that the file can be run at once.
const exampleCases = `benchmarks:
  # An example. Replace it by a program of yours: command: ./tool --flag input.txt
  - name: sort ${lines} lines
    shell: seq ${lines} | sort -r | sort -n
    matrix: {lines: [100, 10000]}    # a case for each value
    expect: time.median < 2s         # a gate
`

// builders are the lines that build programs, by Survey.Make.
var builders = map[string]string{
	"make":  fmt.Sprintf(buildLine, "make"),
	"cargo": fmt.Sprintf(buildLine, "cargo, build, --release"),
}

const buildLine = "build: [%s]    # runs before anything is measured, with --against in the other tree too\n\n"

func commentedOut(text string) string { return "# " + text }

// commented lists files that might be measured as well. Nobody knows what they do, so they are
// comments.
func (s *Survey) commented(b *strings.Builder, lists ...[]string) {
	begun := false
	for _, files := range lists {
		for _, file := range first(files) {
			if !begun {
				b.WriteString("\n  # These may be of interest too, if they can be run many times:\n")
				begun = true
			}
			fmt.Fprintf(b, "  # - command: [%s]\n", yamlWord("./"+file))
		}
	}
}

// yamlWord writes a text as a scalar that YAML reads as this text, also within [].
func yamlWord(text string) string {
	if plainWord(text) {
		return text
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "${", "$${", "\n", `\n`, "\t", `\t`).Replace(text) + `"`
}

// plainWord reports whether YAML takes a text as a string without quotes. A name of digits would
// be a number, and true a boolean.
func plainWord(text string) bool {
	letter := false
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
			letter = true
		case r >= '0' && r <= '9', strings.ContainsRune("._-/ ", r):
		default:
			return false
		}
	}
	switch strings.ToLower(text) {
	case "true", "false", "yes", "no", "on", "off", "null", "y", "n":
		return false
	}
	return letter && !strings.ContainsAny(text[:1], "- 0123456789") && !strings.HasSuffix(text, " ") || text == "."
}
