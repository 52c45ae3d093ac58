package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// source is what a release is made of: a commit, under a version.
type source struct {
	tree    string    // the folder of the clone
	module  string    // the path of suite's module, as its go.mod has it
	version string    // such as v1.2.3
	commit  string    // all 40 digits
	date    time.Time // of every file: the commit's, or $SOURCE_DATE_EPOCH; in UTC
}

// readSource finds out what HEAD is. A release needs a clean tree and one tag; a snapshot needs
// neither, and has the version that the go command gives to a commit without a tag.
func readSource(ctx context.Context, tree string, snapshot bool) (*source, error) {
	text, err := os.ReadFile(filepath.Join(tree, "go.mod"))
	if err != nil {
		return nil, err
	}
	s := &source{tree: tree, module: modfile.ModulePath(text)}
	if s.commit, err = s.git(ctx, "rev-parse", "HEAD"); err != nil {
		return nil, err
	}
	seconds, err := s.git(ctx, "log", "-1", "--format=%ct")
	if err != nil {
		return nil, err
	}
	committed, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return nil, err
	}
	s.date = time.Unix(committed, 0).UTC()
	changed, err := s.git(ctx, "status", "--porcelain")
	if err != nil {
		return nil, err
	}
	if snapshot {
		s.version = module.PseudoVersion("v0", "", s.date, s.commit[:12])
		if changed != "" {
			s.version += "+dirty"
		}
	} else if err := s.readTag(ctx, changed); err != nil {
		return nil, err
	}
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil || seconds < 0 {
			return nil, &usageError{fmt.Sprintf("SOURCE_DATE_EPOCH=%q is no time", epoch),
				"seconds since 1970, as date +%s prints them; unset it for the time of the commit"}
		}
		s.date = time.Unix(seconds, 0).UTC()
	}
	return s, nil
}

// readTag takes the version from the tag of HEAD. changed are the lines of git status.
func (s *source) readTag(ctx context.Context, changed string) error {
	if changed != "" {
		lines := strings.Split(changed, "\n")
		return &usageError{
			fmt.Sprintf("the tree has changes that no commit has, %d files: %s", len(lines),
				strings.Join(lines[:min(3, len(lines))], ", ")),
			"commit them and move the tag, or --snapshot for files to try",
		}
	}
	tags, err := s.git(ctx, "tag", "--points-at", "HEAD")
	if err != nil {
		return err
	}
	var versions []string
	for _, tag := range strings.Fields(tags) {
		if semver.Canonical(tag) == tag {
			versions = append(versions, tag)
		}
	}
	switch len(versions) {
	case 0:
		return &usageError{fmt.Sprintf("the commit %.12s has no tag such as v1.2.3", s.commit),
			"git tag v1.2.3, or --snapshot for files to try"}
	case 1:
		s.version = versions[0]
	default:
		return &usageError{fmt.Sprintf("the commit %.12s has several versions: %s", s.commit,
			strings.Join(versions, ", ")), "remove all tags but one: git tag --delete TAG"}
	}
	if _, major, _ := module.SplitPathVersion(s.module); module.CheckPathMajor(s.version, major) != nil {
		return &usageError{fmt.Sprintf("the go command takes no %s of a module whose path is %s", s.version, s.module),
			"a version below v2, or a path that ends with /" + semver.Major(s.version)}
	}
	return nil
}

// homepage is where the module's path leads to.
func (s *source) homepage() string {
	path, _, _ := module.SplitPathVersion(s.module)
	return "https://" + path
}

// plain is the version without the v, as packages and names of files have it.
func (s *source) plain() string { return strings.TrimPrefix(s.version, "v") }

// git returns what a command of git prints.
func (s *source) git(ctx context.Context, args ...string) (string, error) {
	return output(ctx, s.tree, nil, "git", args...)
}

// output runs a program in a folder, with further variables, and returns what it prints. What it prints about
// a failure is in the error.
func output(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(append([]string{name}, args...), " "), err,
			strings.TrimSpace(complaint.String()))
	}
	return strings.TrimRight(string(text), "\n"), nil
}
