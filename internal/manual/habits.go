package manual

import (
	"fmt"
	"strings"

	"example.com/suite/internal/diag"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// habits are flags of other tools, and none of suite run, with what does the same there.
// The comments name the tools.
var habits = map[string]string{
	// go test
	"bench": "--only '*Parse*' chooses cases by their names",
	"benchtime": "--target-time 3s is the measured time of a case; --set benchtime=100x sets one sample of a " +
		"benchmark of go test",
	"benchmem":     "allocs and heap are always measured; --columns allocs.max shows them",
	"count":        "suite takes as many samples as a verdict needs; --runs 20 takes exactly so many",
	"cpu":          "cpu: [1, 4] in the suite file",
	"list":         "suite list FILE",
	"parallel":     "parallel: 4 in the suite file",
	"run":          "--only '*Parse*' chooses cases by their names",
	"v":            "progress is written to standard error; suite explain describes a verdict",
	"short":        "--max-time 1s ends every case after a second",
	"cpuprofile":   "go test -cpuprofile writes one; suite only measures",
	"memprofile":   "go test -memprofile writes one; suite only measures",
	"failfast":     "all cases are measured: one run shows all that is slower",
	"race":         "toolchain: {flags: [-race]} in the suite file",
	"tags":         "--tag chooses cases; tags of a build are toolchain: {tags: […]} in the suite file",
	"alpha":        "errors: {family: 1%} in the suite file",
	"delta-test":   "every comparison is decided by counting pairs: docs/method.md",
	"filter":       "--only NAME and --skip NAME choose cases, * matches any text",
	"exclude":      "--skip NAME leaves cases out",
	"repeat":       "--runs 20",
	"iterations":   "--runs 20",
	"samples":      "--runs 20, or --set samples.min=20",
	"duration":     "--target-time 3s is the measured time of a case",
	"time":         "--target-time 3s is the measured time of a case",
	"max-duration": "--max-time 10s ends each case; budget: 10m in the suite file bounds the run",
	"budget":       "budget: 10m in the suite file bounds the run; --max-time 5s bounds each case",
	// hyperfine
	"input":  "--stdin FILE",
	"output": "--stdout FILE is what the commands write; --out FORMAT=FILE is a report",
	"show-output": "there is none, because a terminal would be measured; --stdout FILE keeps what the " +
		"commands print",
	"export-json":           "--out hyperfine=FILE is the same format; --out json=FILE has everything",
	"export-csv":            "--out csv-summary=FILE",
	"export-markdown":       "--out markdown=FILE",
	"export-asciidoc":       "--out markdown=FILE, which others convert",
	"export-orgmode":        "--out markdown=FILE, which others convert",
	"parameter-list":        "--matrix n=a,b,c",
	"parameter-scan":        "--matrix n=1..8",
	"parameter-step-size":   "--matrix n=0..1+0.25",
	"min-runs":              "--set samples.min=10",
	"max-runs":              "--set samples.max=50",
	"reference":             "the first command is the reference",
	"reference-name":        "--name names the commands, in their order",
	"command-name":          "--name NAME",
	"style":                 "--quiet prints no progress, and NO_COLOR=1 in the environment turns colours off",
	"time-unit":             "the unit follows the value",
	"min-benchmarking-time": "--target-time 3s",
	"N":                     "without --shell there is no shell",
	"L":                     "--matrix n=a,b,c",
	"P":                     "--matrix n=1..8",
	"D":                     "--matrix n=0..1+0.25",
	"S":                     "--shell, or suite run -- bash -c '…'",
	"m":                     "--set samples.min=10",
	"M":                     "--set samples.max=50",
	"u":                     "the unit follows the value",
	// others
	"dry-run":        "suite check --plan FILE prints what a run would do",
	"plan":           "suite check --plan FILE prints what a run would do",
	"baseline":       "--against REV compares with another revision, and base: NAME in a suite file with another case",
	"base":           "--against REV compares with another revision, and base: NAME in a suite file with another case",
	"compare":        "--against REV compares with another revision",
	"save-baseline":  "--out json=base.json saves a result; --against main needs none",
	"tolerance":      "tolerance: 5% in the suite file, or --set tolerance=5%",
	"threshold":      "tolerance: 5% in the suite file, or --set tolerance=5%",
	"fail-threshold": "tolerance: 5% in the suite file, or --set tolerance=5%",
	"max-regression": "tolerance: 5% in the suite file, or --set tolerance=5%",
	"fail-on":        "a gate that fails makes the exit status 1: tolerance: 5% or expect: … in the suite file",
	"expect": "gates are in suite files: --write bench.yaml writes one of the commands, and expect: " +
		"adds a gate",
	"gate":     "gates are in suite files: expect: time.median < 2ms",
	"gates":    "gates are in suite files: expect: time.median < 2ms",
	"assert":   "gates are in suite files: expect: time.median < 2ms",
	"json":     "--format json, or --out json=FILE in addition to the table",
	"junit":    "--out junit=report.xml",
	"html":     "--out html=report.html",
	"markdown": "--out markdown=report.md",
	"csv":      "--out csv=times.csv",
	"report":   "--out FORMAT=FILE, such as --out html=report.html",
	"color":    "NO_COLOR=1 in the environment turns colours off; without a terminal there are none",
	"no-color": "NO_COLOR=1 in the environment turns colours off; without a terminal there are none",
	"colour":   "NO_COLOR=1 in the environment turns colours off; without a terminal there are none",
	"verbose":  "progress is written to standard error; suite explain describes a verdict",
	"silent":   "--quiet",
	"file":     "suite run FILE",
	"config":   "suite run FILE",
	"f":        "suite run FILE",
	"jobs":     "suite measures one thing at a time, because two would disturb each other",
	"j":        "suite measures one thing at a time, because two would disturb each other",
	"force":    "nothing is replaced: move the file away first",
}

// HabitHint is the hint for a flag that a command does not have: for suite run, what does
// the same. It is empty if nothing is known.
func HabitHint(c *cobra.Command, name string) string {
	switch {
	case name == "json" && c.Name() != "run" && c.Flags().Lookup("format") != nil:
		return "--format json"
	case c.Name() == "run" || c.Name() == "check" && name != "plan":
		return habits[name]
	case c.Name() == "init" && (name == "force" || name == "dry-run"):
		return "suite init runs nothing, and never replaces a file: move it away first"
	}
	return ""
}

// SingleDash finds a long flag that was written with one dash, as Go programs have them.
// Otherwise -count would be read as -c with the value "ount". Words after -- are
// arguments, and so is the value of the flag before it.
func SingleDash(c *cobra.Command, args []string) error {
	for i, arg := range args {
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		switch {
		case arg == "--":
			return nil
		case len(name) < 3 || name == arg || name[0] == '-' || i > 0 && takesValue(c, args[i-1]):
			continue
		case c.Flags().Lookup(name) != nil && habits[name] == "":
			return diag.Hinted(fmt.Sprintf("unknown flag -%s", name), fmt.Sprintf("did you mean --%s?", name))
		case HabitHint(c, name) != "":
			return diag.Hinted(fmt.Sprintf("unknown flag -%s", name), HabitHint(c, name))
		}
	}
	return nil
}

// FirstWord returns the index of the first argument in front of a -- that is neither a flag
// nor its value, -1 if there is none.
func FirstWord(c *cobra.Command, args []string) int {
	for i, arg := range args {
		switch {
		case arg == "--":
			return -1
		case !strings.HasPrefix(arg, "-") && (i == 0 || !takesValue(c, args[i-1])):
			return i
		}
	}
	return -1
}

// takesValue reports whether a word is a flag whose value is the next word.
func takesValue(c *cobra.Command, word string) bool {
	var f *pflag.Flag
	switch {
	case strings.Contains(word, "="):
	case strings.HasPrefix(word, "--"):
		f = c.Flags().Lookup(word[2:])
	case len(word) == 2 && word[0] == '-':
		f = c.Flags().ShorthandLookup(word[1:])
	}
	return f != nil && f.NoOptDefVal == ""
}

// OtherCommand returns what does the same as a command of another tool, "" if nothing is known of it.
func OtherCommand(name string) string { return otherCommands[name] }

// otherCommands are what other tools call a command, with what does the same.
var otherCommands = map[string]string{
	"bench": "suite run FILE", "benchmark": "suite run FILE", "exec": "suite run -- COMMAND",
	"measure": "suite run FILE",
	"start":   "suite run FILE", "test": "suite run FILE", "time": "suite run -- COMMAND",
	"diff":    "suite run --against REV FILE, or suite compare OLD.json NEW.json",
	"against": "suite run --against REV FILE",
	"create":  "suite init", "new": "suite init", "setup": "suite init",
	"lint": "suite check FILE", "validate": "suite check FILE", "plan": "suite check --plan FILE",
	"show": "suite report", "join": "suite merge SHARD.json…, or suite report A.json B.json",
	"combine": "suite merge SHARD.json…", "html": "suite report --out html=FILE", "upload": "suite push URL",
	"send": "suite push URL",
}
