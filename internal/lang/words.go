package lang

import (
	"fmt"
	"slices"
)

// Word is a name that gates use themselves.
type Word struct {
	Name   string
	OfBase bool // it refers to a base
	OfAll  bool // its value depends on all cases of the suite
	Later  bool // it is kept for a coming version
}

// Words are the names of gates, with the names of the functions that package gate has defined.
var Words = []Word{
	{Name: "case"},
	{Name: "host"},
	{Name: "params"},
	{Name: "duration"},
	{Name: "size"},
	{Name: "base", OfBase: true},
	{Name: "history", Later: true},
}

// Define adds the word of a function. Package gate calls it while it is initialised, so that
// a program without that package has none of these words. A second function of one name
// panics.
func Define(w Word) {
	if FindWord(w.Name).Name != "" {
		panic(fmt.Sprintf("lang: %q is defined twice", w.Name))
	}
	Words = append(Words, w)
}

// Grammar are the names that the grammar of expressions has.
var Grammar = []string{"true", "false", "nil", "not", "and", "or", "in", "let", "if", "else", "matches", "contains",
	"startsWith", "endsWith"}

// FindWord returns the word of a name, the zero Word if gates have none.
func FindWord(name string) Word {
	at := slices.IndexFunc(Words, func(w Word) bool { return w.Name == name })
	if at < 0 {
		return Word{}
	}
	return Words[at]
}

// IsReserved reports whether expressions use a name themselves, so that no metric of the user's can
// have it.
func IsReserved(name string) bool {
	return FindWord(name).Name != "" || slices.Contains(Grammar, name) || slices.Contains(DefaultBuiltins, name)
}

// UsesWord reports whether an expression has a name for which is returns true.
func UsesWord(expr Text, is func(Word) bool) bool {
	return slices.ContainsFunc(Identifiers(expr), func(i Identifier) bool { return is(FindWord(i.Name)) })
}
