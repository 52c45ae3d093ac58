package spec

import (
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/spec/internal/yaml"
)

// readTimer reads {clock: […], cycle: […]} or the line "clock=a,b cycle=c".
func readTimer(r *textReader, n yaml.Node) *preference {
	t := &preference{}
	if n.Kind == yaml.Scalar && !n.IsNull() && n.HasKnownTag() {
		if isLate(n) {
			t.late = r.compile(n.Text())
		} else {
			r.Add(t.line(n.Text())...)
		}
		return t
	}
	for _, p := range r.Mapping(n, `"timer"`, "in timer", timerKeys) {
		list := t.named(p.Name)
		for _, item := range subtimers(r.Reader, p) {
			if isNullWord(item) {
				*list = append(*list, named{name: "null", place: item.Place()})
			} else if name, ok := r.Str(item, "a subtimer"); ok {
				one := named{name: name, place: item.Place()}
				if isLate(item) {
					one.late = r.compile(item.Text())
				}
				if one.late != nil || !isLate(item) { // otherwise its problem has been reported
					*list = append(*list, one)
				}
			}
		}
	}
	return t
}

// isLate reports whether a text is known only after ${…} in it is replaced.
func isLate(n yaml.Node) bool { return strings.Contains(n.Value, "${") }

// isNullWord reports whether a node is the word null without quotes. YAML reads it as no
// value; in a timer it is the name of a cycle counter.
func isNullWord(n yaml.Node) bool { return n.IsNull() && n.Value == "null" }

// A single name is allowed in place of a list.
func subtimers(r *yaml.Reader, p yaml.Pair) []yaml.Node {
	if p.Value.Kind == yaml.Scalar && (!p.Value.IsNull() || isNullWord(p.Value)) {
		return []yaml.Node{p.Value}
	}
	return r.List(p.Value, diag.Quote(p.Name), "a subtimer or a list of them")
}
