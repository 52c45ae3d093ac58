//go:build amd64 || arm64

package observe

import (
	"maps"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// notes become a record.
type notes struct {
	limits      limits
	paths       map[string]*note
	bytes       int // of paths and targets
	sockets     map[string]bool
	connections map[string]bool
	doubts      map[Cause]string
}

type note struct {
	use    Use
	target string
	made   bool // by the command: what it finds there from now on is its own
}

func newNotes(l limits) *notes {
	return &notes{limits: l, paths: map[string]*note{}, sockets: map[string]bool{}, connections: map[string]bool{},
		doubts: map[Cause]string{}}
}

// doubt notes why the record is not complete. Only the first detail of a cause is kept.
func (n *notes) doubt(cause Cause, detail string) {
	if _, ok := n.doubts[cause]; !ok {
		n.doubts[cause] = strings.ToValidUTF8(detail, "\uFFFD")
	}
}

// full reports whether nothing more is noted. The command still runs to its end, but what
// it looks at is no longer of interest.
func (n *notes) full() bool {
	_, cut := n.doubts[Cut]
	return cut
}

// room reports whether there is room for a text, and takes it.
func (n *notes) room(text string) bool {
	switch {
	case !utf8.ValidString(text):
		n.doubt(Name, text)
		return false
	case n.full():
		return false
	case len(n.paths)+len(n.sockets)+len(n.connections) >= n.limits.Paths, n.bytes+len(text) > n.limits.Bytes:
		n.doubt(Cut, text)
		return false
	}
	n.bytes += len(text)
	return true
}

// use notes how a path was used.
func (n *notes) use(path string, use Use) *note {
	to := n.paths[path]
	if to == nil {
		made := n.inMade(path)
		if made && use&Written == 0 || !n.room(path) {
			return &note{}
		}
		to = &note{made: made}
		n.paths[path] = to
	}
	if to.made {
		use &= Written | Made
	}
	to.use |= use
	return to
}

// make notes that the command has made a name, or emptied a file: from now on what it reads
// there is what it has written.
func (n *notes) make(path string) { n.use(path, Written|Made).made = true }

// isMade reports whether the command has made a path.
func (n *notes) isMade(path string) bool {
	to := n.paths[path]
	return to != nil && to.made || n.inMade(path)
}

// inMade reports whether a path is in a folder that the command has made.
func (n *notes) inMade(path string) bool {
	for i := strings.LastIndexByte(path, '/'); i > 0; i = strings.LastIndexByte(path[:i], '/') {
		if in := n.paths[path[:i]]; in != nil && in.made {
			return true
		}
	}
	return false
}

// link notes that a link was followed.
func (n *notes) link(l Access) {
	if strings.HasPrefix(l.Path, "/proc/") {
		return // the links there are made by the kernel
	}
	if to := n.paths[l.Path]; to != nil && !to.made && to.target == l.Target {
		to.use |= Link
		return
	}
	if !utf8.ValidString(l.Target) {
		n.doubt(Name, l.Path)
		return
	}
	if to := n.use(l.Path, Link); to.use&Link != 0 {
		to.target = l.Target
	}
}

// looked notes a call that only looks. Its end is not awaited, which would double what it
// costs: the walk has just seen the same. If another process of the command changes the path
// in between, the walk has seen it as it was before, and that is what a record contains.
func (n *notes) looked(p *pending) {
	n.links(&p.first)
	if p.op != opLink || !p.first.is(unix.S_IFLNK) {
		n.look(&p.first, Stat|p.use)
	}
	n.lastLink(&p.first)
}

// failed notes a call that has failed. What is in the way of a name that is not found is
// seen by the walk; a file that may not be used is seen as a file.
func (n *notes) failed(p *pending) {
	n.links(&p.first)
	n.links(&p.second)
	use := Stat
	if p.op == opExec {
		use = Exec // its interpreter is missing, or its content is no program
	}
	if p.first.path != "" {
		n.look(&p.first, use)
		n.lastLink(&p.first)
	}
	if p.second.path != "" {
		n.look(&p.second, Stat)
	}
}

// look notes a use of a path that the walk has found or not.
func (n *notes) look(f *found, use Use) {
	if f.mode == 0 {
		use = use&Written | Missing
	}
	n.use(public(f.path), use)
}

// lastLink notes the target of a link that was not followed.
func (n *notes) lastLink(f *found) {
	if !f.is(unix.S_IFLNK) {
		return
	}
	target, err := os.Readlink(f.path)
	if err == nil {
		n.link(Access{Path: f.path, Target: target})
	}
}

// links notes the links on the way of a path.
func (n *notes) links(f *found) {
	for _, l := range f.links {
		n.link(l)
	}
}

// public returns a path without the id of a process: /proc/self/maps.
func public(path string) string {
	if rest, ok := strings.CutPrefix(path, "/proc/"); ok {
		id, file, more := strings.Cut(rest, "/")
		if more && strings.Trim(id, "0123456789") == "" {
			return "/proc/self/" + file
		}
	}
	return path
}

func (n *notes) socket(path string)     { n.in(n.sockets, path) }
func (n *notes) connection(text string) { n.in(n.connections, text) }

func (n *notes) in(list map[string]bool, text string) {
	if !list[text] && n.room(text) {
		list[text] = true
	}
}

func (n *notes) record() *Record {
	r := &Record{Sockets: slices.Sorted(maps.Keys(n.sockets)), Connections: slices.Sorted(maps.Keys(n.connections))}
	for _, path := range slices.Sorted(maps.Keys(n.paths)) {
		to := n.paths[path]
		r.Files = append(r.Files, Access{Path: path, Use: to.use, Target: to.target})
	}
	for _, cause := range slices.Sorted(maps.Keys(n.doubts)) {
		r.Doubts = append(r.Doubts, Doubt{Cause: cause, Detail: n.doubts[cause]})
	}
	return r
}
