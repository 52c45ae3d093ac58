package build

import (
	"bufio"
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/paths"
	"example.com/suite/internal/reach"
	"example.com/suite/internal/usercache"
)

// graphFlag makes go write the steps of a build to a file, with the build ID of each package. go help does not mention
// it, so a build does without it if go has no such flag, and a file that is not as expected is an error.
const graphFlag = "-debug-actiongraph="

// step is one step of a build, such as the link of a program.
type step struct {
	ID            int
	Mode, Package string
	Deps          []int  // steps before it
	BuildID       string // of what a compilation makes
}

// buildGraph contains the steps of a build of which one links a program.
type buildGraph struct {
	steps  map[int]*step
	link   *step
	linked []*step            // compilations of the packages of the program, by import path
	needs  map[*step][]string // what needed returns
}

// readGraph finds the link of a main package in the graph of a build, or its only link if main is empty.
func readGraph(text []byte, main string) (*buildGraph, error) {
	var all []*step
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, err
	}
	g := &buildGraph{steps: map[int]*step{}, needs: map[*step][]string{}}
	for _, s := range all {
		g.steps[s.ID] = s
		switch {
		case s.Mode != "link" || main != "" && s.Package != main:
		case g.link != nil:
			return nil, errors.New("a build with two links of a program")
		default:
			g.link = s
		}
	}
	if g.link == nil {
		return nil, errors.New("a build without a link of the program")
	}
	for _, s := range all {
		for _, id := range s.Deps {
			if g.steps[id] == nil {
				return nil, fmt.Errorf("a build without step %d", id)
			}
		}
	}
	for _, id := range g.link.Deps {
		if s := g.steps[id]; s.isCompilation() {
			g.linked = append(g.linked, s)
		}
	}
	slices.SortFunc(g.linked, func(x, y *step) int { return cmp.Compare(x.Package, y.Package) })
	return g, g.check()
}

func (s *step) isCompilation() bool { return s.Mode == "build" }

// check returns an error unless each package that is compiled for the program is linked, once, among them the main
// package. A package that is compiled for a test may come after itself as others see it, which is not linked.
func (g *buildGraph) check() error {
	paths := map[string]bool{}
	for _, s := range g.linked {
		if paths[s.Package] {
			return fmt.Errorf("a build that links package %s twice", s.Package)
		}
		paths[s.Package] = true
	}
	if !paths[g.link.Package] {
		return errors.New("a build that links no main package")
	}
	seen := map[*step]bool{}
	for left := []*step{g.link}; len(left) > 0; {
		s := left[0]
		left = left[1:]
		if s.isCompilation() && !paths[s.Package] {
			return fmt.Errorf("a build that does not link package %s", s.Package)
		}
		for _, id := range s.Deps {
			if before := g.steps[id]; !seen[before] {
				seen[before] = true
				left = append(left, before)
			}
		}
	}
	return nil
}

// needed returns the import paths of the packages that a compilation needs, directly or not.
func (g *buildGraph) needed(s *step) []string {
	paths, known := g.needs[s]
	if known {
		return paths
	}
	for _, id := range s.Deps {
		before := g.steps[id]
		if before.isCompilation() {
			if !slices.Contains(g.linked, before) {
				continue
			}
			paths = append(paths, before.Package)
		}
		paths = append(paths, g.needed(before)...)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	g.needs[s] = paths
	return paths
}

// archives returns the compiled packages of which the program was linked. No later change is part of the answer: the
// archives are files in go's cache that have the build IDs of the build. The error explains what is not as expected.
func (g *buildGraph) archives(index *archiveIndex, goroot string) (list []reach.Archive, err error) {
	for _, s := range g.linked {
		a := reach.Archive{Path: s.Package, Standard: isStandard(goroot, s.Package), Needs: g.needed(s)}
		if s.Package == g.link.Package {
			a.Path = reach.MainPackage
		}
		if a.File, err = index.find(s.BuildID); err != nil {
			return nil, fmt.Errorf("package %s: %w", s.Package, err)
		}
		_, a.Content, _ = strings.Cut(s.BuildID, "/")
		list = append(list, a)
	}
	return list, nil
}

// isStandard reports whether a package belongs to the toolchain, by go's own rule.
func isStandard(goroot, path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && paths.IsFolder(filepath.Join(goroot, "src", filepath.FromSlash(path)))
}

// archiveIndex knows where archives are in go's cache. It is kept in a file: to find an archive takes 0.5 ms, because
// the folders of that cache have a thousand files, and a program has hundreds of archives.
type archiveIndex struct {
	cache string            // go's
	file  string            // of the index
	found map[string]string // archives by build ID
	added map[string]string // those that were not known before
}

func readIndex(own, cache string) *archiveIndex {
	folder := filepath.Join(own, "archives", usercache.Key(cache))
	index := &archiveIndex{cache: cache, file: filepath.Join(folder, "index.json"), added: map[string]string{}}
	if text, err := paths.ReadRegular(index.file); err == nil {
		_ = json.Unmarshal(text, &index.found) // one that is damaged is empty, or its entries are refused
	}
	usercache.Touch(folder)
	return index
}

// write adds what was not known to the file. If that fails, it takes as long the next time.
func (index *archiveIndex) write() {
	const most = 5000 // in 1 MB
	if len(index.added) == 0 {
		return
	}
	if len(index.found)+len(index.added) < most {
		maps.Copy(index.added, index.found)
	}
	if text, err := json.Marshal(index.added); err == nil {
		_ = put(index.file, text)
	}
}

// find returns the archive with a build ID. An entry of go's cache names it, whose own name begins with the first half
// of the build ID.
func (index *archiveIndex) find(buildID string) (archive string, err error) {
	if archive := index.found[buildID]; hasBuildID(archive, buildID) {
		return archive, nil
	}
	from, _, _ := strings.Cut(buildID, "/")
	begin, err := base64.RawURLEncoding.DecodeString(from)
	if err != nil || len(begin) == 0 {
		return "", errors.New("it has no build ID")
	}
	name := hex.EncodeToString(begin)
	folder, err := os.Open(filepath.Join(index.cache, name[:2]))
	if err != nil {
		return "", err
	}
	defer folder.Close()
	entries, err := folder.Readdirnames(-1)
	if err != nil {
		return "", err
	}
	for _, entry := range entries {
		if !strings.HasPrefix(entry, name) || !strings.HasSuffix(entry, "-a") {
			continue
		}
		text, err := paths.ReadRegular(filepath.Join(folder.Name(), entry))
		if err != nil {
			return "", err
		}
		const content = 2 // v1, what it was made from, what it contains, its size, its time
		words := strings.Fields(string(text))
		if len(words) <= content || len(words[content]) < 2 {
			continue
		}
		archive := filepath.Join(index.cache, words[content][:2], words[content]+"-d")
		if hasBuildID(archive, buildID) {
			index.added[buildID] = archive
			return archive, nil
		}
	}
	return "", errors.New("go's cache does not have it")
}

// hasBuildID reports whether a file is an archive with a build ID, which is in its third or fourth line.
func hasBuildID(file, buildID string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	const begin = 1 << 10
	lines := bufio.NewScanner(io.LimitReader(f, begin))
	for lines.Scan() {
		if id, ok := strings.CutPrefix(lines.Text(), "build id "); ok {
			return id == fmt.Sprintf("%q", buildID)
		}
	}
	return false
}
