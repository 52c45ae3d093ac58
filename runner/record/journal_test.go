package record

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/testfile"
	"example.com/suite/result"
	"example.com/suite/result/summary"
	"example.com/suite/runner/draw"
	"example.com/suite/runner/journal"
	"example.com/suite/runner/review"
	"example.com/suite/runner/sample"
	"example.com/suite/runner/target"
	"example.com/suite/spec"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// header is one that a run can go on from.
func header() Header {
	return Header{Started: time.Unix(1e9, 0).UTC(), Seed: draw.Seed{1}.String(), Tool: result.Tool{Name: "suite", Version: "v1", Go: "go1"},
		Machine: result.Machine{OS: "linux", Arch: "amd64", Kernel: "6.1", CPU: "fast", CPUs: 2, GOMAXPROCS: 2, Memory: 1 << 30},
		Hosts:   []string{"sha256:a"}, Suites: []HeaderSuite{{Name: "s", File: "/s.yaml", Hash: "sha256:s", Frame: "f", Cases: []HeaderCase{{"a", "1"}, {"b", "2"}}},
			{Name: "t", File: "/t.yaml", Hash: "sha256:t", Frame: "g"}}}
}

func TestARunGoesOnOnlyWhereNothingHasChanged(t *testing.T) {
	suite := func(h *Header, change func(*HeaderSuite)) {
		h.Suites = slices.Clone(h.Suites)
		h.Suites[0].Cases = slices.Clone(h.Suites[0].Cases)
		change(&h.Suites[0])
	}
	for want, change := range map[string]func(*Header){
		"": func(h *Header) {
			h.Started, h.Seed, h.Machine.Load, h.Machine.Memory = time.Now(), draw.Seed{2}.String(), "9", 1<<30-1<<22 // 4 MiB less
		},
		"the journal belongs to /s.yaml, /t.yaml":                      func(h *Header) { h.Suites = h.Suites[:1] },
		"come in another order: they were /s.yaml, /t.yaml":            func(h *Header) { h.Suites = []HeaderSuite{h.Suites[1], h.Suites[0]} },
		"/s.yaml, or a file that it includes, has changed since":       func(h *Header) { suite(h, func(s *HeaderSuite) { s.Hash = "other" }) },
		"begun by suite v1, and this is v2":                            func(h *Header) { h.Tool.Version = "v2" },
		"built with go1 then, and with go2 now":                        func(h *Header) { h.Tool.Go = "go2" },
		"the program that runs the Go functions has been built anew":   func(h *Header) { h.Hosts = []string{"sha256:b"} },
		"its kernel was 6.1, and is 6.2":                               func(h *Header) { h.Machine.Kernel = "6.2" },
		"its CPU was fast, and is unknown":                             func(h *Header) { h.Machine.CPU = "" },
		"its number of CPUs was 2, and is 4":                           func(h *Header) { h.Machine.CPUs = 4 },
		"its GOMAXPROCS was 2, and is 1":                               func(h *Header) { h.Machine.GOMAXPROCS = 1 },
		"it had 1073741824 bytes of memory, and now has 2147483648":    func(h *Header) { h.Machine.Memory = 2 << 30 },
		`case "b" would be measured otherwise now: are the flags`:      func(h *Header) { suite(h, func(s *HeaderSuite) { s.Cases[1].Hash = "3" }) },
		`case "b" is not to be measured now: are the filters the same`: func(h *Header) { suite(h, func(s *HeaderSuite) { s.Cases = s.Cases[:1] }) },
		`case "c" was not to be measured then`:                         func(h *Header) { suite(h, func(s *HeaderSuite) { s.Cases = append(s.Cases, HeaderCase{"c", "1"}) }) },
		"the cases come in another order":                              func(h *Header) { suite(h, func(s *HeaderSuite) { slices.Reverse(s.Cases) }) },
		"suite s differs in its build, budget, timer or folder":        func(h *Header) { suite(h, func(s *HeaderSuite) { s.Frame = "x" }) },
	} {
		h, now := header(), header()
		change(&now)
		if got := h.Refuses(&now); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("refused by %q, want %q", got, want)
		}
	}
}

func TestJournalsBelongToOneRunAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	first, err := Create(path, header())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Create(path, header()); !errors.Is(err, journal.ErrBusy) {
		t.Errorf("a second run: %v", err)
	}
	if _, err := Resume(path, header()); !errors.Is(err, journal.ErrBusy) {
		t.Errorf("one that goes on: %v", err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := first.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
	third, err := Create(path, header())
	if err != nil {
		t.Fatal(err)
	}
	third.Close()
}

func TestAJournalReplacesNothingButJournals(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	notes := file("notes", "what I must not forget\n")
	link := filepath.Join(dir, "link")
	if err := os.Symlink(notes, link); err != nil {
		t.Skip(err)
	}
	for path, want := range map[string]string{notes: "not the journal of a run", link: "it is a link", dir: "", filepath.Join(dir, "none", "j"): "no such file"} {
		for name, open := range map[string]func(string, Header) (*Journal, error){"create": Create, "resume": Resume} {
			if j, err := open(path, header()); err == nil {
				t.Errorf("%s %s: %v", name, path, j)
			} else if name == "create" && !strings.Contains(err.Error(), want) {
				t.Errorf("%s %s: %v, want %q", name, path, err, want)
			}
		}
	}
	if text, _ := os.ReadFile(notes); string(text) != "what I must not forget\n" {
		t.Errorf("the notes are now %q", text)
	}
	// One that was cut off within its first line is a journal, and one that is empty may become one.
	for _, text := range []string{"", `{"jour`, `{"journal":"suite-journal/1","at":0,"hea`} {
		j, err := Create(file("cut", text), header())
		if err != nil {
			t.Fatal(err)
		}
		if j.Replaced() != nil || j.Remove() != nil {
			t.Errorf("%q was replaced as %+v", text, j.Replaced())
		}
		var refusal *Refusal
		if _, err := Resume(file("cut", text), header()); !errors.As(err, &refusal) || !strings.Contains(err.Error(), "ended before anything was measured") {
			t.Errorf("%q: %v", text, err)
		}
	}
	var refusal *Refusal
	if _, err := Resume(filepath.Join(dir, "gone"), header()); !errors.As(err, &refusal) || !strings.Contains(err.Error(), "no run of these suite files was interrupted") {
		t.Errorf("no journal: %v", err)
	}
}

// small is a short journal, with the ends of its lines.
func small(t *testing.T) (text []byte, ends []int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "j")
	j, err := Create(path, header())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		b := &Block{Case: result.Case{Suite: "s", Name: "a"}, Samples: samplesOf(3, i), Track: sample.Recorded{N: 1, Blocks: i + 1}}
		if err := j.Append(&Line{At: time.Duration(i), Block: b}, false); err != nil {
			t.Fatal(err)
		}
	}
	j.Close()
	text = testfile.Read(t, path)
	for i, c := range text {
		if c == '\n' {
			ends = append(ends, i+1)
		}
	}
	return text, ends
}

// samplesOf are so many samples of a block, with a gap and a disturbed one.
func samplesOf(n, block int) *result.Samples {
	s := result.NoSamples()
	for i := range n {
		x := float64(block*n + i)
		s.Launch, s.Block, s.At = append(s.Launch, 0), append(s.Block, block), append(s.At, x)
		s.Columns["time"], s.Columns["cpu"] = append(s.Columns["time"], 1+x/7), append(s.Columns["cpu"], math.NaN())
	}
	s.Disturbed = append(s.Disturbed, result.Disturbed{Index: 1, Cause: result.Preempted, Count: 1})
	return &s
}

func TestDamagedLinesAreFound(t *testing.T) {
	text, ends := small(t)
	rng := rand.New(rand.NewPCG(3, 4))
	for line := range ends {
		start := 0
		if line > 0 {
			start = ends[line-1]
		}
		for range 200 {
			damaged := bytes.Clone(text)
			at := start + rng.IntN(ends[line]-start)
			if damaged[at] ^= byte(1 + rng.IntN(255)); damaged[at] == '\n' {
				continue // then it is two lines
			}
			_, end, _, err := Read(bytes.NewReader(damaged), nil)
			last := line == len(ends)-1
			switch {
			case last && (err != nil || end != int64(start)):
				t.Fatalf("the last line with byte %d changed: %d bytes, %v", at-start, end, err)
			case !last && (err == nil || !strings.Contains(err.Error(), fmt.Sprintf("line %d is damaged", line+1))):
				t.Fatalf("line %d with byte %d changed: %v", line+1, at-start, err)
			}
		}
	}
	for name, damaged := range map[string][]byte{
		"a line is missing":          slices.Concat(text[:ends[1]], text[ends[2]:]),
		"two lines are exchanged":    slices.Concat(text[:ends[1]], text[ends[2]:ends[3]], text[ends[1]:ends[2]], text[ends[3]:]),
		"a line is there twice":      slices.Concat(text[:ends[2]], text[ends[1]:]),
		"a line of another journal":  slices.Concat(text[:ends[1]], []byte("{\"at\":0,\"crc\":\"00000000\"}\n"), text[ends[1]:]),
		"an empty line":              slices.Concat(text[:ends[1]], []byte("\n"), text[ends[1]:]),
		"zeros where there was text": slices.Concat(text[:ends[1]], make([]byte, ends[2]-ends[1]), text[ends[2]:]),
	} {
		if _, _, _, err := Read(bytes.NewReader(damaged), nil); err == nil || !strings.Contains(err.Error(), "is damaged") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, tail := range map[string]string{"zeros, as a power cut leaves them": strings.Repeat("\x00", 4096), "half a line": `{"at":1,"blo`, "an end of line": "\n"} {
		if _, end, _, err := Read(strings.NewReader(string(text)+tail), nil); err != nil || end != int64(len(text)) {
			t.Errorf("%s behind the last line: %d of %d bytes, %v", name, end, len(text), err)
		}
	}
}

// A run that is resumed drops the torn line and writes after it.
func TestALineThatIsTornOffIsReplaced(t *testing.T) {
	text, ends := small(t)
	path := filepath.Join(t.TempDir(), "j")
	if err := os.WriteFile(path, text[:ends[3]+9], 0o600); err != nil {
		t.Fatal(err)
	}
	j, err := Resume(path, header())
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Append(&Line{Block: &Block{Case: result.Case{Suite: "s", Name: "b"}}}, true); err != nil {
		t.Fatal(err)
	}
	j.Close()
	p := pastIn(t, path)
	if got := p.Cases[Key{"s", "a"}].Samples.Len(); got != 9 || p.Cases[Key{"s", "b"}] == nil || len(p.Parts) != 1 {
		t.Errorf("%d samples, %d parts, %d cases", got, len(p.Parts), len(p.Cases))
	}
}

// Behind a damaged line, finished cases are taken over; the others may lack a block.
func TestARunGoesOnFromADamagedJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	j, err := Create(path, header())
	if err != nil {
		t.Fatal(err)
	}
	block := func(name string) *Line {
		return &Line{Block: &Block{Case: result.Case{Suite: "s", Name: name}, Samples: &result.Samples{Launch: []int{1}, Block: []int{1}, At: []float64{1}, Columns: map[string]result.Column{"time": {1}}}}}
	}
	final := func(name string) *Line {
		return &Line{Case: &result.Case{Suite: "s", Name: name, Stop: "precision"}}
	}
	for _, r := range []*Line{block("early"), final("early"), block("hit"), block("late"), block("hit"), final("late"), block("open")} {
		if err := j.Append(r, false); err != nil {
			t.Fatal(err)
		}
	}
	j.Close()
	text := testfile.Read(t, path)
	lines := bytes.SplitAfter(text, []byte("\n"))
	for name, damaged := range map[string][]byte{
		"in its text":     slices.Concat(lines[3][:9], []byte("!"), lines[3][10:]),
		"in its checksum": slices.Concat(lines[3][:len(lines[3])-5], []byte("x"), lines[3][len(lines[3])-4:]),
		"zeros":           append(make([]byte, len(lines[3])-1), '\n'),
		"cut off":         []byte("\n"),
		"missing":         nil,
		"there twice":     slices.Concat(lines[3], lines[3]),
	} {
		os.WriteFile(path, slices.Concat(slices.Concat(lines[:3]...), damaged, slices.Concat(lines[4:]...)), 0o600)
		for range 2 { // what is mended stays so
			j, err := Resume(path, header())
			if err != nil {
				t.Fatal(name, err)
			}
			j.Close()
			p := pastIn(t, path)
			if want := []Key{{"s", "early"}, {"s", "late"}}; !slices.Equal(p.order, want) || p.Cases[want[1]].Final == nil || len(p.Cases) != 2 {
				t.Errorf("%s: %v are left, want %v", name, p.order, want)
			}
			if w := p.Warnings; len(w) != 1 || w[0].Code != "journal-damaged" || !strings.Contains(w[0].Message, "line ") {
				t.Errorf("%s: warnings %+v", name, w)
			}
		}
	}
	os.WriteFile(path, append([]byte("!"), text[1:]...), 0o600) // without its first line nobody knows whose it is
	if j, err := Resume(path, header()); err == nil || !strings.Contains(err.Error(), "line 1 is damaged") {
		t.Errorf("%v, %v", j, err)
	}
}

func TestWhatIsPutInThePlaceOfAJournalStays(t *testing.T) {
	if !journal.ReplacesOpen {
		t.Skip("nothing can take the place of an open file here")
	}
	path := filepath.Join(t.TempDir(), "j")
	j, err := Create(path, header())
	if err != nil {
		t.Fatal(err)
	}
	notes := path + ".notes"
	os.WriteFile(notes, []byte("precious"), 0o600)
	if err := os.Rename(notes, path); err != nil {
		t.Fatal(err)
	}
	j.rewrite()
	if err := j.Remove(); err == nil || !strings.Contains(err.Error(), "another file") {
		t.Errorf("error %v", err)
	}
	if text, _ := os.ReadFile(path); string(text) != "precious" {
		t.Errorf("the file is now %q", text)
	}
}

// same describes the first difference between two journals.
func same(a, b *Interrupted) string {
	return cmp.Diff(a, b, cmp.AllowUnexported(Interrupted{}, InterruptedCase{}, Key{}), cmpopts.EquateNaNs(), cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(result.Samples{}),
		cmp.Transformer("record", func(f *summary.Folds) (r *summary.FoldsRecord) {
			if f != nil {
				r = f.Record()
			}
			return r
		}), cmpopts.IgnoreFields(Block{}, "Whole"))
}

// Rewriting loses nothing, and later lines fit.
func TestAJournalIsRewrittenWhereItGrows(t *testing.T) {
	if !journal.ReplacesOpen {
		t.Skip("nothing can take the place of an open file here")
	}
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "grows"), filepath.Join(dir, "rewritten")}
	for i, path := range paths {
		j, err := Create(path, header())
		if err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			j.next = 1 // at every line, and later at twice the size
		}
		when := time.Unix(1e9, 0).UTC()
		lines := []*Line{{Suite: "s", At: 1}, {Part: &when}, {Warning: &result.Warning{Code: "x"}}}
		for block := range 40 {
			for _, name := range []string{"a", "kept", "finished"} {
				b := &Block{Case: result.Case{Suite: "s", Name: name}, Samples: samplesOf(10, block), Loops: []float64{float64(block)}, Track: sample.Recorded{N: 1, Blocks: block + 1}}
				if name == "kept" {
					b.Case.Settings.Keep = "summary"
				}
				if name != "finished" || block < 30 {
					lines = append(lines, &Line{At: time.Duration(block), Block: b})
				}
			}
			if block == 30 {
				lines = append(lines, &Line{At: 30, Case: &result.Case{Suite: "s", Name: "finished", Samples: *samplesOf(300, 0)}})
			}
		}
		for _, r := range lines {
			if err := j.Append(r, false); err != nil {
				t.Fatal(err)
			}
			if i == 1 {
				j.next = min(j.next, 2*j.size)
			}
		}
		if _, err := Create(path, header()); !errors.Is(err, journal.ErrBusy) {
			t.Errorf("the lock is gone: %v", err)
		}
		j.Close()
	}
	grown, rewritten := pastIn(t, paths[0]), pastIn(t, paths[1])
	if diff := same(grown, rewritten); diff != "" {
		t.Error(diff)
	}
	a, _ := os.Stat(paths[0])
	b, _ := os.Stat(paths[1])
	if 2*b.Size() > a.Size() {
		t.Errorf("%d bytes became %d", a.Size(), b.Size())
	}
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("files %v", left)
	}
}

// A summary that is restored goes on as it would have: to the last bit.
func TestASummaryIsRestoredToTheLastBit(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	whole := &InterruptedCase{Samples: result.NoSamples()}
	parts := &InterruptedCase{Samples: result.NoSamples()}
	for block := range 1200 { // 12000 samples in up to 512 rows: some are drawn, and rows are joined
		s := samplesOf(10, block)
		for i := range s.Columns["time"] {
			s.Columns["time"][i] = math.Exp(0.1 * rng.NormFloat64())
		}
		for _, c := range []*InterruptedCase{whole, parts} {
			copied := summary.RowsFrom(s, 0)
			b := &Block{Case: result.Case{Name: "x", Settings: result.Settings{Keep: "summary"}}, Samples: &copied}
			if err := c.add(b); err != nil {
				t.Fatal(err)
			}
		}
		if block%97 == 0 {
			var line bytes.Buffer
			if _, err := journal.Seal(&line, parts.record(0), 0); err != nil {
				t.Fatal(err)
			}
			object, _, _ := journal.Unseal(line.Bytes(), 0)
			r, err := parseRecord(object)
			if err != nil {
				t.Fatal(err)
			}
			parts = &InterruptedCase{}
			if err := parts.add(r.Block); err != nil {
				t.Fatal(err)
			}
		}
	}
	if diff := same(&Interrupted{Cases: map[Key]*InterruptedCase{{}: whole}}, &Interrupted{Cases: map[Key]*InterruptedCase{{}: parts}}); diff != "" {
		t.Error(diff)
	}
}

// FuzzJournal reads any text as it is, and then with the right checksum in each line,
// so that the code after the check is reached.
func FuzzJournal(f *testing.F) {
	var text bytes.Buffer
	h, sum := header(), uint32(0)
	add := func(r *Line) {
		var line bytes.Buffer
		sum, _ = journal.Seal(&line, r, sum)
		text.Write(line.Bytes())
	}
	add(&Line{Journal: journalVersion, Header: &h})
	add(&Line{Block: &Block{Case: result.Case{Suite: "s", Name: "a"}, Samples: samplesOf(2, 0), Track: sample.Recorded{N: 1}}})
	kept := &InterruptedCase{Samples: result.NoSamples()}
	kept.add(&Block{Case: result.Case{Suite: "s", Name: "b", Settings: result.Settings{Keep: "summary"}}, Samples: samplesOf(2, 0)})
	add(kept.record(0))
	add(&Line{Block: pairsOf(2)})
	add(&Line{Case: &result.Case{Suite: "s", Name: "a", Samples: *samplesOf(2, 0)}})
	f.Add(text.Bytes())
	f.Add([]byte(`{"block":{"case":{"name":"a"},"samples":{"block":[1],"launch":[0],"at":[0],"columns":{"time":[1]}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, end, _, err := Read(bytes.NewReader(data), nil); err == nil && (end > int64(len(data)) || p == nil) {
			t.Errorf("%d of %d bytes", end, len(data))
		}
		p := &Interrupted{Suites: map[string]time.Duration{}, Cases: map[Key]*InterruptedCase{}}
		for line := range bytes.Lines(data) {
			line = bytes.TrimSuffix(line, []byte("\n"))
			if body := bytes.LastIndex(line, []byte(`,"crc":"`)); body > 0 {
				line = append(bytes.Clone(line[:body]), '}')
			}
			if r, err := parseRecord(line); err == nil {
				p.add(r) // an error is as good as none
			}
		}
		p.Count()
		p.otherPrograms()
		for key, had := range p.Cases {
			own, base := sideOf(key.Name), (*sample.Series)(nil)
			if had.Base != nil {
				base = sideOf("base")
				own.Result.Pairs = &result.Pairs{}
			}
			if final := had.Restore(own, base); !final {
				(review.Case{Result: own.Result, Own: own, Base: base}).Summarise()
			}
			if err := coherentPairs(own.Result); err != nil {
				t.Error(err)
			}
			if err := coherent(&own.Result.Samples); err != nil {
				t.Error(err)
			}
		}
		for _, r := range p.Records() {
			var line bytes.Buffer
			journal.Seal(&line, r, 0)
		}
	})
}

// BenchmarkAppend is what a block of 10 samples costs: what is between two
// blocks, and no part of what is timed.
func BenchmarkAppend(b *testing.B) {
	for _, sync := range []bool{false, true} {
		b.Run(fmt.Sprintf("sync=%v", sync), func(b *testing.B) {
			j, err := Create(filepath.Join(b.TempDir(), "j"), header())
			if err != nil {
				b.Fatal(err)
			}
			defer j.Close()
			if !sync {
				j.lock = nil
			}
			own := sideOf("fake/1ms")
			s := samplesOf(10, 1)
			for _, name := range []string{"wall", "thread_cpu", "switches", "voluntary", "wait"} {
				s.Columns[name] = slices.Clone(s.Columns["time"])
			}
			for b.Loop() {
				block := BlockOf(own, nil, false)
				block.Samples = s
				if err := j.Append(&Line{Block: block}, true); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(j.line.Len()), "B/block")
		})
	}
}

// A journal of finished cases is rewritten without parsing them: the time and the memory that
// it takes would grow with all samples of a run.
func TestRewritingCopiesFinishedCases(t *testing.T) {
	if !journal.ReplacesOpen {
		t.Skip("nothing can take the place of an open file here")
	}
	path := filepath.Join(t.TempDir(), "j")
	j, err := Create(path, header())
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	for i := range 30 {
		c := result.Case{Suite: "s", Name: fmt.Sprint(i)}
		block := &Block{Case: c, Samples: samplesOf(10, 0), Track: sample.Recorded{N: 1, Blocks: 1}}
		c.Samples = *samplesOf(1000, 0)
		if err := errors.Join(j.Append(&Line{Block: block}, false), j.Append(&Line{Case: &c}, false)); err != nil {
			t.Fatal(err)
		}
	}
	before, size := pastIn(t, path), j.size
	var then, now runtime.MemStats
	runtime.ReadMemStats(&then)
	j.rewrite()
	runtime.ReadMemStats(&now)
	if diff := same(before, pastIn(t, path)); diff != "" {
		t.Error(diff)
	}
	if allocated := int64(now.TotalAlloc - then.TotalAlloc); j.size >= size || allocated > size/2 {
		t.Errorf("%d bytes became %d, and rewriting allocated %d", size, j.size, allocated)
	}
}

// sideOf is a side of a case that runs a function.
func sideOf(name string) *sample.Series {
	c := &spec.Case{Name: name, Kind: result.KindGo, Function: name, Unit: "op", Work: 1, Settings: spec.Defaults()}
	s := sample.NewSeries(target.Target{Plan: &spec.Plan{Suite: "s"}, Spec: c})
	return &s
}

func pastIn(t *testing.T, path string) *Interrupted {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, _, _, err := Read(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
