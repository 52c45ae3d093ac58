//go:build amd64 || arm64

package observe

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
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
	return &notes{limits: l, paths: map[string]*note{}, sockets: map[string]bool{}, connections: map[string]bool{}, doubts: map[Cause]string{}}
}

func (n *notes) noteDoubt(cause Cause, detail string) {
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
		n.noteDoubt(Name, text)
		return false
	case n.full():
		return false
	case len(n.paths)+len(n.sockets)+len(n.connections) >= n.limits.Paths, n.bytes+len(text) > n.limits.Bytes:
		n.noteDoubt(Cut, text)
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
		n.noteDoubt(Name, l.Path)
		return
	}
	if to := n.use(l.Path, Link); to.use&Link != 0 {
		to.target = l.Target
	}
}

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
