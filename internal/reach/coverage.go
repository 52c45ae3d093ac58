package reach

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Source is the Go source of a package of a program.
type Source struct {
	Path  string   // import path
	Dir   string   // absolute
	Files []string // in Dir

	AsTest bool // it is run in a test binary only to be counted
}

// Coverage is what runs of a program have executed, by functions of its source: a closure belongs to the
// function that contains it.
type Coverage struct {
	// Idle lists functions that were counted and not executed, in alphabetical order, by the names of their symbols
	// without the instance of generic code: example.com/parse.lexer.skip. Initialisers are not among them.
	Idle []string

	idle map[string]bool
}

// IsIdle reports whether a function was not executed. It is false for what is not counted: code of the toolchain,
// of tests and of assembly, initialisers, and functions that the compiler has made.
func (c *Coverage) IsIdle(symbol string) bool {
	if c.idle == nil {
		c.idle = map[string]bool{}
		for _, name := range c.Idle {
			c.idle[name] = true
		}
	}
	pkg, rest := symbolParts(symbol)
	first, second := declared(rest)
	return c.idle[pkg+"."+first] || second != "" && c.idle[pkg+"."+first+"."+second]
}

// symbolParts splits the name of a symbol into the path of its package and the rest. Type arguments of generic code
// are left out.
func symbolParts(symbol string) (pkg, rest string) {
	var b strings.Builder
	depth := 0
	for _, r := range symbol {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	text := b.String()
	slash := strings.LastIndexByte(text, '/') + 1
	dot := strings.IndexByte(text[slash:], '.')
	if dot < 0 || depth != 0 {
		return "", ""
	}
	return text[:slash+dot], text[slash+dot+1:]
}

// declared returns the first two names in the symbol of a function: a function and what is within it, or a type and its
// method. A type and a function of one package have different names. Where the compiler has names of its own, as in
// glob..func1 or in those of types within functions, there is none.
func declared(rest string) (first, second string) {
	if pointer, ok := strings.CutPrefix(rest, "(*"); ok {
		first, rest, _ = strings.Cut(pointer, ")")
		if rest == "" || rest[0] != '.' {
			return "", ""
		}
		second, _ = identifier(rest[1:])
		if first == "" || second == "" {
			return "", ""
		}
		return first, second
	}
	first, rest = identifier(rest)
	if rest != "" && rest[0] != '.' && rest[0] != '-' || strings.HasPrefix(rest, "..") {
		return "", ""
	}
	if after, ok := strings.CutPrefix(rest, "."); ok {
		second, _ = identifier(after)
	}
	return first, second
}

// identifier splits a text after the Go identifier with which it begins.
func identifier(text string) (name, rest string) {
	end := strings.IndexFunc(text, func(r rune) bool { return strings.ContainsRune(".-·()[]{} *,", r) })
	if end < 0 {
		return text, ""
	}
	return text[:end], text[end:]
}

// block is a stretch of source that is counted.
type block struct{ from, to, count int } // places are line<<16 + column

// ReadCoverage reads profiles of runs of one program, as go test -coverprofile writes them. The error says why they do
// not show what the program executes: because the runs have not executed the same, for example.
func ReadCoverage(sources []Source, profiles ...io.Reader) (*Coverage, error) {
	files, err := counts(profiles)
	if err != nil {
		return nil, err
	}
	ran := map[string]bool{} // counted functions: whether they were executed
	for _, s := range sources {
		for _, name := range s.Files {
			if !strings.HasSuffix(name, ".go") {
				continue
			}
			set := token.NewFileSet()
			file := name
			if !filepath.IsAbs(file) {
				file = filepath.Join(s.Dir, name)
			}
			tree, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution|parser.ParseComments)
			if err != nil {
				return nil, err
			}
			if what := asks(tree, s.AsTest); what != "" {
				return nil, fmt.Errorf("%s asks for %s", filepath.Base(name), what)
			}
			if !isMoved(tree) {
				functionsIn(tree, set, prefix(s.Path), files[s.Path+"/"+filepath.Base(name)], ran)
			}
		}
	}
	for name, executed := range ran {
		if executed {
			delete(ran, name)
		}
	}
	return &Coverage{Idle: slices.Sorted(maps.Keys(ran))}, nil
}

// asks returns what a file refers to by which a program behaves in another way under coverage, "" if there is nothing.
func asks(tree *ast.File, asTest bool) (what string) {
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if n.Name == "CoverMode" || asTest && n.Name == "Testing" {
				what = n.Name
			}
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && asTest && strings.HasPrefix(text, "test.") { // flag.Lookup("test.v")
				what = text
			}
		}
		return what == ""
	})
	return what
}

// isMoved reports whether a comment gives the lines of a file other numbers.
func isMoved(tree *ast.File) bool {
	for _, group := range tree.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//line ") || strings.HasPrefix(c.Text, "/*line ") {
				return true
			}
		}
	}
	return false
}

// functionsIn notes for each function of a file that has counters whether one of them has counted.
func functionsIn(tree *ast.File, set *token.FileSet, pkg string, blocks []block, ran map[string]bool) {
	for _, d := range tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || f.Recv == nil && f.Name.Name == "init" || f.Name.Name == "_" {
			continue
		}
		name := f.Name.Name
		if f.Recv != nil {
			name = receiver(f.Recv.List[0].Type) + "." + name
		}
		from, to := place(set, f.Body.Lbrace), place(set, f.Body.Rbrace)
		for _, b := range blocks {
			if from <= b.from && b.from <= to {
				ran[pkg+"."+name] = ran[pkg+"."+name] || b.count > 0
			}
		}
	}
}

func place(set *token.FileSet, at token.Pos) int {
	p := set.PositionFor(at, false)
	return p.Line<<16 + min(p.Column, 1<<16-1)
}

// receiver returns the name of the type of which a function is a method.
func receiver(of ast.Expr) string {
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
		case *ast.ParenExpr:
			of = t.X
		case *ast.IndexExpr:
			of = t.X
		case *ast.IndexListExpr:
			of = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

// counts reads profiles: the blocks by file, as import path and name. It is an error if two profiles differ.
func counts(profiles []io.Reader) (files map[string][]block, err error) {
	var before map[string]bool
	for i, profile := range profiles {
		files = map[string][]block{}
		executed := map[string]bool{}
		lines := bufio.NewScanner(profile)
		for lines.Scan() { // path/file.go:10.2,12.3 2 1
			place, count, ok := strings.Cut(lines.Text(), " ")
			if place == "mode:" {
				continue
			}
			colon := strings.LastIndexByte(place, ':')
			b := block{}
			if ok && colon > 0 {
				b, ok = newBlock(place[colon+1:], count[strings.LastIndexByte(count, ' ')+1:])
			}
			if !ok || colon < 0 {
				return nil, fmt.Errorf("a line of a coverage profile that is not known: %.80q", lines.Text())
			}
			files[place[:colon]] = append(files[place[:colon]], b)
			if b.count > 0 {
				executed[place] = true
			}
		}
		if err := lines.Err(); err != nil {
			return nil, err
		}
		if at := onlyInOne(before, executed); i > 0 && at != "" {
			return nil, fmt.Errorf("two runs have not executed the same: %s", at[strings.LastIndexByte(at, '/')+1:])
		}
		before = executed
	}
	return files, nil
}

// onlyInOne returns the first place, by its name, that is in one of two sets, "" if there is none.
func onlyInOne(a, b map[string]bool) (first string) {
	for _, pair := range [][2]map[string]bool{{a, b}, {b, a}} {
		for at := range pair[0] {
			if !pair[1][at] && (first == "" || at < first) {
				first = at
			}
		}
	}
	return first
}

func newBlock(place, count string) (b block, ok bool) {
	var numbers [4]int
	_, err := fmt.Sscanf(place, "%d.%d,%d.%d", &numbers[0], &numbers[1], &numbers[2], &numbers[3])
	n, err2 := strconv.Atoi(count)
	return block{numbers[0]<<16 + min(numbers[1], 1<<16-1), numbers[2]<<16 + min(numbers[3], 1<<16-1), n}, err == nil && err2 == nil
}
