// Package project connects a history with the project in the working folder: it finds the folder
// of the history at the top of the repository, and takes the dates, authors and subjects of
// commits from the repository. Without a repository they stay unknown. It also reads the limits with which a
// history is pruned, because the parser of sizes is not for the module of stores, which imports
// package history. It prints nothing.
package project

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/history"
	"example.com/suite/internal/history/foreign"
	"example.com/suite/internal/history/gitref"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/tree"
	"example.com/suite/report"
	"example.com/suite/result"
)

// Store is the history in the place that --history names, or the one of the project if the flag is
// empty: in the folder at the top of the repository or, without that folder, in the ref
// gitref.Default if the repository has it.
func Store(flag string) history.Store {
	if ref, is := gitref.Parse(flag); is {
		return history.Store{Place: ref}
	}
	if flag != "" {
		return history.Store{Place: history.Dir(flag)}
	}
	folder := ownFolder()
	ref := gitref.Ref{Name: gitref.Default}
	if !paths.IsFolder(folder) && ref.Exists() {
		return history.Store{Place: ref}
	}
	return history.Store{Place: history.Dir(folder)}
}

// ownFolder is the folder of the project, relative to the working folder if possible.
func ownFolder() string {
	top := tree.TopOf(".")
	if top == "" {
		return filepath.FromSlash(history.Folder)
	}
	return relative(filepath.Join(top, filepath.FromSlash(history.Folder)))
}

// relative is a path relative to the working folder if possible.
func relative(path string) string {
	if wd, err := os.Getwd(); err == nil {
		if short, err := filepath.Rel(paths.Resolved(wd), path); err == nil {
			return short
		}
	}
	return path
}

// FilesNamed lists the files with a name in the repository of the working folder, and the one in the
// working folder, which git may ignore: relative to the working folder, each once.
func FilesNamed(ctx context.Context, name string) (files []string) {
	if _, err := os.Stat(name); err == nil {
		files = append(files, name)
	}
	repository, err := tree.OpenHistory(ctx, ".")
	if err != nil {
		return files
	}
	found, _ := repository.FilesNamed(ctx, name) // a repository without a work tree has none
	for _, path := range found {
		if short := relative(path); !slices.Contains(files, short) {
			files = append(files, short)
		}
	}
	return files
}

// FolderOf is the folder that --history names; empty if it names none.
func FolderOf(flag string) string {
	if _, is := gitref.Parse(flag); is {
		return ""
	}
	return flag
}

// IsPlace reports whether a text is a ref or an existing folder.
func IsPlace(text string) bool {
	_, is := gitref.Parse(text)
	return is || paths.IsFolder(text)
}

// CheckSave fails if a run that is to be saved cannot be saved in the place that --history names.
// It makes the folder if that is one.
func CheckSave(save bool, flag string) (err error) {
	if !save {
		return nil
	}
	hint := "--history names another folder"
	switch place := Store(flag).Place.(type) {
	case history.Dir:
		err = os.MkdirAll(string(place), 0o777)
		if err == nil {
			err = report.CheckFile(place.Path("run"))
		}
	case gitref.Ref:
		err = place.CheckWritable()
		hint = diag.HintOf(err)
	}
	if err != nil {
		return diag.Hinted("--save: "+err.Error(), hint)
	}
	return nil
}

// Save adds the runs of a document in which something was measured to the history. It returns
// those that are in the history also if there is an error.
func Save(ctx context.Context, doc *result.Document, s history.Store) ([]history.Saved, error) {
	runs := slices.DeleteFunc(history.Runs(doc), func(run *history.Run) bool { return !run.Measured() })
	Describe(ctx, runs)
	return s.SaveAll(runs)
}

// Import adds the runs of files of suite or of other programs to the history, with the suite and
// the commit that foreign.ReadFile takes. added counts the runs that the history did not have,
// known the others. A file that cannot be read is one of the errors in unread; err ends the
// import.
func Import(
	ctx context.Context, s history.Store, files []string, suite, commit string,
) (added, known int, unread []error, err error) {
	var runs []*history.Run
	for _, file := range files {
		of, err := foreign.ReadFile(file, suite, commit)
		if err != nil {
			unread = append(unread, err)
			continue
		}
		runs = append(runs, of...)
	}
	Describe(ctx, runs)
	saved, err := s.SaveAll(runs)
	for _, one := range saved {
		if one.Fresh {
			added++
		} else {
			known++
		}
	}
	return added, known, unread, err
}

// SortSeconds sorts runs whose commits have the same time by the repository of the working folder, if it
// has them: git keeps seconds, and a rebase makes several commits in one. The entries are sorted by time.
func SortSeconds(ctx context.Context, entries []history.Entry) {
	var hashes []string
	var since time.Time
	for i := 1; i < len(entries); i++ {
		a, b := &entries[i-1], &entries[i]
		if a.Commit == "" || b.Commit == "" || a.Commit == b.Commit ||
			a.Committed.IsZero() || !a.Committed.Equal(b.Committed) {
			continue
		}
		if len(hashes) == 0 {
			since = a.Committed
		}
		hashes = append(hashes, a.Commit, b.Commit)
	}
	if len(hashes) == 0 {
		return
	}
	repository, err := tree.OpenHistory(ctx, ".")
	if err != nil {
		return
	}
	order, err := repository.Ordered(ctx, hashes, since)
	if err != nil {
		return
	}
	rank := map[string]int{}
	for i, hash := range order {
		rank[hash] = i + 1 // after those that the repository lacks
	}
	slices.SortStableFunc(entries, func(a, b history.Entry) int {
		return cmp.Or(a.When().Compare(b.When()), rank[a.Commit]-rank[b.Commit])
	})
}

// NotAfter leaves out the runs of commits that are newer than the ones that are measured, and sorts the
// others by their commits.
func NotAfter(ctx context.Context, entries []history.Entry, measured []*result.Commit) []history.Entry {
	if len(entries) == 0 {
		return nil
	}
	now := &history.Run{}
	for _, c := range measured {
		if c != nil {
			now.Commit = c.Hash
		}
	}
	Describe(ctx, []*history.Run{now})
	SortSeconds(ctx, entries)
	return slices.DeleteFunc(entries, func(e history.Entry) bool {
		return !now.Committed.IsZero() && !e.Committed.IsZero() && e.Committed.After(now.Committed)
	})
}

// Newest returns the newest run of a commit, nil if there is none. The commit is the beginning of a hash, or a revision
// of the repository in the working folder. entries are in the order of time.
func Newest(ctx context.Context, entries []history.Entry, commit string) *history.Run {
	if run := history.Newest(entries, strings.ToLower(commit)); run != nil {
		return run
	}
	repository, err := tree.OpenHistory(ctx, ".")
	if err != nil {
		return nil
	}
	found, err := repository.Find(ctx, commit)
	if err != nil {
		return nil
	}
	return history.Newest(entries, found.Hash)
}

// Complete adds what runs do not have of their commits: the author and the subject, if the
// repository of the working folder has the commit, and the address of its page. Pages are added
// to all runs if the history is of that repository: at least one of its commits is known. Dates
// stay as they are, so that the order of the runs does.
func Complete(ctx context.Context, entries []history.Entry) {
	var hashes []string
	for i := range entries {
		e := &entries[i]
		if e.Commit != "" && (e.Page == "" || e.Author == "" || e.Subject == "") {
			hashes = append(hashes, e.Commit)
		}
	}
	repository, err := tree.OpenHistory(ctx, ".")
	if err != nil || len(hashes) == 0 {
		return
	}
	known, err := repository.Known(ctx, hashes)
	if err != nil || len(known) == 0 {
		return
	}
	pages := repository.CommitPages(ctx)
	for i := range entries {
		e := &entries[i]
		if e.Commit == "" {
			continue
		}
		c := known[e.Commit] // without texts if it is not known
		e.Author = cmp.Or(e.Author, c.Author)
		e.Subject = cmp.Or(e.Subject, c.Subject)
		if e.Page == "" && pages != "" {
			e.Page = pages + e.Commit
		}
	}
}

// Describe adds the dates, authors and subjects of commits that the repository of the working
// folder has to runs without a date.
func Describe(ctx context.Context, runs []*history.Run) {
	var hashes []string
	for _, run := range runs {
		if run.Commit != "" && run.Committed.IsZero() {
			hashes = append(hashes, run.Commit)
		}
	}
	if len(hashes) == 0 {
		return
	}
	repository, err := tree.OpenHistory(ctx, ".")
	if err != nil {
		return
	}
	known, err := repository.Known(ctx, hashes)
	if err != nil {
		return
	}
	for _, run := range runs {
		if c, ok := known[run.Commit]; ok {
			run.Committed, run.Author, run.Subject = c.When, c.Author, c.Subject
		}
	}
}
