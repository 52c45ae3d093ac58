package gate

import (
	"testing"

	"example.com/suite/internal/lang"
)

// A function that is not among the words could be the name of a user's metric.
func TestFunctionsAreReservedWords(t *testing.T) {
	for _, f := range functions {
		if w := lang.FindWord(f.Name); w.Name == "" || w.Later {
			t.Errorf("%s is not among the words of gates", f.Name)
		}
	}
}
