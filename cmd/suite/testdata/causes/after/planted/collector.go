package planted

import "example.com/suite/bench"

func init() {
	register("collector", func(*bench.Case) func() int {
		ix := &index{}
		return func() int { return ix.fill() }
	})
}

// entry is a word of the index.
type entry struct {
	next  *entry
	value int
}

// index holds lists of the last words.
type index struct {
	words [1000]*entry
	at    int
}

//go:noinline
func (ix *index) fill() int {
	var list *entry
	for _, x := range numbers {
		list = &entry{next: list, value: x}
	}
	ix.at = (ix.at + 1) % len(ix.words)
	ix.words[ix.at] = list
	return list.value
}
