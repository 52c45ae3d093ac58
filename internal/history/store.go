package history

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"example.com/suite/internal/atomicfile"
	"example.com/suite/internal/diag"
	"github.com/go-json-experiment/json"
)

// Folder is where a project keeps its history, from the top of its repository.
const Folder = ".suite/history"

// ending ends the names of files of a history.
const ending = ".jsonl.gz"

// Store is a history in a folder, which need not exist before the first run is saved.
// Several processes may save into one folder at the same time.
type Store struct{ Dir string }

// Entry is a file of a history and the run that it has, without its cases.
type Entry struct {
	File string // path
	Size int64  // bytes
	Run
}

// Save adds a run to the history and returns its file. A run that the history has already,
// by its digest, is not saved again: fresh is false then.
func (s Store) Save(run *Run) (file string, fresh bool, err error) {
	if err := os.MkdirAll(s.Dir, 0o777); err != nil {
		return "", false, diag.Hinted(err.Error(), "--history names another folder")
	}
	file = filepath.Join(s.Dir, run.fileName())
	if _, err := os.Stat(file); err == nil {
		return file, false, nil
	}
	var text bytes.Buffer
	if err := run.write(&text); err != nil {
		return "", false, err
	}
	if err := atomicfile.Write(file, text.Bytes(), 0o644); err != nil {
		return "", false, diag.Hinted(err.Error(), "--history names another folder")
	}
	return file, true, nil
}

// fileName depends on the start and the digest, so that files are sorted by time and two
// runs never share one.
func (r *Run) fileName() string {
	digest := strings.TrimPrefix(r.Digest, "sha256:")
	return r.Started.UTC().Format("20060102T150405Z") + "-" + digest[:min(len(digest), 12)] + ending
}

func (r *Run) write(w io.Writer) error {
	packed := gzip.NewWriter(w)
	return errors.Join(r.writeLines(packed), packed.Close())
}

// writeLines writes the run and each of its cases as a line.
func (r *Run) writeLines(w io.Writer) error {
	if err := writeLine(w, r); err != nil {
		return err
	}
	for i := range r.Cases {
		if err := writeLine(w, &r.Cases[i]); err != nil {
			return fmt.Errorf("%s: %w", r.Cases[i].Name, err)
		}
	}
	return nil
}

func writeLine(w io.Writer, v any) error {
	text, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// List returns the runs of the history without their cases, in the order of their commits. A file that
// cannot be read is a problem, and the others are returned all the same. A folder that does
// not exist has no runs.
func (s Store) List() ([]Entry, error) { return s.Read(nil) }

// Read returns the runs of the history with the cases that are wanted, in the order of their
// commits. A file that cannot be read is one of the Problems in the error; the others are returned all
// the same.
func (s Store) Read(wanted func(suite, name string) bool) ([]Entry, error) {
	files, err := s.files()
	if err != nil {
		return nil, err
	}
	entries := make([]*Entry, len(files))
	failures := make([]error, len(files))
	var next atomic.Int64
	var readers sync.WaitGroup
	for range min(len(files), runtime.GOMAXPROCS(0)) {
		readers.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(files); i = int(next.Add(1)) - 1 {
				entries[i], failures[i] = readFile(files[i], wanted)
			}
		})
	}
	readers.Wait()
	var problems diag.Problems
	var all []Entry
	for i, e := range entries {
		if failures[i] != nil {
			problems = append(problems, diag.Problem{Place: diag.Place{File: files[i]}, Message: failures[i].Error(), Hint: "remove the file; its run is lost for the history"})
			continue
		}
		all = append(all, *e)
	}
	slices.SortStableFunc(all, func(a, b Entry) int { return cmp.Or(a.When().Compare(b.When()), a.Started.Compare(b.Started)) })
	return all, problems.Err()
}

// AnyCase wants all cases of a history.
func AnyCase(string, string) bool { return true }

// Readable is Read for those who go on without the files that cannot be read: unread has their
// problems.
func (s Store) Readable(wanted func(suite, name string) bool) (entries []Entry, unread diag.Problems, err error) {
	entries, err = s.Read(wanted)
	if problems, ok := diag.AsProblems(err); ok {
		return entries, problems, nil
	}
	return entries, nil, err
}

// NoRuns is the error for a history without runs that somebody wants to see.
func (s Store) NoRuns() error {
	return diag.Hinted(fmt.Sprintf("no runs in %s", s.Dir), "suite run --save FILE adds a run; suite history import adds results of other programs")
}

// files lists the files of the history by name, which is the order of time.
func (s Store) files() (paths []string, err error) {
	found, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, f := range found {
		if strings.HasSuffix(f.Name(), ending) && f.Type().IsRegular() {
			paths = append(paths, filepath.Join(s.Dir, f.Name()))
		}
	}
	return paths, err
}

func readFile(path string, wanted func(suite, name string) bool) (*Entry, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	run, err := read(f, wanted)
	if err != nil {
		return nil, err
	}
	return &Entry{File: path, Size: info.Size(), Run: *run}, nil
}

// longestLine bounds a line of a file, so that a damaged file cannot fill the memory.
const longestLine = 16 << 20

// read reads a run and the cases that are wanted, none if wanted is nil.
func read(r io.Reader, wanted func(suite, name string) bool) (*Run, error) {
	unpacked, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("not a file of a history: %w", err)
	}
	lines := bufio.NewScanner(unpacked)
	lines.Buffer(make([]byte, 64<<10), longestLine)
	if !lines.Scan() {
		return nil, cmp.Or(lines.Err(), errors.New("not a file of a history: it is empty"))
	}
	run, err := parseRun(lines.Bytes())
	if err != nil || wanted == nil {
		return run, err
	}
	for n := 2; lines.Scan(); n++ {
		var key struct {
			Suite string `json:"suite"`
			Name  string `json:"case"`
		}
		if err := json.Unmarshal(lines.Bytes(), &key); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if !wanted(key.Suite, key.Name) {
			continue
		}
		var c Case
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		run.Cases = append(run.Cases, c)
	}
	return run, lines.Err()
}

func parseRun(line []byte) (*Run, error) {
	run := &Run{}
	if err := json.Unmarshal(line, run); err != nil {
		return nil, fmt.Errorf("not a file of a history: %w", err)
	}
	if run.Schema != Schema {
		return nil, fmt.Errorf("its schema is %q, and this suite reads %s", run.Schema, Schema)
	}
	return run, nil
}
