// Package yaml reads YAML files as nodes with places: every problem, and every character of
// every text, is placed in the file at line and column. It is built on yaml.v3 and adds
// limits, so that no file can make it slow, and messages that a user can act on.
// A Reader does not stop at the first problem. It knows nothing of suites: callers pass the
// keys that a mapping may have, and the words for hints.
package yaml

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"gopkg.in/yaml.v3"
)

// Format is what hints need to know about a kind of file.
type Format struct {
	Name    string // "a suite file"
	Example string // hint for an empty file; may be empty
	Smaller string // hint for a file that is too large
}

// Reader turns nodes into checked values and collects the problems.
type Reader struct {
	diag.Collector
	Format Format
	// Folder maps a file's own folder to the folder that its relative paths start from, for
	// files whose paths belong to another tree. Both are absolute. If it is nil, paths
	// start from the file's own folder.
	Folder func(dir string) string
}

// Fail reports a problem at a node.
func (r *Reader) Fail(n Node, hint, format string, args ...any) {
	r.FailAs(diag.Invalid, n, hint, format, args...)
}

// FailAs reports a problem of a kind at a node.
func (r *Reader) FailAs(code diag.Code, n Node, hint, format string, args ...any) {
	r.Add(diag.Problem{Code: code, Place: n.Place(), Message: fmt.Sprintf(format, args...), Hint: hint})
}

// Kinds of nodes.
const (
	Mapping = yaml.MappingNode
	List    = yaml.SequenceNode
	Scalar  = yaml.ScalarNode
)

// Node is a YAML node and the file that it was read from. A Node is never an alias: Child
// and Items follow aliases.
type Node struct {
	*yaml.Node
	src *source
}

// Place is the position of the node's first character.
func (n Node) Place() diag.Place { return n.src.place(n.Line, n.Column) }

// Dir is the absolute folder that relative paths in the node start from.
func (n Node) Dir() string { return n.src.dir }

// File is the name of the node's file, as it was given to Document.
func (n Node) File() string { return n.src.name }

// Child resolves c, a node of the same file, if c is an alias.
func (n Node) Child(c *yaml.Node) Node {
	for c.Kind == yaml.AliasNode {
		c = c.Alias
	}
	return Node{c, n.src}
}

// Items lists the children of the node: the items of a list, or the keys and values of
// a mapping in turn.
func (n Node) Items() []Node {
	items := make([]Node, len(n.Content))
	for i, c := range n.Content {
		items[i] = n.Child(c)
	}
	return items
}

// IsNull reports whether the node has no value.
func (n Node) IsNull() bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// What names the kind of the node, with an article: "a list".
func (n Node) What() string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.IsNull():
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

// knownTags are the tags of YAML itself.
var knownTags = []string{"!!str", "!!int", "!!float", "!!bool", "!!null", "!!map", "!!seq", "!!timestamp", "!!merge"}

// HasKnownTag reports whether the node has no tag of the user's own.
func (n Node) HasKnownTag() bool { return slices.Contains(knownTags, n.ShortTag()) }

// IsA reports whether the node is of a kind, not empty, and without a tag of the user's
// own. If it is not, IsA adds the problem that what must be wanted.
func (r *Reader) IsA(n Node, kind yaml.Kind, what, wanted string) bool {
	switch {
	case !n.HasKnownTag():
		r.Fail(n, "put text that begins with ! in quotes", "unknown tag %s", diag.Quote(n.Tag))
		return false
	case n.Kind == kind && !n.IsNull():
		return true
	}
	r.FailAs(diag.WrongType, n, r.kindHint(n, what), "%s must be %s, not %s", what, wanted, n.What())
	return false
}

// kindHint suggests how to write a value of the wrong kind. The whole file is what has the
// name of the format.
func (r *Reader) kindHint(n Node, what string) string {
	switch {
	case what == r.Format.Name:
		return r.Format.Example
	case what == `"benchmarks"` && n.Kind == yaml.MappingNode:
		return `begin each benchmark with "- "`
	case what == `"benchmarks"`:
		return r.Format.Example
	case what == `"expect"` && n.Kind == yaml.MappingNode:
		return "an expression is expect: time.median < 2ms, and the long form is in a list: expect: [{expr: …}]"
	case what == "a benchmark" && n.Kind == yaml.ScalarNode && !n.IsNull():
		return "command: " + n.Value
	}
	return ""
}

// Pair is a key of a mapping and its value.
type Pair struct {
	Name       string
	Key, Value Node
}

// Pairs returns the pairs of a mapping in the order of the file, then the pairs that it
// merges with "<<". A key of the mapping's own wins over a merged key, and the first merged
// key wins over later ones, so each key is returned once. Keys that are not text and keys
// that appear twice are problems. where ends the messages: in case "sort".
func (r *Reader) Pairs(n Node, where string) []Pair {
	own, merges := r.ownPairs(n, where)
	if len(merges) == 0 {
		return own
	}
	has := map[string]bool{}
	for _, p := range own {
		has[p.Name] = true
	}
	for _, m := range merges {
		for _, p := range r.Pairs(m, where) {
			if !has[p.Name] {
				has[p.Name] = true
				own = append(own, p)
			}
		}
	}
	return own
}

func (r *Reader) ownPairs(n Node, where string) (own []Pair, merges []Node) {
	first := map[string]Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Child(n.Content[i]), n.Child(n.Content[i+1])
		if key.Kind != yaml.ScalarNode || key.IsNull() {
			r.FailAs(diag.WrongType, key, "", "a key %s must be text, not %s", where, key.What())
			continue
		}
		if before, twice := first[key.Value]; twice {
			r.FailAs(diag.Duplicate, Node{n.Content[i], n.src},
				fmt.Sprintf("it is at %d:%d already", before.Line, before.Column),
				"key %s comes twice %s", diag.Quote(key.Value), where)
			continue
		}
		first[key.Value] = key
		if key.ShortTag() == "!!merge" {
			merges = append(merges, r.merged(value)...)
			continue
		}
		own = append(own, Pair{key.Value, key, value})
	}
	return own, merges
}

// The value of "<<" is one mapping or a list of them.
func (r *Reader) merged(n Node) (found []Node) {
	list := []Node{n}
	if n.Kind == yaml.SequenceNode {
		list = n.Items()
	}
	for _, m := range list {
		if m.Kind == yaml.MappingNode {
			found = append(found, m)
		} else {
			r.FailAs(diag.WrongType, m, "write <<: *name, with an anchor &name at a mapping",
				`"<<" merges mappings, not %s`, m.What())
		}
	}
	return found
}

// KeySet lists the keys that a mapping may have, and hints for some that it may not have.
type KeySet struct {
	Known []string
	Later map[string]string // keys of a later version, with what to use until then
	Moved map[string]string // keys that belong elsewhere, with what to do
}

// Mapping returns the pairs of a mapping that keys allows and reports all others. It
// returns nil if the node is not a mapping. where ends the messages: in case "sort".
func (r *Reader) Mapping(n Node, what, where string, keys KeySet) (known []Pair) {
	if !r.IsA(n, yaml.MappingNode, what, "a mapping") {
		return nil
	}
	for _, p := range r.Pairs(n, where) {
		later, isLater := keys.Later[p.Name]
		switch {
		case slices.Contains(keys.Known, p.Name):
			known = append(known, p)
		case isLater:
			r.FailAs(diag.UnknownKey, p.Key, later,
				"key %s is not available in this version of suite", diag.Quote(p.Name))
		default:
			r.FailAs(diag.UnknownKey, p.Key, keys.hint(p.Name), "unknown key %s %s", diag.Quote(p.Name), where)
		}
	}
	return known
}

func (k KeySet) hint(name string) string {
	if hint := k.Moved[name]; hint != "" {
		return hint
	}
	if near, ok := diag.Nearest(name, k.Known); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	if strings.HasSuffix(name, ")") {
		return "if it is the end of the value before, put that in quotes: in {…} a comma ends a value"
	}
	return "known keys: " + strings.Join(k.Known, ", ")
}

// List reads the items of a list. A node that is not a list and an empty list are
// problems.
func (r *Reader) List(n Node, what, wanted string) []Node {
	if !r.IsA(n, yaml.SequenceNode, what, wanted) {
		return nil
	}
	if len(n.Content) == 0 {
		r.Fail(n, "", "%s is an empty list", what)
	}
	return n.Items()
}

// Str reads the value of a scalar that YAML reads as text. Numbers, true, false and
// text of spaces are problems.
func (r *Reader) Str(n Node, what string) (string, bool) {
	if !r.IsA(n, yaml.ScalarNode, what, "text") {
		return "", false
	}
	if tag := n.ShortTag(); tag == "!!int" || tag == "!!float" || tag == "!!bool" {
		r.FailAs(diag.WrongType, n, fmt.Sprintf("put it in quotes: %q", n.Value),
			"%s must be text, not %s", what, n.What())
		return "", false
	}
	if strings.TrimSpace(n.Value) == "" {
		r.Fail(n, "", "%s is empty", what)
		return "", false
	}
	return n.Value, true
}

// Choice reads a scalar that must be one of words. Any other value is a problem.
func (r *Reader) Choice(n Node, what string, words ...string) string {
	if !r.IsA(n, yaml.ScalarNode, what, strings.Join(words, " or ")) || slices.Contains(words, n.Value) {
		return n.Value
	}
	hint := ""
	if near, ok := diag.Nearest(n.Value, words); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	r.Fail(n, hint, "%s must be %s, not %s", what, diag.OrList(words), diag.Quote(n.Value))
	return ""
}
