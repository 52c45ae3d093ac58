package paths

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Glob returns the files that match a pattern with slashes. If the pattern ends in a name, it
// also matches the files below folders of that name.
func Glob(pattern string) (files []string, err error) {
	for _, one := range withBelow(pattern) {
		found, err := doublestar.FilepathGlob(filepath.FromSlash(one), doublestar.WithFilesOnly())
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	return files, nil
}

// Match reports whether a file with its absolute path matches a pattern as in Glob.
func Match(pattern, file string) bool {
	for _, one := range withBelow(pattern) {
		if ok, err := doublestar.Match(one, filepath.ToSlash(file)); ok && err == nil {
			return true
		}
	}
	return false
}

// withBelow adds the pattern of what is below a folder. If the last element of a pattern has a
// wildcard, as in src/*, the pattern excludes folders on purpose.
func withBelow(pattern string) []string {
	pattern = path.Clean(pattern)
	if strings.ContainsAny(path.Base(pattern), "*?[{") {
		return []string{pattern}
	}
	return []string{pattern, pattern + "/**"}
}
