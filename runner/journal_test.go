package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"example.com/suite/bench"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/machine"
	"example.com/suite/result"
	"example.com/suite/result/summary"
	"example.com/suite/runner/draw"
	"example.com/suite/runner/host"
	"example.com/suite/runner/record"
	"example.com/suite/runner/sample"
	"example.com/suite/spec"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func init() {
	bench.Register("exits soon", func(*bench.Case) bench.Loop {
		batches := 0
		return func(n int) {
			if fake.Advance(int64(n) * 1000); batches == 40 {
				os.Exit(0)
			}
			batches++
		}
	})
}

// journalBegan is when all runs of journalOptions begin.
var journalBegan = time.Unix(1e9, 0)

// readingsClock moves by a microsecond at each reading, and not otherwise. suite's
// own time is charged to cases, and on a busy machine it alone would use up their
// max_time.
func readingsClock() func() time.Time {
	var readings atomic.Int64
	return func() time.Time { return journalBegan.Add(time.Duration(readings.Add(1)) * time.Microsecond) }
}

// journalled are two suites with a case of every sort: a body that is measured with
// an empty loop, one with disturbed samples, one with only a summary, void
// iterations, one that fails at once and one that fails late, a program, and single
// passes.
func journalled(t *testing.T) []*spec.Plan {
	t.Helper()
	unhurried := func(c *spec.Case) {
		c.Settings.TargetTime, c.Settings.MaxTime = spec.Duration(time.Hour), spec.Duration(time.Hour)
	}
	some := func(c *spec.Case) { c.Settings.SamplesMin, c.Settings.SamplesMax = 25, 25 }
	keep := func(c *spec.Case) { c.Name, c.Settings.Keep = "kept", "summary" }
	once := func(c *spec.Case) { c.Settings.Sampling = "once" }
	counters := func(c *spec.Case) {
		c.Name, c.Counters, c.Settings.Thread = "counted", []string{"task_clock"}, "locked"
	}
	list := []spec.Case{
		function("fake/4ns", some, counters), function("fake/preempted", some), function("fake/1ms", keep, some),
		function("panics"), function("exits soon", func(c *spec.Case) { c.Settings.TargetTime *= 100 }), function("fake/1ms", once),
		program("true", []string{"true"}, func(c *spec.Case) { c.Settings.SamplesMin, c.Settings.SamplesMax = 12, 12 }, unhurried),
		function("fake/1us", basedOn("fake/preempted"), some), program("beside", []string{"true"}, basedOn("true"), unhurried),
	}
	for i := range list {
		list[i].Settings.Timeout = spec.Duration(time.Hour) // nothing hangs
	}
	dir := t.TempDir()
	return []*spec.Plan{
		{Suite: "first", File: "first.yaml", Dir: dir, Hash: "1", OnInconclusive: "list", Cases: list},
		{Suite: "second", File: "second.yaml", Dir: dir, Hash: "2", OnInconclusive: "list", Budget: spec.Duration(time.Hour),
			Cases: []spec.Case{function("fake/hides", some)}},
	}
}

func journalOptions(t *testing.T) Options {
	return Options{HostHash: host.Hash(), Binaries: hashed(t), Host: hostArgv(t, "fake"), Seed: draw.Seed{7}, Tool: result.Tool{Name: "suite", Version: "1", Go: "go"}, Machine: machine.Fingerprint(), Now: readingsClock()}
}

// runJournalled runs plans with a journal, from the beginning or from an existing
// one, and reads the journal afterwards.
func runJournalled(t *testing.T, ctx context.Context, plans []*spec.Plan, o Options, path string, resume bool) (*result.Document, []byte) {
	t.Helper()
	open := record.Create
	if resume {
		open = record.Resume
	}
	j, err := open(path, NewHeader(plans, o))
	if err != nil {
		t.Fatal(err)
	}
	o.Journal, o.Seed = j, j.Seed()
	doc := Run(ctx, plans, o)
	if j.Err() != nil {
		t.Fatal(j.Err())
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return doc, text
}

// valid checks a document as every reader of one does.
func valid(t *testing.T, doc *result.Document) {
	t.Helper()
	var text bytes.Buffer
	if err := result.Write(&text, doc); err != nil {
		t.Fatal(err)
	}
	if _, err := result.Read(&text); err != nil {
		t.Error(err)
	}
}

func caseOf(t *testing.T, doc *result.Document, key record.Key) *result.Case {
	t.Helper()
	for i := range doc.Cases {
		if record.KeyOf(&doc.Cases[i]) == key {
			return &doc.Cases[i]
		}
	}
	t.Fatalf("no case %v", key)
	return nil
}

// beginsWith describes the earlier samples that are not at the beginning of s.
func beginsWith(s, earlier *result.Samples) string {
	if s.Len() < earlier.Len() {
		return fmt.Sprintf("%d samples of %d are left", s.Len(), earlier.Len())
	}
	got := summary.RowsFrom(s, 0)
	n := earlier.Len()
	got.Launch, got.Block, got.At = got.Launch[:n], got.Block[:n], got.At[:n]
	for name, column := range got.Columns {
		if earlier.Columns[name] == nil {
			delete(got.Columns, name) // only later ones have it
		} else {
			got.Columns[name] = column[:n]
		}
	}
	for len(got.Disturbed) > 0 && got.Disturbed[len(got.Disturbed)-1].Index >= n {
		got.Disturbed = got.Disturbed[:len(got.Disturbed)-1]
	}
	got.Taken = earlier.Taken
	return cmp.Diff(*earlier, got, cmpopts.EquateNaNs(), cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(result.Samples{}))
}

// Every prefix of a journal can be read, also with a torn line at its end. A run goes on from
// every seventh of them, which meet each kind of torn line: 130 runs find no more than 18.
func TestARunGoesOnFromEveryPrefixOfItsJournal(t *testing.T) {
	plans, o := journalled(t), journalOptions(t)
	dir := t.TempDir()
	whole, text := runJournalled(t, context.Background(), plans, o, filepath.Join(dir, "whole"), false)
	valid(t, whole)
	lines := bytes.SplitAfter(text, []byte("\n"))
	if len(lines) < 20 {
		t.Fatalf("a journal of %d lines", len(lines))
	}
	end := 0
	for i, line := range lines[:len(lines)-1] {
		end += len(line)
		torn := []int{0, 1, len(lines[i+1]) / 2, len(lines[i+1]) - 1}[i%4] // bytes of the next line
		text, end := text[:min(end+max(torn, 0), len(text))], end
		t.Run(fmt.Sprintf("%d lines and %d bytes", i+1, torn), func(t *testing.T) {
			had, good, _, err := record.Read(bytes.NewReader(text), nil)
			if err != nil || good != int64(end) {
				t.Fatalf("%d bytes of %d: %v", good, end, err)
			}
			if i%7 != 0 {
				return
			}
			t.Parallel()
			path := filepath.Join(dir, fmt.Sprint(i))
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			doc, after := runJournalled(t, context.Background(), plans, o, path, true)
			complete(t, had, doc, whole)
			if _, _, _, err := record.Read(bytes.NewReader(after), nil); err != nil {
				t.Errorf("the journal after the second part: %v", err)
			}
		})
	}
}

// complete checks that a document contains everything that a journal had, and all
// cases that an uninterrupted run has.
func complete(t *testing.T, had *record.Interrupted, doc, whole *result.Document) {
	t.Helper()
	valid(t, doc)
	if !doc.Started.Equal(had.Header.Started) || doc.Seed != had.Header.Seed || doc.Seconds < had.At.Seconds() {
		t.Errorf("started %v, seed %s, %g s; the first part: %v, %s, %v", doc.Started, doc.Seed, doc.Seconds, had.Header.Started, had.Header.Seed, had.At)
	}
	if len(doc.Warnings) == 0 || doc.Warnings[0].Code != "resumed" {
		t.Errorf("warnings %+v", doc.Warnings)
	}
	if len(doc.Calibrations) < len(had.Calibrations) {
		t.Errorf("%d calibrations of %d", len(doc.Calibrations), len(had.Calibrations))
	}
	for i := range whole.Cases {
		want, got := &whole.Cases[i], &doc.Cases[i]
		if got.Name != want.Name || got.Status != want.Status || got.Stop != want.Stop || got.Loop != want.Loop || got.Thread != want.Thread {
			t.Errorf("%s: %s by %q, loop %s, thread %s, %+v; want %s, %s by %q, %s, %s", got.Name, got.Status, got.Stop, got.Loop, got.Thread, got.Failure,
				want.Name, want.Status, want.Stop, want.Loop, want.Thread)
		}
		if a, b := got.Summary("time"), want.Summary("time"); a != nil && b != nil && got.Kind == result.KindGo && !close1(a.Median, b.Median, 0.01) {
			t.Errorf("%s: median %g, want %g", got.Name, a.Median, b.Median)
		}
		if c := had.Cases[record.KeyOf(got)]; c != nil {
			goesOn(t, c, got)
		}
	}
}

func goesOn(t *testing.T, had *record.InterruptedCase, got *result.Case) {
	t.Helper()
	if had.Final != nil {
		if diff := cmp.Diff(had.Final, got, cmpopts.EquateNaNs(), cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(result.Samples{})); diff != "" {
			t.Errorf("%s was finished and has changed:\n%s", got.Name, diff)
		}
		return
	}
	then := had.Last.Case
	if had.Folds == nil {
		if diff := beginsWith(&got.Samples, &had.Samples); diff != "" {
			t.Errorf("%s: %s", got.Name, diff)
		}
	} else if got.Samples.Taken < had.Samples.Taken {
		t.Errorf("%s: %d samples of %d", got.Name, got.Samples.Taken, had.Samples.Taken)
	}
	if then.Stop == "" && then.Failure == nil && got.Failure == nil && (got.Launches <= then.Launches || got.Iterations != then.Iterations) {
		t.Errorf("%s: %d launches of %d iterations behind %d of %d", got.Name, got.Launches, got.Iterations, then.Launches, then.Iterations)
	}
	if had.Base != nil {
		if diff := beginsWith(&got.Pairs.Samples, &had.Base.Samples); diff != "" {
			t.Errorf("%s: its base: %s", got.Name, diff)
		}
		paired(t, draw.Seed{7}, got)
	}
	if then.Failure != nil && !reflect.DeepEqual(then.Failure, got.Failure) {
		t.Errorf("%s: failure %+v, was %+v", got.Name, got.Failure, then.Failure)
	}
	if got.Seconds < then.Seconds || got.Void < then.Void || got.Retried < then.Retried {
		t.Errorf("%s: %g s, %d void, %d retried; it had %g, %d, %d", got.Name, got.Seconds, got.Void, got.Retried, then.Seconds, then.Void, then.Retried)
	}
}

// The journal of a finished run contains the same document as the run.
func TestAFinishedJournalIsTheDocument(t *testing.T) {
	t.Parallel()
	plans, o := journalled(t), journalOptions(t)
	path := filepath.Join(t.TempDir(), "j")
	first, text := runJournalled(t, context.Background(), plans, o, path, false)
	o.Host = append(o.Host[:1:1], "no-such-host") // nothing is started any more
	second, more := runJournalled(t, context.Background(), plans, o, path, true)
	second.Warnings = second.Warnings[1:] // resumed
	if diff := cmp.Diff(first, second, cmpopts.EquateNaNs(), cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(result.Samples{}), cmpopts.IgnoreFields(result.Document{}, "Seconds", "Started")); diff != "" {
		t.Error(diff)
	}
	if lines := bytes.Count(more[len(text):], []byte("\n")); lines != 1 {
		t.Errorf("%d lines more", lines)
	}
}

// A case that has had its time gets no more by being interrupted: without what
// was used it would take a second more in each part.
func TestMaxTimeAndBudgetsHoldOverAllParts(t *testing.T) {
	t.Parallel()
	long := func(c *spec.Case) {
		c.Settings.TargetTime, c.Settings.MaxTime, c.Settings.SamplesMax = spec.Duration(time.Hour), spec.Duration(time.Second), 1e6
		c.Settings.SampleTime = spec.Duration(time.Millisecond)
	}
	o := journalOptions(t)
	for name, plan := range map[string]*spec.Plan{
		"max_time": {Suite: "test", Cases: []spec.Case{function("fake/1ms", long)}},
		"budget":   {Suite: "test", Budget: spec.Duration(10 * time.Second), Cases: []spec.Case{function("fake/1ms", long)}},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "j")
			least, most := 900, 1000 // of 1 ms, less sizing and what each launch throws away
			if name == "budget" {
				least, most = 601, 620 // all of it is over
			}
			now := time.Unix(1e9, 0)
			o := o
			o.Now = func() time.Time { return now }
			for part := range 4 {
				ctx, cancel := context.WithCancel(context.Background())
				blocks := 0
				o.Observe = func(p Progress) {
					if p.Phase != "measure" {
						return
					}
					if blocks++; part < 3 && blocks == 20 {
						if name == "budget" {
							now = now.Add(3200 * time.Millisecond) // 0.4 s are left, and 0.6 s were used
						}
						cancel()
					}
				}
				doc, _ := runJournalled(t, ctx, []*spec.Plan{plan}, o, path, part > 0)
				cancel()
				c := doc.Cases[0]
				if part < 3 {
					if c.Stop != "interrupted" || c.Samples.Len() < 200*(part+1) {
						t.Fatalf("part %d: %d samples, stopped by %s", part, c.Samples.Len(), c.Stop)
					}
					continue
				}
				if n := c.Samples.Len(); string(c.Stop) != name || n > most || n < least {
					t.Errorf("%d samples of 1 ms, stopped by %s", n, c.Stop)
				}
				if c.Launches != 4 || c.Samples.Launch[c.Samples.Len()-1] != 3 {
					t.Errorf("%d launches", c.Launches)
				}
			}
		})
	}
}

// The time between the parts of a run does not count, neither in its length nor in
// the times of its samples.
func TestTheTimeBetweenThePartsIsNoTimeOfTheRun(t *testing.T) {
	plan := &spec.Plan{Suite: "test", File: "test.yaml", OnInconclusive: "list", Cases: []spec.Case{function("fake/1ms", func(c *spec.Case) {
		c.Settings.SamplesMin, c.Settings.SamplesMax = 200, 200
	})}}
	o := journalOptions(t)
	now := time.Unix(1e9, 0)
	o.Now = func() time.Time { now = now.Add(time.Millisecond); return now }
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o.Observe = func(p Progress) {
		if p.Phase == "measure" {
			cancel()
		}
	}
	path := filepath.Join(t.TempDir(), "j")
	runJournalled(t, ctx, []*spec.Plan{plan}, o, path, false)
	now = now.Add(12 * time.Hour)
	o.Observe = nil
	doc, _ := runJournalled(t, context.Background(), []*spec.Plan{plan}, o, path, true)
	s := &doc.Cases[0].Samples
	if doc.Seconds > 10 || doc.Started.Unix() != 1e9 {
		t.Errorf("it took %g s from %v", doc.Seconds, doc.Started)
	}
	for i := 1; i < s.Len(); i++ {
		if s.At[i] < s.At[i-1] || s.At[i] > doc.Seconds {
			t.Fatalf("sample %d at %g, behind %g, in %g s", i, s.At[i], s.At[i-1], doc.Seconds)
		}
	}
}

// What is recorded of a side survives its way through the journal, field by field: a field
// without a place in the JSON would be lost when a run goes on.
func TestWhatIsRecordedIsRestored(t *testing.T) {
	var want, got sample.Recorded
	fields := reflect.ValueOf(&want).Elem()
	for i := range fields.NumField() {
		switch f := fields.Field(i); f.Kind() {
		case reflect.Int, reflect.Int64:
			f.SetInt(int64(i + 1))
		case reflect.Bool:
			f.SetBool(true)
		case reflect.String:
			f.SetString(fmt.Sprint(i))
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), i+1, i+1))
		case reflect.Map:
			f.Set(reflect.MakeMap(f.Type()))
			f.SetMapIndex(reflect.ValueOf(fmt.Sprint(i)), reflect.Zero(f.Type().Elem()))
		default:
			t.Fatalf("%s: this test has no value of type %s", fields.Type().Field(i).Name, f.Type())
		}
	}
	text, err := json.Marshal(&want)
	if err == nil {
		err = json.Unmarshal(text, &got)
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("error %v, and %s became %+v", err, text, got)
	}
	c, plan := function("fake/4ns"), &spec.Plan{Suite: "test"}
	restored := newTrack(plan, &c)
	restored.own.series.Restore(&want, nil, nil)
	if !reflect.DeepEqual(restored.own.series.Recorded, want) {
		t.Errorf("restored %+v, want %+v", restored.own.series.Recorded, want)
	}
}

// Every field of a track is either recorded, or restored from what the journal has of the
// case, or found anew by the part of the run that goes on. A new field has to be put into
// one of the lists.
func TestEveryFieldOfATrackHasALife(t *testing.T) {
	for _, c := range []struct {
		of             reflect.Type
		restored, anew string
	}{
		{reflect.TypeFor[track](), "result own base done final keptFailure", "target guard drawn files open pacing stale broken reported again counts"},
		{reflect.TypeFor[side](), "series result resumed", "of target services remote expects file"},
		{reflect.TypeFor[sample.Series](), "Result Recorded LoopTimes Folds fresh keptRows", "Target Passed collected Shared ID Host SampledIn Overhead Keeps stretches"},
	} {
		known := strings.Fields(c.restored + " " + c.anew)
		for i := range c.of.NumField() {
			if name := c.of.Field(i).Name; !slices.Contains(known, name) {
				t.Errorf("%s.%s: does a run that was interrupted need it? See recorded and restore", c.of.Name(), name)
			}
		}
		if c.of.NumField() != len(known) {
			t.Errorf("a %s has %d fields, and %d are known here", c.of.Name(), c.of.NumField(), len(known))
		}
	}
}

// faulty is a disk that is full after so many bytes.
type faulty struct {
	bytes.Buffer
	room int
}

func (f *faulty) Write(p []byte) (int, error) {
	n := min(len(p), max(f.room-f.Len(), 0))
	f.Buffer.Write(p[:n])
	if n < len(p) {
		return n, &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}
	}
	return n, nil
}

func (f *faulty) Truncate(size int64) error { f.Buffer.Truncate(int(size)); return nil }
func (f *faulty) Close() error              { return nil }

func TestAFullDiskEndsTheRunWithWhatWasMeasured(t *testing.T) {
	plans, o := journalled(t), journalOptions(t)
	_, text := runJournalled(t, context.Background(), plans, o, filepath.Join(t.TempDir(), "whole"), false)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 8 {
		room := bytes.IndexByte(text, '\n') + 1 + rng.IntN(len(text)*9/10)
		t.Run(fmt.Sprint(room), func(t *testing.T) {
			t.Parallel()
			o, disk := o, &faulty{room: room}
			j, err := record.Begin("journal", disk, nil, NewHeader(plans, o))
			if err != nil {
				t.Fatal(err)
			}
			o.Journal = j
			doc := Run(context.Background(), plans, o)
			valid(t, doc)
			if err := o.Journal.Err(); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "the journal journal could not be written: no space left") {
				t.Errorf("error %v", err)
			}
			if w := doc.Warnings; len(w) == 0 || w[len(w)-1].Code != "journal" {
				t.Errorf("warnings %+v", w)
			}
			had, end, _, err := record.Read(bytes.NewReader(disk.Bytes()), nil)
			if err != nil || end != int64(disk.Len()) {
				t.Fatalf("%d of %d bytes can be read: %v", end, disk.Len(), err)
			}
			for key, c := range had.Cases { // nothing that was written is missing from the report
				if got := caseOf(t, doc, key); c.Final == nil && c.Folds == nil {
					if diff := beginsWith(&got.Samples, &c.Samples); diff != "" {
						t.Errorf("%s: %s", key.Name, diff)
					}
				}
			}
			for _, c := range doc.Cases {
				if c.Samples.Len() > 0 && c.Status == result.NotRun {
					t.Errorf("%s has samples, and was not run", c.Name)
				}
			}
		})
	}
}

func TestAPanicOfSuiteKeepsTheJournal(t *testing.T) {
	t.Parallel()
	plans, o := journalled(t), journalOptions(t)
	path := filepath.Join(t.TempDir(), "j")
	j, err := record.Create(path, NewHeader(plans, o))
	if err != nil {
		t.Fatal(err)
	}
	o.Journal = j
	blocks := 0
	o.Observe = func(p Progress) {
		if p.Phase == "measure" {
			if blocks++; blocks == 9 {
				panic("a fault of suite")
			}
		}
	}
	func() {
		defer func() { recover() }()
		Run(context.Background(), plans, o)
	}()
	j.Close()
	o.Observe, o.Journal = nil, nil
	had := pastOf(t, path)
	doc, _ := runJournalled(t, context.Background(), plans, o, path, true)
	if len(had.Cases) == 0 || len(doc.Cases) != 10 {
		t.Errorf("%d cases were kept, and there are %d", len(had.Cases), len(doc.Cases))
	}
	valid(t, doc)
}

func pastOf(t *testing.T, path string) *record.Interrupted {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, _, _, err := record.Read(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A script that the suite's build writes again is another program, which is detected after the
// build: before it, nothing has changed.
func TestAScriptThatIsBuiltAnewIsNotMixed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("scripts")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("w.sh", "true")
	write("next.sh", "true")
	plan := &spec.Plan{Suite: "test", File: filepath.Join(dir, "test.yaml"), OnInconclusive: "list", Dir: dir, Cases: []spec.Case{program("script", []string{"sh", "w.sh"}, func(c *spec.Case) {
		c.Cwd, c.Settings.SamplesMin, c.Settings.SamplesMax = dir, 50, 50
	})}}
	plan.Build = &spec.Hook{Argv: []string{"cp", "next.sh", "w.sh"}}
	o := journalOptions(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o.Observe = func(p Progress) {
		if p.Phase == "measure" {
			cancel()
		}
	}
	path := filepath.Join(dir, "j")
	runJournalled(t, ctx, []*spec.Plan{plan}, o, path, false)

	// What was measured of another script is not read again either.
	write("w.sh", "true again")
	write("next.sh", "true again")
	o.Binaries = hashed(t) // another process does not know the old hashes
	ctx, cancel = context.WithCancel(context.Background())
	defer cancel()
	doc, _ := runJournalled(t, ctx, []*spec.Plan{plan}, o, path, true)
	for _, c := range pastOf(t, path).Cases {
		if had, kept := doc.Cases[0].Samples.Len(), c.Samples.Len(); had == 0 || kept != had {
			t.Errorf("the journal has %d samples of %d", kept, had)
		}
	}
	o.Observe = nil
	write("next.sh", "true once more")
	o.Binaries = hashed(t)
	doc, _ = runJournalled(t, context.Background(), []*spec.Plan{plan}, o, path, true)
	if f := doc.Cases[0].Failure; f == nil || f.Message != "w.sh, which it names, has changed since the run was interrupted" || f.Hint != "run without --resume" {
		t.Errorf("failure %+v", f)
	}
}

// If a program has changed in the second part, its samples are not appended to the
// first part's.
func TestAProgramThatIsBuiltAnewIsNotMixed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("scripts")
	}
	dir := t.TempDir()
	tool := filepath.Join(dir, "tool")
	script := func(text string) {
		if err := os.WriteFile(tool, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script("true")
	plan := &spec.Plan{Suite: "test", File: "test.yaml", OnInconclusive: "list", Dir: dir, Cases: []spec.Case{program("tool", []string{tool}, func(c *spec.Case) {
		c.Settings.SamplesMin, c.Settings.SamplesMax = 50, 50
	})}}
	o := journalOptions(t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o.Observe = func(p Progress) {
		if p.Phase == "measure" {
			cancel()
		}
	}
	path := filepath.Join(dir, "j")
	runJournalled(t, ctx, []*spec.Plan{plan}, o, path, false)
	o.Observe = nil

	script(": true")
	_, err := record.Resume(path, NewHeader([]*spec.Plan{plan}, o))
	if refusal := new(record.Refusal); !errors.As(err, &refusal) || !strings.Contains(err.Error(), tool) {
		t.Errorf("error %v, want a refusal", err)
	}
	// A program that the suite's build makes again is detected after the build.
	script("true")
	plan.Build = &spec.Hook{Argv: []string{"sh", "-c", "echo : >> " + tool}}
	h := NewHeader([]*spec.Plan{plan}, o)
	had := pastOf(t, path)
	os.Remove(path)
	j, err := record.Create(path, h)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range had.Records()[1:] {
		if err := j.Append(r, true); err != nil {
			t.Fatal(err)
		}
	}
	j.Close()
	o.Binaries = hashed(t) // which another process does not know
	doc, _ := runJournalled(t, context.Background(), []*spec.Plan{plan}, o, path, true)
	if f := doc.Cases[0].Failure; f == nil || !strings.Contains(f.Message, "the content of the program was sha256:") || f.Hint != "run without --resume" {
		t.Errorf("failure %+v", f)
	}
}

// Whatever changes the numbers changes the header; the path of the file does not.
func TestTheHeaderHoldsWhatTheNumbersHangOn(t *testing.T) {
	plan := func(change func(*spec.Plan, *spec.Case)) []*spec.Plan {
		p := &spec.Plan{Suite: "s", File: "s.yaml", Dir: "/d", Hash: "h", Cases: []spec.Case{function("fake/1ms")}}
		change(p, &p.Cases[0])
		return []*spec.Plan{p}
	}
	o := journalOptions(t)
	base := NewHeader(plan(func(*spec.Plan, *spec.Case) {}), o)
	for name, change := range map[string]func(*spec.Plan, *spec.Case){
		"settings": func(_ *spec.Plan, c *spec.Case) { c.Settings.TargetTime++ },
		"argv":     func(_ *spec.Plan, c *spec.Case) { c.Argv = []string{"x"} },
		"env":      func(_ *spec.Plan, c *spec.Case) { c.Env = []string{"X=1"} },
		"params":   func(_ *spec.Plan, c *spec.Case) { c.Params = []spec.Param{param("a", "b")} },
		"timer":    func(_ *spec.Plan, c *spec.Case) { c.Timer.Clock = []string{"wall"} },
		"hook":     func(_ *spec.Plan, c *spec.Case) { c.Prepare = &spec.Hook{Argv: []string{"x"}} },
		"gate":     func(_ *spec.Plan, c *spec.Case) { c.Gates = make([]spec.Gate, 1) },
		"budget":   func(p *spec.Plan, _ *spec.Case) { p.Budget++ },
		"build":    func(p *spec.Plan, _ *spec.Case) { p.Build = &spec.Hook{Argv: []string{"x"}} },
		"folder":   func(p *spec.Plan, _ *spec.Case) { p.Dir = "/e" },
		"name":     func(p *spec.Plan, _ *spec.Case) { p.Suite = "t" },
	} {
		now := NewHeader(plan(change), o)
		if why := base.Refuses(&now); why == "" {
			t.Errorf("%s may change", name)
		}
	}
	now := NewHeader(plan(func(p *spec.Plan, c *spec.Case) {
		p.File = "./x/../s.yaml"
		c.Place = diag.Place{File: "./s.yaml", Line: 3}
		c.Origins = map[string]spec.Origin{"gc": spec.FromFlag}
	}), o)
	if why := base.Refuses(&now); why != "" {
		t.Errorf("refused: %s", why)
	}
	other := o
	other.HostOf = func(*spec.Plan) []string { return []string{os.DevNull} }
	if now = NewHeader(plan(func(*spec.Plan, *spec.Case) {}), other); base.Refuses(&now) == "" {
		t.Error("another host is none")
	}
}

func TestTheJournalThatIsReplacedIsTold(t *testing.T) {
	t.Parallel()
	plans, o := journalled(t), journalOptions(t)
	path := filepath.Join(t.TempDir(), "j")
	runJournalled(t, context.Background(), plans, o, path, false)
	j, err := record.Create(path, NewHeader(plans, o))
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if old := j.Replaced(); old == nil || old.Finished != 10 || old.Partly != 0 || old.Started.Before(journalBegan) || old.Started.After(journalBegan.Add(time.Hour)) {
		t.Errorf("replaced %+v", old)
	}
}
