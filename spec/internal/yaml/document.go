package yaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"example.com/suite/internal/diag"
	"gopkg.in/yaml.v3"
)

// Limits of one document. Nodes are counted with every alias replaced by its value, so that
// nine lines of aliases to aliases do not become a billion values.
const (
	// MaxFileSize is the size of the largest file that is read, in bytes. A suite of 10,000
	// cases, written out one by one, has 0.7 MiB.
	MaxFileSize   = 1 << 20
	maxNodes      = 1_000_000
	maxDepth      = 50
	maxKeys       = 1000 // of one mapping
	byteOrderMark = "\ufeff"
)

// source is one file: its name, the folder that its relative paths start from, and its
// lines as YAML counts them.
type source struct {
	name  string
	dir   string // absolute
	lines []string
}

func newSource(name, text string) *source {
	dir, err := filepath.Abs(filepath.Dir(name))
	if err != nil {
		dir = filepath.Dir(name)
	}
	return &source{name: name, dir: dir, lines: SplitLines(text)}
}

func (r *Reader) source(name, text string) *source {
	src := newSource(name, text)
	if r.Folder != nil {
		src.dir = r.Folder(src.dir)
	}
	return src
}

// DirOf returns the absolute folder that the relative paths of a file start from.
func (r *Reader) DirOf(name string) string { return r.source(name, "").dir }

// place converts a position of yaml.v3, which counts the end of the text as one more
// line. Such a position becomes the end of the last line.
func (s *source) place(line, col int) diag.Place {
	if last := len(s.lines); line > last {
		line, col = last, utf8.RuneCountInString(s.lines[last-1])+1
	}
	return diag.Place{File: s.name, Line: line, Col: col}
}

// SplitLines splits text at the five line breaks of YAML 1.1.
func SplitLines(text string) (lines []string) {
	for {
		i := strings.IndexAny(text, "\n\r\u0085\u2028\u2029")
		if i < 0 {
			return append(lines, text)
		}
		lines = append(lines, text[:i])
		_, n := utf8.DecodeRuneInString(text[i:])
		if strings.HasPrefix(text[i:], "\r\n") {
			n = 2
		}
		text = text[i+n:]
	}
}

// Document parses the text of a file that has one document and returns its root, or nil
// after a problem. name is used in places and to find Dir.
func (r *Reader) Document(name string, text []byte) *Node {
	src := r.source(name, string(text))
	if p := r.unreadable(src, text); p != nil {
		r.Add(*p)
		return nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte(byteOrderMark))))
	var root, second yaml.Node
	if err := decoder.Decode(&root); err != nil || isEmpty(&root) {
		r.Add(r.syntaxProblem(src, err))
		return nil
	}
	if err := decoder.Decode(&second); err == nil {
		r.Add(diag.Problem{
			Code:    diag.Syntax,
			Place:   src.place(second.Line, 1),
			Message: "a second document begins here",
			Hint:    r.Format.Name + " is one document",
		})
		return nil
	} else if !errors.Is(err, io.EOF) {
		r.Add(r.syntaxProblem(src, err))
		return nil
	}
	if p := r.measure(src, &root); p != nil {
		r.Add(*p)
		return nil
	}
	return &Node{root.Content[0], src}
}

// isEmpty reports whether a document has no value at all, only comments or "---".
func isEmpty(root *yaml.Node) bool {
	return len(root.Content) == 0 || root.Content[0].ShortTag() == "!!null" && root.Content[0].Value == ""
}

// unreadable refuses text that yaml.v3 would refuse without a place, or accept.
func (r *Reader) unreadable(src *source, text []byte) *diag.Problem {
	problem := func(at diag.Place, hint, format string, args ...any) *diag.Problem {
		return &diag.Problem{Code: diag.Syntax, Place: at, Message: fmt.Sprintf(format, args...), Hint: hint}
	}
	whole := diag.Place{File: src.name}
	switch {
	case len(text) > MaxFileSize:
		return problem(whole, r.Format.Smaller, "the file is larger than 1 MiB")
	case len(bytes.TrimSpace(text)) == 0:
		return problem(whole, r.Format.Example, "the file is empty")
	case bytes.HasPrefix(text, []byte{0xff, 0xfe}), bytes.HasPrefix(text, []byte{0xfe, 0xff}):
		return problem(whole, "save it as UTF-8", "the file is UTF-16")
	}
	for i, line := range src.lines {
		col := 0
		for at, c := range line {
			col++
			switch {
			case c == utf8.RuneError && !strings.HasPrefix(line[at:], "\ufffd"):
				return problem(src.place(i+1, col), "save the file as UTF-8", "byte 0x%02x is not UTF-8", line[at])
			case !printable(c) && (i > 0 || col > 1 || string(c) != byteOrderMark):
				return problem(src.place(i+1, col), "write it as an escape in double quotes, or remove it",
					"control character %U", c)
			}
		}
	}
	return nil
}

// printable reports whether YAML 1.1 allows a character in a file.
func printable(c rune) bool {
	return c == '\t' || ' ' <= c && c <= '~' || 0xa0 <= c && c <= 0xd7ff ||
		0xe000 <= c && c <= 0xfffd && c != 0xfeff || c >= 0x10000
}

// measurement counts the nodes of a tree in which aliases share parts.
type measurement struct {
	sizes   map[*yaml.Node]int // 0 while a node is being measured
	problem *diag.Problem
	src     *source
	smaller string // hint for a tree that is too large
}

// measure refuses trees that are too large or too deep, and aliases that contain
// themselves. Each node is measured once, so the time is linear in the size of the file.
func (r *Reader) measure(src *source, root *yaml.Node) *diag.Problem {
	m := &measurement{sizes: map[*yaml.Node]int{}, src: src, smaller: r.Format.Smaller}
	m.size(root, 0)
	return m.problem
}

func (m *measurement) size(n *yaml.Node, depth int) int {
	if n.Kind == yaml.ScalarNode || m.problem != nil {
		return 1
	}
	size, seen := m.sizes[n]
	switch {
	case seen && size == 0:
		m.fail(n, "an alias refers to a value that contains it", "")
	case depth > maxDepth:
		m.fail(n, fmt.Sprintf("values are nested more than %d deep", maxDepth), "")
	case !seen:
		size = m.count(n, depth)
		m.sizes[n] = size
	}
	if size > maxNodes {
		m.fail(n, fmt.Sprintf("aliases expand to more than %d values", maxNodes), m.smaller)
	}
	return size
}

func (m *measurement) count(n *yaml.Node, depth int) int {
	m.sizes[n] = 0
	if n.Kind == yaml.AliasNode {
		return m.size(n.Alias, depth)
	}
	if n.Kind == yaml.MappingNode && len(n.Content) > 2*maxKeys {
		m.fail(n, fmt.Sprintf("a mapping has more than %d keys", maxKeys), "")
	}
	size := 1
	for _, child := range n.Content {
		size = min(size+m.size(child, depth+1), math.MaxInt32)
	}
	return size
}

func (m *measurement) fail(n *yaml.Node, message, hint string) {
	if m.problem == nil {
		m.problem = &diag.Problem{Code: diag.Syntax, Place: m.src.place(n.Line, n.Column), Message: message, Hint: hint}
	}
}

// Keys returns the keys of the mapping at the top of a text, in no order. ok is false if
// the text is not a mapping.
func Keys(text []byte) (keys []string, ok bool) {
	var top map[string]yaml.Node
	if yaml.Unmarshal(text, &top) != nil {
		return nil, false
	}
	for key := range top {
		keys = append(keys, key)
	}
	return keys, true
}
