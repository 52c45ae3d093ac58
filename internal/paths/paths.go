// Package paths finds the file that a path means: through symbolic links, also if the
// file does not exist yet, and by a name that is nearly right. It also reads files that nobody
// has named, and of which a folder may have another kind.
package paths

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"example.com/suite/internal/diag"
)

// IsFolder reports whether path is a folder, or a link to one.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Exists reports whether there is a file, a folder or anything else at path.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Within returns a path relative to a folder, if it is the folder or below it.
func Within(folder, path string) (rel string, ok bool) {
	rel, err := filepath.Rel(folder, path)
	return rel, err == nil && filepath.IsLocal(rel)
}

// mostLinks is how many links are followed; Linux stops after as many.
const mostLinks = 40

// Resolved resolves the symbolic links of path. If there is no such file, its folder is
// resolved, and a link to a file that does not exist is followed as well: a file
// written to the result is then found by path. A relative path may stay relative.
func Resolved(path string) string {
	for range mostLinks {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return real
		}
		link, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(link) {
			// The target is relative to the real folder: with folder → a/b, the link
			// folder/x → ../y is a/y and not y.
			link = filepath.Join(Resolved(filepath.Dir(path)), link)
		}
		path = link
	}
	folder := filepath.Dir(path)
	if folder == path {
		return path
	}
	return filepath.Join(Resolved(folder), filepath.Base(path))
}

// Real is the absolute path with its symbolic links resolved, also if the file does not exist
// yet: two names of one file have one real path.
func Real(path string) string {
	whole, err := filepath.Abs(path)
	if err != nil {
		return filepath.Clean(path)
	}
	return Resolved(whole)
}

// longestFolder is how many names of a folder are compared in DidYouMean.
const longestFolder = 1000

// DidYouMean hints at the file in the same folder whose name is nearest to a path that
// does not exist. If the path is a link, the hint names the target that is missing. The hint is
// empty if no name is near.
func DidYouMean(path string) string {
	if target, err := os.Readlink(path); err == nil {
		return fmt.Sprintf("%q is a link to %q, which does not exist", path, target)
	}
	folder := filepath.Dir(path)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries[:min(len(entries), longestFolder)] {
		names = append(names, e.Name())
	}
	near, ok := diag.Nearest(filepath.Base(path), names)
	if !ok {
		return ""
	}
	return fmt.Sprintf("did you mean %q?", filepath.Join(folder, near))
}

// IsProgram reports whether the system can execute path, which may also be the name of a
// program in the search path.
func IsProgram(path string) bool {
	_, err := exec.LookPath(path)
	return err == nil
}
