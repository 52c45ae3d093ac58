//go:build amd64 || arm64

package observe

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// walker finds out what a path means, as the kernel does, and which links are on the way.
// It remembers folders and links, of which paths have many in common.
type walker struct {
	known map[string]component
	// a path whose meaning was not found, "" if there is none: it goes on in a folder that was removed, or is too long
	lost string
}

type component struct {
	mode   uint32
	target string // of a link
}

const (
	mostLinks = 40      // on the way of a path, as in the kernel
	mostKnown = 100_000 // components; then the walker starts again
)

// found is the meaning of a path.
type found struct {
	path  string // without links, apart from a last one that is not followed
	mode  uint32 // S_IFMT and permissions; 0 if there is no such file
	links []Access
}

func (f *found) is(kind uint32) bool { return f.mode&unix.S_IFMT == kind }

// walk follows an absolute path as a thread sees it. follow is for a link at the end.
func (w *walker) walk(path string, follow bool, thread string) found {
	return w.walkIn("/", path, follow, thread)
}

// walkIn follows a path in a folder that is its root: nothing leads out of it. No folder in root
// is a link.
func (w *walker) walkIn(root, path string, follow bool, thread string) (f found) {
	follow = follow || strings.HasSuffix(path, "/")
	at, rest := root, path
	f.mode = unix.S_IFDIR
	for rest != "" {
		name, after, more := strings.Cut(rest, "/")
		rest = after
		switch name {
		case "", ".":
			continue
		case "..":
			if at != root {
				at = filepath.Dir(at)
			}
			f.mode = unix.S_IFDIR
			continue
		}
		if at == "/proc" { // what the tracer would find there is its own
			switch name {
			case "self", "thread-self":
				name = thread
			}
		}
		next := strings.TrimSuffix(at, "/") + "/" + name
		here := w.component(next, more)
		magic := strings.HasPrefix(next, "/proc/")
		switch {
		case here.mode&unix.S_IFMT == unix.S_IFLNK && (more || follow) &&
			(!magic || strings.HasPrefix(here.target, "/")) && len(f.links) < mostLinks:
			f.links = append(f.links, Access{Path: next, Use: Link, Target: here.target})
			if strings.HasPrefix(here.target, "/") {
				at = root
			}
			if magic && more && isRemoved(next, here.target) {
				w.lost = next
			}
			rest = here.target
			if more {
				rest += "/" + after
			}
			f.mode = unix.S_IFDIR
		case here.mode == 0, rest != "" && here.mode&unix.S_IFMT != unix.S_IFDIR:
			f.path, f.mode = strings.TrimSuffix(next+"/"+rest, "/"), 0
			if strings.Contains("/"+rest+"/", "/../") {
				f.path = next
			}
			f.path = filepath.Clean(f.path)
			return f
		default:
			at, f.mode = next, here.mode
		}
	}
	f.path = at
	return f
}

// component looks at a name in a folder, both without links. Only what is a folder or a
// link in the middle of a path is remembered: that seldom changes, and if the command
// changes it, forget is called.
func (w *walker) component(path string, middle bool) component {
	if c, ok := w.known[path]; ok && middle {
		return c
	}
	var s unix.Stat_t
	if err := unix.Lstat(path, &s); err != nil {
		if err == unix.ENAMETOOLONG { // the command may get there in steps
			w.lost = path
		}
		return component{}
	}
	c := component{mode: s.Mode}
	switch s.Mode & unix.S_IFMT {
	case unix.S_IFLNK:
		var err error
		c.target, err = os.Readlink(path)
		if errors.Is(err, unix.ENAMETOOLONG) { // in /proc
			w.lost = path
		}
		if err != nil { // it is gone: then there is no such file either
			return component{}
		}
	case unix.S_IFDIR:
	default:
		return c
	}
	if middle && !strings.HasPrefix(path, "/proc/") {
		if w.known == nil || len(w.known) >= mostKnown {
			w.known = map[string]component{}
		}
		w.known[path] = c
	}
	return c
}

// forget drops what is known, after names have changed.
func (w *walker) forget() { clear(w.known) }
