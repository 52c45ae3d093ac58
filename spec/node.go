package spec

import (
	"fmt"
	"hash"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"gopkg.in/yaml.v3"
)

// reader turns nodes into checked values. It keeps going after a problem, so
// that one pass finds all of them.
type reader struct {
	problems
	open   Opener
	folder func(string) string // Catalogue.Folder
	hash   hash.Hash
	read   int                   // bytes of all files so far
	files  []string              // open files, outermost first
	seen   map[string]diag.Place // files, and where they were included
	given  []string              // variables with their values: see Plan.Given
}

// fail reports a problem at a node.
func (r *reader) fail(n node, hint, format string, args ...any) {
	r.add(diag.Problem{Place: n.place(), Message: fmt.Sprintf(format, args...), Hint: hint})
}

// node is a YAML node with the file that it stands in. Aliases are resolved by
// whoever takes a node out of another.
type node struct {
	*yaml.Node
	src *source
}

func (n node) place() diag.Place { return n.src.place(n.Line, n.Column) }

// child is a node of the same file, or what it is an alias of.
func (n node) child(c *yaml.Node) node {
	for c.Kind == yaml.AliasNode {
		c = c.Alias
	}
	return node{c, n.src}
}

func (n node) items() []node {
	items := make([]node, len(n.Content))
	for i, c := range n.Content {
		items[i] = n.child(c)
	}
	return items
}

func (n node) isNull() bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// what a node is, in words.
func (n node) what() string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.isNull():
		return "empty"
	}
	switch n.ShortTag() {
	case "!!int", "!!float":
		return "a number"
	case "!!bool":
		return "true or false"
	}
	return "text"
}

// Tags that YAML gives by itself, and those that may be written out.
var knownTags = []string{"!!str", "!!int", "!!float", "!!bool", "!!null", "!!map", "!!seq", "!!timestamp", "!!merge"}

// isA says whether a node is of a kind and has no tag of its own; a problem
// says what was wanted.
func (r *reader) isA(n node, kind yaml.Kind, what, wanted string) bool {
	switch {
	case !slices.Contains(knownTags, n.ShortTag()):
		r.fail(n, "put text that begins with ! in quotes", "unknown tag %s", quote(n.Tag))
		return false
	case n.Kind == kind && !n.isNull():
		return true
	}
	r.fail(n, "", "%s must be %s, not %s", what, wanted, n.what())
	return false
}

// pair is a key of a mapping and its value.
type pair struct {
	name       string
	key, value node
}

// pairs lists a mapping in the order of the file, then what it merges. A key of
// its own wins over a merged one, and of merged ones the first. Each key comes
// once; keys that are no text and keys that come twice are problems.
func (r *reader) pairs(n node, where string) []pair {
	own, merges := r.ownPairs(n, where)
	if len(merges) == 0 {
		return own
	}
	has := map[string]bool{}
	for _, p := range own {
		has[p.name] = true
	}
	for _, m := range merges {
		for _, p := range r.pairs(m, where) {
			if !has[p.name] {
				has[p.name] = true
				own = append(own, p)
			}
		}
	}
	return own
}

func (r *reader) ownPairs(n node, where string) (own []pair, merges []node) {
	first := map[string]node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.child(n.Content[i]), n.child(n.Content[i+1])
		if key.Kind != yaml.ScalarNode || key.isNull() {
			r.fail(key, "", "a key %s must be text, not %s", where, key.what())
			continue
		}
		if before, twice := first[key.Value]; twice {
			r.fail(node{n.Content[i], n.src}, fmt.Sprintf("it stands at %d:%d already", before.Line, before.Column), "key %s comes twice %s", quote(key.Value), where)
			continue
		}
		first[key.Value] = key
		if key.ShortTag() == "!!merge" {
			merges = append(merges, r.merged(value)...)
			continue
		}
		own = append(own, pair{key.Value, key, value})
	}
	return own, merges
}

// merged are the mappings that << names: one, or a list of them.
func (r *reader) merged(n node) (found []node) {
	list := []node{n}
	if n.Kind == yaml.SequenceNode {
		list = n.items()
	}
	for _, m := range list {
		if m.Kind == yaml.MappingNode {
			found = append(found, m)
		} else {
			r.fail(m, "write <<: *name, with an anchor &name at a mapping", `"<<" merges mappings, not %s`, m.what())
		}
	}
	return found
}

// keySet says which keys a mapping may have, and what to say of some others.
type keySet struct {
	known []string
	later map[string]string // not yet available: what there is instead
	moved map[string]string // known elsewhere: what to do
}

// mapping lists the known keys of a mapping and reports all others. where ends
// a sentence: in case "sort".
func (r *reader) mapping(n node, what, where string, keys keySet) (known []pair) {
	if !r.isA(n, yaml.MappingNode, what, "a mapping") {
		return nil
	}
	for _, p := range r.pairs(n, where) {
		later, isLater := keys.later[p.name]
		switch {
		case slices.Contains(keys.known, p.name):
			known = append(known, p)
		case isLater:
			r.fail(p.key, later, "key %s is not available in this version of suite", quote(p.name))
		default:
			r.fail(p.key, keys.hint(p.name), "unknown key %s %s", quote(p.name), where)
		}
	}
	return known
}

func (k keySet) hint(name string) string {
	if hint := k.moved[name]; hint != "" {
		return hint
	}
	if near, ok := diag.Nearest(name, k.known); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "known keys: " + strings.Join(k.known, ", ")
}

// list gives the items of a list that has at least one.
func (r *reader) list(n node, what, wanted string) []node {
	if !r.isA(n, yaml.SequenceNode, what, wanted) {
		return nil
	}
	if len(n.Content) == 0 {
		r.fail(n, "", "%s is an empty list", what)
	}
	return n.items()
}

// str gives a scalar that YAML takes for text.
func (r *reader) str(n node, what string) (string, bool) {
	if !r.isA(n, yaml.ScalarNode, what, "text") {
		return "", false
	}
	if tag := n.ShortTag(); tag == "!!int" || tag == "!!float" || tag == "!!bool" {
		r.fail(n, fmt.Sprintf("put it in quotes: %q", n.Value), "%s must be text, not %s", what, n.what())
		return "", false
	}
	if strings.TrimSpace(n.Value) == "" {
		r.fail(n, "", "%s is empty", what)
		return "", false
	}
	return n.Value, true
}

// choice gives one of some words.
func (r *reader) choice(n node, what string, words ...string) string {
	if !r.isA(n, yaml.ScalarNode, what, strings.Join(words, " or ")) || slices.Contains(words, n.Value) {
		return n.Value
	}
	hint := ""
	if near, ok := diag.Nearest(n.Value, words); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	r.fail(n, hint, "%s must be %s, not %s", what, orList(words), quote(n.Value))
	return ""
}

func orList(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
