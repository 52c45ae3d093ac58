package gate

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"github.com/expr-lang/expr/ast"
)

// Function is a row of the table of functions: all that is special about a function of expressions
// while they are compiled. Its numbers and its leaves know how it is judged.
type Function struct {
	Name   string
	Usage  string // an example, for hints
	Takes  string // its arguments, in a sentence
	OfBase bool   // it refers to a base
	OfAll  bool   // its value depends on all cases of the suite

	// Type is the type of the function in expressions. If its first argument is a Metric, it is a metric
	// of the case, by its name alone.
	Type reflect.Type

	// Number recognises a number of the function in a leaf, and Leaf a leaf that only the function can
	// decide, because it can be undecided. A function has one of them.
	Number func(b *builder, n ast.Node) (mention, bool)
	Leaf   func(b *builder, n ast.Node) (functionKind, bool)

	// Misuse adds a problem for a call that neither of them recognises, or in a place that is wrong.
	Misuse func(b *builder, f *Function, n *ast.CallNode)

	// Fault returns a better message and hint for an expression that has the name of the function and
	// does not compile. ok is false if another function may be at fault. Whole is asked before Fault of
	// any function.
	Fault, Whole func(b *builder, row *Function, f *lang.Fault) (message, hint string, ok bool)

	// Field is the only field of its value, which a user may take for a name; empty: none.
	Field string

	// IsFor reports whether hints name the function for a gate; nil: for all.
	IsFor func(s *Source) bool
}

// takesMetric reports whether the first argument is a metric of the case.
func (f *Function) takesMetric() bool {
	return f.Type.NumIn() > 0 && f.Type.In(0) == reflect.TypeFor[Metric]()
}

// takesMore reports whether the function has more arguments than one.
func (f *Function) takesMore() bool { return f.Type.NumIn() > 1 || f.Type.IsVariadic() }

// Functions is the table.
type Functions []*Function

func (all Functions) find(name string) *Function {
	for _, f := range all {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// pattern lists the names of the functions for which is returns true: worse|better.
func (all Functions) pattern(is func(*Function) bool) string {
	var names []string
	for _, f := range all {
		if is(f) {
			names = append(names, f.Name)
		}
	}
	return strings.Join(names, "|")
}

// opens reports whether an expression ends in a call that YAML has split at its comma: the rest of
// [not worse(time, 3%)].
func (all Functions) opens(expr string) bool {
	is := func(f *Function) bool { return f.takesMetric() && f.takesMore() }
	return regexp.MustCompile(`\b(` + all.pattern(is) + `)\(\s*\w+$`).MatchString(expr)
}

// callee splits a call into the name of the function and its arguments.
func callee(n ast.Node) (name string, arguments []ast.Node, ok bool) {
	call, is := n.(*ast.CallNode)
	if !is {
		return "", nil, false
	}
	id, is := call.Callee.(*ast.IdentifierNode)
	if !is {
		return "", nil, false
	}
	return id.Value, call.Arguments, true
}

// callOf recognises a call of a function, whatever its arguments are, and returns them.
func callOf(function string, n ast.Node) (arguments []ast.Node, ok bool) {
	name, arguments, ok := callee(n)
	return arguments, ok && name == function
}

// ofMetric recognises a function whose first argument is a metric of the case. The
// argument must be the bare name.
func (b *builder) ofMetric(n ast.Node, name string) (m result.Metric, ok bool) {
	arguments, ok := callOf(name, n)
	if !ok || len(arguments) == 0 {
		return m, false
	}
	id, ok := arguments[0].(*ast.IdentifierNode)
	if !ok {
		return m, false
	}
	m, ok = b.metric(id.Value, nil)
	return m, ok && m.Name != "exit_code"
}

// badCall adds a problem for a call that is wrong or not allowed there.
func (b *builder) badCall(n *ast.CallNode) {
	name, _, _ := callee(n)
	if f := b.functions.find(name); f != nil {
		f.Misuse(b, f, n)
		return
	}
	b.badCase(n)
}

// notMetric adds a problem for a call whose first argument is no metric, and reports whether it is none.
func (b *builder) notMetric(f *Function, n *ast.CallNode) bool {
	if _, ok := b.ofMetric(n, f.Name); ok {
		return false
	}
	at, _ := b.program.Span(n.Arguments[0])
	b.problem(at, fmt.Sprintf("%s takes a metric of this case, by its name alone", f.Name), f.Usage)
	return true
}

// onlyAlone is the misuse of a function whose call is a leaf, or a number with an interval.
func onlyAlone(b *builder, f *Function, n *ast.CallNode) {
	if !b.notMetric(f, n) {
		from, _ := b.program.Span(n)
		b.problem(from, fmt.Sprintf("%s can be undecided: use it alone or with and, or, not and ?:", f.Name), f.Usage)
	}
}

// takes is the misuse of a function that is right only in one form.
func takes(b *builder, f *Function, n *ast.CallNode) {
	from, _ := b.program.Span(n)
	b.problem(from, f.Takes, f.Usage)
}

// wrongCall returns a better message and hint for a wrong use of one of the functions. ok is
// false if the fault has nothing to do with them.
func (b *builder) wrongCall(f *lang.Fault) (better, hint string, ok bool) {
	for _, row := range b.functions {
		if row.Whole != nil {
			if better, hint, ok = row.Whole(b, row, f); ok {
				return better, hint, true
			}
		}
	}
	for _, id := range lang.Identifiers(b.source.Expr) {
		row := b.functions.find(id.Name)
		switch {
		case row == nil:
		case row.Fault != nil:
			better, hint, ok = row.Fault(b, row, f)
		}
		if ok {
			return better, hint, true
		}
	}
	return "", "", false
}

// metricFault is the fault of a function of a metric.
func metricFault(b *builder, row *Function, f *lang.Fault) (better, hint string, ok bool) {
	miscounted := f.Kind == lang.Arguments && f.Name == row.Name
	switch {
	case miscounted && strings.Contains(b.source.Expr.Value, "exit_code"):
		return row.Name + " takes a metric that varies, and exit_code is a number", "exit_code == base.exit_code", true
	case miscounted, strings.HasPrefix(f.Signature, "func(Metric"), f.Kind == lang.NotTruth:
		return row.Takes, row.Usage, true
	}
	return "", "", false
}
