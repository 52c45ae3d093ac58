package gitref

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/git"
	"example.com/suite/internal/units"
)

// tries bounds how often something is done again because another process was faster. Each time one
// of them has finished, so that many processes at once need less.
const tries = 100

// regular is the mode of a file in a tree.
const regular = "100644"

// author makes commits of nobody, so that git needs no name of the user's, and the history has none.
var author = []string{
	"GIT_AUTHOR_NAME=suite", "GIT_AUTHOR_EMAIL=suite", "GIT_COMMITTER_NAME=suite", "GIT_COMMITTER_EMAIL=suite",
}

// workshop is a folder for temporary files, with an index of its own.
type workshop struct {
	git.Git
	folder string
}

func (r Ref) workshop() (*workshop, error) {
	folder, err := os.MkdirTemp("", "suite-history-")
	if err != nil {
		return nil, diag.Hinted(err.Error(), "git needs a folder for temporary files")
	}
	g := r.local()
	g.Env = slices.Concat(g.Env, author, []string{"GIT_INDEX_FILE=" + filepath.Join(folder, "index")})
	g.Args = []string{"-c", "core.filesRefLockTimeout=2000"}
	return &workshop{g, folder}, nil
}

func (w *workshop) close() { os.RemoveAll(w.folder) }

// keep writes texts as objects and returns them.
func (w *workshop) keep(texts [][]byte) ([]object, error) {
	var paths strings.Builder
	for i, text := range texts {
		file := filepath.Join(w.folder, strconv.Itoa(i))
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return nil, err
		}
		paths.WriteString(file + "\n")
	}
	out, err := w.Feed(context.Background(), paths.String(), "hash-object", "-w", "--no-filters", "--stdin-paths")
	if err != nil {
		return nil, err
	}
	ids := strings.Fields(out)
	if len(ids) != len(texts) {
		return nil, fmt.Errorf("git hash-object: %d objects of %d", len(ids), len(texts))
	}
	objects := make([]object, len(texts))
	for i, id := range ids {
		objects[i] = object{regular, id, int64(len(texts[i]))}
	}
	return objects, nil
}

// commit makes a commit of the tree of another commit (empty: of none) with files put into it. A
// commit without a parent begins a new line.
func (w *workshop) commit(tree, parent, message string, put map[string]object) (string, error) {
	ctx := context.Background()
	start := []string{"read-tree", "--empty"}
	if tree != "" {
		start = []string{"read-tree", tree}
	}
	if _, err := w.Run(ctx, start...); err != nil {
		return "", err
	}
	var entries strings.Builder
	for file, o := range put {
		fmt.Fprintf(&entries, "%s %s\t%s\x00", o.mode, o.id, file)
	}
	if _, err := w.Feed(ctx, entries.String(), "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	written, err := w.Run(ctx, "write-tree")
	if err != nil {
		return "", err
	}
	args := []string{"commit-tree", "-m", message}
	if parent != "" {
		args = append(args, "-p", parent)
	}
	made, err := w.Run(ctx, append(args, strings.TrimSpace(written))...)
	return strings.TrimSpace(made), err
}

// errMoved is the error if a ref is no longer what it was.
var errMoved = errors.New("another process was faster")

// move sets the ref to a commit if it is still what was read.
func (r Ref) move(w *workshop, from *state, to, why string) error {
	old := from.tip
	if old == "" {
		old = strings.Repeat("0", len(to)) // there must be none
	}
	_, err := w.Run(context.Background(), "update-ref", "--no-deref", "-m", "suite history: "+why, r.Name, to, old)
	if err == nil {
		return nil
	}
	if now, wrong := r.state(); wrong == nil && now.tip != from.tip {
		return errMoved
	}
	return err
}

// change commits what edit makes of the state of the ref, again if another process was faster.
// anew begins a new line of commits.
func (r Ref) change(w *workshop, anew bool, edit func(now *state) (put map[string]object, why string)) error {
	for range tries {
		now, err := r.state()
		if err == nil {
			err = r.mayWrite(now)
		}
		if err != nil {
			return err
		}
		put, why := edit(now)
		if len(put) == 0 {
			return nil
		}
		parent := now.tip
		if anew {
			parent = ""
		}
		made, err := w.commit(now.tip, parent, why, put)
		if err == nil {
			err = r.move(w, now, made, why)
		}
		if err != errMoved {
			return r.explain(err)
		}
	}
	return r.busy(r.Name)
}

func (r Ref) busy(what string) error {
	return diag.Hinted(fmt.Sprintf("%s was changed by others %d times meanwhile", what, tries), "try again")
}

// mayWrite refuses a ref that is in use for something else.
func (r Ref) mayWrite(now *state) error {
	own := "a ref of its own: --history git, or git:suite-history for a branch"
	switch {
	case now.isForeign():
		return diag.Hinted(r.Name+" has files and no run of a history", own)
	case now.checkedOut != "":
		return diag.Hinted(
			fmt.Sprintf("%s is checked out in %s", r.Name, now.checkedOut),
			"check out another branch there, or use "+own,
		)
	case now.tip == "" && strings.HasPrefix(r.Name, "refs/heads/"):
		head, err := r.local().Run(context.Background(), "symbolic-ref", "--quiet", "HEAD")
		if err == nil && strings.TrimSpace(head) == r.Name {
			return diag.Hinted(r.Name+" is the branch of this clone, which has no commit yet", own)
		}
	}
	return nil
}

// workshopWithEmpty returns a workshop, and the empty file in it.
func (r Ref) workshopWithEmpty() (*workshop, object, error) {
	w, err := r.workshop()
	if err != nil {
		return nil, object{}, err
	}
	kept, err := w.keep([][]byte{nil})
	if err != nil {
		w.close()
		return nil, object{}, r.explain(err)
	}
	return w, kept[0], nil
}

// CheckWritable fails if no run can be saved in the ref. It leaves the ref as it is.
func (r Ref) CheckWritable() error {
	now, err := r.state()
	if err == nil {
		err = r.mayWrite(now)
	}
	if err != nil {
		return err
	}
	w, empty, err := r.workshopWithEmpty()
	if err != nil {
		return err
	}
	defer w.close()
	old := now.tip
	if old == "" {
		old = strings.Repeat("0", len(empty.id))
	}
	trial := fmt.Sprintf("start\nverify %s %s\nprepare\nabort\n", r.Name, old)
	_, err = w.Feed(context.Background(), trial, "update-ref", "--no-deref", "--stdin")
	if later, wrong := r.state(); err != nil && wrong == nil && later.tip != now.tip {
		return nil // another process has just written it
	}
	return r.explain(err)
}

// Add commits the files that the ref lacks, all of them or none. One that was pruned stays away.
func (r Ref) Add(names []string, text func(i int) ([]byte, error)) ([]bool, error) {
	now, err := r.state()
	if err != nil {
		return nil, err
	}
	var texts [][]byte
	lacking := map[string]int{} // by path: its text
	for i, name := range names {
		file := place(name)
		if _, known := now.files[file]; known {
			continue
		}
		if _, twice := lacking[file]; twice {
			continue
		}
		content, err := text(i)
		if err != nil {
			return nil, err
		}
		lacking[file] = len(texts)
		texts = append(texts, content)
	}
	fresh := make([]bool, len(names))
	if len(texts) == 0 {
		return fresh, nil
	}
	w, err := r.workshop()
	if err != nil {
		return nil, err
	}
	defer w.close()
	objects, err := w.keep(texts)
	if err != nil {
		return nil, r.explain(err)
	}
	var put map[string]object
	err = r.change(w, false, func(now *state) (map[string]object, string) {
		put = map[string]object{}
		for file, i := range lacking {
			if _, known := now.files[file]; !known {
				put[file] = objects[i]
			}
		}
		return put, "add " + units.Plural(len(put), "run")
	})
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		_, fresh[i] = put[place(name)]
		delete(put, place(name)) // the second of one name is not new
	}
	return fresh, nil
}

// Remove leaves an empty file in place of each run, and begins a new line of commits.
func (r Ref) Remove(names []string) error {
	w, empty, err := r.workshopWithEmpty()
	if err != nil {
		return err
	}
	defer w.close()
	return r.change(w, true, func(now *state) (map[string]object, string) {
		put := map[string]object{}
		for _, name := range names {
			if o, known := now.files[place(name)]; known && !o.isPruned() {
				put[place(name)] = empty
			}
		}
		return put, "prune " + units.Plural(len(put), "run")
	})
}
