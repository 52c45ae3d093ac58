package spec

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

// Limits of one document, counted with every alias replaced by what it stands
// for, so that nine lines of aliases to aliases do not become a billion values.
const (
	maxNodes       = 1_000_000
	maxDepth       = 50
	maxKeys        = 1000 // of one mapping
	byteOrderMark  = "\ufeff"
	minimalExample = "a small suite file is:  benchmarks: [{command: [sleep, 0.1]}]"
)

// source is one file: its name, the folder that its relative paths start from,
// and its lines as YAML counts them.
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
	return &source{name: name, dir: dir, lines: splitLines(text)}
}

// place of a position; what YAML sees behind the last line stands at its end.
func (s *source) place(line, col int) diag.Place {
	if last := len(s.lines); line > last {
		line, col = last, utf8.RuneCountInString(s.lines[last-1])+1
	}
	return diag.Place{File: s.name, Line: line, Col: col}
}

// splitLines cuts at the five line breaks of YAML 1.1.
func splitLines(text string) (lines []string) {
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

// document parses the text of a file into its root node, nil after a problem.
func (r *reader) document(name string, text []byte) *node {
	src := r.source(name, string(text))
	if p := unreadable(src, text); p != nil {
		r.add(*p)
		return nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte(byteOrderMark))))
	var root, second yaml.Node
	if err := decoder.Decode(&root); err != nil || isEmpty(&root) {
		r.add(syntaxProblem(src, err))
		return nil
	}
	if err := decoder.Decode(&second); err == nil {
		r.add(diag.Problem{Place: src.place(second.Line, 1), Message: "a second document begins here", Hint: "a suite file is one document"})
		return nil
	} else if !errors.Is(err, io.EOF) {
		r.add(syntaxProblem(src, err))
		return nil
	}
	if p := measure(src, &root); p != nil {
		r.add(*p)
		return nil
	}
	return &node{root.Content[0], src}
}

// isEmpty says that a document has no value at all: only comments, or ---.
func isEmpty(root *yaml.Node) bool {
	return len(root.Content) == 0 || root.Content[0].ShortTag() == "!!null" && root.Content[0].Value == ""
}

// unreadable refuses what YAML would refuse without a place, or not at all.
func unreadable(src *source, text []byte) *diag.Problem {
	problem := func(at diag.Place, hint, format string, args ...any) *diag.Problem {
		return &diag.Problem{Place: at, Message: fmt.Sprintf(format, args...), Hint: hint}
	}
	whole := diag.Place{File: src.name}
	switch {
	case len(text) > maxFileSize:
		return problem(whole, "use matrix: for cases that differ in values", "the file is larger than 1 MiB")
	case len(bytes.TrimSpace(text)) == 0:
		return problem(whole, minimalExample, "the file is empty")
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
				return problem(src.place(i+1, col), "write it as an escape in double quotes, or remove it", "control character %U", c)
			}
		}
	}
	return nil
}

// printable characters are those that YAML 1.1 lets stand in a file.
func printable(c rune) bool {
	return c == '\t' || ' ' <= c && c <= '~' || 0xa0 <= c && c <= 0xd7ff ||
		0xe000 <= c && c <= 0xfffd && c != 0xfeff || c >= 0x10000
}

// measurement finds the size of a tree in which aliases share parts.
type measurement struct {
	sizes   map[*yaml.Node]int // 0 while a node is being measured
	problem *diag.Problem
	src     *source
}

// measure refuses trees that are too large or too deep, and aliases that hold
// themselves, in time linear in the file.
func measure(src *source, root *yaml.Node) *diag.Problem {
	m := &measurement{sizes: map[*yaml.Node]int{}, src: src}
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
		m.fail(n, "an alias stands for something that holds it", "")
	case depth > maxDepth:
		m.fail(n, fmt.Sprintf("values are nested more than %d deep", maxDepth), "")
	case !seen:
		size = m.count(n, depth)
		m.sizes[n] = size
	}
	if size > maxNodes {
		m.fail(n, fmt.Sprintf("aliases expand to more than %d values", maxNodes), "use matrix: for cases that differ in values")
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
		m.problem = &diag.Problem{Place: m.src.place(n.Line, n.Column), Message: message, Hint: hint}
	}
}
