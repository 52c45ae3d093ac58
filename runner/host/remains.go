package host

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"example.com/suite/runner/host/wire"
)

// mostEntries of a folder are looked at, which takes about 1 ms; one with more is
// left alone.
const mostEntries = 4096

// folder is one as it was before a block of runs.
type folder struct {
	dir   string
	names map[string]bool
}

// watched remembers the working folder and that for temporary files, unless other programs use
// the latter too: nobody knows whose files appear there.
func (c *command) watched() (all []folder) {
	if c.spec.Traced {
		return nil
	}
	dirs := []string{filepath.Clean(c.spec.Dir)}
	if temp := filepath.Clean(temporary(c.env)); !isShared(temp) {
		dirs = append(dirs, temp)
	}
	for _, dir := range slices.Compact(dirs) {
		if names, ok := entries(dir); ok {
			f := folder{dir, map[string]bool{}}
			for _, name := range names {
				f.names[name] = true
			}
			all = append(all, f)
		}
	}
	return all
}

// isShared reports whether a folder is for the temporary files of all programs. Its sticky bit
// shows that on Linux; elsewhere it is the folder that programs get if none is set for them.
func isShared(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.Mode()&fs.ModeSticky != 0 ||
		runtime.GOOS != "linux" && dir == filepath.Clean(os.TempDir())
}

// temporary is the folder in which programs with this environment make their
// temporary files.
func temporary(env []string) string {
	name := map[bool]string{true: "TMP", false: "TMPDIR"}[runtime.GOOS == "windows"]
	for _, variable := range env {
		if v, ok := strings.CutPrefix(variable, name+"="); ok && v != "" {
			return v
		}
	}
	return os.TempDir()
}

// ok is false if the folder cannot be read or has too many entries.
func entries(dir string) (names []string, ok bool) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	names, err = f.Readdirnames(mostEntries + 1)
	return names, (err == nil || err == io.EOF) && len(names) <= mostEntries
}

// remains finds what is there now and was not before, of the same user.
func remains(before []folder) (all []wire.Remains) {
	for _, f := range before {
		names, _ := entries(f.dir) // one that has too many by now is judged by the first
		names = slices.DeleteFunc(names, func(name string) bool {
			return f.names[name] || !mine(filepath.Join(f.dir, name))
		})
		if len(names) > 0 {
			slices.Sort(names)
			all = append(all, wire.Remains{Dir: f.dir, Count: len(names),
				Names: quoted(names[:min(len(names), mostLeft)])})
		}
	}
	return all
}

func quoted(names []string) (all []string) {
	for _, name := range names {
		name = shortened(strings.ToValidUTF8(name, "\uFFFD"))
		if strings.ContainsAny(name, " ,;") {
			name = fmt.Sprintf("%q", name)
		}
		all = append(all, name)
	}
	return all
}
