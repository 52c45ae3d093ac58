package accept

import (
	"bytes"
	"slices"

	"gopkg.in/yaml.v3"
)

// head stands on top of a file that suite makes.
const head = "# Gates that may fail for a while, and why: suite accept --help"

// New is a file without entries that has a heading.
func New(name string) *File {
	f, _ := blank(name, []byte(head))
	return f
}

// Put adds an entry, or renews the one that speaks for the same gate, which it
// gives; nil where there was none. Comments of a renewed entry stay.
func (f *File) Put(e Entry) (renewed *Entry) {
	list := f.root.Content[0]
	if i := f.index(e.Key); i >= 0 {
		old := f.Entries[i]
		renew(list.Content[i], e)
		f.Entries[i] = e
		return &old
	}
	f.Entries, list.Content = append(f.Entries, e), append(list.Content, mapping(e))
	return nil
}

// Remove takes out the entry of a gate, with its comments, and gives it; nil where
// there is none.
func (f *File) Remove(k Key) *Entry {
	i := f.index(k)
	if i < 0 {
		return nil
	}
	old, list := f.Entries[i], f.root.Content[0]
	f.Entries, list.Content = slices.Delete(f.Entries, i, i+1), slices.Delete(list.Content, i, i+1)
	return &old
}

func (f *File) index(k Key) int {
	return slices.IndexFunc(f.Entries, func(e Entry) bool { return e.Key == k })
}

// Text is the file as it is written: sorted by suite, case and gate, so that what
// changes is all that a review shows. Entries of a file that Parse gave keep their
// comments.
func (f *File) Text() ([]byte, error) {
	list := f.root.Content[0]
	order := make([]int, len(f.Entries))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return f.Entries[i].compare(f.Entries[j].Key) })
	sorted, entries := make([]*yaml.Node, len(order)), make([]Entry, len(order))
	for to, from := range order {
		sorted[to], entries[to] = list.Content[from], f.Entries[from]
	}
	if list.Content, f.Entries = sorted, entries; len(sorted) > 0 {
		list.Style &^= yaml.FlowStyle // of an empty list
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(f.root); err != nil {
		return nil, err
	}
	return b.Bytes(), e.Close()
}

// mapping is a new entry.
func mapping(e Entry) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for i, value := range []string{e.Suite, e.Case, e.Gate, string(e.Until), e.Reason, e.At} {
		if value != "" {
			set(n, keys[i], value)
		}
	}
	return n
}

// renew changes what may differ between two entries of one gate.
func renew(n *yaml.Node, e Entry) {
	set(n, "until", string(e.Until))
	set(n, "reason", e.Reason)
	if e.At != "" {
		set(n, "at", e.At)
	}
}

// set gives a key a value, in the place where it stands or at the end.
func set(n *yaml.Node, key, value string) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			old := n.Content[i+1]
			n.Content[i+1] = scalar(key, value)
			n.Content[i+1].LineComment = old.LineComment
			return
		}
	}
	n.Content = append(n.Content, scalar("", key), scalar(key, value))
}

// scalar is in quotes where YAML would take it for anything but text; days are
// written as they are.
func scalar(key, value string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
	if key == "until" || key == "at" && len(value) == len("2026-12-31") {
		n.Tag = "!!timestamp"
	}
	return n
}
