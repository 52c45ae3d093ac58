package harness

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/atomicfile"
	"example.com/suite/internal/usercache"
)

// Module is a file that the programs of a harness load. They look for it in the folders of a variable, or are given its
// path in an argument.
type Module struct {
	File     string // its name
	Text     string
	Variable string // of the environment: a list of folders; empty: an argument names it
	Argument string // the beginning of the argument, --reporter=
}

// Install writes the module below a cache folder, suite in the user's cache if that is "", unless it is there. The
// path that it returns is absolute, in a folder that has the module alone. Another version of suite has another folder.
func (m Module) Install(cache string) (path string, err error) {
	cache, err = usercache.Folder(cache)
	if err != nil {
		return "", err
	}
	path = filepath.Join(cache, "modules", usercache.Key(m.File, m.Text), m.File)
	if text, err := os.ReadFile(path); err == nil && string(text) == m.Text {
		return path, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	return path, atomicfile.Write(path, []byte(m.Text), 0o600)
}

// Load adds to a request what makes the program find the harness's module, which is at a path, if the request loads it.
// env is the environment without the request's.
func (r Row) Load(request Request, path string, env []string) Request {
	extended, isExtended := r.Harness.(Extended)
	if !isExtended || !request.Loads {
		return request
	}
	args, variables := extended.Module().In(path, env)
	request.Args = slices.Concat(args, request.Args)
	request.Variables = slices.Concat(request.Variables, variables)
	return request
}

// In returns the arguments and the variables, NAME=value, with which a program finds the module at a path. env is the
// environment without them, of which the last value of a name counts: its folders stay in the list.
func (m Module) In(path string, env []string) (args, variables []string) {
	if m.Variable == "" {
		return []string{m.Argument + path}, nil
	}
	folder := filepath.Dir(path)
	list := folder
	for _, v := range env {
		if old, ok := strings.CutPrefix(v, m.Variable+"="); ok && old != "" {
			list = folder + string(filepath.ListSeparator) + old
		}
	}
	return nil, []string{m.Variable + "=" + list}
}
