package tree

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"example.com/suite/internal/paths"
)

// open makes the tree of a revision that was found.
func (r *repository) open(ctx context.Context, o Options, f *found) (*Tree, error) {
	cache, err := cacheFolder(o.Cache)
	if err != nil {
		return nil, err
	}
	head, err := r.commit(ctx, "HEAD")
	if err != nil {
		return nil, err
	}
	t := &Tree{Own: r.top, Asked: o.Against, repository: r, cache: paths.Resolved(cache)}
	if t.Dirty, err = r.dirty(ctx, cache); err != nil {
		return nil, err
	}
	if t.Revision, err = r.base(ctx, f, head, o.Exact); err != nil {
		return nil, err
	}
	t.MergeBase = t.Revision != f.hash
	if t.slot, err = claim(cache, r.top, r.common, t.Revision); err != nil {
		return nil, err
	}
	if err := t.checkOut(ctx, r, o.Recipe); err != nil {
		_ = t.Close() // the first error says more
		return nil, err
	}
	t.Notes = append(f.notes, t.Notes...)
	if t.Revision == head {
		t.note("%s", equalCode(f, t))
	}
	prune(cache)
	return t, nil
}

// checkOut fills the slot and looks at what is in it.
func (t *Tree) checkOut(ctx context.Context, r *repository, recipe string) (err error) {
	if t.Root, t.Kept, err = t.slot.fill(ctx, r, recipe); err != nil {
		return err
	}
	return t.lack(ctx, t.slot.git())
}

// equalCode says what a comparison with HEAD itself means.
func equalCode(f *found, t *Tree) string {
	text := "the base is HEAD itself"
	if t.MergeBase {
		text = fmt.Sprintf("HEAD has no commit that %s lacks, so the base is HEAD itself", f.name)
	}
	if t.Dirty {
		return text + ": what is compared are the changes that are not committed"
	}
	return text + ", and nothing is uncommitted: equal code is compared"
}

// base gives the hash of the commit to compare with: the revision that was
// found, or where HEAD left it.
func (r *repository) base(ctx context.Context, f *found, head string, exact bool) (string, error) {
	if exact || f.hash == head {
		return f.hash, nil
	}
	if head == "" {
		return "", fault("HEAD has no commit yet, so it has left "+f.name+" nowhere", "--exact compares with "+f.name+" itself")
	}
	bases, err := r.bases(ctx, head, f.hash)
	switch {
	case err != nil:
		return "", err
	case len(bases) == 0 && r.shallow:
		return "", fault(fmt.Sprintf("where HEAD left %s is not in %s, which holds a part of its history only", f.name, r.top), r.deepen(ctx, "HEAD"))
	case len(bases) == 0:
		return "", fault(fmt.Sprintf("HEAD and %s have no commit in common", f.name), "--exact compares with "+f.name+" itself")
	case len(bases) > 1:
		f.note("HEAD and %s have met more than once, in %s; the base is the first", f.name, short(bases))
	}
	return bases[0], r.nearer(ctx, f, head, bases[0])
}

// bases gives the best common ancestors of two commits, none or more.
func (r *repository) bases(ctx context.Context, a, b string) ([]string, error) {
	out, err := r.run(ctx, "merge-base", "--all", a, b)
	var f *failure
	if errors.As(err, &f) && f.exit.ExitCode() == 1 { // git's way to say none
		return nil, nil
	}
	return strings.Fields(out), asError(err, "git fsck")
}

// nearer notes that a branch of the user lags behind the one it follows, and
// HEAD left that one later: the comparison holds work of others then.
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
	name, err := r.run(ctx, "rev-parse", "--abbrev-ref", f.name+"@{upstream}") // a revision by now, no option
	f.note("%s is behind %s, which HEAD left later: --against %[2]s compares with %s", f.name, strings.TrimSpace(name), short(later[:1]))
	return asError(err, "")
}

// short names commits by 10 digits each.
func short(hashes []string) string {
	all := make([]string, len(hashes))
	for i, h := range hashes {
		all[i] = h[:10]
	}
	return some(all)
}
