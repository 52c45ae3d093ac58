package history

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"github.com/go-json-experiment/json"
)

// Folder is where a project keeps its history, from the top of its repository.
const Folder = ".suite/history"

// Ending ends the names of files of a history.
const Ending = ".jsonl.gz"

// Store is a history in a place, which need not exist before the first run is saved.
// Several processes may save into one place at the same time.
type Store struct{ Place }

// Entry is a file of a history and the run that it has, without its cases.
type Entry struct {
	File string // as Place.Path names it
	Size int64  // bytes
	Run
	name string // of the file in its place
}

// Saved is what became of a run that was to be saved.
type Saved struct {
	File  string // as Place.Path names it
	Cases int
	Fresh bool // the history did not have the run before, by its digest
}

// Save adds a run to the history and returns its file. A run that the history has already,
// by its digest, is not saved again: fresh is false then.
func (s Store) Save(run *Run) (file string, fresh bool, err error) {
	all, err := s.SaveAll([]*Run{run})
	if err != nil {
		return "", false, err
	}
	return all[0].File, all[0].Fresh, nil
}

// SaveAll is Save for several runs, which some places save faster together. With an error it
// returns those that are in the history all the same.
func (s Store) SaveAll(runs []*Run) (all []Saved, err error) {
	names := make([]string, len(runs))
	for i, run := range runs {
		names[i] = run.fileName()
	}
	fresh, err := s.Add(names, func(i int) ([]byte, error) {
		var text bytes.Buffer
		err := runs[i].write(&text)
		return text.Bytes(), err
	})
	for i := range fresh {
		all = append(all, Saved{s.Path(names[i]), len(runs[i].Cases), fresh[i]})
	}
	return all, err
}

// fileName depends on the start and the digest, so that files are sorted by time and two
// runs never share one.
func (r *Run) fileName() string {
	digest := strings.TrimPrefix(r.Digest, "sha256:")
	return r.Started.UTC().Format("20060102T150405Z") + "-" + digest[:min(len(digest), 12)] + Ending
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
// cannot be read is a problem, and the others are returned all the same. A place that does
// not exist has no runs.
func (s Store) List() ([]Entry, error) { return s.Read(nil) }

// Read returns the runs of the history with the cases that are wanted, in the order of their
// commits. A file that cannot be read is one of the Problems in the error; the others are returned all
// the same.
func (s Store) Read(wanted func(suite, name string) bool) ([]Entry, error) {
	files, err := s.Files()
	if err != nil {
		return nil, err
	}
	runs := make([]*Run, len(files))
	failures := make([]error, len(files))
	err = s.Open(files, func(i int, r io.Reader, err error) {
		if err == nil {
			runs[i], err = read(r, wanted)
		}
		failures[i] = err
	})
	if err != nil {
		return nil, err
	}
	var problems diag.Problems
	var all []Entry
	for i, run := range runs {
		path := s.Path(files[i].Name)
		if failures[i] != nil {
			hint := cmp.Or(diag.HintOf(failures[i]),
				"suite history prune FILE removes it; its run is lost for the history")
			problems = append(problems, diag.Problem{Place: diag.Place{File: path},
				Message: failures[i].Error(), Hint: hint})
			continue
		}
		all = append(all, Entry{path, files[i].Size, *run, files[i].Name})
	}
	slices.SortStableFunc(all, func(a, b Entry) int {
		return cmp.Or(a.When().Compare(b.When()), a.Started.Compare(b.Started))
	})
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
	return diag.Hinted(fmt.Sprintf("no runs in %s", s.Place),
		"suite run --save FILE adds a run; suite history import adds "+
			"results of other programs; suite history sync fetches those that a remote has in git")
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
