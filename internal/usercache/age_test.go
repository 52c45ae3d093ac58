package usercache

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Five files of a folder, the newest first: a, b, c, d, e, of 10 bytes each and a day apart.
func TestOldEntriesArePruned(t *testing.T) {
	const day = 24 * time.Hour
	for want, l := range map[string]Limit{
		"abcde": {Most: 5},
		"abc":   {Most: 3},
		"abcd":  {Most: 1, Age: 3*day + time.Hour},
		"ab":    {Age: day + time.Hour},
		"a":     {Most: 9, Bytes: 19},
		"abcd ": {Most: 9, Bytes: 19, Age: 3*day + time.Hour},
		"":      {},
	} {
		dir := t.TempDir()
		for i, name := range []string{"a", "b", "c", "d", "e", "other"} {
			path := filepath.Join(dir, name)
			used := time.Now().Add(-time.Duration(i) * day)
			if err := os.WriteFile(path, make([]byte, 10), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, used, used); err != nil {
				t.Fatal(err)
			}
		}
		l.Prune(dir, func(e fs.DirEntry) bool { return len(e.Name()) == 1 })
		var names []string
		for _, e := range Entries(dir, func(fs.DirEntry) bool { return true }) {
			names = append(names, filepath.Base(e.Path))
		}
		if wanted := append(strings.Split(strings.TrimSpace(want), ""), "other"); !slices.Equal(names, wanted) {
			t.Errorf("%+v keeps %q, want %q", l, names, wanted)
		}
	}
}

// A project may have any number of cases, of which each run keeps a record: all that count are kept up to a size, and
// those that do not are removed.
func TestRecordsThatCountAreKept(t *testing.T) {
	const cases = 3000
	dir := t.TempDir()
	add := func(r *Records, name string, age time.Duration) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, make([]byte, 10), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
		r.Added(dir)
	}
	count := func() int { return len(Entries(dir, func(fs.DirEntry) bool { return true })) }
	add(&Records{Age: 48 * time.Hour}, "old", 25*time.Hour)
	first := &Records{Age: 24 * time.Hour, Bytes: 1 << 20}
	for i := range cases {
		add(first, fmt.Sprint("case", i), time.Hour)
	}
	if n := count(); n != cases {
		t.Errorf("%d files, want one for each case", n)
	}
	add(&Records{Age: 24 * time.Hour, Bytes: 100}, "newest", 0)
	if n := count(); n != 10 {
		t.Errorf("%d files of 10 bytes, want 100 bytes", n)
	}
	if _, err := os.Stat(filepath.Join(dir, "newest")); err != nil {
		t.Error(err)
	}
}

func TestTheFutureIsNotFresh(t *testing.T) {
	for made, want := range map[time.Duration]bool{-time.Minute: true, -3 * time.Hour: false, time.Minute: false} {
		if got := IsFresh(time.Now().Add(made), time.Hour); got != want {
			t.Errorf("made at %v: %t", made, got)
		}
	}
}
