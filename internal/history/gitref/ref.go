// Package gitref keeps a history in a ref of a git repository, so that a project needs neither a
// folder in its tree nor a server.
//
// The tree of the ref has a folder for each month, and in it a file for each run, as a history in a
// folder has them. The files of two clones are joined by their names, and there is nothing to
// decide: a file never changes, and two runs never have one name. A run that was pruned leaves an
// empty file, which wins against the run, so that a clone which has it still does not bring it back.
// Commits are one line: what a clone has more than the remote becomes one commit after the
// remote's. Pruning begins a new line, so that git can drop the old files.
//
// Nothing is written but objects and the ref: no index, no work tree, no configuration.
package gitref

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/git"
	"example.com/suite/internal/history"
)

// Default is the ref that a history has if nobody names another. Forges keep notes, show them in no
// list of branches, and start no job for them.
const Default = "refs/notes/suite"

// Ref is a history in a ref.
type Ref struct {
	Repository string // a folder in it; empty: the working folder
	Name       string // full: refs/…
}

// Parse returns the ref that a text such as git, git:BRANCH or git:refs/notes/bench means. Any other
// text is a folder; ./git is one, too.
func Parse(text string) (r Ref, is bool) {
	kind, name, named := strings.Cut(text, ":")
	switch {
	case kind != "git":
		return Ref{}, false
	case !named:
		return Ref{Name: Default}, true
	case strings.HasPrefix(name, "refs/"):
		return Ref{Name: name}, true
	}
	return Ref{Name: "refs/heads/" + name}, true
}

func (r Ref) String() string { return r.Name }

// Exists reports whether the working folder is in a repository that has the ref.
func (r Ref) Exists() bool {
	_, err := r.local().Run(context.Background(), "show-ref", "--verify", "--quiet", "--", r.Name)
	return err == nil
}

// Path is a file as git show takes it.
func (r Ref) Path(name string) string { return r.Name + ":" + place(name) }

// place is the path of a file in the tree. Its name begins with the date of the run.
func place(name string) string {
	return name[:min(4, len(name))] + "-" + name[min(4, len(name)):min(6, len(name))] + "/" + name
}

// object is a file in the tree of a ref.
type object struct {
	mode, id string
	size     int64 // bytes; -1 if the repository lacks the object
}

func (o object) isPruned() bool { return o.size == 0 }

// state is what a ref has at one time.
type state struct {
	tip        string // commit; empty if there is no such ref
	checkedOut string // work tree whose HEAD is the ref
	files      map[string]object
}

// isRun reports whether a path in a tree is the one of a run.
func isRun(file string) bool {
	name := path.Base(file)
	return strings.HasSuffix(name, history.Ending) && len(name) > 6 && file == place(name)
}

// runs counts the runs that were not pruned.
func (s *state) runs() (n int) {
	for file, o := range s.files {
		if isRun(file) && !o.isPruned() {
			n++
		}
	}
	return n
}

// isForeign reports whether the tree has files and none of them is of a history.
func (s *state) isForeign() bool {
	for file := range s.files {
		if isRun(file) {
			return false
		}
	}
	return len(s.files) > 0
}

// local runs git for what needs no remote.
func (r Ref) local() git.Git { return git.Git{Dir: r.Repository, Env: git.Frugal} }

// state reads the ref.
func (r Ref) state() (*state, error) {
	const format = "--format=%(refname)%00%(objectname)%00%(worktreepath)"
	out, err := r.local().Run(context.Background(), "for-each-ref", format, "--", r.Name)
	if err != nil {
		return nil, r.explain(err)
	}
	for line := range strings.Lines(out) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
		if len(fields) != 3 || fields[0] != r.Name { // refs/notes/suite/other
			continue
		}
		s, err := r.at(fields[1])
		if err == nil {
			s.checkedOut = fields[2]
		}
		return s, err
	}
	if _, err := r.local().Run(context.Background(), "check-ref-format", r.Name); err != nil {
		return nil, diag.Hinted(
			fmt.Sprintf("%q is no name of a ref", r.Name),
			"--history git:suite-history is a branch, git:refs/notes/NAME are notes",
		)
	}
	return &state{}, nil
}

// at lists the files of a commit.
func (r Ref) at(commit string) (*state, error) {
	out, err := r.local().Run(context.Background(), "ls-tree", "-r", "-l", "-z", "--full-tree", commit)
	if err != nil {
		return nil, r.explain(err)
	}
	s := &state{tip: commit, files: map[string]object{}}
	for line := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		about, file, _ := strings.Cut(line, "\t")
		fields := strings.Fields(about) // mode, type, id, size
		if len(fields) != 4 {
			continue
		}
		size, err := strconv.ParseInt(fields[3], 10, 64)
		if err != nil { // of a submodule, or of an object that the repository lacks
			size = -1
		}
		s.files[file] = object{fields[0], fields[2], size}
	}
	return s, nil
}

// Files lists the runs that were not pruned.
func (r Ref) Files() (files []history.File, err error) {
	s, err := r.state()
	if err != nil {
		return nil, err
	}
	for file, o := range s.files {
		if isRun(file) && !o.isPruned() {
			files = append(files, history.File{Name: path.Base(file), Size: max(o.size, 0), ID: o.id})
		}
	}
	slices.SortFunc(files, func(a, b history.File) int { return strings.Compare(a.Name, b.Name) })
	return files, nil
}

// errAbsent is the error for a file that a partial clone has not fetched.
var errAbsent = errors.New("its content is not in this clone")

// Open reads files from one git, and unpacks them on all CPUs.
func (r Ref) Open(files []history.File, read func(i int, text io.Reader, err error)) error {
	if len(files) == 0 {
		return nil
	}
	var asked strings.Builder
	for _, f := range files {
		asked.WriteString(f.ID + "\n")
	}
	type content struct {
		file int
		text []byte
		err  error
	}
	contents := make(chan content, runtime.GOMAXPROCS(0))
	var readers sync.WaitGroup
	for range cap(contents) {
		readers.Go(func() {
			for c := range contents {
				read(c.file, bytes.NewReader(c.text), c.err)
			}
		})
	}
	err := r.local().Stream(context.Background(), asked.String(), func(out io.Reader) error {
		answers := bufio.NewReaderSize(out, 256<<10)
		for i := range files {
			text, err := answer(answers)
			if err == errAbsent {
				err = diag.Hinted(err.Error(), "git fetch --refetch --no-filter origin "+r.Name)
			} else if err != nil {
				return err
			}
			contents <- content{i, text, err}
		}
		return nil
	}, "cat-file", "--batch", "--buffer")
	close(contents)
	readers.Wait()
	return r.explain(err)
}

// answer reads an answer of git cat-file: a line with id, type and size, the content, and a line feed.
func answer(from *bufio.Reader) ([]byte, error) {
	line, err := from.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	fields := strings.Fields(line)
	if len(fields) != 3 {
		return nil, errAbsent
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size < 0 {
		return nil, fmt.Errorf("git cat-file: %q is no answer", line)
	}
	text, err := io.ReadAll(io.LimitReader(from, size+1))
	if err != nil || int64(len(text)) != size+1 {
		return nil, fmt.Errorf("git cat-file: %w", io.ErrUnexpectedEOF)
	}
	return text[:size], nil
}

// Partial is the error if the clone is partial and git fetch has left out the runs of the ref. Sync
// fetches them.
type Partial struct{ error }

func (e *Partial) Unwrap() error { return e.error }

// explain adds the ref and a hint to an error of git.
func (r Ref) explain(err error) error {
	var failure *git.Failure
	var missing *git.NotRun
	switch {
	case errors.As(err, &failure) && strings.Contains(failure.Stderr, "from promisor remote"):
		return &Partial{diag.Hinted(r.Name+": this clone is partial, and lacks the runs",
			"suite history sync fetches them")}
	case errors.As(err, &failure) && strings.Contains(failure.Stderr, "not a git repository"):
		return diag.Hinted(
			r.Name+" is a ref of a git repository, and the working folder is in none",
			"start in a clone, or keep the history in a folder: --history FOLDER",
		)
	case errors.As(err, &failure):
		return diag.Hinted(r.Name+": "+failure.Error(), "--history names another place")
	case errors.As(err, &missing) && missing.IsMissing():
		return diag.Hinted(
			r.Name+" is a ref of a git repository, and there is no git in PATH",
			"install git, or keep the history in a folder: --history FOLDER",
		)
	case errors.As(err, &missing):
		return diag.Hinted(missing.Error(), "git version")
	}
	return err
}
