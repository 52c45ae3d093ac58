package host

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/suite/peg/pegfile"
	"example.com/suite/runner/host/wire"
)

// pass takes the pass with pegs of a command, and sees that nothing of it stays.
func pass(t *testing.T, c wire.Command, change ...func(*wire.Request)) *wire.Response {
	t.Helper()
	h := commander(t)
	id := ask(t, h, wire.Request{Op: "prepare", Command: &c}).Prepared.ID
	return passOf(t, h, id, change...)
}

func passOf(t *testing.T, h *Host, id int, change ...func(*wire.Request)) *wire.Response {
	t.Helper()
	r := wire.Request{Op: "pegs", ID: id, N: 1, Runs: 2, Limit: 100 * second, Folder: t.TempDir()}
	for _, f := range change {
		f(&r)
	}
	response := h.answer(&r)
	if left, _ := os.ReadDir(r.Folder); len(left) > 0 {
		t.Errorf("left behind: %s", left[0].Name())
	}
	return response
}

func TestPegsOfRunsAreAddedUp(t *testing.T) {
	response := pass(t, script(t, `printf 'a\tb\t1000\n' > $SUITE_PEGS; printf 'b\tc\t500\n' > $SUITE_PEGS.child`))
	p := response.Pegged
	if response.Failure != nil || p.Batches != 2 || p.Iterations != 2 || p.Elapsed <= 0 {
		t.Fatalf("%+v, %+v", p, response.Failure)
	}
	arcs := p.Document.Arcs
	if len(arcs) != 2 || arcs[0].From != "a" || arcs[0].Count != 2 || arcs[0].Sum != 2000 || arcs[1].To != "c" || !slices.Equal(p.Known, []string{"a", "b", "c"}) {
		t.Errorf("%+v, known %q", arcs, p.Known)
	}
}

// The variables are set for the runs of the pass: hooks and runs of samples have
// neither, whatever is in the environment of suite or of the case.
func TestVariablesOfPegsAreOfThePassAlone(t *testing.T) {
	t.Setenv(pegfile.Variable, "/dev/null")
	t.Setenv(pegfile.PointsVariable, "x")
	const say = `echo "$0 ${SUITE_PEGS+set} ${SUITE_PEGS_POINTS-unset}" >> said`
	c := script(t, "", func(c *wire.Command) {
		c.Env = []string{pegfile.Variable + "=/dev/zero"}
		c.Argv = []string{"sh", "-c", say, "run"}
		c.Prepare, c.Conclude = []string{"sh", "-c", say, "prepare"}, []string{"sh", "-c", say, "conclude"}
	})
	h := commander(t)
	id := ask(t, h, wire.Request{Op: "prepare", Command: &c}).Prepared.ID
	sample := wire.Request{Op: "run", Limit: second, Batches: []wire.Batch{{ID: id, N: 1}}}
	ask(t, h, sample)
	passOf(t, h, id, func(r *wire.Request) { r.Runs, r.Pegs = 1, []string{"parse", "emit all"} })
	ask(t, h, sample)
	plain, pegs := "prepare  unset\nrun  unset\nconclude  unset\n", "prepare  unset\nrun set parse,emit all\nconclude  unset\n"
	if said := text(t, filepath.Join(c.Dir, "said")); said != plain+pegs+plain {
		t.Error(said)
	}
}

// If a program writes all of its points, only the wanted ones are kept, and the names
// of all are reported.
func TestPointsThatAreNotWantedAreLeftOut(t *testing.T) {
	p := pass(t, script(t, `printf 'a\tb\t1000\nb\tc\t500\n' > $SUITE_PEGS`), func(r *wire.Request) { r.Pegs = []string{"a", "b"} }).Pegged
	if len(p.Document.Arcs) != 1 || len(p.Document.Points) != 2 || len(p.Known) != 3 {
		t.Errorf("%+v, known %q", p.Document, p.Known)
	}
}

func TestRunsOfAPassWithPegsEnd(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*wire.Request)
		want   int
	}{
		"five at most":  {func(r *wire.Request) { r.Runs, r.Goal = 0, 100*second }, mostPegRuns},
		"one at least":  {func(r *wire.Request) { r.Runs, r.Goal, r.Limit = 0, 1, 1 }, 1},
		"as many as":    {func(r *wire.Request) { r.Runs = 3 }, 3},
		"until a limit": {func(r *wire.Request) { r.Runs, r.Limit = 3, 1 }, 1},
	} {
		if p := pass(t, script(t, "true"), test.change).Pegged; p.Batches != test.want || p.Document != nil {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

// Runs that are void count for nothing, neither does what they have written.
func TestVoidRunsHaveNoPegs(t *testing.T) {
	rejects := func(c *wire.Command) { c.Reject = []int{75} }
	p := pass(t, script(t, `echo x >> runs; printf 'a\tb\t1000\n' > $SUITE_PEGS; [ $(wc -l < runs) -ne 2 ] || exit 75`, rejects)).Pegged
	if p.Batches != 2 || p.Document.Arcs[0].Count != 2 {
		t.Errorf("%+v", p)
	}
	failure := pass(t, script(t, "exit 75", rejects)).Failure
	if failure == nil || failure.Message != "no run counted, all were declared void" {
		t.Errorf("%+v", failure)
	}
}

func TestRunsWithPegsThatFailAreTold(t *testing.T) {
	for body, want := range map[string]string{
		"exit 3":                                 "exit status 3",
		"printf 'a\\tb\\tsoon\\n' > $SUITE_PEGS": `pegs:1:1: "soon" is no time in nanoseconds; from<TAB>to<TAB>nanoseconds, docs/pegs.md`,
		`echo '{"pegs":"suite-pegs/9"}' > $SUITE_PEGS`: `pegs:1:1: a document of the version "suite-pegs/9"; this suite reads "suite-pegs/1"`,
	} {
		if failure := pass(t, script(t, body)).Failure; failure == nil || failure.Phase != "pegs" || failure.Message != want {
			t.Errorf("%s: %+v", body, failure)
		}
	}
	failure := pass(t, script(t, "sleep 100", func(c *wire.Command) { c.Timeout = 50 * ms })).Failure
	if failure == nil || failure.Cause != "timeout" {
		t.Errorf("%+v", failure)
	}
	if failure = pass(t, script(t, "true"), func(r *wire.Request) { r.Folder = "/nonexistent" }).Failure; failure == nil || !strings.Contains(failure.Message, "/nonexistent") {
		t.Errorf("%+v", failure)
	}
}

// Package testing begins with one iteration of its own.
func TestPegsOfATestBinary(t *testing.T) {
	h, g := testBinary(t, `echo "BenchmarkX-2 $n 5000 ns/op"; printf "a\tb\t$n\n" > $SUITE_PEGS`, func(g *wire.GoTest) { g.N = 7 })
	id := prepared(t, h, g)
	for n, want := range map[int]int64{1: 2, 7: 16} {
		p := passOf(t, h, id, func(r *wire.Request) { r.N = n }).Pegged
		if p.Iterations != want || p.Elapsed != 5000*want || p.Document.Arcs[0].Sum != float64(2*n) {
			t.Errorf("%d iterations: %+v", n, p)
		}
	}
}
