package about_test

import (
	"testing"

	"example.com/suite/internal/golden"
	"example.com/suite/report/page/text"
	"example.com/suite/result"
)

// Stories of comparisons with another tree have golden files: the documents are those
// of package report.
func TestGoldenOfTrees(t *testing.T) {
	for file, from := range map[string][2]string{
		"tree_worse":    {"tree_worse", "small"},
		"tree_same":     {"tree_same", "ints/100"},
		"tree_renamed":  {"tree_matched", "decode/json"},
		"tree_new":      {"tree_matched", "encode/cbor"},
		"tree_changed":  {"tree_matched", "decode/csv"},
		"tree_vanished": {"tree_matched", "encode/yaml"},
		"tree_unfit":    {"tree_unfit", "ints/100"},
	} {
		doc := recorded(t, from[0])
		got, path := tell(t, doc, find(t, doc, from[1]), text.Options{Width: 100}), "testdata/"+file+".txt"
		golden.Check(t, path, got)
	}
}

func recorded(t *testing.T, name string) *result.Document {
	t.Helper()
	return golden.Document(t, "../testdata/"+name+".json")
}

func find(t *testing.T, doc *result.Document, name string) *result.Case {
	t.Helper()
	for i := range doc.Cases {
		if doc.Cases[i].Name == name {
			return &doc.Cases[i]
		}
	}
	t.Fatalf("no case %q", name)
	return nil
}
