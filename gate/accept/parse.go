package accept

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/spec"
	"gopkg.in/yaml.v3"
)

// File is a file of accepted failures and acknowledged changes, with its comments.
type File struct {
	Name    string
	Entries []Entry // in the order of the file

	root *yaml.Node // a document with a list
}

// keys lists the keys of an entry, in the order in which they are written.
var keys = []string{"suite", "case", "gate", "commit", "until", "reason", "at"}

const example = "an entry is:  - {suite: hashing, case: sha256/64KiB, gate: tolerance, until: 2026-12-31, reason: " +
	"why it may fail}"

// Parse returns the file in src, or its problems, never both or neither. name is the file's name in
// problems. A file that is empty or has only comments has no entries. A last day may be at most a
// year after today; a day that is over is no problem.
func Parse(name string, src []byte, today Day) (*File, diag.Problems) {
	f, empty := blank(name, src)
	if empty {
		src = slices.Concat(src, []byte("\n[]\n")) // comments are looked at like all else
	}
	root, problem := spec.Node(name, src, "a file of accepted failures")
	if problem != nil {
		return nil, diag.Problems{*problem}
	}
	if empty {
		return f, nil
	}
	f.root = new(yaml.Node)
	if err := yaml.Unmarshal(src, f.root); err != nil { // spec.Node has read it
		return nil, diag.Problems{{Place: diag.Place{File: name}, Message: err.Error()}}
	}
	p := &parser{name: name, today: today, places: map[Key]diag.Place{}}
	f.Entries = p.list(root)
	if len(p.found) > 0 {
		return nil, p.found.Sort()
	}
	return f, nil
}

// blank returns a file without entries, and reports whether src is such a file. The comments of
// src stay at the top.
func blank(name string, src []byte) (*File, bool) {
	comments := string(bytes.TrimSpace(bytes.TrimPrefix(src, []byte("\ufeff"))))
	f := &File{Name: name, root: &yaml.Node{Kind: yaml.DocumentNode, HeadComment: comments,
		Content: []*yaml.Node{{Kind: yaml.SequenceNode}}}}
	for line := range strings.Lines(comments) {
		line = strings.TrimSpace(line)
		if line != "" && line[0] != '#' {
			return f, false
		}
	}
	return f, true
}

type parser struct {
	name   string
	today  Day
	found  diag.Problems
	places map[Key]diag.Place
}

func (p *parser) fail(n *yaml.Node, hint, format string, args ...any) {
	p.found = append(p.found, diag.Problem{
		Place:   p.place(n),
		Message: diag.Clip(fmt.Sprintf(format, args...)),
		Hint:    hint,
	})
}

func (p *parser) place(n *yaml.Node) diag.Place {
	return diag.Place{File: p.name, Line: n.Line, Col: n.Column}
}

func (p *parser) list(n *yaml.Node) (entries []Entry) {
	if n.Kind != yaml.SequenceNode {
		p.fail(n, example, "accepted failures must be a list of entries, not %s", what(n))
		return nil
	}
	for _, item := range n.Content {
		if e, ok := p.entry(item); ok {
			entries = append(entries, e)
		}
	}
	return entries
}

// entry reads one entry. ok is false if the entry has a problem.
func (p *parser) entry(n *yaml.Node) (e Entry, ok bool) {
	if n.Kind != yaml.MappingNode {
		p.fail(n, example, "an entry must be a mapping, not %s", what(n))
		return e, false
	}
	before := len(p.found)
	e.Place = p.place(n)
	values := p.values(n)
	p.lacks(n, values)
	if len(p.found) > before {
		return e, false
	}
	e.Key = Key{Suite: values["suite"].Value, Case: values["case"].Value}
	if commit := values["commit"]; commit != nil {
		e.Commit = p.commit(commit)
	} else {
		e.Gate = values["gate"].Value
		e.Until = p.until(values["until"])
	}
	e.Reason = p.reason(values["reason"])
	if e.Commit == "" && e.Gate == "" {
		return e, false
	}
	if at := values["at"]; at != nil {
		e.At = at.Value
	}
	if first, twice := p.places[e.Key]; twice {
		what := fmt.Sprintf("gate %q", diag.ClipWord(e.Gate))
		if e.IsChange() {
			what = "commit " + diag.ClipWord(e.Commit)
		}
		p.fail(n, fmt.Sprintf("it is already at %d:%d", first.Line, first.Col),
			"%s of case %q comes twice", what, diag.ClipWord(e.Case))
	}
	p.places[e.Key] = e.Place
	return e, len(p.found) == before
}

// The keys that an entry of a gate, and one of a change, must have.
var (
	keysOfGate   = []string{"suite", "case", "gate", "until", "reason"}
	keysOfChange = []string{"suite", "case", "commit", "reason"}
)

// lacks adds a problem for the keys that an entry needs and does not have, and for those that it
// has and cannot have.
func (p *parser) lacks(n *yaml.Node, values map[string]*yaml.Node) {
	needed := keysOfGate
	if values["commit"] != nil {
		needed = keysOfChange
		for _, key := range []string{"gate", "until"} {
			if values[key] != nil {
				p.fail(values[key], "a gate may fail until a day; the change of a case at a commit stays acknowledged",
					"an entry has %q or \"commit\", not both", key)
			}
		}
	}
	var missing []string
	for _, key := range needed {
		if values[key] == nil {
			missing = append(missing, fmt.Sprintf("%q", key))
		}
	}
	switch len(missing) {
	case 0:
	case 1:
		p.fail(n, hints[strings.Trim(missing[0], `"`)], "an entry without %s", missing[0])
	default:
		p.fail(n, example, "an entry without %s", strings.Join(missing, ", "))
	}
}

// hints describe the values of keys.
var hints = map[string]string{
	"suite":  "suite: NAME, the suite of the case; one file can be for several suites",
	"case":   "case: NAME, as suite list prints it",
	"gate":   "gate: NAME, or the expression of a gate without a name",
	"commit": "commit: HASH, the commit at which the case changed, as suite trend names it",
	"until":  "until: 2026-12-31, the last day",
	"reason": "reason: why it is accepted, and what will end it",
}

// values returns the values of an entry by key.
func (p *parser) values(n *yaml.Node) map[string]*yaml.Node {
	values, first := map[string]*yaml.Node{}, map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch was := first[key.Value]; {
		case key.Kind != yaml.ScalarNode || !slices.Contains(keys, key.Value):
			p.unknown(key)
			continue
		case was != nil:
			p.fail(key, fmt.Sprintf("it is already at %d:%d", was.Line, was.Column),
				"key %q comes twice in an entry", key.Value)
			continue
		case !isText(value):
			p.fail(value, hints[key.Value], "%q must be text, not %s", key.Value, what(value))
		case strings.TrimSpace(value.Value) == "":
			p.fail(value, hints[key.Value], "%q is empty", key.Value)
		}
		first[key.Value], values[key.Value] = key, value
	}
	return values
}

func (p *parser) unknown(key *yaml.Node) {
	if key.Kind != yaml.ScalarNode {
		p.fail(key, "", "a key must be text, not %s", what(key))
		return
	}
	hint := "known keys: " + strings.Join(keys, ", ")
	if near, ok := diag.Nearest(key.Value, keys); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	p.fail(key, hint, "unknown key %q in an entry", diag.ClipWord(key.Value))
}

func (p *parser) commit(n *yaml.Node) string {
	hash, fault := CheckCommit(n.Value)
	p.faulty(n, fault)
	return hash
}

func (p *parser) until(n *yaml.Node) Day {
	fault := dated(n.Value)
	if fault == nil {
		fault = near(Day(n.Value), p.today)
	}
	p.faulty(n, fault)
	return Day(n.Value)
}

func (p *parser) reason(n *yaml.Node) string {
	text, fault := CheckReason(n.Value)
	p.faulty(n, fault)
	return text
}

func (p *parser) faulty(n *yaml.Node, fault *Fault) {
	if fault != nil {
		p.fail(n, fault.Hint, "%s", fault.Message)
	}
}

// isText reports whether a node is a scalar. Its text is used as it is written: a case may be
// called 64, and a date is text.
func isText(n *yaml.Node) bool {
	plain := []string{"!!str", "!!int", "!!float", "!!bool", "!!timestamp"}
	return n.Kind == yaml.ScalarNode && slices.Contains(plain, n.ShortTag())
}

func what(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.AliasNode:
		return "an alias"
	case n.ShortTag() == "!!null":
		return "empty"
	case !isText(n):
		return "a value with the tag " + n.Tag
	}
	return "text"
}
