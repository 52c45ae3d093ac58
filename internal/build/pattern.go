package build

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/paths"
)

// pattern is one entry of packages.
type pattern struct {
	text string // as the suite file has it
	base string // absolute folder of a path up to its first wildcard; empty for an import path
	rest string // /... and what follows
	root string // folder of the go.mod at or above base
	form string // as go list gets it
}

// wild reports whether a pattern may match many packages, some of which have no benchmarks.
func (p pattern) wild() bool {
	return strings.Contains(p.text, "...") || slices.Contains([]string{"all", "std", "cmd", "tool", "work"}, p.text)
}

// patterns finds the folder and module of each pattern.
func (b *building) patterns() (all []pattern, problems []Problem) {
	if len(b.Packages) == 0 {
		return nil, []Problem{wrong("", "no packages to build", "packages: [./hashbench]")}
	}
	for _, text := range b.Packages {
		p, problem := b.pattern(text)
		if problem != nil {
			problems = append(problems, *problem)
		}
		all = append(all, p)
	}
	return all, problems
}

func (b *building) pattern(text string) (pattern, *Problem) {
	bad := func(message, hint string) (pattern, *Problem) {
		p := wrong(text, message, hint)
		return pattern{}, &p
	}
	slash := filepath.ToSlash(text)
	path := slash == "." || slash == ".." || strings.HasPrefix(slash, "./") ||
		strings.HasPrefix(slash, "../") || filepath.IsAbs(text)
	switch {
	case text == "" || strings.HasPrefix(text, "-") || strings.ContainsAny(text, "@ \t\n"):
		return bad(fmt.Sprintf("%q names no package", text), "a folder such as ./hashbench, ./... or an import path")
	case strings.HasSuffix(text, ".go"):
		return bad(fmt.Sprintf("%q is a file", text), "name its folder")
	case !path && paths.IsFolder(filepath.Join(b.Dir, text)) && !strings.Contains(strings.Split(text, "/")[0], "."):
		return bad(fmt.Sprintf("%q is an import path, and no folder", text),
			fmt.Sprintf("did you mean %q?", "./"+slash))
	case !path:
		return pattern{text: text, form: text}, nil
	}
	p := pattern{text: text}
	elements := strings.Split(slash, "/")
	for i, e := range elements {
		if strings.Contains(e, "...") {
			p.rest = "/" + strings.Join(elements[i:], "/")
			elements = elements[:i]
			break
		}
	}
	p.base = filepath.FromSlash(strings.Join(elements, "/"))
	if !filepath.IsAbs(text) {
		p.base = filepath.Join(b.Dir, p.base)
	}
	p.base = filepath.Clean(p.base)
	if !paths.IsFolder(p.base) {
		return bad(fmt.Sprintf("no folder %q", b.tree.place(p.base)), p.meant())
	}
	p.root = moduleRoot(p.base)
	if p.root == "" {
		return bad(fmt.Sprintf("%q is in no Go module: there is no go.mod in it or above it", text),
			"in that folder: go mod init NAME")
	}
	return p, nil
}

// meant hints at the folder that was probably meant.
func (p *pattern) meant() string {
	word := filepath.Base(p.base)
	found, ok := diag.Nearest(word, folders(filepath.Dir(p.base)))
	text := filepath.ToSlash(p.text)
	at := strings.LastIndex(text, word)
	if !ok || at < 0 {
		return ""
	}
	return fmt.Sprintf("did you mean %q?", text[:at]+found+text[at+len(word):])
}

// relative sets the form of a pattern that go can resolve in root.
func (p *pattern) relative(root string) {
	if p.base == "" {
		return
	}
	rel, err := filepath.Rel(root, p.base)
	rel = filepath.ToSlash(rel)
	switch {
	case err != nil: // another drive
		p.form = filepath.ToSlash(p.base) + p.rest
	case rel == "." || rel == ".." || strings.HasPrefix(rel, "../"):
		p.form = rel + p.rest
	default:
		p.form = "./" + rel + p.rest
	}
}

// moduleRoot finds the nearest folder with a go.mod at or above dir. It is "" if there
// is none.
func moduleRoot(dir string) string {
	for {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && !info.IsDir() {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

func folders(dir string) (names []string) {
	entries, _ := os.ReadDir(dir) // unreadable: nothing to suggest
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}
