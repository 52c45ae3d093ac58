package verify

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/suite/result"
	"example.com/suite/runner/draw"
)

// A tamperer changes every kind of value in a document, one at a time, and seals it again. Each
// change is refused, is a finding, or is of a value that the report lists as taken as it is.
func TestEachChangeIsFoundOrListed(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 26))
	changed := map[string]bool{} // kinds of values, each of which is changed in the first document that has it
	documents := map[string]*result.Document{"accepted": document(t), "functions": document(t), "layouts": linked(t), "pairs": paired(t)}
	accepted(documents["accepted"])
	for _, name := range []string{"tree_worse", "tree_matched", "tree_unfit"} {
		documents[name] = recorded(t, name)
	}
	for _, name := range slices.Sorted(maps.Keys(documents)) {
		d := documents[name]
		version := d.Tool.Version
		var text bytes.Buffer
		if err := result.Write(&text, sealed(t, d)); err != nil {
			t.Fatal(err)
		}
		var tree any
		if err := json.Unmarshal(text.Bytes(), &tree); err != nil {
			t.Fatal(err)
		}
		if isRefused(t, tree, version) {
			t.Fatalf("%s is refused before anything is changed", name)
		}
		kinds := map[string][]leaf{}
		leaves("", tree, func(any) {}, kinds)
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			if changed[kind] {
				continue
			}
			changed[kind] = true
			all := kinds[kind]
			l := all[rng.IntN(len(all))]
			for _, change := range []func(any) (any, bool){another, deleted} {
				value, possible := change(l.value)
				if !possible {
					continue
				}
				l.set(value)
				at := strings.TrimPrefix(kind, ".")
				if value == (gone{}) {
					at += "[none]"
				}
				if kind != ".digest" && !isRefused(t, tree, version) && !isTrusted(at) {
					t.Errorf("%s: %s: %.60v changed to %.60v", name, kind, l.value, value)
				}
				l.set(l.value)
			}
		}
	}
}

// linked is a document with pairs in eight launches, every two of which have a layout of their own.
func linked(t *testing.T) *result.Document {
	t.Helper()
	d := paired(t)
	seed, err := draw.ParseSeed(d.Seed)
	if err != nil {
		t.Fatal(err)
	}
	c := &d.Cases[len(d.Cases)-1]
	c.Launches = 8
	for i := range c.Pairs.First {
		launch := i * c.Launches / len(c.Pairs.First)
		c.Samples.Launch[i], c.Pairs.Samples.Launch[i] = launch, launch
		c.Pairs.First[i] = seed.Coin(c.Suite, c.Name, launch, i)
	}
	for n := range c.Launches / 2 {
		order := seed.Layout(c.Suite, n).Order
		c.Pairs.Layouts = append(c.Pairs.Layouts, result.Layout{Launch: 2 * n, Draw: n, Case: order, Base: order})
	}
	judged(t, d)
	return d
}

// isTrusted reports whether a path of the document, such as cases[].work, is listed as trusted.
// The case of a sentinel is trusted as others are.
func isTrusted(path string) bool {
	if whole := strings.ReplaceAll(path, "pairs[case]", "pairs"); whole != path && isTrusted(whole) {
		return true
	}
	if own, is := strings.CutPrefix(path, "suites[].sentinel.case."); is {
		path = "cases[]." + own
	}
	for _, t := range trusted {
		for _, p := range strings.Fields(t.paths) {
			if rest, below := strings.CutPrefix(path, p); below && (rest == "" || rest[0] == '.' || rest[0] == '[') {
				return true
			}
		}
	}
	return false
}

// leaf is a value in a document, and how to replace it.
type leaf struct {
	value any
	set   func(any)
}

// gone in place of a value deletes it from the mapping that has it.
type gone struct{}

// another returns a value of the same kind that is not the same.
func another(v any) (any, bool) {
	switch v := v.(type) {
	case string:
		return v + "x", true
	case float64:
		return v*2 + 1, true
	case bool:
		return !v, true
	}
	return nil, false
}

// deleted deletes a value that is not the one that its absence means.
func deleted(v any) (any, bool) { return gone{}, v != "" && v != 0.0 && v != false }

// leaves collects the strings, numbers and truth values below a value by their paths, in
// which [] replaces the indexes of lists.
func leaves(path string, v any, set func(any), all map[string][]leaf) {
	switch v := v.(type) {
	case map[string]any:
		for key, part := range v {
			name := "." + key
			if pairs, is := part.(map[string]any); is && key == "pairs" && pairs["metrics"] == nil {
				name += "[case]"
			}
			leaves(path+name, part, func(x any) {
				if _, delete_ := x.(gone); delete_ {
					delete(v, key)
				} else {
					v[key] = x
				}
			}, all)
		}
	case []any:
		for i, part := range v {
			name := "[]"
			if summary, is := part.(map[string]any); is && (summary["metric"] == "allocs" || summary["metric"] == "heap") && summary["median"] != nil {
				name = "[pass]"
			}
			leaves(path+name, part, func(x any) {
				if _, is := x.(gone); is {
					x = nil
				}
				v[i] = x
			}, all)
		}
	case nil:
	default:
		all[path] = append(all[path], leaf{v, set})
	}
}

// isRefused reports whether a document cannot be read, or differs from what its samples imply.
func isRefused(t *testing.T, tree any, version string) bool {
	t.Helper()
	text, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	d, err := result.Read(bytes.NewReader(text))
	if err != nil || d.Seal() != nil {
		return true
	}
	r, err := Document(d, version)
	return err != nil || len(r.Findings) > 0
}

// A merged document, its division and its cases must agree, and a base is a case.
func TestDivisionsAreVerified(t *testing.T) {
	divided := func() *result.Document {
		d := paired(t)
		d.Division = &result.Division{Count: 2, Machines: []result.ShardMachine{{Shard: 1, Seed: d.Seed, Machine: d.Machine}, {Shard: 2, Seed: d.Seed, Machine: d.Machine}}}
		for i := range d.Cases {
			k := &d.Cases[i]
			k.Shard = 1 + i%2
			d.Division.Cases = append(d.Division.Cases, result.Portion{Suite: k.Suite, Name: k.Name, Kind: k.Kind, Shard: k.Shard})
		}
		judged(t, d)
		return d
	}
	for name, c := range map[string]struct {
		change func(d *result.Document)
		want   string
	}{
		"as it is":        {func(*result.Document) {}, ""},
		"another shard":   {func(d *result.Document) { d.Cases[0].Shard = 2 }, "its shard"},
		"another portion": {func(d *result.Document) { d.Division.Cases[0].Shard = 2 }, "its shard"},
		"no portion":      {func(d *result.Document) { d.Division.Cases = d.Division.Cases[1:] }, "its shard"},
		"no case": {func(d *result.Document) {
			d.Division.Cases = append(d.Division.Cases, result.Portion{Suite: "s", Name: "lost", Kind: result.KindGo, Shard: 1})
		}, `case "lost" of shard 1`},
		"another base": {func(d *result.Document) { d.Cases[len(d.Cases)-1].Pairs.Base = "none" }, "the base of its pairs"},
	} {
		d := divided()
		c.change(d)
		text := found(t, d)
		if (c.want == "") != (text == "") || !strings.Contains(text, c.want) {
			t.Errorf("%s: %s", name, text)
		}
	}
}
