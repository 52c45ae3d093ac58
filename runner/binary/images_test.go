package binary

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"

	"example.com/suite/internal/testfile"
	"example.com/suite/runner/draw"
)

// inUse is how many files the launches of these tests need.
const inUse = 18

// linker writes programs that are the text of their layout, and counts its calls.
type linker struct {
	mu     sync.Mutex
	calls  []string
	size   int    // of each program, bytes; 0: that of the text
	refuse string // program that cannot be linked
}

func (l *linker) link(_ context.Context, program string, layout draw.Layout, target string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls = append(l.calls, filepath.Base(program)+" "+strconv.FormatInt(layout.Order, 10))
	if filepath.Base(program) == l.refuse {
		return errors.New("the linker refuses it")
	}
	if err := os.WriteFile(target, []byte(strconv.FormatInt(layout.Order, 10)), 0o755); err != nil || l.size == 0 {
		return err
	}
	return os.Truncate(target, int64(l.size)) // without text, which takes no room on the disk
}

func ordered(program string, order int64) Image {
	return Image{program, draw.Layout{Order: order}}
}

func programs(t *testing.T, names ...string) (paths []string) {
	dir := t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, name)
		testfile.WriteProgram(t, path, name)
		paths = append(paths, path)
	}
	return paths
}

// A launch never gets a file that another one had: the linked one first, copies of it
// later, and each layout is linked once.
func TestImagesAreFresh(t *testing.T) {
	l, p := &linker{}, programs(t, "a", "b")
	s := NewImages(l.link, new(Hashes), inUse)
	a, b := ordered(p[0], 1), ordered(p[1], 2)
	if err := s.LinkAll(t.Context(), []Image{a, b, a}); err != nil {
		t.Fatal(err)
	}
	if err := s.LinkAll(t.Context(), []Image{b, a}); err != nil || len(l.calls) != 2 {
		t.Errorf("linked %q, error %v", l.calls, err)
	}
	seen := map[string]bool{}
	for range 3 {
		for _, i := range []Image{a, b} {
			path, err := s.Fresh(i)
			text, _ := os.ReadFile(path)
			if err != nil || seen[path] || string(text) != strconv.FormatInt(i.Layout.Order, 10) {
				t.Errorf("%s holds %q, seen before: %t, error %v", path, text, seen[path], err)
			}
			seen[path] = true
		}
	}
	s.Remove()
	for path := range seen {
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", path, err)
		}
	}
}

// A program that cannot be linked is copied, so that its file is new at least, and is not
// tried again.
func TestImagesOfAFixedLayoutAreCopies(t *testing.T) {
	l, p := &linker{refuse: "a"}, programs(t, "a")
	s := NewImages(l.link, new(Hashes), inUse)
	for layout := range int64(3) {
		i := ordered(p[0], layout+1)
		err := s.LinkAll(t.Context(), []Image{i})
		path, copied := s.Fresh(i)
		text, _ := os.ReadFile(path)
		if err != nil || copied != nil || path == p[0] || string(text) != "a" {
			t.Errorf("%s holds %q, errors %v and %v", path, text, err, copied)
		}
	}
	if len(l.calls) != 1 || s.fixed[p[0]] != "the linker refuses it" {
		t.Errorf("tried %d times: %q", len(l.calls), s.fixed[p[0]])
	}
	s.Remove()
}

// A program whose data cannot be moved is linked with data that stay, and moving them is tried once.
func TestImagesWithDataThatStay(t *testing.T) {
	l, p := &linker{}, programs(t, "a", "b")
	var data []int
	s := NewImages(func(ctx context.Context, program string, layout draw.Layout, target string) error {
		if program == p[1] {
			return l.link(ctx, program, layout, target)
		}
		if data = append(data, layout.Data); layout.Data != 0 {
			return errors.New("the linker moves no data")
		}
		return l.link(ctx, program, layout, target)
	}, new(Hashes), inUse)
	defer s.Remove()
	for order := range int64(2) {
		a, b := Image{p[0], draw.Layout{Order: order + 1, Data: 7}}, Image{p[1], draw.Layout{Order: order + 1, Data: 7}}
		if s.Linked(b) != "" {
			t.Error("b is linked before it is asked for")
		}
		if err := s.LinkAll(t.Context(), []Image{a, b}); err != nil {
			t.Fatal(err)
		}
		path, err := s.Fresh(a)
		text, _ := os.ReadFile(path)
		if err != nil || string(text) != strconv.FormatInt(order+1, 10) || s.Linked(a) != "" || s.Linked(b) == "" {
			t.Errorf("a runs %q, error %v; linked: %q and %q", text, err, s.Linked(a), s.Linked(b))
		}
	}
	if !slices.Equal(data, []int{7, 0, 0}) || s.Fixed(p[0]) != "" || s.Unmoved(p[0]) != "the linker moves no data" || s.Unmoved(p[1]) != "" {
		t.Errorf("data of links of a: %v; fixed %q, unmoved %q and %q", data, s.Fixed(p[0]), s.Unmoved(p[0]), s.Unmoved(p[1]))
	}
}

// Files are kept up to a number of bytes; what was removed is linked again.
func TestImagesAreBounded(t *testing.T) {
	t.Parallel()
	l, p := &linker{size: mostImageBytes / inUse / 3}, programs(t, "a")
	s := NewImages(l.link, new(Hashes), inUse)
	defer s.Remove()
	const links = 5 * inUse
	for layout := range int64(links) {
		if err := s.LinkAll(t.Context(), []Image{ordered(p[0], layout+1)}); err != nil {
			t.Fatal(err)
		}
	}
	if s.bytes > mostImageBytes || s.bytes < mostImageBytes/2 {
		t.Errorf("%d bytes are kept", s.bytes)
	}
	if err := s.LinkAll(t.Context(), []Image{ordered(p[0], 1)}); err != nil || len(l.calls) != links+1 {
		t.Errorf("%d links, error %v", len(l.calls), err)
	}
}

// If there is no room for a file, the launch runs from one that there is.
func TestImagesWithoutRoom(t *testing.T) {
	s := NewImages((&linker{}).link, new(Hashes), inUse)
	gone := ordered(filepath.Join(t.TempDir(), "gone", "program"), 1)
	if err := s.LinkAll(t.Context(), []Image{gone}); err != nil {
		t.Fatal(err)
	}
	if path, err := s.Fresh(gone); err == nil || path != gone.Program {
		t.Errorf("%s, error %v", path, err)
	}
}

// Two programs with the same bytes are linked once: the second side runs from a copy.
func TestEqualProgramsAreLinkedOnce(t *testing.T) {
	dir := t.TempDir()
	var programs []string
	for name, text := range map[string]string{"base": "same", "case": "same", "other": "different"} {
		programs = append(programs, filepath.Join(dir, name))
		testfile.WriteProgram(t, programs[len(programs)-1], text)
	}
	l := &linker{}
	s := NewImages(l.link, new(Hashes), inUse)
	defer s.Remove()
	var wanted []Image
	for _, program := range programs {
		wanted = append(wanted, ordered(s.Original(program), 1))
	}
	if err := s.LinkAll(t.Context(), wanted); err != nil || len(l.calls) != 2 {
		t.Fatalf("links %v, error %v, want two", l.calls, err)
	}
	paths := map[string]bool{}
	for _, i := range wanted {
		path, err := s.Fresh(i)
		if err != nil || paths[path] {
			t.Errorf("%s ran before, or error %v", path, err)
		}
		paths[path] = true
	}
}

// A program whose hash the build knows is not read to find that out.
func TestEqualProgramsAreKnownByTheirHashes(t *testing.T) {
	var sums Hashes
	sums.Add("/no/such/base", hashPrefix+"aa")
	sums.Add("/no/such/case", hashPrefix+"aa")
	s := NewImages(nil, &sums, inUse)
	for _, program := range []string{"/no/such/base", "/no/such/case"} {
		if got := s.Original(program); got != "/no/such/base" {
			t.Errorf("%s is linked as %s", program, got)
		}
	}
}

// A process that starts while a program is written would keep it open for writing, and
// the program could not be executed.
func TestNoProcessStartsWhileAProgramIsWritten(t *testing.T) {
	t.Parallel()
	var free bool
	probe := readerFunc(func([]byte) (int, error) {
		if free = syscall.ForkLock.TryLock(); free {
			syscall.ForkLock.Unlock()
		}
		return 0, io.EOF
	})
	if err := writeProgram(probe, filepath.Join(t.TempDir(), "program")); err != nil || free {
		t.Errorf("a process could start: %t, error %v", free, err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
