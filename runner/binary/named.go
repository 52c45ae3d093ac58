package binary

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/lazy"
	"example.com/suite/internal/paths"
	"example.com/suite/result"
)

// Naming is how a suite file names the files that a case reads. Dir is the folder of the suite
// file, and Cwd the folder in which the case runs.
type Naming struct {
	Dir, Cwd string
	Words    []string // arguments, values of variables and parameters
	Lines    []string // texts for a shell
	Patterns []string // absolute patterns of files
	Program  string   // absolute; the program, whose own hash is elsewhere
}

// Bounds of what is read for one case. A case that names more is in doubt.
const (
	mostNamed    = 1000
	mostHashed   = 1 << 20 // a larger file is known by its size and time: nobody waits for folders of data
	mostScanned  = 1 << 20 // a larger script is not searched for names
	unknownFiles = "*"
)

// Named finds the files that decide what a case does, as far as the case names them, with
// their hashes: words that are files, the files below words that are folders, and the files that a script among
// them names in turn. A path is relative to Dir if the file is below Dir, or if the word was
// relative. A file whose content is not known has no hash; if there are too many files, the
// last path is "*". It finds nothing that a program reads without a name in these texts.
func (h *Hashes) Named(n Naming) []result.NamedFile {
	s := &search{hashes: h, Naming: n, seen: map[string]bool{}, written: map[string]bool{}}
	if n.Program != "" {
		s.seen[n.Program] = true
		s.scan(n.Program)
	}
	for _, word := range n.Words {
		s.word(word, n.Cwd, true)
		if strings.ContainsAny(word, " \t\n;") {
			s.line(word)
		}
	}
	for _, line := range n.Lines {
		s.line(line)
	}
	for _, pattern := range n.Patterns {
		s.glob(pattern)
	}
	if s.tooMany {
		s.found = append(s.found, result.NamedFile{Path: unknownFiles})
	}
	s.found = slices.DeleteFunc(s.found, func(f result.NamedFile) bool { return s.written[f.Path] })
	slices.SortFunc(s.found, func(a, b result.NamedFile) int { return strings.Compare(a.Path, b.Path) })
	return s.found
}

// OtherFile explains why the files that a case has named are not the ones that they are now,
// empty if they are. A relative path is below dir. If there may be files that do not exist,
// because a setup makes them, their absence is no difference.
func (h *Hashes) OtherFile(files []result.NamedFile, dir string, mayLack bool) string {
	for _, f := range files {
		path := f.Path
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, filepath.FromSlash(path))
		}
		switch now := h.content(path); {
		case f.Path == unknownFiles:
			return fmt.Sprintf("it names more than %d files, which are not compared", mostNamed)
		case f.Hash == "":
			return fmt.Sprintf("the content of %s, which it names, is not known", f.Path)
		case now == "" && mayLack:
		case now != f.Hash:
			return fmt.Sprintf("%s, which it names, has changed", f.Path)
		}
	}
	return ""
}

// search is the state of Named.
type search struct {
	Naming
	hashes  *Hashes
	seen    map[string]bool
	written map[string]bool // paths as in found
	found   []result.NamedFile
	tooMany bool
}

// redirection matches what a line writes: its own output is no part of the program.
var redirection = lazy.Regexp(`\d?>[>|]?\s*([^\s;&|()<>"']+)`)

// line searches a text for a shell.
func (s *search) line(text string) {
	for _, word := range s.words(text, s.Cwd) {
		s.word(word, s.Cwd, word != ".") // it reads another file into the shell
	}
}

// words splits a text for a shell, without the files that it writes.
func (s *search) words(text, dir string) []string {
	for _, output := range redirection().FindAllStringSubmatch(text, -1) {
		path := output[1]
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		s.written[s.name(path, !filepath.IsAbs(output[1]))] = true
	}
	text = redirection().ReplaceAllString(text, " ")
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n;&|()<>\"'`{}", r) })
}

// word looks for the files that a word names: as a whole, after an option such as -f or
// --file=, after @, or as one of a list.
func (s *search) word(word, dir string, folders bool) {
	forms := []string{word, strings.TrimPrefix(word, "@")}
	if len(word) > 2 && word[0] == '-' {
		forms = append(forms, word[2:])
	}
	forms = append(forms, strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune("=,:", r) })...)
	for _, form := range forms {
		s.form(form, dir, folders)
	}
}

func (s *search) form(word, dir string, folders bool) {
	const longest = 4096 // PATH_MAX of Linux
	if word == "" || word == ".." || word == "/" || len(word) > longest || strings.ContainsRune(word, 0) {
		return
	}
	path := filepath.Clean(word)
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	info, err := os.Stat(path)
	switch {
	case err != nil && strings.ContainsAny(word, "*?["):
		s.glob(path)
	case err != nil:
	case info.Mode().IsRegular():
		s.file(path, !filepath.IsAbs(word))
	case info.IsDir() && folders:
		s.folder(path)
	}
}

func (s *search) glob(pattern string) {
	found, _ := paths.Glob(pattern) // a bad pattern is reported with the suite file
	for _, path := range found {
		s.file(path, false)
	}
}

// folder takes the files below a folder of the suite, and none of other folders.
func (s *search) folder(dir string) {
	if rel, err := filepath.Rel(s.Dir, dir); err != nil || !filepath.IsLocal(rel) {
		return
	}
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case s.tooMany:
			return filepath.SkipAll
		case err != nil:
			s.tooMany = true // what is there is not known
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case d.Type().IsRegular():
			s.file(path, false)
		}
		return nil
	})
}

// file takes a file, and the files that it names if it is a script.
func (s *search) file(path string, relative bool) {
	switch {
	case s.seen[path] || s.tooMany:
		return
	case len(s.found) == mostNamed:
		s.tooMany = true
		return
	}
	s.seen[path] = true
	s.found = append(s.found, result.NamedFile{Path: s.name(path, relative), Hash: s.hashes.content(path)})
	s.scan(path)
}

// name returns the path by which a file is known.
func (s *search) name(path string, relative bool) string {
	if rel, err := filepath.Rel(s.Dir, path); err == nil && (relative || filepath.IsLocal(rel)) {
		return filepath.ToSlash(rel)
	}
	return path
}

// scan searches a script for the names of files, from the working folder and from the
// script's own. Only scripts below the folder of the suite or the working folder are
// searched: what is installed elsewhere, such as the library of an interpreter, names
// thousands.
func (s *search) scan(path string) {
	if !isBelow(s.Dir, path) && !isBelow(s.Cwd, path) {
		return
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() > mostScanned || !info.Mode().IsRegular() {
		return
	}
	text, err := os.ReadFile(path)
	if err != nil || bytes.IndexByte(text, 0) >= 0 {
		return
	}
	for _, word := range s.words(string(text), s.Cwd) {
		if strings.ContainsAny(word, "*?[") {
			continue // a pattern may be any text of a script
		}
		for _, dir := range []string{s.Cwd, filepath.Dir(path)} {
			s.word(word, dir, false)
			s.form(word+filepath.Ext(path), dir, false) // an import names no ending
		}
	}
}

func isBelow(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// content is the hash of a file, empty if it cannot be read. What was read is not read again
// until size or time of the file change.
func (h *Hashes) content(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	state := fmt.Sprintf("%d bytes of %d", info.Size(), info.ModTime().UnixNano())
	if info.Size() > mostHashed {
		return state
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	key := path + "\x00" + state
	hash, known := h.hashes[key]
	if !known {
		hash = Hash(path)
		h.add(key, hash)
	}
	return hash
}
