package runner

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/bench"
	"example.com/suite/peg"
	"example.com/suite/peg/pegfile"
	"example.com/suite/result"
	"example.com/suite/runner/host"
	"example.com/suite/runner/record"
	"example.com/suite/spec"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var (
	pegIn, pegOut = peg.New("in"), peg.New("out")
	pegLane       = peg.NewLane("")
)

// pegsAreOn reports whether this is a batch of the pass with pegs.
func pegsAreOn() bool {
	before := hitsOf(peg.Snapshot(), "in")
	pegLane.Hit(pegIn)
	return hitsOf(peg.Snapshot(), "in") > before
}

func hitsOf(doc *pegfile.Document, name string) uint64 {
	i := slices.IndexFunc(doc.Points, func(p pegfile.Hits) bool { return p.Name == name })
	if i < 0 {
		return 0
	}
	return doc.Points[i].Count
}

func init() {
	for name, step := range map[string]int64{"pegs/1us": 1000, "pegs/2us": 2000} {
		bench.Register(name, func(*bench.Case) bench.Loop {
			return func(n int) {
				for range n {
					pegLane.Hit(pegIn)
					if fake.Advance(step); isOld() {
						pegLane.Hit(pegIn)
					}
					pegLane.Hit(pegOut)
				}
			}
		})
	}
	for name, deed := range map[string]func(){
		"pegs/panics": func() { panic("the sky is falling") },
		"pegs/exits":  func() { os.Exit(0) },
		"pegs/tells":  func() { os.WriteFile(os.Getenv(tellsVariable), nil, 0o666); time.Sleep(time.Millisecond) },
	} {
		bench.Register(name, func(*bench.Case) bench.Loop {
			return func(n int) {
				if fake.Advance(1000 * int64(n)); pegsAreOn() {
					deed()
				}
			}
		})
	}
}

// spoilt are the changes that a pass with pegs makes to its process.
var (
	spoilt bool
	spill  []byte
)

func init() {
	bench.Register("pegs/spoils", func(*bench.Case) bench.Loop {
		return func(n int) { fake.Advance(1000 * int64(n)); spoilt = pegsAreOn() || spoilt }
	})
	bench.Register("pegs/spoilt", func(*bench.Case) bench.Loop {
		return func(n int) {
			for range n {
				if fake.Advance(1000); spoilt {
					spill = make([]byte, 100)
				}
			}
		}
	})
}

// The allocations of later cases do not include what a pass changes in its process,
// because gates judge them.
func TestAPassWithPegsComesBehindTheAllocationsOfAllCases(t *testing.T) {
	got := runCases(t, context.Background(), "fake", function("pegs/spoils", pegged()), function("pegs/spoilt"))
	for i := range got {
		if got[i].Status != result.Measured {
			t.Fatalf("%+v", got[i].Failure)
		}
	}
	if s := got[1].Summary("allocs"); s == nil || s.Median != 0 || got[0].Pegs == nil {
		t.Errorf("%+v, pegs %+v", s, got[0].Pegs)
	}
}

// Pegs that a document cannot represent are a doubt about one case, and the document
// can still be read: counts beyond 2^53, and bins that are empty in seconds.
func TestPegsThatDoNotFitTheDocument(t *testing.T) {
	t.Parallel()
	many := `{"pegs":"suite-pegs/1","clock":"x","residue":0,"cost":0,"points":[],"arcs":[{"from":"a","to":"b","count":9007199254740991,"sum":9007199254740991,"min":1,"max":1,"squares":0,"histogram":[[1,2,1],[2,3,9007199254740990]]}],"end":true}`
	narrow := `{"pegs":"suite-pegs/1","clock":"x","residue":0,"cost":0,"points":[],"arcs":[{"from":"a","to":"c","count":1,"sum":0,"min":0,"max":0,"squares":0,"histogram":[[0,1e-320,1]]}],"end":true}`
	write := func(text string) []string {
		return []string{"sh", "-c", `[ -z "$SUITE_PEGS" ] || printf %s '` + text + `' > "$SUITE_PEGS"`}
	}
	plan := &spec.Plan{Suite: "test", Dir: t.TempDir(), OnInconclusive: "list", File: "test.yaml", Cases: []spec.Case{program("many", write(strings.Repeat(many, 3)), pegged(), samples(6)), program("narrow", write(narrow), pegged(), samples(6))}}
	doc := Run(context.Background(), []*spec.Plan{plan}, Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, "fake")})
	valid(t, doc)
	for i := range doc.Cases {
		if c := &doc.Cases[i]; c.Pegs != nil || !strings.HasPrefix(warningOf(c, "no-pegs"), `the arcs are not valid: arc "a" → `) {
			t.Errorf("%s: %+v, %+v", c.Name, c.Pegs, c.Warnings)
		}
	}
}

// tellsVariable names a file that exists while a pass with pegs is running.
const tellsVariable = "SUITE_TEST_TELLS"

func pegged(points ...string) func(*spec.Case) {
	return func(c *spec.Case) { c.Pegs, c.PegPoints = true, points }
}

// arcOf finds an arc, with a count of 0 if there is none.
func arcOf(p *result.Pegs, from, to string) (a result.Arc) {
	if p != nil {
		for _, a := range p.Arcs {
			if a.From == from && a.To == to {
				return a
			}
		}
	}
	return a
}

func warningOf(c *result.Case, code result.WarningCode) string {
	for _, w := range c.Warnings {
		if w.Code == code {
			return w.Message
		}
	}
	return ""
}

// The arcs of a case and of its base come from batches of as many iterations, and as
// many of them; a case that does not ask for them has none.
func TestPegsOfACaseAndItsBase(t *testing.T) {
	t.Parallel()
	got := runCases(t, context.Background(), "fake", function("pegs/1us"), function("pegs/2us", pegged(), basedOn("pegs/1us")))
	if got[0].Pegs != nil || got[0].BasePegs != nil || got[0].Status != result.Measured {
		t.Errorf("the base as a case: %+v, %+v", got[0].Pegs, got[0].Failure)
	}
	c := &got[1]
	if c.Pegs == nil || c.BasePegs == nil {
		t.Fatalf("%+v, %+v, warnings %+v", c.Pegs, c.BasePegs, c.Warnings)
	}
	for _, p := range []*result.Pegs{c.Pegs, c.BasePegs} {
		if n := p.Iterations; n%c.Iterations != 0 || n < 1000 || arcOf(p, "in", "out").Count != n || arcOf(p, "in", "in").Count != 0 || p.Truncated || p.Problems != nil {
			t.Errorf("%+v, of batches of %d", p, c.Iterations)
		}
	}
	if c.Pegs.Iterations != c.BasePegs.Iterations || c.BasePegs.Seconds > 0.6*c.Pegs.Seconds {
		t.Errorf("%d iterations in %g s, of the base %d in %g s", c.Pegs.Iterations, c.Pegs.Seconds, c.BasePegs.Iterations, c.BasePegs.Seconds)
	}
}

func TestPegsOfTwoTrees(t *testing.T) {
	t.Parallel()
	c := runTrees(t, against(function("pegs/1us", pegged(), samples(30))))[0]
	if a, b := arcOf(c.Pegs, "in", "in").Count, arcOf(c.BasePegs, "in", "in").Count; a != 0 || b == 0 || b != c.Pegs.Iterations || c.Pegs.Iterations != c.BasePegs.Iterations {
		t.Errorf("%d and %d arcs, pegs %+v, warnings %+v", a, b, c.Pegs, c.Warnings)
	}
}

// The arcs of commands come from the runs in the pass: warm-up and samples write
// none.
func TestPegsOfCommands(t *testing.T) {
	t.Parallel()
	say := func(count int) []string {
		return []string{"sh", "-c", fmt.Sprintf(`echo "${SUITE_PEGS+set}" >> "$SAID"; [ -z "$SUITE_PEGS" ] || for i in $(seq %d); do printf 'a\tb\t1000\n'; done > "$SUITE_PEGS"`, count)}
	}
	said := filepath.Join(t.TempDir(), "said")
	env := func(c *spec.Case) { c.Env = []string{"SAID=" + said} }
	got := runCases(t, context.Background(), "fake", program("base", say(1)), program("case", say(2), pegged(), basedOn("base"), samples(6), env))
	c := &got[1]
	if a, b := arcOf(c.Pegs, "a", "b"), arcOf(c.BasePegs, "a", "b"); a.Count != 2*c.Pegs.Iterations || b.Count != c.Pegs.Iterations || c.Pegs.Iterations < 1 || c.Pegs.Iterations > 5 || a.Mean != 1e-6 {
		t.Errorf("%+v, %+v, warnings %+v", c.Pegs, c.BasePegs, c.Warnings)
	}
	inPairs := 0 // passes; there are none if noise did not make the two differ
	if c.PegPairs != nil {
		inPairs = len(c.PegPairs.Case)
	}
	text, err := os.ReadFile(said)
	if err != nil || strings.Count(string(text), "set\n") != int(c.Pegs.Iterations)+inPairs || strings.Count(string(text), "\n") < int(c.Pegs.Iterations)+6 {
		t.Errorf("%d runs in the pass, said: %q, %v", c.Pegs.Iterations, text, err)
	}
}

// A pass that goes wrong is a doubt, and costs neither its case nor others.
func TestAPassWithPegsThatGoesWrongIsADoubt(t *testing.T) {
	t.Parallel()
	got := runCases(t, context.Background(), "fake", function("pegs/panics", pegged()), function("pegs/exits", pegged()),
		function("pegs/1us", pegged()), function("fake/4ns", pegged()), program("true", []string{"true"}, pegged(), samples(6)),
		program("false", []string{"sh", "-c", `[ -z "$SUITE_PEGS" ]`}, pegged(), samples(6)))
	for i, want := range []string{"the pass with pegs failed: panic: the sky is falling", "the pass with pegs failed: ", "",
		"no point was hit", "the program wrote no pegs", "the pass with pegs failed: exit status 1"} {
		c := &got[i]
		if c.Status != result.Measured || c.Failure != nil || (c.Pegs == nil) != (want != "") || !strings.HasPrefix(warningOf(c, "no-pegs"), want) || (want == "") != (warningOf(c, "no-pegs") == "") {
			t.Errorf("%s: %s, %+v, pegs %v, warnings %+v", c.Name, c.Status, c.Failure, c.Pegs, c.Warnings)
		}
	}
}

// A misspelt name is reported with the nearest one: both for a program that follows
// PointsVariable, which is run once more, and for one that writes all points.
func TestPointsThatAreNeverHitAreTold(t *testing.T) {
	lines := []string{"sh", "-c", `[ -z "$SUITE_PEGS" ] || printf 'in\tout\t1000\n' > "$SUITE_PEGS"`}
	got := runCases(t, context.Background(), "fake", function("pegs/1us", pegged("in", "otu")), function("pegs/2us", pegged("elsewhere")),
		program("lines", lines, pegged("in", "outt"), samples(6)))
	for i, want := range []string{`point "otu" was never hit: did you mean "out"?`, `point "elsewhere" was never hit, there are "in", "out"`, `point "outt" was never hit: did you mean "out"?`} {
		c := &got[i]
		code, problems := result.WarningCode("pegs"), []string{want}
		if i == 1 {
			code = "no-pegs"
		} else if !reflect.DeepEqual(c.Pegs.Problems, problems) {
			t.Errorf("%s: problems %q", c.Name, c.Pegs.Problems)
		}
		if warningOf(c, code) != want || (c.Pegs == nil) != (i == 1) {
			t.Errorf("%s: pegs %v, warnings %+v", c.Name, c.Pegs, c.Warnings)
		}
	}
	if got[0].Pegs.Points[0].Name != "in" || len(got[0].Pegs.Points) != 1 {
		t.Errorf("points %+v", got[0].Pegs.Points)
	}
}

// An interrupt in the pass costs the arcs and nothing else.
func TestAnInterruptedPassHasNoPegs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "running")
	t.Setenv(tellsVariable, file)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(file); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	few := func(c *spec.Case) { c.Settings.Batch = 1 }
	c := runCases(t, ctx, "fake", function("pegs/tells", pegged(), few, samples(20)))[0]
	if ctx.Err() == nil || c.Status != result.Measured || c.Pegs != nil || warningOf(&c, "no-pegs") != "" {
		t.Errorf("%s, %+v, pegs %+v, warnings %+v", c.Status, c.Failure, c.Pegs, c.Warnings)
	}
}

// A run that is resumed after any line of the journal (the test tries every third) has the
// arcs too, and the arcs of a finished case have not changed.
func TestAJournalKeepsPegs(t *testing.T) {
	t.Parallel()
	some := samples(25)
	lines := []string{"sh", "-c", `[ -z "$SUITE_PEGS" ] || printf 'in\tout\t1000\n' > "$SUITE_PEGS"`}
	plans := []*spec.Plan{{Suite: "pegs", File: "pegs.yaml", Dir: t.TempDir(), Hash: "1", OnInconclusive: "list", Cases: []spec.Case{
		function("pegs/1us", some, pegged()), function("pegs/2us", some, pegged("in", "uot"), basedOn("pegs/1us")), program("lines", lines, samples(6), pegged())}}}
	o, dir := journalOptions(t), t.TempDir()
	whole, text := runJournalled(t, context.Background(), plans, o, filepath.Join(dir, "whole"), false)
	valid(t, whole)
	var prefix []byte
	for i, line := range bytes.SplitAfter(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) {
		prefix = append(prefix, line...)
		if i%5 != 0 {
			continue
		}
		path := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(path, prefix, 0o600); err != nil {
			t.Fatal(err)
		}
		had, _, _, err := record.Read(bytes.NewReader(prefix), nil)
		if err != nil {
			t.Fatal(err)
		}
		doc, _ := runJournalled(t, context.Background(), plans, o, path, true)
		valid(t, doc)
		for i := range doc.Cases {
			c := &doc.Cases[i]
			if n := arcOf(c.Pegs, "in", "out").Count; n == 0 && c.Name != "pegs/2us" || c.Pegs == nil || (c.BasePegs == nil) != (c.Pairs == nil) {
				t.Errorf("%s: pegs %+v, of the base %+v", c.Name, c.Pegs, c.BasePegs)
			}
			if p := had.Cases[record.KeyOf(c)]; p != nil && p.Final != nil {
				if diff := cmp.Diff(p.Final, c, cmpopts.EquateNaNs(), cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(result.Samples{})); diff != "" {
					t.Error(diff)
				}
			}
		}
	}
}
