package tree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Commit is a commit of a history.
type Commit struct {
	Hash    string   `json:"hash"`              // full
	Parents []string `json:"parents,omitempty"` // full hashes, in git's order
	Subject string   `json:"subject,omitempty"` // first line of its message
	Author  string   `json:"author,omitempty"`  // name
	Date    string   `json:"date,omitempty"`    // when it was committed: 2026-11-22

	When time.Time `json:"-"` // the same, to the second
}

// History is the history of the user's repository. It is only read.
type History struct{ repository *repository }

// OpenHistory finds the repository that contains a folder. The error is an *Error if there
// is none.
func OpenHistory(ctx context.Context, dir string) (*History, error) {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	r, err := discover(ctx, whole)
	var e *Error
	if errors.As(err, &e) && e.kind == noRepository {
		return nil, &Error{Message: e.Message, Hint: "the suite file has to be in the repository of its commits",
			Err: e.Err, kind: e.kind}
	}
	if err != nil {
		return nil, err
	}
	return &History{r}, nil
}

// Find looks a revision up, as Open does. The error is an *Error with a hint if there is no
// such revision.
func (h *History) Find(ctx context.Context, rev string) (Commit, error) {
	if rev == "" || strings.ContainsAny(rev, "\x00\r\n") {
		return Commit{}, fault(fmt.Sprintf("%q names no revision", rev), "a revision such as main, v1.2 or HEAD~1")
	}
	found, err := h.repository.find(ctx, rev)
	if err != nil {
		return Commit{}, err
	}
	all, err := h.log(ctx, "--no-walk", found.hash)
	if err != nil {
		return Commit{}, err
	}
	return all[0], nil
}

// Fork is the last common ancestor of two commits; "" if there is none. If there are
// several, it is the one that git names first.
func (h *History) Fork(ctx context.Context, a, b string) (string, error) {
	bases, err := h.repository.bases(ctx, a, b)
	if err != nil || len(bases) == 0 {
		return "", err
	}
	return bases[0], nil
}

// Line lists the commits from one commit to a later one along first parents, the oldest
// first, the first commit left out and the last included. Commits of branches that were
// merged on the way are not in it: their merge is.
func (h *History) Line(ctx context.Context, from, to string) ([]Commit, error) {
	return h.log(ctx, "--first-parent", "--reverse", "^"+from, to)
}

// Known finds commits by their full hashes. Hashes that the repository lacks are left out.
func (h *History) Known(ctx context.Context, hashes []string) (map[string]Commit, error) {
	known := map[string]Commit{}
	if len(hashes) == 0 {
		return known, nil
	}
	all, err := h.logOf(ctx, strings.Join(hashes, "\n")+"\n", "--no-walk=unsorted", "--ignore-missing", "--stdin")
	for _, c := range all {
		known[c.Hash] = c
	}
	return known, err
}

// Ordered sorts commits by their full hashes, each after those of its ancestors that are no older than
// since. Hashes that the repository lacks are left out.
func (h *History) Ordered(ctx context.Context, hashes []string, since time.Time) ([]string, error) {
	all, err := h.logOf(ctx, strings.Join(hashes, "\n")+"\n", "--topo-order", "--reverse",
		fmt.Sprintf("--since=@%d", since.Unix()), "--ignore-missing", "--stdin")
	var ordered []string
	for _, c := range all {
		if slices.Contains(hashes, c.Hash) {
			ordered = append(ordered, c.Hash)
		}
	}
	return ordered, err
}

// Tags lists the tags of commits, in the order of git.
func (h *History) Tags(ctx context.Context) (map[string][]string, error) {
	out, err := h.repository.Run(ctx, "for-each-ref", "--format=%(objectname) %(*objectname) %(refname:strip=2)",
		"refs/tags")
	if err != nil {
		return nil, asError(err, "")
	}
	tags := map[string][]string{}
	for line := range strings.Lines(out) {
		object, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		of, name, _ := strings.Cut(rest, " ") // of is the commit of an annotated tag
		commit := cmp.Or(of, object)
		tags[commit] = append(tags[commit], name)
	}
	return tags, nil
}

// FilesNamed lists the files of the work tree with a name, in any folder, as absolute paths. Files
// that git ignores are left out.
func (h *History) FilesNamed(ctx context.Context, name string) (files []string, err error) {
	top, err := h.repository.Run(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, asError(err, "")
	}
	out, err := h.repository.Run(ctx, "ls-files", "-z", "--full-name", "--cached", "--others",
		"--exclude-standard", "--",
		":(top,glob)**/"+name)
	if err != nil {
		return nil, asError(err, "")
	}
	for _, path := range strings.Split(out, "\x00") {
		if path != "" {
			files = append(files, filepath.Join(strings.TrimSuffix(top, "\n"), filepath.FromSlash(path)))
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(files))), nil // one in conflict is listed for each side
}

// CommitPages is the address of the pages of commits on the web, to which a hash is appended. It
// is made of the address of the first remote, without its password; "" if that has none.
func (h *History) CommitPages(ctx context.Context) string {
	names, err := h.repository.remotes(ctx)
	if err != nil || len(names) == 0 {
		return ""
	}
	remote, err := h.repository.Run(ctx, "remote", "get-url", names[0])
	if err != nil {
		return ""
	}
	return commitPages(strings.TrimSpace(remote))
}

func commitPages(remote string) string {
	if host, path, ok := strings.Cut(remote, ":"); ok && !strings.Contains(remote, "://") {
		remote = "ssh://" + host + "/" + path // git@example.com:owner/name.git
	}
	u, err := url.Parse(remote)
	if err != nil || u.Scheme != "https" && u.Scheme != "ssh" || !strings.Contains(u.Host, ".") {
		return "" // a folder, or a host with a name that only ssh knows
	}
	page := url.URL{Scheme: "https", Host: u.Host, Path: "/" + strings.TrimSuffix(strings.Trim(u.Path, "/"), ".git")}
	if u.Scheme == "ssh" {
		page.Host = u.Hostname() // the port is ssh's
	}
	switch {
	case strings.Contains(page.Host, "bitbucket"):
		page.Path += "/commits/"
	case strings.Contains(page.Host, "gitlab"):
		page.Path += "/-/commit/"
	default:
		page.Path += "/commit/"
	}
	return page.String()
}

// fields of a commit, in the order in which log asks for them.
const fields = "%H%x1f%P%x1f%an%x1f%cs%x1f%ct%x1f%s"

func (h *History) log(ctx context.Context, args ...string) ([]Commit, error) {
	return h.logOf(ctx, "", append(args, "--")...)
}

// logOf is log with further revisions on standard input.
func (h *History) logOf(ctx context.Context, revisions string, args ...string) ([]Commit, error) {
	args = append([]string{"log", "-z", "--no-show-signature", "--no-color", "--format=tformat:" + fields}, args...)
	out, err := h.repository.Feed(ctx, revisions, args...)
	if err != nil {
		return nil, asError(err, "git log")
	}
	var all []Commit
	for _, text := range strings.Split(strings.TrimSuffix(out, "\x00"), "\x00") {
		parts := strings.SplitN(text, "\x1f", 6)
		if len(parts) < 6 { // there is no commit
			continue
		}
		seconds, _ := strconv.ParseInt(parts[4], 10, 64) // git writes a number
		all = append(all, Commit{Hash: parts[0], Parents: strings.Fields(parts[1]), Author: parts[2], Date: parts[3],
			When: time.Unix(seconds, 0).UTC(), Subject: parts[5]})
	}
	return all, nil
}

// ChangedSince lists the files that differ between the tree of an earlier revision and this
// one, as slash-separated paths relative to the roots, in alphabetical order. Both trees are
// revisions of one repository.
func (t *Tree) ChangedSince(ctx context.Context, other *Tree) ([]string, error) {
	if t.repository == nil || other.Revision == "" {
		return nil, fault("only files of two revisions can be compared", "")
	}
	out, err := t.repository.Run(ctx, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv",
		"--ignore-submodules=none", other.Revision, t.Revision, "--", ":/")
	if err != nil {
		return nil, asError(err, "")
	}
	var all []string
	for _, name := range strings.Split(out, "\x00") {
		if name != "" {
			all = append(all, name)
		}
	}
	return all, nil
}
