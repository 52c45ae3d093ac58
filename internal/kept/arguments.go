package kept

import (
	"os"
	"path/filepath"
	"strings"

	"example.com/suite/internal/paths"
	"example.com/suite/internal/suitefiles"
)

// IsSuite reports whether an argument names suite files, as for run, and not a result or
// a case.
func IsSuite(arg string) bool {
	return suitefiles.IsName(filepath.Base(arg)) || paths.IsFolder(arg)
}

// IsResult reports whether an argument names a result and not a case.
func IsResult(arg string) bool {
	if strings.EqualFold(filepath.Ext(arg), ".json") {
		return true
	}
	_, err := os.Stat(arg)
	return err == nil
}

// Resolve returns the path of the result that the first argument means, and leaves the other
// arguments in rest. A suite file means its last run. If the first argument is neither
// a result nor a suite file, all arguments are returned, and the last run of the folder is
// meant. isKept reports whether the result is one that was kept.
func (s Store) Resolve(args []string) (path string, rest []string, isKept bool, err error) {
	switch {
	case len(args) == 0:
		path, err = s.Last(nil)
		return path, nil, true, err
	case IsSuite(args[0]):
		path, err = s.lastRunOf(args[0])
		return path, args[1:], true, err
	case IsResult(args[0]):
		return args[0], args[1:], false, nil
	}
	path, err = s.Last(nil)
	return path, args, true, err
}

// ResolveAll returns the paths of the results that the arguments mean: a suite file means its
// last run, and no argument the last run of the folder. anyKept reports whether there is such a
// result.
func (s Store) ResolveAll(args []string) (paths []string, anyKept bool, err error) {
	if len(args) == 0 {
		path, err := s.Last(nil)
		return []string{path}, true, err
	}
	for _, arg := range args {
		if IsSuite(arg) {
			anyKept = true
			arg, err = s.lastRunOf(arg)
			if err != nil {
				return nil, true, err
			}
		}
		paths = append(paths, arg)
	}
	return paths, anyKept, nil
}

func (s Store) lastRunOf(arg string) (string, error) {
	files, _, err := suitefiles.Resolve([]string{arg})
	if err != nil {
		return "", err
	}
	return s.Last(files)
}
