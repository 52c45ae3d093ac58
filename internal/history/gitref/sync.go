package gitref

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/git"
	"example.com/suite/internal/units"
)

// Synced is what Sync has done.
type Synced struct {
	Remote  string // as it was named, without a password
	Fetched int    // runs that this clone did not have
	Pushed  int    // runs that the remote did not have
	Here    int    // runs that this clone had, and that were pruned elsewhere
	There   int    // runs that the remote had, and that were pruned here
	Runs    int    // that this clone has now
	Waiting int    // runs that the remote does not have, because nothing was to be pushed
}

// Text describes what was done, and what a ref has now: "origin: fetched 2 runs; 7 runs in git".
func (s *Synced) Text(ref Ref) string {
	var parts []string
	for _, part := range []struct {
		n    int
		text string
	}{
		{s.Fetched, "fetched %s"},
		{s.Pushed, "pushed %s"},
		{s.Here, "removed %s that others pruned"},
		{s.There, "pruned %s there"},
	} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf(part.text, units.Plural(part.n, "run")))
		}
	}
	if parts == nil {
		parts = []string{"nothing new"}
	}
	text := fmt.Sprintf("%s: %s; %s in %s", s.Remote, strings.Join(parts, ", "), units.Plural(s.Runs, "run"), ref)
	if s.Waiting > 0 {
		text += fmt.Sprintf(", %d not pushed yet", s.Waiting)
	}
	return text
}

// refusals bounds how often a push is tried again that the remote refused although its ref stayed as
// it was: it may be in the middle of another push.
const refusals = 10

// Sync joins the history with the one of a remote: of two clones that do so, each has the runs of
// both. remote is a name or an address; empty: origin, or the only one. Without push nothing is
// written there. If another clone pushes meanwhile, Sync fetches again, so that no run is lost.
func (r Ref) Sync(ctx context.Context, remote string, push bool) (*Synced, error) {
	remote, err := r.remote(ctx, remote)
	if err != nil {
		return nil, err
	}
	w, err := r.workshop()
	if err != nil {
		return nil, err
	}
	defer w.close()
	done := &Synced{Remote: withoutPassword(remote)}
	if err := r.complete(ctx, w, remote); err != nil {
		return nil, err
	}
	refused, at := 0, "" // how often, while the ref of the remote was this commit
	for range tries {
		ours, err := r.state()
		if err == nil {
			err = r.mayWrite(ours)
		}
		if err != nil {
			return nil, err
		}
		theirs, err := r.fetch(ctx, w, remote, ours)
		if err != nil {
			return nil, err
		}
		if theirs.isForeign() {
			return nil, diag.Hinted(
				fmt.Sprintf("%s of %s has files and no run of a history", r.Name, done.Remote),
				"--history names a ref of its own",
			)
		}
		tip, err := r.push(ctx, w, remote, ours, theirs, push, done)
		if rejected := (*rejection)(nil); errors.As(err, &rejected) {
			if theirs.tip != at {
				refused, at = 0, theirs.tip
			}
			refused++
			if rejected.isFinal() || refused == refusals {
				return nil, rejected.explain(done.Remote, r.Name)
			}
			// Not after the first: most often another push was faster, and is over.
			time.Sleep(time.Duration(refused-1) * 100 * time.Millisecond)
			continue
		}
		if err == nil && tip != ours.tip {
			err = r.move(w, ours, tip, "sync with "+done.Remote)
		}
		switch err {
		case nil:
			return done, nil
		case errMoved: // a run was saved in this clone
			continue
		}
		return nil, r.explain(err)
	}
	return nil, r.busy(r.Name + " of " + done.Remote)
}

// push commits what the clone has more than the remote, pushes it if asked to, and returns what the
// ref of the clone should be.
func (r Ref) push(
	ctx context.Context, w *workshop, remote string, ours, theirs *state, push bool, done *Synced,
) (string, error) {
	put, pruned := lacking(theirs, ours)
	take, lost := lacking(ours, theirs)
	done.Fetched, done.Here = runsOf(take), lost
	done.Waiting = 0
	done.Runs = ours.runs() - lost + done.Fetched
	if len(put) == 0 {
		return theirs.tip, nil
	}
	if !push {
		done.Waiting = runsOf(put)
		if len(take) == 0 {
			return ours.tip, nil
		}
	}
	parent := theirs.tip
	if pruned > 0 { // else the remote keeps what was pruned
		parent = ""
	}
	why := "add " + units.Plural(runsOf(put), "run")
	if pruned > 0 {
		why += ", prune " + units.Plural(pruned, "run")
	}
	made, err := w.commit(theirs.tip, parent, why, put)
	if err != nil {
		return "", r.explain(err)
	}
	if !push {
		return made, nil
	}
	if err := r.send(ctx, remote, made, theirs.tip); err != nil {
		return "", err
	}
	done.Pushed += runsOf(put)
	done.There += pruned
	return made, nil
}

// lacking returns what a state needs to have the files of another as well, and how many of its runs
// the other has pruned.
func lacking(s, other *state) (put map[string]object, pruned int) {
	put = map[string]object{}
	for file, o := range other.files {
		mine, has := s.files[file]
		switch {
		case !has:
			put[file] = o
		case isRun(file) && o.isPruned() && !mine.isPruned():
			put[file] = o
			pruned++
		}
	}
	return put, pruned
}

func runsOf(files map[string]object) int { return (&state{files: files}).runs() }

// network runs git for what needs a remote.
func (r Ref) network() git.Git { return git.Git{Dir: r.Repository} }

// remote finds the remote that is meant.
func (r Ref) remote(ctx context.Context, named string) (string, error) {
	if strings.HasPrefix(named, "-") || strings.ContainsAny(named, "\x00\r\n") {
		return "", diag.Hinted(fmt.Sprintf("%q is neither a remote nor an address", named),
			"git remote -v lists the remotes")
	}
	if named != "" {
		return named, nil
	}
	out, err := r.local().Run(ctx, "remote")
	if err != nil {
		return "", r.explain(err)
	}
	names := strings.Fields(out)
	switch {
	case slices.Contains(names, "origin"):
		return "origin", nil
	case len(names) == 1:
		return names[0], nil
	case len(names) == 0:
		return "", diag.Hinted("this repository has no remote", "git remote add origin URL, or name an address")
	}
	return "", diag.Hinted("no remote is called origin", "name one of "+strings.Join(names, ", "))
}

// fetch reads the ref of a remote, which may be what the clone has. Its objects come into the
// repository, and no ref of the user's is changed, whatever the configuration of the remote is.
func (r Ref) fetch(ctx context.Context, w *workshop, remote string, ours *state) (*state, error) {
	out, err := r.network().Run(ctx, "ls-remote", "--", remote, r.Name)
	if err != nil {
		return nil, r.unreachable(remote, err)
	}
	tip := ""
	for line := range strings.Lines(out) { // of refs whose names end so, too
		if id, name, _ := strings.Cut(strings.TrimSpace(line), "\t"); name == r.Name {
			tip = id
		}
	}
	switch tip {
	case "":
		return &state{}, nil
	case ours.tip:
		return ours, nil
	}
	commit, err := r.download(ctx, w, remote)
	if err != nil {
		return nil, err
	}
	return r.at(commit)
}

// complete fetches the runs that a partial clone has left out.
func (r Ref) complete(ctx context.Context, w *workshop, remote string) error {
	_, err := r.state()
	if partial := (*Partial)(nil); !errors.As(err, &partial) {
		return err
	}
	_, err = r.download(ctx, w, remote, "--refetch")
	return err
}

// download fetches the ref of a remote and returns its commit.
func (r Ref) download(ctx context.Context, w *workshop, remote string, how ...string) (commit string, err error) {
	temporary := fmt.Sprintf("refs/suite/fetched/%d", os.Getpid())
	args := append([]string{
		"fetch", "--quiet", "--no-tags", "--no-prune", "--no-write-fetch-head", "--no-recurse-submodules",
		"--no-auto-maintenance",
		"--no-filter", "--refmap=",
	}, how...)
	_, err = r.network().Run(ctx, append(args, "--", remote, "+"+r.Name+":"+temporary)...)
	if err != nil {
		return "", r.unreachable(remote, err)
	}
	out, err := w.Run(ctx, "rev-parse", "--verify", temporary+"^{commit}")
	if err == nil { // nothing removes the objects so soon
		_, err = w.Run(context.WithoutCancel(ctx), "update-ref", "--no-deref", "-d", temporary)
	}
	return strings.TrimSpace(out), r.explain(err)
}

// unreachable explains why a remote gave no answer.
func (r Ref) unreachable(remote string, err error) error {
	var failure *git.Failure
	if !errors.As(err, &failure) {
		return r.explain(err)
	}
	return diag.Hinted(failure.Error(), "git ls-remote "+withoutPassword(remote)+
		" tries the same; suite asks for no password")
}

// send sets the ref of the remote to a commit, if it is still what was fetched. The error is a
// *rejection if the remote refused.
func (r Ref) send(ctx context.Context, remote, commit, theirs string) error {
	g := r.network()
	if !strings.ContainsAny(remote, "=:/") { // the name of a remote; a mirror would push all refs
		g.Args = []string{"-c", "remote." + remote + ".mirror=false"}
	}
	// Two thin packs at the same time may need each other's objects, and then the remote refuses both.
	out, err := g.Run(ctx, "push", "--porcelain", "--no-thin", "--no-verify", "--no-signed", "--no-follow-tags",
		"--recurse-submodules=no", "--force-with-lease="+r.Name+":"+theirs, "--", remote, commit+":"+r.Name)
	if err == nil {
		return nil
	}
	for line := range strings.Lines(out) {
		if fields := strings.Split(strings.TrimSpace(line), "\t"); len(fields) == 3 && fields[0] == "!" {
			rejected := &rejection{why: fields[2]}
			errors.As(err, &rejected.failure)
			return rejected
		}
	}
	return r.unreachable(remote, err)
}

// rejection is the answer of a remote that did not change its ref.
type rejection struct {
	why     string // such as [rejected] (stale info)
	failure *git.Failure
}

func (e *rejection) Error() string { return e.why }

// isFinal reports whether a rule of the remote was the reason: it will be the same next time.
func (e *rejection) isFinal() bool {
	rules := []string{"declined", "denied", "deny", "prohibited", "not allowed", "checked out", "non-fast-forward"}
	return slices.ContainsFunc(rules, func(word string) bool { return strings.Contains(e.why, word) })
}

func (e *rejection) explain(remote, ref string) error {
	text := fmt.Sprintf("%s did not take %s: %s", remote, ref, e.why)
	if e.failure != nil {
		var said []string
		for line := range strings.Lines(e.failure.Stderr) {
			if line, is := strings.CutPrefix(line, "remote:"); is && strings.TrimSpace(line) != "" && len(said) < 6 {
				said = append(said, strings.TrimSpace(line))
			}
		}
		text += cmp.Or("\n\t"+strings.Join(said, "\n\t"), "")
		text = strings.TrimRight(text, "\n\t")
	}
	return diag.Hinted(text,
		"the runs are still in this clone; a remote may refuse a ref, a forced push after pruning, or "+
			"a job without the right to write")
}

// withoutPassword is an address without user and password.
func withoutPassword(remote string) string {
	if u, err := url.Parse(remote); err == nil && u.Host != "" && u.User != nil {
		u.User = nil
		return u.String()
	}
	return remote
}
