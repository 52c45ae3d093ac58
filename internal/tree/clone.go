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

	"example.com/suite/internal/git"
)

// clone makes root a repository that borrows the objects of r, and checks the commit out
// there.
func (r *repository) clone(ctx context.Context, root, commit string) error {
	parent := git.Git{Dir: filepath.Dir(root)}
	if _, err := parent.Run(ctx, "init", "--quiet", "--template=", "--object-format="+r.format, "--",
		filepath.Base(root)); err != nil {
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
	hint, lenders := "git fsck checks the repository; a full disk is another cause", r.lenders(ctx)
	if len(lenders) > 0 {
		hint = "in a partial clone git fetch has to reach the remote, without asking for a password"
	}
	g.Env = append(g.Env, lenders...)
	_, err := g.Run(ctx, "checkout", "--quiet", "--force", "--detach", commit)
	return asError(err, hint)
}

// borrow connects the repository in dotGit to the objects of r. It copies r's file
// attributes and the commits at which a shallow history ends.
func (r *repository) borrow(dotGit string) error {
	info := filepath.Join(dotGit, "info")
	if err := os.MkdirAll(info, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dotGit, "objects", "info", "alternates"),
		[]byte(r.objects+"\n"), 0o600); err != nil {
		return err
	}
	return errors.Join(copyFile(r.boundary, filepath.Join(dotGit, "shallow")),
		copyFile(r.attributes, filepath.Join(info, "attributes")))
}

// copyFile copies a small file if it exists.
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

// shaping matches the settings that affect the content of files that git checks out, such as
// line ends and links. They must be the same for both trees.
const shaping = `^(core\.(autocrlf|eol|safecrlf|symlinks|longpaths|attributesfile|checkroundtripencoding)|filter\..*)$`

// copySettings copies the shaping settings of r to the clone.
func (r *repository) copySettings(ctx context.Context, g git.Git) error {
	values, err := r.settings(ctx, shaping)
	if err != nil {
		return err
	}
	for _, v := range values {
		if _, err := g.Run(ctx, "config", "--local", "--add", "--", v.key, v.value); err != nil {
			return asError(err, "git config --local --list")
		}
	}
	return nil
}

type setting struct{ key, value string }

// settings reads the repository's own settings whose keys match, in order.
func (r *repository) settings(ctx context.Context, pattern string) (all []setting, err error) {
	out, err := r.Run(ctx, "config", "--local", "--includes", "-z", "--get-regexp", pattern)
	var f *git.Failure
	if errors.As(err, &f) && f.Exit.ExitCode() == 1 { // there are none
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

// copyTags copies the tags in the commit's history to the clone, because git describe needs
// them.
func (r *repository) copyTags(ctx context.Context, g git.Git, commit string) error {
	tags, err := r.Run(ctx, "for-each-ref", "--merged="+commit, "--format=create %(refname) %(objectname)", "refs/tags")
	if err == nil && tags != "" {
		_, err = g.Feed(ctx, tags, "update-ref", "--stdin")
	}
	return asError(err, "git fsck checks the repository")
}

// lending matches the settings that git needs to fetch objects that a partial clone lacks.
const lending = `^(remote\..*\.(url|promisor|partialclonefilter)|url\..*|http\..*|credential\..*|core\.sshcommand)$`

// lenders returns an environment with the lending settings for git checkout, the only command
// that may need them. They are not copied to the clone, because they may contain passwords and
// the clone stays in the cache. Fetched objects go to the clone.
func (r *repository) lenders(ctx context.Context) (env []string) {
	if partial, err := r.settings(ctx, `^remote\..*\.promisor$`); err != nil || len(partial) == 0 {
		return nil
	}
	values, err := r.settings(ctx, lending)
	if err != nil {
		return nil // the checkout reports what is missing
	}
	n, _ := strconv.Atoi(os.Getenv("GIT_CONFIG_COUNT")) // 0 if it is not set
	for i, v := range values {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", n+i, v.key),
			fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", n+i, v.value))
	}
	return append(env, fmt.Sprintf("GIT_CONFIG_COUNT=%d", n+len(values)))
}

// lack adds notes about what the tree lacks although the user's tree may have it: submodules
// that are absent, and the contents of git-lfs files.
func (t *Tree) lack(ctx context.Context, g git.Git, absent []string) error {
	if len(absent) > 0 {
		t.note("submodules are not checked out in the base, because this tree does not have their commits: %s; git "+
			"submodule update --init --recursive", some(absent))
	}
	files, err := g.Run(ctx, "ls-files", "-z", "--", ":(attr:filter=lfs)")
	if err != nil {
		return asError(err, "")
	}
	if found := pointers(g.Dir, files); len(found) > 0 {
		t.note("files of git-lfs are pointers in the base, without their contents: %s", some(found))
	}
	return nil
}

// pointers finds the files that are git-lfs pointers, without the contents.
func pointers(root, files string) (paths []string) {
	for path := range strings.SplitSeq(strings.TrimSuffix(files, "\x00"), "\x00") {
		if path != "" && isPointer(filepath.Join(root, filepath.FromSlash(path))) {
			paths = append(paths, path)
		}
	}
	return paths
}

func isPointer(file string) bool {
	const begin = "version https://git-lfs.github.com/spec/"
	return string(headOf(file, len(begin))) == begin
}
