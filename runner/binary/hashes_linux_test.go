package binary

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/suite/internal/testfile"
)

// The hash in a cache is used for the file that it belongs to, and for no other.
func TestCachedHashFollowsTheProgram(t *testing.T) {
	dir := t.TempDir()
	program, cache := filepath.Join(dir, "program"), filepath.Join(dir, "own", "hash")
	write := func(text string) {
		t.Helper()
		testfile.WriteProgram(t, program, text)
	}
	written := time.Now()
	load := func(age time.Duration) string {
		var b Hashes
		b.load(program, cache, written.Add(age))
		return b.Sum(program)
	}
	write("one")
	one := load(0)
	if one != Hash(program) {
		t.Fatalf("got %s, want the hash of the file", one)
	}
	if _, err := os.Stat(cache); err == nil {
		t.Error("the hash of a file that has just been written was cached: a write within the same tick could not be seen")
	}
	const settled = time.Hour // however long this test takes
	if load(settled) != one {
		t.Error("the hash of an unchanged file has changed")
	}
	text := testfile.Read(t, cache)

	// A wrong hash shows that the cache is read, and which file it is used for.
	wrong := hashPrefix + "00" + one[len(hashPrefix)+2:]
	forge := func(hash string) {
		t.Helper()
		if err := os.WriteFile(cache, append(text[:len(text)-len(one):len(text)-len(one)], hash...), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	forge(wrong)
	if got := load(settled); got != wrong {
		t.Errorf("got %s, want the hash in the cache, %s", got, wrong)
	}
	forge(wrong[:20])
	if got := load(settled); got != one {
		t.Errorf("got %s from a cache that was cut short, want %s", got, one)
	}
	forge(wrong)
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	write("two") // as long as before, and as old as before
	if err := os.Chtimes(program, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if got := load(settled); got == wrong || got == one {
		t.Errorf("got %s for a file that has changed", got)
	}
}

// A program that a build has named after its hash is not read again.
func TestKnownHashIsNotTakenAgain(t *testing.T) {
	var b Hashes
	b.Add("/no/such/program", "sha256:aa")
	if got := b.Sum("/no/such/program"); got != "sha256:aa" {
		t.Errorf("got %q, want the hash that was added", got)
	}
}
