package observed

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"example.com/suite/internal/observe"
	"example.com/suite/result"
	"example.com/suite/runner/binary"
	"example.com/suite/spec"
)

// remembering returns an observer that cannot run anything, and the place of the records of a case.
func remembering(t *testing.T) (*Observer, *spec.Plan, *spec.Case, string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o := &Observer{Host: []string{self}, Binaries: new(binary.Hashes), HostOf: func(*spec.Plan) []string { return nil }, Cache: t.TempDir()}
	plan, c := new(spec.Plan), &spec.Case{Name: "x", Kind: result.KindCommand, Argv: []string{"x"}}
	place := o.place(plan, o.nameOf(""), c)
	if place == "" {
		t.Fatal("no place")
	}
	return o, plan, c, place
}

// A case that has to be measured whatever the other tree has is not run again for a while: a run would need a host, and
// would panic.
func TestWhyCasesAreMeasuredIsKept(t *testing.T) {
	t.Parallel()
	for cause, age := range map[result.EvidenceCause]time.Duration{
		result.EvidenceUntraced: 0, result.EvidenceReads: 0, result.EvidenceSlow: time.Hour,
		result.EvidenceUnsteady: time.Hour, result.EvidenceConnection: keptRecord, result.EvidenceDoubt: keptRecord,
	} {
		o, plan, c, place := remembering(t)
		o.keepDoubt(place, &result.Evidence{Cause: cause, Subject: "s"}, []string{"a"})
		if age == 0 {
			if knownDoubt(place) != nil {
				t.Errorf("%s is kept", cause)
			}
			continue
		}
		reads, why := o.Compare(t.Context(), plan, c, nil, "", "")
		if why == nil || *why != (result.Evidence{Cause: cause, Subject: "s"}) || !slices.Equal(reads, []string{"a"}) {
			t.Errorf("%s: it was run: %+v, %q", cause, why, reads)
		}
		for _, at := range []time.Duration{-age - time.Minute, time.Hour} {
			if err := os.Chtimes(doubts(place), time.Time{}, time.Now().Add(at)); err != nil {
				t.Fatal(err)
			}
			if knownDoubt(place) != nil {
				t.Errorf("%s counts %s from now", cause, at)
			}
		}
	}
	if knownDoubt("") != nil {
		t.Error("a case without a place has a reason")
	}
}

// A command may be a script that another commit has changed.
func TestOnlyProgramsNamedByContentKeepTheirDoubts(t *testing.T) {
	t.Parallel()
	for want, c := range map[bool]*spec.Case{
		false: {Kind: result.KindShell}, true: {Kind: result.KindGo},
	} {
		if got := isNamedByContent(c); got != want {
			t.Errorf("%s: %t", c.Kind, got)
		}
	}
	if !isNamedByContent(&spec.Case{Kind: result.KindCommand, GoTest: new(spec.GoTest)}) {
		t.Error("a benchmark")
	}
}

// A record counts as long as nothing that it names has changed, and it is judged as a new one is.
func TestRecordsAreKept(t *testing.T) {
	t.Parallel()
	o, plan, c, _ := remembering(t)
	base, here := trees(t)
	of := o.nameOf(base)
	place := o.place(plan, of, c)
	folder, empty := filepath.Join(base, "listed"), filepath.Join(base, "empty")
	for _, dir := range []string{folder, empty} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	same := filepath.Join(base, "same")
	record := &observe.Record{Files: []observe.Access{
		{Path: same, Use: observe.Read}, {Path: folder, Use: observe.List}, {Path: empty, Use: observe.Stat},
		{Path: filepath.Join(base, "none"), Use: observe.Missing}, {Path: filepath.Join(base, "gone"), Use: observe.Written}, {Path: "/proc/self/stat", Use: observe.Read},
	}}
	write := func(path, text string) func() {
		return func() {
			if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	later := time.Now().Add(time.Hour)
	for name, test := range map[string]struct {
		change func()
		kept   bool
	}{
		"nothing":                     {func() {}, true},
		"a file in an unlisted one":   {write(filepath.Join(empty, "new"), ""), true},
		"a file of no interest":       {write(filepath.Join(base, "other"), ""), true},
		"content":                     {write(same, "longer"), false},
		"a name in a listed folder":   {write(filepath.Join(folder, "new"), ""), false},
		"a name that was not there":   {write(filepath.Join(base, "none"), ""), false},
		"a file that was read":        {func() { os.Remove(same) }, false},
		"the time since it was kept":  {func() { os.Chtimes(place, time.Time{}, time.Now().Add(-keptRecord-time.Hour)) }, false},
		"a clock that was set back":   {func() { os.Chtimes(place, time.Time{}, time.Now().Add(time.Hour)) }, false},
		"a record that was cut short": {write(place, "{"), false},
	} {
		for _, path := range []string{filepath.Join(base, "none"), filepath.Join(folder, "new"), place} {
			os.RemoveAll(path)
		}
		write(same, "same")()
		o.keep(place, of, record, nil, later)
		if o.known(place, of) == nil {
			t.Fatalf("%s: nothing was kept", name)
		}
		test.change()
		if kept := o.known(place, of) != nil; kept != test.kept {
			t.Errorf("%s: counts %v, want %v", name, kept, test.kept)
		}
	}

	write(same, "same")()
	os.Remove(filepath.Join(base, "none"))
	record.Files = record.Files[:1]
	o.keep(place, of, record, nil, later)
	if reads, why := o.Compare(context.Background(), plan, c, nil, base, here); why != nil || len(reads) != 1 {
		t.Errorf("%v, %+v: a known case was not judged by its record", reads, why)
	}
	write(filepath.Join(here, "same"), "changed")()
	if _, why := o.Compare(context.Background(), plan, c, nil, base, here); why == nil || why.Cause != result.EvidenceReads {
		t.Errorf("%+v, want the file that differs", why)
	}
	other := *c
	other.Argv = []string{"y"}
	if o.place(plan, of, &other) == place {
		t.Error("two commands have one record")
	}
}

// What a program does may depend on any variable, on the folder in which it starts, and on the suite
// that runs it.
func TestRecordsAreOfOneEnvironment(t *testing.T) {
	o, plan, c, place := remembering(t)
	o.HostHash = "other"
	if o.place(plan, o.nameOf(""), c) == place {
		t.Error("two versions of suite have one record")
	}
	place = o.place(plan, o.nameOf(""), c)
	t.Setenv("SUITE_TEST_OTHER", "1")
	if o.place(plan, o.nameOf(""), c) == place {
		t.Error("two environments have one record")
	}
	place = o.place(plan, o.nameOf(""), c)
	t.Chdir(t.TempDir())
	if o.place(plan, o.nameOf(""), c) == place {
		t.Error("two folders have one record")
	}
}

// A run that leaves something behind, or whose files changed while it ran, is not kept.
func TestRecordsThatDoNotSayAllAreNotKept(t *testing.T) {
	t.Parallel()
	o, plan, c, place := remembering(t)
	base, _ := trees(t)
	of := o.nameOf(base)
	same := filepath.Join(base, "same")
	for name, test := range map[string]struct {
		path  string
		use   observe.Use
		since time.Duration
	}{
		"written and there":  {same, observe.Written, time.Hour},
		"missing and there":  {same, observe.Missing, time.Hour},
		"read and gone":      {filepath.Join(base, "none"), observe.Read, time.Hour},
		"changed since then": {same, observe.Read, -time.Hour},
	} {
		o.keep(place, of, &observe.Record{Files: []observe.Access{{Path: same, Use: observe.Stat}, {Path: test.path, Use: test.use}}}, nil, time.Now().Add(test.since))
		if _, err := os.Stat(place); err == nil {
			t.Errorf("%s: it was kept", name)
		}
	}
	plan.Build = &spec.Hook{Argv: []string{"true"}}
	if o.place(plan, o.nameOf(""), c) != "" {
		t.Error("what a build makes is kept")
	}
}

// What a group of thousands of cases looks at is kept for each of them, so it may not grow with their number. A file of
// suite's that is still there, or one with another name, is a file as any other.
func TestRecordsLeaveOutFilesOfTheHost(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	o, _, _, place := remembering(t)
	of := o.nameOf(t.TempDir())
	const made = observe.Written | observe.Missing | observe.Made
	temp := real(os.TempDir())
	for name, want := range map[string]int{
		"suite-stderr-1234567": 0, "suite-stderr-x": 1, "suite-stderr-": 1, "a/suite-stderr-1": 1,
	} {
		o.keep(place, of, &observe.Record{Files: []observe.Access{{Path: filepath.Join(temp, name), Use: made}}}, nil, time.Now())
		if r := o.known(place, of); r == nil || len(r.Record.Files) != want {
			t.Errorf("%s: %+v, want %d files", name, r, want)
		}
	}
	read := observe.Access{Path: filepath.Join(temp, "suite-stderr-1"), Use: observe.Missing}
	o.keep(place, of, &observe.Record{Files: []observe.Access{read}}, nil, time.Now())
	if r := o.known(place, of); r == nil || len(r.Record.Files) != 1 {
		t.Errorf("a file that was only looked for: %+v", r)
	}
	os.Remove(place)
	if err := os.WriteFile(read.Path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	read.Use = made
	if o.keep(place, of, &observe.Record{Files: []observe.Access{read}}, nil, time.Now().Add(time.Hour)); o.known(place, of) != nil {
		t.Error("a case that leaves a file is kept")
	}
}

// A program in which suite runs cases is no file of a tree. Whoever reads it is the same only if it is, also as far as that
// was kept; who only starts it has not read it.
func TestReadingTheOwnProgram(t *testing.T) {
	t.Parallel()
	base, here := trees(t)
	program := filepath.Join(t.TempDir(), "test-1")
	for access, reads := range map[observe.Access]bool{
		{Path: program, Use: observe.Exec | observe.Read}: true, {Path: program, Use: observe.Exec | observe.Stat}: false,
		{Path: "suite", Use: observe.Exec | observe.Read}: false,
	} {
		o, plan, c, place := remembering(t)
		of := o.nameOf(base)
		c.GoTest = &spec.GoTest{Program: program}
		own := o.programs(plan, c)
		if access.Path == "suite" {
			access.Path = own[0]
		}
		o.keep(place, of, &observe.Record{Files: []observe.Access{access}}, own, time.Now())
		r := o.known(place, of)
		if r == nil {
			t.Fatal("nothing was kept")
		}
		for differs, want := range map[bool]bool{false: false, true: reads} {
			o.Differing(func(*spec.Case) bool { return differs })
			why := o.judgeAll(t.Context(), r, plan, c, own, base, here)
			if got := why != nil && why.Cause == result.EvidenceReads; got != want || why != nil && !want {
				t.Errorf("%+v of a program that differs: %t: %+v", access, differs, why)
			}
		}
	}
}

// The time of a kernel's file does not show that it has changed, so its text counts.
func TestRecordsOfKernelFiles(t *testing.T) {
	t.Parallel()
	for path, kept := range map[string]bool{
		"/proc/sys/kernel/ostype": true, "/proc/sys/kernel/random/uuid": false, // another one each time
		"/proc/filesystems": true, "/proc/self/cgroup": true, "/proc/uptime": true, "/proc/self/stat": true, "/dev/urandom": true,
	} {
		o, _, _, place := remembering(t)
		of := o.nameOf(t.TempDir())
		o.keep(place, of, &observe.Record{Files: []observe.Access{{Path: path, Use: observe.Read}}}, nil, time.Now())
		if got := o.known(place, of) != nil; got != kept {
			t.Errorf("%s: counts %v, want %v", path, got, kept)
		}
	}
	if kernelFile("/dev/shm/x") != ordinary || kernelFile("/process") != ordinary {
		t.Error("an ordinary file is of the kernel")
	}
}
