package bisect

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/suite/internal/tree"
	"example.com/suite/report/page/text"
	"example.com/suite/schemas"
	"example.com/suite/schemas/schematest"
	"example.com/suite/stats"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The comparisons of a search are those of a binary one, and the pair in the end.
func TestStepsAreBinary(t *testing.T) {
	line, times := planted(one(37, 0.7))
	d := searched(t, optionsOf(line, on(times, 1)))
	var steps []string
	for _, s := range d.Steps {
		steps = append(steps, fmt.Sprintf("%s %s-%s %s", s.Purpose, s.Candidate, s.Base, s.Side))
	}
	want := []string{"ends 64-0 above", "middle 32-0 below", "middle 48-0 above", "middle 40-0 above", "middle 36-0 below", "middle 38-0 above", "middle 37-0 above", "pair 37-36 above"}
	if diff := cmp.Diff(want, steps); diff != "" {
		t.Error(diff)
	}
	if d.only() != "37" || d.Exit != 0 || d.Status() != 0 || d.Confidence < 0.99 || d.Confidence >= 1 {
		t.Errorf("%s %q, confidence %v", d.Outcome, d.only(), d.Confidence)
	}
}

// The errors of all comparisons together never exceed the error of the search, however many
// there are.
func TestTheErrorIsNeverExceeded(t *testing.T) {
	s := spending{Spending: stats.Spending{Error: 0.01, Usual: usual(64)}}
	if s.Usual != 8 {
		t.Fatalf("a search of 64 commits takes %d comparisons, want 8", s.Usual)
	}
	sum, first := 0.0, 0.0
	for i := range 1000 {
		if sum += s.next(); i == 7 {
			first = sum
		}
	}
	if math.Abs(first-0.005) > 1e-12 || sum > 0.01+1e-12 {
		t.Errorf("the first 8 share %v, all %v", first, sum)
	}
}

// A limit is decided as soon as all bounds are on one side of it, worked out by hand: at
// α = 1 % each way, nine equal signs decide (stats.FirstVerdict).
func TestJudge(t *testing.T) {
	q := Question{Low: math.Log(1.1), High: math.Log(1.2), Alpha: 0.02}
	logs := slices.Repeat([]float64{math.Log(1.5)}, 8)
	if a := q.Judge(logs); a.Low != nil || q.Side(a).String() != "undecided" || a.Launches != 8 {
		t.Errorf("after eight: %+v", a)
	}
	logs = append(logs, math.Log(1.15))
	a := q.Judge(logs)
	if a.Low == nil || math.Abs(*a.Low-1.15) > 1e-12 || math.Abs(*a.High-1.5) > 1e-12 || math.Abs(a.Ratio-1.5) > 1e-12 {
		t.Fatalf("after nine: %+v", a)
	}
	if q.Side(a).String() != "above" {
		t.Error(q.Side(a))
	}
	if a := q.Judge(nil); a.Ratio != 1 || q.Side(a).String() != "undecided" {
		t.Errorf("without launches: %+v", a)
	}
}

// Of runs in which instructions were counted, nothing is known before the first look, and equal runs differ by nothing.
func TestJudgeRuns(t *testing.T) {
	q := Question{Low: math.Log(1.02), High: math.Log(1.02), Alpha: 0.002}
	for what, c := range map[string]struct {
		base, own []float64
		want      stats.Side
	}{
		"too few":         {slices.Repeat([]float64{1000}, 6), slices.Repeat([]float64{2000}, 6), stats.Undecided},
		"more":            {slices.Repeat([]float64{1000}, 8), slices.Repeat([]float64{1050}, 8), stats.Above},
		"the same":        {slices.Repeat([]float64{1000}, 8), slices.Repeat([]float64{1000}, 8), stats.Below},
		"two speeds":      {slices.Repeat([]float64{1000, 2000}, 4), slices.Repeat([]float64{2000, 1000}, 4), stats.Undecided},
		"one side failed": {nil, slices.Repeat([]float64{1000}, 8), stats.Undecided},
	} {
		if a := q.JudgeRuns(c.base, c.own); q.Side(a) != c.want || a.Launches != min(len(c.base), len(c.own)) {
			t.Errorf("%s: %v, %+v; want %v", what, q.Side(a), a, c.want)
		}
	}
}

func TestOutcomesWithoutACommit(t *testing.T) {
	for _, want := range []struct {
		name    string
		changes []float64
		outcome Outcome
		exit    int
		text    string
	}{
		{"equal", make([]float64, 8), Unchanged, 1, "no change to find: the bad commit is slower by"},
		{"faster", []float64{0, -0.3, 0, 0}, Faster, 1, "to search the other way round: suite bisect s.yaml c --good 4 --bad 0"},
		{"many small ones", slices.Repeat([]float64{0.01}, 64), Spread, 1, "no commit alone: the bad commit is slower by"},
	} {
		line, times := planted(want.changes)
		d := searched(t, optionsOf(line, on(times, 2)))
		if d.Outcome != want.outcome || d.Status() != want.exit {
			t.Errorf("%s: %s %s, status %d", want.name, d.Outcome, d.only(), d.Status())
		}
		if text := textOf(t, d); !strings.Contains(text, want.text) {
			t.Errorf("%s: %q is not in\n%s", want.name, want.text, text)
		}
	}
}

// textOf is the report of a document.
func textOf(t *testing.T, d *Document) string {
	t.Helper()
	d.File, d.Case = "s.yaml", "c"
	d.Good.Asked, d.Bad.Asked = d.Good.Commit.Hash, d.Bad.Commit.Hash
	var b bytes.Buffer
	if err := text.Write(&b, d.Page(), text.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Of two changes the larger one is found, and the report shows how to find the other.
func TestTheLargerOfTwoChangesIsFound(t *testing.T) {
	for _, want := range []struct {
		early, late float64
		found, next string
	}{
		{0.3, 0.1, "10", "--good 10 --bad 64"},
		{0.1, 0.3, "50", "--good 0 --bad 49"},
	} {
		changes := make([]float64, 64)
		changes[9], changes[49] = want.early, want.late
		line, times := planted(changes)
		d := searched(t, optionsOf(line, on(times, 3)))
		if text := textOf(t, d); d.only() != want.found || !strings.Contains(text, want.next) {
			t.Errorf("found %q, want %s\n%s", d.only(), want.found, text)
		}
	}
}

// Two equal changes: either is right.
func TestEqualChangesDoNotHang(t *testing.T) {
	for seed := range uint64(20) {
		changes := make([]float64, 64)
		changes[9], changes[49] = 0.1, 0.1
		line, times := planted(changes)
		d := searched(t, optionsOf(line, on(times, seed)))
		if d.only() != "10" && d.only() != "50" {
			t.Errorf("seed %d: %s %q", seed, d.Outcome, d.only())
		}
	}
}

// A comparison that was wrong, by the chance that is left, is found out in the end.
func TestAWrongStepIsFoundOut(t *testing.T) {
	for commit, lie := range map[string]float64{"32": 0.3, "48": 0, "40": 0} {
		line, times := planted(one(37, 0.3))
		m := on(times, 4)
		m.lies = map[string]float64{commit: lie}
		if d := searched(t, optionsOf(line, m)); d.only() != "37" || d.Confidence < 0.99 {
			t.Errorf("after a lie about %s: %s %q", commit, d.Outcome, d.only())
		}
	}
}

// Commits that cannot be measured are left out. If they are next to the change, the answer
// is a range.
func TestCommitsThatCannotBeMeasured(t *testing.T) {
	unable := map[string]string{"32": "does not build", "33": "does not build", "36": "does not build", "37": "does not build"}
	line, times := planted(one(37, 0.3))
	m := on(times, 5)
	m.unable = unable
	d := searched(t, optionsOf(line, m))
	var found []string
	for _, c := range d.Found.Commits {
		found = append(found, c.Hash)
	}
	if diff := cmp.Diff([]string{"36", "37", "38"}, found); diff != "" || d.Found.Parent.Hash != "35" {
		t.Error(diff, d.Found.Parent.Hash)
	}
	text := textOf(t, d)
	for _, want := range []string{"one of 3 commits that cannot be told apart", "36 was skipped: does not build", "37 was skipped: does not build"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// openOnce is a meter whose comparisons of one commit with the good one stay open.
type openOnce struct {
	*simulated
	commit string
}

func (u openOnce) Compare(ctx context.Context, candidate, base tree.Commit, q Question) (Answer, error) {
	if candidate.Hash == u.commit && base.Hash == "0" {
		return Answer{Ratio: 1.2, Launches: 9}, nil
	}
	return u.simulated.Compare(ctx, candidate, base, q)
}

// A commit that was not decided against the good one is compared with its neighbours: the last
// comparison is between a commit and its parent.
func TestTheLastComparisonIsOfNeighbours(t *testing.T) {
	for change, steps := range map[int][]string{
		17: {"pair 17-15 above", "pair 17-16 above"},
		16: {"pair 17-15 above", "pair 17-16 below", "pair 16-15 above"},
	} {
		line, times := planted(one(change, 0.7))
		o := optionsOf(line, on(times, 1))
		o.Meter = openOnce{on(times, 1), "16"}
		d := searched(t, o)
		var got []string
		for _, s := range d.Steps {
			if s.Purpose == Pair {
				got = append(got, fmt.Sprintf("%s %s-%s %s", s.Purpose, s.Candidate, s.Base, s.Side))
			}
		}
		if diff := cmp.Diff(steps, got); diff != "" || d.only() != fmt.Sprint(change) || d.Found.Parent.Hash != fmt.Sprint(change-1) || len(d.Skipped) > 0 {
			t.Errorf("%d: %q, skipped %v\n%s", change, d.only(), d.Skipped, diff)
		}
	}
}

// If an end cannot be measured, there is nothing to search.
func TestAnEndThatCannotBeMeasured(t *testing.T) {
	line, times := planted(one(3, 0.3))
	m := on(times, 5)
	m.unable = map[string]string{"64": "does not build"}
	if d := searched(t, optionsOf(line, m)); d.Outcome != Failed || d.Reason != "does not build" || d.Status() != 3 {
		t.Errorf("%s: %s", d.Outcome, d.Reason)
	}
}

// A program that was measured already is not measured again.
func TestTheSameProgramIsNotMeasured(t *testing.T) {
	line, times := planted(one(37, 0.3))
	m := on(times, 6)
	m.programs = map[string]int{}
	for i := range 65 { // only three commits change the program
		program := 0
		for _, k := range []int{20, 37, 60} {
			if i >= k {
				program++
			}
		}
		m.programs[fmt.Sprint(i)] = program
	}
	d := searched(t, optionsOf(line, m))
	if d.only() != "37" || m.compared > 5 {
		t.Errorf("%s %q after %d comparisons", d.Outcome, d.only(), m.compared)
	}
}

// A search that is interrupted anywhere goes on from there: it finds the same, and
// measures nothing twice.
func TestAnInterruptedSearchGoesOn(t *testing.T) {
	line, times := planted(one(37, 0.3))
	whole := on(times, 7)
	want := searched(t, optionsOf(line, whole))
	for at := 1; at <= whole.compared; at++ {
		file := filepath.Join(t.TempDir(), "state.json")
		asked := Identity{Case: "c"}
		m := on(times, 7)
		ctx, cancel := context.WithCancel(t.Context())
		m.cancel, m.cancelAt = cancel, at
		o := optionsOf(line, m)
		o.Record = func(events []Event) error { return saveState(file, asked, events) }
		d, err := Run(ctx, o)
		if err != nil || d.Outcome != Interrupted || d.Found != nil || d.isOver() {
			t.Fatalf("interrupted at %d: %s, %v", at, d.Outcome, err)
		}
		if isKnown := d.Range != nil; isKnown != (at > 1) {
			t.Errorf("interrupted at %d: range %+v", at, d.Range)
		}
		o.Events = loadState(file, asked)
		if d = searched(t, o); d.only() != want.only() || len(d.Steps) != len(want.Steps) {
			t.Errorf("interrupted at %d: %s %q in %d steps", at, d.Outcome, d.only(), len(d.Steps))
		}
		if m.compared != whole.compared+1 {
			t.Errorf("interrupted at %d: %d comparisons, want %d", at, m.compared, whole.compared+1)
		}
		if loadState(file, Identity{Case: "another"}) != nil {
			t.Error("the state of another search is used")
		}
	}
}

// After the time is over, the same search with more time goes on.
func TestTheTimeOfASearch(t *testing.T) {
	line, times := planted(one(37, 0.3))
	m := on(times, 8)
	var events []Event
	now := time.Unix(0, 0)
	o := optionsOf(line, m)
	o.MaxTime = time.Minute
	o.Now = func() time.Time { now = now.Add(4 * time.Second); return now }
	o.Record = func(e []Event) error { events = slices.Clone(e); return nil }
	d := searched(t, o)
	if d.Outcome != Undecided || d.Status() != 4 || d.Range == nil || d.Range.Commits >= 64 {
		t.Fatalf("%s %+v", d.Outcome, d.Range)
	}
	o.MaxTime = 0
	o.Events = events
	if d = searched(t, o); d.only() != "37" {
		t.Errorf("%s %q", d.Outcome, d.only())
	}
}

// What cannot be decided is no answer, and the search ends.
func TestWhatCannotBeDecided(t *testing.T) {
	line, times := planted(one(37, 0.3))
	m := on(times, 9)
	m.most = 5 // launches are too few for any interval
	if d := searched(t, optionsOf(line, m)); d.Outcome != Undecided || d.Found != nil || d.Status() != 4 {
		t.Errorf("%s %q", d.Outcome, d.only())
	}
}

// If a merge is the answer, the commit of its branch is.
func TestTheBranchOfAMerge(t *testing.T) {
	line, times := planted(one(37, 0.3))
	line[37].Parents = append(line[37].Parents, "b3")
	branch := []tree.Commit{line[30], {Hash: "b1", Parents: []string{"30"}}, {Hash: "b2", Parents: []string{"b1"}}, {Hash: "b3", Parents: []string{"b2"}}}
	times["b1"], times["b2"], times["b3"] = 0, 0.3, 0.3
	o := optionsOf(line, on(times, 10))
	o.Branch = func(_ context.Context, before, last string) ([]tree.Commit, error) {
		if before != "36" || last != "b3" {
			t.Errorf("the branch from %s to %s", before, last)
		}
		return branch, nil
	}
	d := searched(t, o)
	if d.only() != "b2" || len(d.Found.Merges) != 1 || d.Found.Merges[0].Hash != "37" {
		t.Errorf("%q by way of %+v", d.only(), d.Found.Merges)
	}
	if text := textOf(t, d); !strings.Contains(text, "it came with the merge 37") {
		t.Error(text)
	}
	times["b2"], times["b3"] = 0, 0 // the merge itself is slow
	o.Meter = on(times, 11)
	if d := searched(t, o); d.only() != "37" || d.Found.Merges != nil {
		t.Errorf("%q by way of %+v", d.only(), d.Found.Merges)
	}
}

// If the good commit is the later one, the commit that made the case faster is found.
func TestBackwards(t *testing.T) {
	line, times := planted(one(37, -0.3))
	slices.Reverse(line)
	o := optionsOf(line, on(times, 12))
	o.Backwards = true
	d := searched(t, o)
	if text := textOf(t, d); d.only() != "37" || d.Found.Parent.Hash != "36" || !strings.Contains(text, "found: 37 makes c faster; its parent takes +3") {
		t.Errorf("%q\n%s", d.only(), text)
	}
}

// Texts of commits are other people's: they must not reach a terminal as they are.
func TestTextIsHarmless(t *testing.T) {
	line, times := planted(one(1, 0.3))
	line[1].Subject = "red\x1b[31m"
	d := searched(t, optionsOf(line[:2], on(times, 13)))
	if text := textOf(t, d); strings.Contains(text, "\x1b") || !strings.Contains(text, `red\x1b[31m`) {
		t.Errorf("%q", text)
	}
}

// What is written can be read again.
func TestJSON(t *testing.T) {
	line, times := planted(one(5, 0.3))
	d := searched(t, optionsOf(line, on(times, 14)))
	var b bytes.Buffer
	if err := d.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var back Document
	decoder := json.NewDecoder(&b)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&back); err != nil {
		t.Fatal(err)
	}
	if back.Schema != Schema || back.only() != "5" || len(back.Steps) != len(d.Steps) || back.Found.Change.Low == nil {
		t.Errorf("%+v", back)
	}
}

func TestSchemaKeysAreThoseOfTheTypes(t *testing.T) {
	schematest.Keys(t, schemas.Bisect(), reflect.TypeFor[Document]())
}

var schema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	return jsonschema.NewCompiler().Compile("../../schemas/bisect.schema.json")
})

// fits checks that a document fits its schema, which refuses unknown keys.
func fits(t *testing.T, d *Document) {
	t.Helper()
	s, err := schema()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := d.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(&b)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(document); err != nil {
		t.Error(err)
	}
}
