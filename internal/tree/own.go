package tree

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"example.com/suite/internal/lazy"
	"example.com/suite/internal/paths"
)

// OwnFolder is the folder at the top of a work tree in which suite keeps files of its own,
// such as the history. They decide nothing about what is measured, so they make no tree dirty.
const OwnFolder = ".suite"

// own recognises what suite and its printed jobs write: such a file is no change of a tree.
// A result in the work tree would otherwise make the tree of the next shard another one.
type own struct {
	top     string   // of the work tree, links resolved
	written []string // files and folders that this run writes, links resolved
}

func newOwn(top string, written []string) own {
	o := own{top: paths.Real(top)}
	for _, name := range written {
		o.written = append(o.written, paths.Real(name))
	}
	return o
}

// hasNamed reports whether a file, relative to the top of the tree with slashes, is in OwnFolder
// or written by this run.
func (o own) hasNamed(name string) bool {
	if strings.HasPrefix(name, OwnFolder+"/") {
		return true
	}
	whole := filepath.Join(o.top, filepath.FromSlash(name))
	for _, w := range o.written {
		if _, inside := paths.Within(w, whole); inside {
			return true
		}
	}
	return false
}

// hasUnknown reports whether a file that git does not know looks like what suite and its jobs
// write. A file that git knows may be data of a benchmark, whatever it looks like. A name that
// ends in a slash is a folder, which is suite's own if all of its files are.
func (o own) hasUnknown(name string) bool {
	whole := filepath.Join(o.top, filepath.FromSlash(name))
	if strings.HasSuffix(name, "/") {
		return o.hasAll(whole)
	}
	return o.hasNamed(name) || isSlurmLog(name) || isInProfiles(name) || isDocument(whole)
}

// mostOwn is how many files of a folder are looked at. A history is in written or in
// OwnFolder, so results of one job are all that is left.
const mostOwn = 10_000

func (o own) hasAll(folder string) bool {
	n := 0
	err := filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(o.top, file)
		if n++; err != nil || n > mostOwn || !o.hasUnknown(filepath.ToSlash(rel)) {
			return fs.ErrExist // any error ends the walk
		}
		return nil
	})
	return err == nil && n > 0
}

var slurmLog = lazy.Regexp(`^slurm-\d+(_\d+)?\.out$`)

// isSlurmLog reports whether Slurm writes files of this name, as the printed job leaves it.
func isSlurmLog(name string) bool { return slurmLog().MatchString(path.Base(name)) }

// isInProfiles reports whether a file is one of the profiles next to a result.
func isInProfiles(name string) bool {
	return strings.HasSuffix(path.Dir(name), ".profiles") && strings.HasSuffix(name, ".pb.gz")
}

// Documents begin with their schema, pages name their generator, and jobs who wrote them.
var documents = []func() *regexp.Regexp{
	lazy.Regexp(`^\s*\{\s*"(schema|journal)":\s*"suite-[a-z]+/\d`),
	lazy.Regexp(`^<!doctype html>[\s\S]*<meta name="generator" content="suite `),
	lazy.Regexp(`(?m)^#.*\bsuite fleet [a-z]+ wrote`),
}

// headOf returns the first bytes of a plain file, at most n, and none if it cannot be read.
func headOf(file string, n int) []byte {
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, int64(n)))
	if err != nil {
		return nil
	}
	return head
}

// isDocument reports whether the beginning of a plain file shows that suite wrote it.
func isDocument(file string) bool {
	const enough = 1024
	head := bytes.ToLower(headOf(file, enough))
	for _, d := range documents {
		if d().Match(head) {
			return true
		}
	}
	return false
}

// state is what git status prints of the work tree: the commit, empty before the first one,
// and whether anything differs from it that is not suite's own.
func (r *repository) state(ctx context.Context, cache string, written []string) (head *Head, err error) {
	args := []string{"status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal", "--no-renames", "--"}
	out, err := r.Run(ctx, append(args, r.all(cache)...)...)
	if err != nil {
		return nil, err
	}
	mine := newOwn(r.top, written)
	head = &Head{}
	var changed []string
	for line := range strings.SplitSeq(out, "\x00") {
		hash, is := strings.CutPrefix(line, "# branch.oid ")
		switch {
		case is && hash != "(initial)":
			head.Commit = hash
		case line == "" || strings.HasPrefix(line, "# "):
		default:
			if name := changedPath(line); !mine.hasNamed(name) && !(line[0] == '?' && mine.hasUnknown(name)) {
				changed = append(changed, name)
			}
		}
	}
	head.Dirty, head.Changes = len(changed) > 0, hashChanges(mine, changed)
	return head, nil
}

// changedPath returns the path in a line of git status --porcelain=v2: what follows the
// fields of its kind.
func changedPath(line string) string {
	fields := map[byte]int{'1': 8, 'u': 10, '?': 1}[line[0]]
	parts := strings.SplitN(line, " ", fields+1)
	return parts[len(parts)-1]
}
