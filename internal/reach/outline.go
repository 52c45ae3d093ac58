package reach

import "sync"

// outline is what a program needs to know of each of its packages. Of a closed package that is all.
type outline struct {
	toolchain string // the line that describes it
	compiled  bool   // the compiler has made an object
	err       error  // what is in the archive in addition to that, or why it cannot be read

	start   start
	starts  bool       // start is known
	dynamic signatures // methods of its interfaces; nil: one of them is not understood
	finders finders    // those in its objects

	starter *starter // of a closed package; nil: it starts no programs
	names   []string // that a closed package looks for, or defines as the same by linkname
}

// outlines has an *outline by outlineKey. A program has 30 to 60 MB of closed packages, most of them of the toolchain,
// and those of all other programs that one process compares are the same.
var outlines sync.Map

// outlineKey is all that the outline of a closed package depends on.
type outlineKey struct {
	path, content  string
	standard       bool
	startsPrograms bool
	reflects       string // the content of package reflect, in whose objects calls are known by their numbers
}

// outline reads a package. The objects are those in its archive, nil for a closed package that is known.
func (f *finders) outline(a Archive, closed bool) (*outline, []*object) {
	key := outlineKey{a.Path, a.Content, a.Standard, needsExec(a), f.reflects}
	keep := closed && a.Content != "" && (f.reflects != "" || len(f.calls) == 0)
	if keep {
		if known, ok := outlines.Load(key); ok {
			return known.(*outline), nil
		}
	}
	objects, line, err := readArchive(a.File)
	k := &outline{toolchain: line, compiled: len(objects) > 0, err: err, dynamic: signatures{}, finders: f.like()}
	if k.compiled {
		k.start, k.starts = objects[0].start(a.Path)
	}
	for _, o := range objects {
		if k.dynamic != nil && !o.addInterfaces(k.dynamic) {
			k.dynamic = nil
		}
		k.finders.add(a, o)
	}
	if closed && k.compiled {
		k.starter = starterOf(a, objects)
	}
	if closed && !a.Standard {
		for _, o := range objects {
			for i := o.first[ofName]; i < o.first[symbolKinds]; i++ {
				k.names = append(k.names, o.name(i))
			}
		}
	}
	if keep && k.compiled { // what cannot be read may be mended
		outlines.Store(key, k)
	}
	return k, objects
}
