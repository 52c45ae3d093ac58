package reach

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"example.com/suite/internal/lazy"
)

// literal is a function literal. Coverage counts what is within it by itself, and the compiler makes a function of it
// whose name is that of the function that contains it and a number. Numbers cannot be computed from the source: the
// compiler may leave literals out, and adds those of functions that it inlines, under longer names. So a literal is
// known by the function that contains it and its line: if several begin there, all of them have to be idle.
type literal struct {
	owner    string // name of the function that contains it, see Coverage; initial for variables and functions init
	file     string // import path and name
	body     int    // where the counters of its body begin
	from, to int    // lines of its word func and of that brace: the compiler may name either
}

// initial is the owner, after the path of the package, of literals in variables and in functions init.
const initial = "." + initName

func (l literal) isInitial() bool { return strings.HasSuffix(l.owner, initial) }

// literalsIn lists the function literals of a file.
func literalsIn(tree *ast.File, set *token.FileSet, pkg, file string) (list []literal) {
	for _, d := range tree.Decls {
		owner := pkg + initial
		if f, ok := d.(*ast.FuncDecl); ok && isCounted(f) {
			owner = symbolOf(f, pkg)
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if f, ok := n.(*ast.FuncLit); ok {
				list = append(list, literal{owner: owner, file: file, body: place(set, f.Body.Lbrace),
					from: set.PositionFor(f.Pos(), false).Line, to: set.PositionFor(f.Body.Lbrace, false).Line})
			}
			return true
		})
	}
	return list
}

// beginning is where blocks begin.
type beginning struct {
	file string
	at   int
}

// idleLiterals returns the literals that were counted and not executed, without those in idle functions.
func (o *observation) idleLiterals(literals []literal, functions []string) []string {
	executed := map[beginning]bool{}
	for place, b := range o.blocks {
		begins := beginning{place[:strings.LastIndexByte(place, ':')], b.from}
		executed[begins] = executed[begins] || b.executed()
	}
	idle := map[string]bool{}
	for _, l := range literals {
		if _, found := slices.BinarySearch(functions, l.owner); found {
			continue
		}
		was, counted := executed[beginning{l.file, l.body}]
		for line := l.from; line <= l.to; line++ {
			at := literalAt(l.owner, line)
			others, known := idle[at]
			idle[at] = counted && !was && (others || !known)
		}
	}
	maps.DeleteFunc(idle, func(_ string, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(idle))
}

// literalAt is an entry of Coverage.Literals.
func literalAt(owner string, line int) string { return fmt.Sprintf("%s:%d", owner, line) }

// isIdle reports whether a function was not executed: it, what contains it, or the literal that it is.
func (c *Coverage) isIdle(s symbol) bool {
	label := s.label()
	if c.IsIdle(label) {
		return true
	}
	if len(c.Literals) == 0 || !strings.Contains(label, ".func") {
		return false
	}
	owner := literalOwner(label)
	if owner == "" {
		return false
	}
	_, found := slices.BinarySearch(c.Literals, literalAt(owner, s.line()))
	return found
}

// literalName matches the names of the functions of literals. Bodies of range loops, wrappers and what is within these
// have others.
var literalName = lazy.Regexp(`^(.+?)\.func\d+(\.\d+)*$`)

// literalOwner returns the function that contains a literal, by the name of the symbol of the literal, "" if that is
// none or the compiler has copied it with a function that it has inlined.
func literalOwner(symbol string) string {
	pkg, rest := symbolParts(symbol)
	m := literalName().FindStringSubmatch(rest)
	if m == nil {
		return ""
	}
	outer := m[1]
	if outer == "glob." || outer == initName || initNumber().MatchString(outer) || strings.HasPrefix(outer, UnitPrefix) {
		return pkg + initial
	}
	first, second := declared(outer)
	switch outer {
	case first:
		return pkg + "." + first
	case first + "." + second, "(*" + first + ")." + second:
		return pkg + "." + first + "." + second
	}
	return ""
}

// initNumber matches the names of functions init.
var initNumber = lazy.Regexp(`^init\.\d+$`)
