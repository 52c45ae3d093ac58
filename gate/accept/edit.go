package accept

import (
	"bytes"
	"slices"

	"gopkg.in/yaml.v3"
)

// head is the first line of a file that suite creates.
const head = "# Gates that may fail for a while, changes that are known, and why: suite accept --help"

// New returns a file with a heading and no entries.
func New(name string) *File {
	f, _ := blank(name, []byte(head))
	return f
}

// Put adds an entry, or replaces the one for the same gate or change. It returns the replaced
// entry, nil if there was none. Comments of a replaced entry stay.
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

// Remove removes the entry of a gate or change, with its comments, and returns it; nil if
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

// Text returns the file's content, sorted by suite, case, gate and commit, so that a review
// shows only real changes. Entries that Parse has read keep their comments.
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
	list.Content, f.Entries = sorted, entries
	if len(sorted) > 0 {
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

// mapping returns the YAML node of a new entry.
func mapping(e Entry) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode}
	for i, value := range []string{e.Suite, e.Case, e.Gate, e.Commit, string(e.Until), e.Reason, e.At} {
		if value != "" {
			set(n, keys[i], value)
		}
	}
	return n
}

// renew sets the fields of an entry that may differ between two entries of one key.
func renew(n *yaml.Node, e Entry) {
	if e.Until != "" {
		set(n, "until", string(e.Until))
	}
	set(n, "reason", e.Reason)
	if e.At != "" {
		set(n, "at", e.At)
	}
}

// set sets the value of a key, which is added at the end if it is missing.
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

// scalar returns the YAML node of a value. A day is written without quotes. Any other
// value is quoted if YAML would not read it as text.
func scalar(key, value string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: value}
	if key == "until" || key == "at" && len(value) == len("2026-12-31") {
		n.Tag = "!!timestamp"
	}
	return n
}
