package arcs

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// Missing is an arc, a span or a point that was asked for, and that pegs do not have.
type Missing struct {
	Message string // no arc from "pares" to "emit"
	Hint    string // did you mean "parse"?
}

// Error returns the message and the hint in one line.
func (m *Missing) Error() string {
	if m.Hint == "" {
		return m.Message
	}
	return m.Message + ": " + m.Hint
}

// few is how many names a hint lists.
const few = 5

func missing(p *result.Pegs, from, to string) *Missing {
	m := &Missing{Message: fmt.Sprintf("no arc from %q to %q", from, to)}
	ends := names(p)
	if len(p.Arcs) == 0 {
		m.Hint = "no arc was measured at all"
		return m
	}
	words := unknownPoints(ends, from, to)
	if len(words) == 0 {
		words = neighbours(p, from, to)
	}
	m.Hint = strings.Join(words, "; ")
	return m
}

// unknownPoints returns hints for names that are not points: the nearest point of each, and
// the list of all points if a name has none.
func unknownPoints(known []string, names ...string) (words []string) {
	far := false
	for _, name := range names {
		if slices.Contains(known, name) {
			continue
		}
		if near, ok := diag.Nearest(name, known); ok {
			words = append(words, fmt.Sprintf("did you mean %q?", near))
			continue
		}
		far = true
	}
	if far {
		words = append(words, "points are "+listed(known))
	}
	return words
}

// neighbours returns hints for two points without an arc: which points do follow the first
// or precede the second.
func neighbours(p *result.Pegs, from, to string) (words []string) {
	var after, before []string
	for _, a := range p.Arcs {
		if a.From == from && !slices.Contains(after, a.To) {
			after = append(after, a.To)
		}
		if a.To == to && !slices.Contains(before, a.From) {
			before = append(before, a.From)
		}
	}
	if len(after) > 0 {
		words = append(words, fmt.Sprintf("those from %q lead to %s", from, listed(after)))
	}
	if len(before) > 0 {
		words = append(words, fmt.Sprintf("those to %q come from %s", to, listed(before)))
	}
	return words
}

func missingSpan(p *result.Pegs, name string) *Missing {
	m := &Missing{Message: fmt.Sprintf("no span %q", name)}
	var spans []string
	for _, a := range p.Arcs {
		if a.Kind == result.ArcSpan && !slices.Contains(spans, a.To) {
			spans = append(spans, a.To)
		}
	}
	near, ok := diag.Nearest(name, spans)
	switch {
	case ok:
		m.Hint = fmt.Sprintf("did you mean %q?", near)
	case len(spans) > 0:
		m.Hint = "spans are " + listed(spans)
	case slices.Contains(names(p), name):
		m.Hint = fmt.Sprintf("%q is a point, whose arcs have two ends", name)
	default:
		m.Hint = "no span was measured"
	}
	return m
}

// names returns the names of points and of both ends of arcs, each once, in the order of
// the document. It leaves out Outermost, which is not a name.
func names(p *result.Pegs) (all []string) {
	seen := map[string]bool{Outermost: true}
	add := func(name string) {
		if !seen[name] {
			seen[name], all = true, append(all, name)
		}
	}
	for _, point := range p.Points {
		add(point.Name)
	}
	for _, a := range p.Arcs {
		add(a.From)
		add(a.To)
	}
	return all
}

// listed quotes the first few names.
func listed(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", name)
		if name == Outermost {
			quoted[i] = "the outermost span"
		}
	}
	return units.List(quoted, few)
}
