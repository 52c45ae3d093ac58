package fill

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/tree"
	"example.com/suite/internal/units"
)

// Line lists the commits of a range in the repository of a suite file along first parents, the
// oldest first: A..B from A to B, both included, and A the same as A..HEAD.
func Line(ctx context.Context, suiteFile, revisions string) ([]tree.Commit, error) {
	const example = "for example v1.0..HEAD"
	first, last, is := strings.Cut(revisions, "..")
	if !is {
		last = "HEAD"
	}
	if first == "" || last == "" || strings.HasPrefix(last, ".") {
		return nil, diag.Hinted(fmt.Sprintf("%q is no range of commits", revisions), example)
	}
	h, err := tree.OpenHistory(ctx, filepath.Dir(suiteFile))
	if err != nil {
		return nil, err
	}
	from, err := h.Find(ctx, first)
	if err != nil {
		return nil, err
	}
	to, err := h.Find(ctx, last)
	if err != nil {
		return nil, err
	}
	if from.Hash == to.Hash {
		return nil, diag.Hinted(fmt.Sprintf("%s and %s are the same commit", first, last),
			"a range has two commits at least: "+example)
	}
	fork, err := h.Fork(ctx, from.Hash, to.Hash)
	switch {
	case err != nil:
		return nil, err
	case fork == to.Hash:
		return nil, diag.Hinted(fmt.Sprintf("%s is older than %s", last, first),
			fmt.Sprintf("the older one comes first: %s..%s", last, first))
	case fork == "":
		return nil, diag.Hinted(fmt.Sprintf("%s and %s have no commit in common", first, last),
			"in a shallow clone: git fetch --unshallow")
	case fork != from.Hash:
		return nil, diag.Hinted(fmt.Sprintf("%s is no ancestor of %s", first, last),
			"begin where they have parted: "+display.Commit(fork)+".."+last)
	}
	line, err := h.Line(ctx, from.Hash, to.Hash)
	if err != nil {
		return nil, err
	}
	return append([]tree.Commit{from}, line...), nil
}

// Programs finds published programs: the file of each commit of a line by a template such as
// releases/{tag}/tool, in which {tag} is a tag of the commit and {commit} its full hash. It returns the
// commits that have one, and the absolute path of each by its hash.
func Programs(
	ctx context.Context, suiteFile, template string, line []tree.Commit,
) ([]tree.Commit, map[string]string, error) {
	if !strings.Contains(template, "{tag}") && !strings.Contains(template, "{commit}") {
		return nil, nil, diag.Hinted(fmt.Sprintf("--program %s names one program for all commits", template),
			"--program 'releases/{tag}/tool', or {commit}")
	}
	h, err := tree.OpenHistory(ctx, filepath.Dir(suiteFile))
	if err != nil {
		return nil, nil, err
	}
	tags, err := h.Tags(ctx)
	if err != nil {
		return nil, nil, err
	}
	var found []tree.Commit
	programs := map[string]string{}
	for _, c := range line {
		for _, tag := range append(tags[c.Hash], "") {
			if tag == "" && strings.Contains(template, "{tag}") {
				continue
			}
			path, err := filepath.Abs(strings.NewReplacer("{tag}", tag, "{commit}", c.Hash).Replace(template))
			if err == nil && paths.IsProgram(path) {
				programs[c.Hash] = path
				found = append(found, c)
				break
			}
		}
	}
	if len(found) < 2 {
		return nil, nil, diag.Hinted(fmt.Sprintf("--program %s: %s of the range has a program there that "+
			"can be started", template, units.Plural(len(found), "commit")),
			"two are needed, to compare them; the path begins at the current folder")
	}
	return found, programs, nil
}

// usualPoints is how many points a history gets by default.
const usualPoints = 20

// Every reads how many commits are from one point to the next; 0: so that there are about twenty.
func Every(n, commits int) (int, error) {
	if n < 0 {
		return 0, diag.Hinted("--every "+strconv.Itoa(n)+": want a number above 0", "--every 5")
	}
	if n == 0 {
		n = max(1, (commits+usualPoints-1)/usualPoints)
	}
	return n, nil
}
