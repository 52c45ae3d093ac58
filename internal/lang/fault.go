package lang

import (
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lazy"
)

// Error is what is wrong with an expression: a problem with its place, and the fault for
// callers that describe it in the words of their subject.
type Error struct {
	diag.Problem
	Fault Fault
}

func (e *Error) Unwrap() error { return e.Problem }

// Fault is what kind of problem it is, in parts. A part that does not apply is empty.
type Fault struct {
	Kind      FaultKind
	Name      string   // that is not known, or the function that is called with wrong arguments
	Of        string   // the expression that has no field of this name
	Listed    bool     // the hint lists all names that are known
	Signature string   // of a function that is used as a value, or with an argument of the wrong type
	Types     []string // Go types that the type checker mentions, without their packages
}

// FaultKind is the kind of a fault. Most faults have none.
type FaultKind string

const (
	UnknownName  FaultKind = "unknown name"
	UnknownField FaultKind = "unknown field"
	EndsTooEarly FaultKind = "ends too early"
	Arguments    FaultKind = "arguments" // too few, too many, or of another type
	Undefined    FaultKind = "undefined" // a name in brackets that is not written out
	NotTruth     FaultKind = "not truth" // the whole expression has a value that is neither a number, a text nor a list
)

// Mentions reports whether the type checker mentions a Go type.
func (f *Fault) Mentions(name string) bool { return slices.Contains(f.Types, name) }

// fault places a problem with its fault at a character of the expression.
func (c *compilation) fault(at int, f Fault, message, hint string) error {
	return &Error{c.whole.Problem(c.base+at, message, hint), f}
}

// What the type checker of expr-lang reports in words alone.
var (
	argumentsOf = lazy.Regexp(`\bcall (\w+)$`)
	signature   = lazy.Regexp(`func\(.*`)
	goType      = lazy.Regexp(`\b[A-Z]\w*`)
)

// typeFault reads the fault from a message of the type checker, after plain.
func typeFault(message string) Fault {
	var f Fault
	if m := argumentsOf().FindStringSubmatch(message); m != nil {
		f.Kind, f.Name = Arguments, m[1]
	}
	if strings.HasSuffix(message, "is undefined") {
		f.Kind = Undefined
	}
	f.Signature = signature().FindString(message)
	for i, part := range strings.Split(message, `"`) {
		if i%2 == 0 { // what is in quotes is the user's
			f.Types = append(f.Types, goType().FindAllString(part, -1)...)
		}
	}
	return f
}
