package harness

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// pytest is pytest-benchmark, the harness of Python. A benchmark is a test that uses the fixture benchmark, and its
// name is the node id. It is told a time, and chooses rounds and the iterations of a round itself.
type pytest struct{}

// pytest prints what it would set up for each test, and runs none. --collect-only would not tell which tests are
// benchmarks.
func (pytest) List() Request {
	return Request{Variables: pytestVariables, Args: []string{"--setup-plan", "-q", "-p", "no:cacheprovider"}}
}

// pytest-benchmark asks git six times for the state of the work tree whenever pytest starts, in case results are to be
// saved: that takes longer than the sample, and as each commit changes the answer, no case would ever read the same as
// its base. With the first variable git finds no repository. With the second Python leaves no __pycache__, whose files
// contain times of the tree in which they were made.
var pytestVariables = []string{"GIT_DIR=none", "PYTHONDONTWRITEBYTECODE=1"}

var (
	// pytestPlan matches the line of a test: its node id, and the fixtures that it uses, also through others.
	pytestPlan = regexp.MustCompile(`^ +(\S.*) \(fixtures used: ([^()]*)\)$`)
	// pytestFixture matches the beginning of a line of a fixture: SETUP    F data (fixtures used: benchmark).
	pytestFixture = regexp.MustCompile(`^ *(SETUP|TEARDOWN) +[A-Z] `)
)

func (pytest) Names(out Output) (names []string, err error) {
	tests := 0
	for line := range strings.Lines(string(out.Text)) {
		m := pytestPlan.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil || pytestFixture.MatchString(line) {
			continue
		}
		tests++
		if fixtures := strings.Split(m[2], ", "); slices.Contains(fixtures, "benchmark") ||
			slices.Contains(fixtures, "benchmark_weave") {
			names = append(names, m[1])
		}
	}
	if len(names) == 0 && tests > 0 {
		return nil, fmt.Errorf("none of its tests uses the fixture benchmark, of %d that use a fixture", tests)
	}
	return names, nil
}

const (
	// shortestOfPytest is how long a sample lasts at least, s: the start of pytest takes two tenths, so less would save
	// little.
	shortestOfPytest = 0.1
	// roundsOfPytest is about how many rounds a sample has, if an iteration is shorter than one.
	roundsOfPytest = 100
)

// The result is in the table that pytest-benchmark prints. For --benchmark-json it would also look at the processor,
// which takes a second. -r makes pytest print why a test has failed or was skipped, in a line, and without a cache no
// file in the tree changes.
func (pytest) Run(name string, a Amount) Request {
	length := max(a.Seconds, shortestOfPytest)
	seconds := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	return Request{Variables: pytestVariables, Args: []string{
		"-q", "-rfEs", "--color=no", "-p", "no:cacheprovider",
		"--benchmark-enable", "--benchmark-columns=median", "--benchmark-name=long",
		"--benchmark-min-rounds=1", "--benchmark-max-time=" + seconds(length), "--benchmark-min-time=" +
			seconds(length/roundsOfPytest),
		name,
	}}
}

var (
	// pytestHead matches the first line of a table, which has the unit.
	pytestHead = regexp.MustCompile(`^Name \(time in (\S+)\) +Median\b`)
	pytestRow  = regexp.MustCompile(`^(\S.*?) +([0-9][0-9,]*(?:\.[0-9]+)?)(?: \([^()]*\))?$`)
)

// pytestUnits are s.
var pytestUnits = map[string]float64{"ns": 1e-9, "us": 1e-6, "μs": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1}

// Time is the median of the rounds' times of an iteration.
func (pytest) Time(out Output, name string, _ Amount) (float64, error) {
	unit, rows := "", map[string]string{}
	for line := range strings.Lines(string(out.Text)) {
		line = strings.TrimRight(line, " \r\n")
		if m := pytestHead.FindStringSubmatch(line); m != nil {
			unit = m[1]
		} else if m := pytestRow.FindStringSubmatch(line); m != nil && unit != "" {
			rows[m[1]] = m[2]
		}
	}
	if len(rows) > 1 {
		return 0, fmt.Errorf("it ran %d benchmarks for %s: leave paths out of command:, and choose with match: instead",
			len(rows), quote(name))
	}
	if failure := pytestFailure(out.Text, name); failure != nil {
		return 0, failure
	}
	value, found := rows[name]
	switch {
	case len(bytes.TrimSpace(out.Text)) == 0:
		return 0, errNoTime(out.Text, name)
	case !found:
		return 0, fmt.Errorf("%s measured nothing: does it call the fixture benchmark?", quote(name))
	case pytestUnits[unit] == 0:
		return 0, fmt.Errorf("the time of %s has the unknown unit %s", quote(name), quote(unit))
	}
	x, err := strconv.ParseFloat(strings.ReplaceAll(value, ",", ""), 64)
	if err != nil {
		return 0, fmt.Errorf("the time of %s is no number: %s", quote(name), quote(value))
	}
	return perIteration(name, x*pytestUnits[unit], 1)
}

// pytestFailure finds the line of the summary that tells why a test has no result, nil if there is none. A skipped test
// has no name there, and the only test that runs is the one that was asked for.
func pytestFailure(out []byte, name string) error {
	for line := range bytes.Lines(out) {
		text := strings.TrimSpace(string(line))
		for _, word := range []string{"FAILED ", "ERROR "} {
			rest, found := strings.CutPrefix(text, word)
			if found && (strings.HasPrefix(rest, name) || strings.HasPrefix(name, strings.Fields(rest)[0]+"::")) {
				_, why, _ := strings.Cut(strings.TrimPrefix(rest, name), " - ")
				return &Failure{Benchmark: name, Message: cmp.Or(why, "pytest does not say why")}
			}
		}
		if rest, ok := strings.CutPrefix(text, "SKIPPED [1] "); ok {
			return &Failure{Benchmark: name, Message: rest, Skipped: true}
		}
	}
	return nil
}
