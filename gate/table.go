package gate

import (
	"sync"

	"example.com/suite/internal/lang"
)

// functions are the functions of expressions. Each defines itself in a file of its own.
var functions []*function

// define adds a function to the table, and its name to the words that no metric of the user's
// can have. Call it from a variable of the package, so that the table is complete before any
// expression is compiled.
func define(f function) *function {
	lang.Define(lang.Word{Name: f.Name, OfBase: f.OfBase, OfAll: f.OfAll})
	functions = append(functions, &f)
	return &f
}

// compiling returns the table as expressions are compiled with it.
var compiling = sync.OnceValue(func() (rows Functions) {
	for _, f := range functions {
		rows = append(rows, &f.Function)
	}
	return rows
})
