package tree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// clone makes root a repository that borrows the objects of r, and checks the
// commit out there.
func (r *repository) clone(ctx context.Context, root, commit string) error {
	parent := git{dir: filepath.Dir(root)}
	if _, err := parent.run(ctx, "init", "--quiet", "--template=", "--object-format="+r.format, "--", filepath.Base(root)); err != nil {
		return asError(err, "git version")
	}
	g := gitAt(root)
	if err := r.borrow(filepath.Join(root, ".git")); err != nil {
		return unwritable(err)
	}
	if err := r.copySettings(ctx, g); err != nil {
		return err
	}
	if err := r.copyTags(ctx, g, commit); err != nil {
		return err
	}
	hint, lenders := "git fsck tells whether the repository is whole; a full disk is another cause", r.lenders(ctx)
	if len(lenders) > 0 {
		hint = "in a partial clone git fetch has to reach the remote, without asking for a password"
	}
	g.env = append(g.env, lenders...)
	_, err := g.run(ctx, "checkout", "--quiet", "--force", "--detach", commit)
	return asError(err, hint)
}

// borrow makes the objects of r known to the repository in folder .git, with
// where its history ends and its attributes of files.
func (r *repository) borrow(dotGit string) error {
	info := filepath.Join(dotGit, "info")
	if err := os.MkdirAll(info, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dotGit, "objects", "info", "alternates"), []byte(r.objects+"\n"), 0o600); err != nil {
		return err
	}
	return errors.Join(copyFile(r.boundary, filepath.Join(dotGit, "shallow")), copyFile(r.attributes, filepath.Join(info, "attributes")))
}

// copyFile copies a small file, if there is one.
func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o600)
}

// shaping are the settings of a repository that decide which bytes and links a
// checkout makes of a commit. Both trees have to be made the same way.
const shaping = `^(core\.(autocrlf|eol|safecrlf|symlinks|longpaths|attributesfile|checkroundtripencoding)|filter\..*)$`

// copySettings gives the clone those of r.
func (r *repository) copySettings(ctx context.Context, g git) error {
	values, err := r.settings(ctx, shaping)
	if err != nil {
		return err
	}
	for _, v := range values {
		if _, err := g.run(ctx, "config", "--local", "--add", "--", v.key, v.value); err != nil {
			return asError(err, "git config --local --list")
		}
	}
	return nil
}

type setting struct{ key, value string }

// settings lists those of the repository itself whose keys match, in order.
func (r *repository) settings(ctx context.Context, pattern string) (all []setting, err error) {
	out, err := r.run(ctx, "config", "--local", "--includes", "-z", "--get-regexp", pattern)
	var f *failure
	if errors.As(err, &f) && f.exit.ExitCode() == 1 { // git's way to say none
		return nil, nil
	}
	for entry := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		key, value, given := strings.Cut(entry, "\n")
		if !given {
			value = "true"
		}
		all = append(all, setting{key, value})
	}
	return all, asError(err, "git config --local --list")
}

// copyTags gives the clone the tags of the commit's history, which git describe
// looks for.
func (r *repository) copyTags(ctx context.Context, g git, commit string) error {
	tags, err := r.run(ctx, "for-each-ref", "--merged="+commit, "--format=create %(refname) %(objectname)", "refs/tags")
	if err == nil && tags != "" {
		_, err = g.feed(ctx, tags, "update-ref", "--stdin")
	}
	return asError(err, "git fsck tells whether the repository is whole")
}

// lending are the settings by which objects are fetched that a partial clone
// does not have yet.
const lending = `^(remote\..*\.(url|promisor|partialclonefilter)|url\..*|http\..*|credential\..*|core\.sshcommand)$`

// lenders are those settings as an environment, for the one command that may
// need them: they hold passwords, and the cache is no place for these. What is
// fetched goes to the clone.
func (r *repository) lenders(ctx context.Context) (env []string) {
	if partial, err := r.settings(ctx, `^remote\..*\.promisor$`); err != nil || len(partial) == 0 {
		return nil
	}
	values, err := r.settings(ctx, lending)
	if err != nil {
		return nil // the checkout says what is missing
	}
	n, _ := strconv.Atoi(os.Getenv("GIT_CONFIG_COUNT")) // none, where it is not set
	for i, v := range values {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", n+i, v.key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", n+i, v.value))
	}
	return append(env, fmt.Sprintf("GIT_CONFIG_COUNT=%d", n+len(values)))
}
