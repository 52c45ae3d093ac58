package tree

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
	"example.com/suite/internal/git"
	"example.com/suite/internal/lazy"
	"example.com/suite/internal/paths"
)

// found is a revision that exists.
type found struct {
	name  string // as git knows it
	hash  string // of its commit
	notes []string
}

func (f *found) note(format string, args ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

// find looks a revision up as git does and, if that fails, as git checkout does: as a
// branch that only a remote has. A clone in CI often has origin/main but no main.
func (r *repository) find(ctx context.Context, rev string) (*found, error) {
	if strings.HasPrefix(rev, "-") {
		return nil, fault(fmt.Sprintf("%q is no revision: it begins with a dash", rev),
			"a folder of that name is ./"+rev)
	}
	hash, err := r.commit(ctx, rev)
	if hash != "" || err != nil {
		return &found{name: rev, hash: hash}, err
	}
	branches, err := r.remoteBranches(ctx, rev)
	switch {
	case err != nil:
		return nil, err
	case len(branches) == 0:
		return nil, r.unknown(ctx, rev)
	case len(branches) > 1 && branches[0] != "origin/"+rev:
		return nil, fault(fmt.Sprintf("%q is a branch of several remotes, and none here", rev),
			"name one of "+strings.Join(branches, ", "))
	}
	f := &found{name: branches[0]}
	f.note("%s is %s: no branch here has that name", rev, f.name)
	f.hash, err = r.commit(ctx, "refs/remotes/"+f.name)
	return f, err
}

// hashText matches full hashes. From here on, a commit is named by its hash only.
var hashText = lazy.Regexp(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

// commit is the hash of a revision's commit, "" if there is none or the text means
// several commits, as a..b does.
func (r *repository) commit(ctx context.Context, rev string) (string, error) {
	if !strings.HasPrefix(rev, ":") {
		return r.object(ctx, rev+"^{commit}")
	}
	object, err := r.object(ctx, rev)
	if object == "" || err != nil {
		return "", err
	}
	return r.object(ctx, object+"^{commit}") // not on rev itself: all of :/text is text
}

func (r *repository) object(ctx context.Context, rev string) (string, error) {
	out, err := r.Run(ctx, "rev-parse", "--verify", "--end-of-options", rev)
	var f *git.Failure
	if errors.As(err, &f) {
		if strings.Contains(f.Stderr, " is ambiguous") {
			return "", &Error{Message: fmt.Sprintf("%q is the beginning of several hashes", rev),
				Hint: "write more of it", Err: err}
		}
		return "", nil
	}
	if hash := strings.TrimSpace(out); hashText().MatchString(hash) {
		return hash, err
	}
	return "", err
}

// remotes lists the names of the remotes, origin first.
func (r *repository) remotes(ctx context.Context) ([]string, error) {
	out, err := r.Run(ctx, "remote")
	names := strings.Fields(out)
	slices.SortStableFunc(names, func(a, b string) int {
		switch {
		case a == b:
			return 0
		case a == "origin":
			return -1
		case b == "origin":
			return 1
		}
		return strings.Compare(a, b)
	})
	return names, asError(err, "")
}

// remoteBranches finds the branches of that name on all remotes, origin's first.
func (r *repository) remoteBranches(ctx context.Context, name string) (branches []string, err error) {
	remotes, err := r.remotes(ctx)
	if err != nil {
		return nil, err
	}
	known, err := r.refs(ctx, "refs/remotes")
	for _, remote := range remotes {
		if branch := remote + "/" + name; slices.Contains(known, branch) && name != "HEAD" {
			branches = append(branches, branch)
		}
	}
	return branches, err
}

// refs lists the names below prefixes, without the prefixes.
func (r *repository) refs(ctx context.Context, prefixes ...string) ([]string, error) {
	out, err := r.Run(ctx, append([]string{"for-each-ref", "--format=%(refname)"}, prefixes...)...)
	names := strings.Fields(out)
	for i := range names {
		parts := strings.SplitN(names[i], "/", 3)
		names[i] = parts[len(parts)-1]
	}
	return names, asError(err, "")
}

// unknown returns the error for a revision that does not exist. Its hint is the command that
// may fetch the revision.
func (r *repository) unknown(ctx context.Context, rev string) error {
	names, err := r.refs(ctx, "refs/heads", "refs/tags", "refs/remotes")
	if err != nil {
		return err
	}
	e := &Error{Message: fmt.Sprintf("no revision %q in %s", rev, r.top), kind: unknown}
	near, like := diag.Nearest(rev, names)
	switch {
	case len(names) == 0 && !r.born(ctx):
		e.Message, e.Hint = fmt.Sprintf("%s has no commit yet, so there is nothing to compare with",
			r.top), "git commit"
	case r.shallow:
		e.Message += ", which has only a part of its history"
		e.Hint = r.deepen(ctx, rev)
	case like:
		e.Hint = fmt.Sprintf("did you mean %q?", near)
	case abbreviated().MatchString(rev):
		e.Hint = "git fetch --all, if it is a commit of somebody else"
	case strings.ContainsAny(rev, "~^@:"):
		e.Hint = "git log and git reflog list the commits; git help revisions describes their names"
	default:
		e.Hint = "git branch --all and git tag list the names; a folder is written ./" + rev
	}
	return e
}

// born reports whether HEAD has a commit.
func (r *repository) born(ctx context.Context) bool {
	hash, err := r.commit(ctx, "HEAD")
	return hash != "" && err == nil
}

var (
	abbreviated = lazy.Regexp(`^[0-9a-f]{7,64}$`)
	versionName = lazy.Regexp(`^v?[0-9]+(\.[0-9]+)+`)
	branchName  = lazy.Regexp(`^[\pL\pN_][\pL\pN_./+-]*$`)
)

// deepen returns the command that fetches the whole history of a shallow clone, and rev too if
// the clone lacks it.
func (r *repository) deepen(ctx context.Context, rev string) string {
	const inCI = "; in a CI job: fetch-depth: 0 of actions/checkout, GIT_DEPTH: 0 of GitLab"
	remotes, err := r.remotes(ctx)
	if err != nil || len(remotes) == 0 {
		return "clone it with all of its history" + inCI
	}
	remote := remotes[0]
	for _, name := range remotes {
		if rest, ok := strings.CutPrefix(rev, name+"/"); ok {
			remote, rev = name, rest
		}
	}
	command := "git fetch --unshallow " + remote
	switch {
	case versionName().MatchString(rev):
		command = "git fetch --unshallow --tags " + remote
	case rev != "HEAD" && branchName().MatchString(rev) && !abbreviated().MatchString(rev):
		command += fmt.Sprintf(" %s:refs/remotes/%s/%[1]s", rev, remote)
	}
	return command + inCI
}

// shownName returns the name of a revision for reports, in which it is the heading of a
// column. CI systems pass whole hashes; of those it returns the first 12 digits, as many as
// git shows in the largest repositories. Other names stay as they are.
func shownName(name, hash string) string {
	const digits = 12
	if len(name) > digits && strings.HasPrefix(hash, strings.ToLower(name)) {
		return hash[:digits]
	}
	return name
}

// open makes the tree of a revision that was found.
func (r *repository) open(ctx context.Context, o Options, f *found) (*Tree, error) {
	cache, err := cacheFolder(o.Cache)
	if err != nil {
		return nil, err
	}
	t := &Tree{Own: r.top, Asked: shownName(o.Against, f.hash), repository: r, cache: paths.Resolved(cache),
		mine: newOwn(r.top, o.Written)}
	now, err := r.state(ctx, cache, o.Written)
	if err != nil {
		return nil, asError(err, "")
	}
	t.Dirty = now.Dirty
	t.Revision, err = r.base(ctx, f, now.Commit, o.Exact)
	if err != nil {
		return nil, err
	}
	t.MergeBase = t.Revision != f.hash
	t.slot, err = claim(cache, r.top, r.common, t.Revision)
	if err != nil {
		return nil, err
	}
	if err := t.checkOut(ctx, r, o.Recipe); err != nil {
		_ = t.Close() // the first error is the cause
		return nil, err
	}
	t.Notes = append(f.notes, t.Notes...)
	if t.Revision == now.Commit {
		t.note("%s", equalCode(f, t))
	}
	prune(cache)
	return t, nil
}

// checkOut fills the slot and notes what the tree lacks.
func (t *Tree) checkOut(ctx context.Context, r *repository, recipe string) (err error) {
	t.Root, t.Kept, err = t.slot.fill(ctx, r, recipe)
	if err != nil {
		return err
	}
	absent, added, err := r.checkOutSubmodules(ctx, t.Root)
	if err != nil {
		return err
	}
	t.Kept = t.Kept && !added // the build was without them
	return t.lack(ctx, t.slot.git(), absent)
}

// equalCode explains a comparison with HEAD itself.
func equalCode(f *found, t *Tree) string {
	text := "the base is HEAD itself"
	if t.MergeBase {
		text = fmt.Sprintf("HEAD has no commit that %s lacks, so the base is HEAD itself", f.name)
	}
	if t.Dirty {
		return text + ": only the uncommitted changes are compared"
	}
	return text + ", and nothing is uncommitted: equal code is compared"
}

// base returns the hash of the commit to compare with: of the revision itself if exact is set,
// else of its merge base with HEAD.
func (r *repository) base(ctx context.Context, f *found, head string, exact bool) (string, error) {
	if exact || f.hash == head {
		return f.hash, nil
	}
	if head == "" {
		return "", fault("HEAD has no commit yet, so it has none in common with "+f.name,
			"--exact compares with "+f.name+" itself")
	}
	bases, err := r.bases(ctx, head, f.hash)
	switch {
	case err != nil:
		return "", err
	case len(bases) == 0 && r.shallow:
		return "", fault(fmt.Sprintf("the last common commit of HEAD and %s is not in %s, which has only a part of "+
			"its history", f.name, r.top), r.deepen(ctx, "HEAD"))
	case len(bases) == 0:
		return "", fault(fmt.Sprintf("HEAD and %s have no commit in common", f.name),
			"--exact compares with "+f.name+" itself")
	case len(bases) > 1:
		f.note("HEAD and %s have met more than once, in %s; the base is the first", f.name, short(bases))
	}
	return bases[0], r.nearer(ctx, f, head, bases[0])
}

// bases finds the best common ancestors of two commits.
func (r *repository) bases(ctx context.Context, a, b string) ([]string, error) {
	out, err := r.Run(ctx, "merge-base", "--all", a, b)
	var f *git.Failure
	if errors.As(err, &f) && f.Exit.ExitCode() == 1 { // there are none
		return nil, nil
	}
	return strings.Fields(out), asError(err, "git fsck")
}

// nearer adds a note if a local branch is behind its upstream and HEAD's merge base with
// the upstream is later: the comparison then contains the work of others.
func (r *repository) nearer(ctx context.Context, f *found, head, base string) error {
	upstream, err := r.commit(ctx, f.name+"@{upstream}")
	if upstream == "" || upstream == f.hash || err != nil {
		return err
	}
	later, err := r.bases(ctx, head, upstream)
	if err != nil || len(later) == 0 || later[0] == base {
		return err
	}
	if common, err := r.bases(ctx, base, later[0]); err != nil || len(common) == 0 || common[0] != base {
		return err
	}
	name, err := r.Run(ctx, "rev-parse", "--abbrev-ref", f.name+"@{upstream}") // a revision by now, no option
	f.note("%s is behind %s, which HEAD left later: --against %[2]s compares with %s", f.name,
		strings.TrimSpace(name), short(later[:1]))
	return asError(err, "")
}

// short lists at most three commits, with the first 10 digits of each.
func short(hashes []string) string {
	all := make([]string, len(hashes))
	for i, h := range hashes {
		all[i] = display.Commit(h)
	}
	return some(all)
}
