package accept

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/suite/internal/golden"
	"example.com/suite/internal/testfile"
	"github.com/google/go-cmp/cmp"
)

// today of every test.
const today = Day("2026-06-15")

func eachFile(t *testing.T, pattern string, f func(t *testing.T, name string, src []byte)) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	for _, file := range files {
		src := testfile.Read(t, file)
		t.Run(filepath.Base(file), func(t *testing.T) { f(t, file, src) })
	}
}

// wantOf is the file with the expected problems of a suite file.
func wantOf(file string) string { return strings.TrimSuffix(file, ".yaml") + ".want" }

func TestRefusedFiles(t *testing.T) {
	eachFile(t, "testdata/err/*.yaml", func(t *testing.T, file string, src []byte) {
		f, problems := Parse(filepath.Base(file), src, today)
		if f != nil || len(problems) == 0 {
			t.Fatal("the file was accepted")
		}
		golden.Check(t, wantOf(file), problems.Error()+"\n")
	})
}

// What was read is written sorted, with its comments, and is the same when it is
// read again.
func TestAcceptedFiles(t *testing.T) {
	eachFile(t, "testdata/ok/*.yaml", func(t *testing.T, file string, src []byte) {
		f, text := parsed(t, string(src)), ""
		for range 2 {
			f = parsed(t, written(t, f))
			text = written(t, f)
		}
		golden.Check(t, wantOf(file), text)
	})
}

func parsed(t testing.TB, src string) *File {
	t.Helper()
	f, problems := Parse("accept.yaml", []byte(src), today)
	if err := problems.Err(); err != nil {
		t.Fatalf("%v in\n%s", err, src)
	}
	return f
}

func written(t testing.TB, f *File) string {
	t.Helper()
	text, err := f.Text()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func entry(suite, name, gate string) Entry {
	return Entry{Key: Key{Suite: suite, Case: name, Gate: gate}, Until: "2026-12-31", Reason: "slower until it is mended", At: "2026-06-15"}
}

// One entry more, renewed or less changes its own lines and no other.
func TestDiffsAreSmall(t *testing.T) {
	src, err := os.ReadFile("testdata/ok/comments.want") // a file as suite writes it
	if err != nil {
		t.Fatal(err)
	}
	f := parsed(t, string(src))
	f.Put(entry("hash", "zzz", "tolerance"))
	if removed, added := changed(string(src), written(t, f)); removed != 0 || added != 6 {
		t.Errorf("an entry more removes %d lines and adds %d:\n%s", removed, added, written(t, f))
	}
	renewed := entry("parse", "words/big", "tolerance")
	if old := f.Put(renewed); old == nil || old.At != "2026-06-01 by ada" {
		t.Errorf("renewed %v", old)
	}
	text := written(t, f)
	if removed, added := changed(string(src), text); removed != 2 || added != 8 || !strings.Contains(text, "until: 2026-12-31 # the release\n") {
		t.Errorf("a renewal removes %d lines and adds %d:\n%s", removed, added-6, text)
	}
	if f.Remove(Key{Suite: "hash", Case: "zzz", Gate: "nothing"}) != nil || f.Remove(Key{Suite: "hash", Case: "zzz", Gate: "tolerance"}) == nil {
		t.Error("the wrong entry is removed")
	}
	f.Put(parsed(t, string(src)).Entries[2])
	if diff := cmp.Diff(string(src), written(t, f)); diff != "" {
		t.Errorf("added and removed, renewed and back (-want +got):\n%s", diff)
	}
}

func changed(before, after string) (removed, added int) {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	for _, line := range a {
		if i := slices.Index(b, line); i >= 0 {
			b = slices.Delete(b, i, i+1)
		} else {
			removed++
		}
	}
	return removed, len(b)
}

func TestNewFileHasAHeading(t *testing.T) {
	f := New("accept.yaml")
	f.Put(entry("demo", "slow", "64"))
	want := head + "\n\n- suite: demo\n  case: slow\n  gate: \"64\"\n  until: 2026-12-31\n  reason: slower until it is mended\n  at: 2026-06-15\n"
	if diff := cmp.Diff(want, written(t, f)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// The last day is over when it is over everywhere that midnight UTC has passed.
func TestADayEndsAtMidnightUTC(t *testing.T) {
	e := Entry{Until: "2026-12-31"}
	auckland := time.FixedZone("NZDT", 13*3600)
	for _, c := range []struct {
		at      time.Time
		expired bool
	}{
		{time.Date(2026, 12, 31, 23, 59, 59, 999999999, time.UTC), false},
		{time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), true},
		{time.Date(2027, 1, 1, 12, 59, 0, 0, auckland), false}, // 23:59 UTC
		{time.Date(2027, 1, 1, 13, 0, 0, 0, auckland), true},
	} {
		if got := e.Expired(DayOf(c.at)); got != c.expired {
			t.Errorf("at %s expired is %v", c.at, got)
		}
	}
}

func TestUntilOfACommandLine(t *testing.T) {
	for _, c := range []struct {
		text  string
		want  Day
		fault string
	}{
		{"2026-06-16", "2026-06-16", ""},
		{"1d", "2026-06-16", ""},
		{"30d", "2026-07-15", ""},
		{"6w", "2026-07-27", ""},
		{"2027-06-15", "2027-06-15", ""},
		{"365d", "2027-06-15", ""},
		{"366d", "", "more than a year"},
		{"2027-06-16", "", "more than a year"},
		{"2026-06-15", "", "not in the future"},
		{"0d", "", "not in the future"},
		{"-1d", "", "not a date"},
		{"2026-6-16", "", "not a date"},
		{"tomorrow", "", "not a date"},
		{"9999d", "", "not a date"},
		{"", "", "not a date"},
	} {
		got, fault := ParseUntil(c.text, today)
		if fault == nil && (c.fault != "" || got != c.want) || fault != nil && (c.fault == "" || !strings.Contains(fault.Message, c.fault)) {
			t.Errorf("ParseUntil(%q) = %q, %v; want %q %q", c.text, got, fault, c.want, c.fault)
		}
	}
}

func TestDaysLeft(t *testing.T) {
	for until, want := range map[Day]int{"2026-06-15": 1, "2026-06-16": 2, "2026-06-14": 0, "2027-06-15": 366} {
		if got := today.Left(until); got != want {
			t.Errorf("%d days left until %s, want %d", got, until, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/err/*.yaml", "testdata/ok/*.yaml"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(src)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		file, problems := Parse("fuzz.yaml", src, today)
		if (file == nil) != (len(problems) > 0) {
			t.Fatal("want a file or problems, never both or neither")
		}
		for _, p := range problems {
			if p.File != "fuzz.yaml" {
				t.Fatalf("a problem has no place: %v", p)
			}
		}
		if file == nil {
			return
		}
		file.Put(entry("fuzz", "more", "g"))
		again := parsed(t, written(t, file))
		ignore := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Place" }, cmp.Ignore())
		if diff := cmp.Diff(file.Entries, again.Entries, ignore); diff != "" {
			t.Fatalf("written and read again (-want +got):\n%s", diff)
		}
	})
}
