package observe

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Difference is something that a command has looked at in one tree and that is not the same
// in another.
type Difference struct {
	Path string // relative to the tree, with slashes; "." is the tree itself
	Kind Kind
}

// Kind of a difference.
type Kind string

// Kinds of differences.
const (
	Changed    Kind = "changed"    // content of a file, or its size if only that was looked at
	Mode       Kind = "mode"       // permissions
	Attribute  Kind = "attributes" // extended ones
	Type       Kind = "type"       // one is a file, the other a folder, say
	Target     Kind = "target"     // of a link
	Names      Kind = "names"      // in a folder that was listed
	Added      Kind = "added"      // was not found, and is there in the other tree
	Removed    Kind = "removed"    // was found, and is not there in the other tree
	Replaced   Kind = "replaced"   // the command changes what it has read: what was there before is not known
	Unreadable Kind = "unreadable" // cannot be compared
)

// Below returns the accesses below a folder, with paths relative to it and slashes. root may
// be reached by a link; it has to exist.
func (r *Record) Below(root string) ([]Access, error) {
	root, err := whole(root)
	if err != nil {
		return nil, err
	}
	root = filepath.ToSlash(root)
	var below []Access
	for _, a := range r.Files {
		rest, ok := strings.CutPrefix(filepath.ToSlash(a.Path), root)
		switch {
		case !ok:
			continue
		case rest == "":
			a.Path = "."
		case strings.HasSuffix(root, "/"):
			a.Path = rest
		case rest[0] == '/':
			a.Path = rest[1:]
		default:
			continue
		}
		below = append(below, a)
	}
	return below, nil
}

// whole returns the name that a folder has in a record.
func whole(root string) (string, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(root)
}

// Compare looks in the tree here for what a command has looked at in the tree base, and
// returns what is different, by path. Both trees have to be as the record found base, apart
// from what the command itself has written there: that does not count in either tree.
//
// Times, owners, and what is outside of base are not compared. Contents are read if the sizes
// are equal and the files are two. The error is about a tree that is not there, or ctx's.
func Compare(ctx context.Context, r *Record, base, here string) ([]Difference, error) {
	accesses, err := r.Below(base)
	if err != nil {
		return nil, err
	}
	c := comparison{ctx: ctx, written: map[string]bool{}}
	if c.base, err = whole(base); err != nil {
		return nil, err
	}
	if c.here, err = whole(here); err != nil {
		return nil, err
	}
	for _, a := range accesses {
		c.written[a.Path] = a.Use&Written != 0
	}
	var all []Difference
	for _, a := range accesses {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if kind := c.access(a); kind != "" {
			all = append(all, Difference{Path: a.Path, Kind: kind})
		}
	}
	return all, ctx.Err()
}

// comparison is of two trees.
type comparison struct {
	ctx        context.Context
	base, here string
	written    map[string]bool // by the command, by relative path
}

const input = Read | Exec | Stat | List | Link | Attributes

// access returns the difference in what one access has seen, or "".
func (c *comparison) access(a Access) Kind {
	here, err := os.Lstat(filepath.Join(c.here, filepath.FromSlash(a.Path)))
	gone := isGone(err)
	switch {
	case a.Use&Missing != 0:
		if gone {
			return ""
		}
		return Added
	case a.Use&input == 0 && gone: // only made
		return ""
	case a.Use&input == 0: // what an earlier run has left there must be as easy to replace
		base, err := os.Lstat(filepath.Join(c.base, filepath.FromSlash(a.Path)))
		switch {
		case err == nil && base.Mode() != here.Mode():
			return Mode
		case err != nil && !here.Mode().IsRegular(): // the command has made a file and removed it
			return Type
		}
		return ""
	case gone:
		return Removed
	case err != nil:
		return Unreadable
	case a.Use&Written != 0 && a.Use&^(Written|Made) != 0: // also if it only looked at the size
		return Replaced
	}
	base, err := os.Lstat(filepath.Join(c.base, filepath.FromSlash(a.Path)))
	if err != nil {
		if a.Use&Written != 0 {
			return "" // it was there, and the command has removed or emptied it
		}
		return Unreadable
	}
	return c.files(a, base, here)
}

// special are the bits of a mode that are compared.
const special = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// files compares two files of which both are there.
func (c *comparison) files(a Access, base, here fs.FileInfo) Kind {
	written := a.Use&Written != 0
	switch {
	case base.Mode().Type() != here.Mode().Type():
		return Type
	case os.SameFile(base, here):
		return ""
	case base.Mode()&fs.ModeSymlink != 0:
		return c.links(a)
	case a.Use&List != 0 && base.IsDir():
		if kind := c.names(a.Path); kind != "" {
			return kind
		}
	case base.Mode().IsRegular() && !written && base.Size() != here.Size():
		return Changed
	case base.Mode().IsRegular() && !written && a.Use&(Read|Exec|Stat) != 0:
		// who looks at a file sees its time, which changes with its content
		if kind := c.contents(a.Path); kind != "" {
			return kind
		}
	}
	switch {
	case written:
		return ""
	case base.Mode()&special != here.Mode()&special:
		return Mode
	case attributes(filepath.Join(c.base, a.Path), a.Use) != attributes(filepath.Join(c.here, a.Path), a.Use):
		return Attribute
	}
	return ""
}

// links compares the targets of two links. A target in its own tree is the same in both.
func (c *comparison) links(a Access) Kind {
	here, err := os.Readlink(filepath.Join(c.here, a.Path))
	if err != nil {
		return Unreadable
	}
	baseRest, ok1 := strings.CutPrefix(a.Target, c.base+string(filepath.Separator))
	hereRest, ok2 := strings.CutPrefix(here, c.here+string(filepath.Separator))
	if a.Use&Link == 0 || a.Target == here || ok1 && ok2 && baseRest == hereRest {
		return ""
	}
	return Target
}

// repository is the name of what git keeps in a tree. Trees of suite have another one than the user's.
const repository = ".git"

// names compares the names in two folders, without names that the command has made, and without
// the repository: a command that looks into it has an access of its own.
func (c *comparison) names(path string) Kind {
	var lists [2][]string
	for i, root := range []string{c.base, c.here} {
		names, err := namesIn(filepath.Join(root, path), func(name string) bool {
			name = filepath.ToSlash(filepath.Join(path, name))
			return c.written[name] || name == repository
		})
		if err != nil {
			return Unreadable
		}
		lists[i] = names
	}
	if !slices.Equal(lists[0], lists[1]) {
		return Names
	}
	return ""
}

// namesIn returns the names in a folder with their types, without some.
func namesIn(folder string, without func(name string) bool) (all []string, err error) {
	entries, err := os.ReadDir(folder)
	for _, entry := range entries {
		if name := entry.Name(); !without(name) {
			all = append(all, name+" "+entry.Type().String())
		}
	}
	return all, err
}

// contents compares two files of one size.
func (c *comparison) contents(path string) Kind {
	base, err := os.Open(filepath.Join(c.base, path))
	if err != nil {
		return Unreadable
	}
	defer base.Close()
	here, err := os.Open(filepath.Join(c.here, path))
	if err != nil {
		return Unreadable
	}
	defer here.Close()
	const chunk = 64 << 10
	b, h := make([]byte, chunk), make([]byte, chunk)
	for c.ctx.Err() == nil { // Compare looks at it too
		n, err1 := io.ReadFull(base, b)
		m, err2 := io.ReadFull(here, h)
		if !bytes.Equal(b[:n], h[:m]) {
			return Changed
		}
		if err1 != nil || err2 != nil {
			if ended(err1) && ended(err2) {
				return ""
			}
			return Unreadable
		}
	}
	return ""
}

func ended(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }
