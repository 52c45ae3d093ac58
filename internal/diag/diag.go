// Package diag describes problems that have a place: file:line:col, a message in the user's
// own words, and a hint about what to do. It knows text only, nothing of YAML or
// expressions.
package diag

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Place is a position in a file. Line and Col count from 1, Col in characters;
// a zero Line means the file as a whole.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	Col  int    `json:"col,omitempty"`
}

// String formats file:line:col on one line, or the file alone if no line is known. Line
// feeds in the name of a file are escaped: the text after one could be taken for a line
// of its own, such as a workflow command of GitHub.
func (p Place) String() string {
	file := lineEnds.Replace(p.File)
	if p.Line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d:%d", file, p.Line, p.Col)
}

var lineEnds = strings.NewReplacer("\n", `\n`, "\r", `\r`)

// Code is the kind of a problem, in a word that programs can depend on.
type Code string

// The kinds of problems. NoEffect, NoProgram and NoUnit are of warnings.
const (
	Invalid      Code = "invalid-value"   // a value that is not possible here; also of problems without a code
	Syntax       Code = "invalid-yaml"    // the file cannot be read as YAML
	WrongType    Code = "wrong-type"      // a list in place of a mapping, a number in place of text
	UnknownKey   Code = "unknown-key"     // a key that nothing reads here
	UnknownName  Code = "unknown-name"    // a case, function or benchmark that does not exist
	Duplicate    Code = "duplicate"       // something has the name of another, or is there twice
	Expression   Code = "expression"      // an expression, template or command line that cannot be read
	Unreadable   Code = "unreadable-file" // a file that does not exist or cannot be read
	Build        Code = "build"           // Go packages that do not build
	BudgetTooLow Code = "budget"          // no comparison can be decided in the budget
	NoEffect     Code = "no-effect"       // a part of the file that changes nothing
	NoProgram    Code = "no-program"      // the program or the input of a command does not exist
	NoUnit       Code = "no-unit"         // a limit of a time has no unit, and is in seconds
)

// Codes lists all codes.
func Codes() []Code {
	return []Code{Invalid, Syntax, WrongType, UnknownKey, UnknownName, Duplicate, Expression, Unreadable, Build,
		BudgetTooLow, NoEffect, NoProgram, NoUnit}
}

// Problem is one thing that is wrong with an input.
type Problem struct {
	Place
	Code    Code   // empty means Invalid
	Message string // lower case, no full stop, the user's words in quotes
	Source  string // the offending text, for a caret; may be empty
	Caret   int    // offset in characters into Source of the offending part
	Hint    string // what to do; may be empty
	Unknown string // the name in an expression that nothing has; empty for any other problem
	Shell   bool   // a shell would understand the text
}

// Coded copies the problem with another code.
func (p Problem) Coded(code Code) Problem {
	p.Code = code
	return p
}

// Error formats the problem as it is printed: place and message on the first line, then
// the source with a caret below it, if there is a source, then the hint.
func (p Problem) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", p.Place, p.Message)
	if p.Source != "" {
		fmt.Fprintf(&b, "\n    %s\n    %s^", p.Source, strings.Repeat(" ", p.Caret))
	}
	if p.Hint != "" {
		fmt.Fprintf(&b, "\n\thint: %s", p.Hint)
	}
	return b.String()
}

// Clip shortens a message that repeats what the user wrote to 300 characters.
func Clip(message string) string { return ClipTo(message, 300) }

// ClipTo shortens a text to so many characters.
func ClipTo(text string, most int) string {
	if len(text) > most {
		if rs := []rune(text); len(rs) > most {
			return string(rs[:most-1]) + "…"
		}
	}
	return text
}

// ClipWord shortens a word of the user to 60 characters, for a message.
func ClipWord(text string) string { return ClipTo(text, 60) }

// Quote puts the user's words in quotes, the first 60 characters of them.
func Quote(s string) string { return strconv.Quote(ClipWord(s)) }

// OrList formats "a, b or c".
func OrList(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// Problems are all problems found in one pass. A nil or empty list means none.
type Problems []Problem

// Error lists all problems, one after the other, without a newline at the end.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// Err converts the list to an error, nil if it is empty.
func (ps Problems) Err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}

// Sort orders problems by file, line, column and message, and removes repeats, even if
// their hints differ: an anchor that is used twice reports its fault once.
func (ps Problems) Sort() Problems {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Col, b.Col), cmp.Compare(a.Message, b.Message))
	})
	return slices.CompactFunc(ps, func(a, b Problem) bool { return a.Place == b.Place && a.Message == b.Message })
}

// Unique removes repeats as Sort does, but keeps the order. Several suite files may include
// one file.
func (ps Problems) Unique() (kept Problems) {
	type said struct {
		Place
		message string
	}
	before := map[said]bool{}
	for _, p := range ps {
		if one := (said{p.Place, p.Message}); !before[one] {
			before[one], kept = true, append(kept, p)
		}
	}
	return kept
}

// AsProblems finds the Problems in the chain of err.
func AsProblems(err error) (Problems, bool) {
	var ps Problems
	if errors.As(err, &ps) {
		return ps, true
	}
	return nil, false
}

// maxProblems of one pass: nobody reads more.
const maxProblems = 1000

// Collector keeps each problem once: the defaults of a suite file are read again for
// every benchmark, and a mistake in them is one mistake.
type Collector struct {
	Found Problems // in the order in which they were added, at most 1000
	known map[Problem]bool
}

// Add adds the problems that are not known yet.
func (c *Collector) Add(more ...Problem) {
	for _, p := range more {
		if c.known == nil {
			c.known = map[Problem]bool{}
		}
		if !c.known[p] && len(c.Found) < maxProblems {
			c.known[p] = true
			c.Found = append(c.Found, p)
		}
	}
}

// Check reports whether err is nil. If it is not, Check adds the Problem in its chain, if
// there is one.
func (c *Collector) Check(err error) bool {
	if err == nil {
		return true
	}
	var p Problem
	if errors.As(err, &p) {
		c.Add(p)
	}
	return false
}

// hinted is an error without a place.
type hinted struct {
	message, hint string
	cause         error // nil: none
}

// Hinted makes an error without a place, with a hint that may be empty.
func Hinted(message, hint string) error { return hinted{message, hint, nil} }

// WithHint adds a hint to an error, which is in the chain of the result.
func WithHint(err error, hint string) error { return hinted{err.Error(), hint, err} }

func (h hinted) Error() string { return h.message }

func (h hinted) Unwrap() error { return h.cause }

// HintOf is the hint of an error that Hinted has made, empty if it has none.
func HintOf(err error) string {
	var h hinted
	if errors.As(err, &h) {
		return h.hint
	}
	return ""
}

// WithoutPath drops the path of a file from an error, for a message that already names it.
func WithoutPath(err error) error {
	var perr *os.PathError
	if errors.As(err, &perr) {
		return perr.Err
	}
	return err
}

// Containing returns how many names contain word. It is 0 for an empty word.
func Containing(word string, names []string) (n int) {
	for _, name := range names {
		if word != "" && strings.Contains(name, word) {
			n++
		}
	}
	return n
}
