package yaml

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/testfile"
	"gopkg.in/yaml.v3"
)

// Every character of every scalar of the test data is found where it stands.
func TestPlacesOfScalars(t *testing.T) {
	checked := 0
	files, err := filepath.Glob("../../testdata/ok/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "../../testdata/err/templates.yaml") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text := testfile.Read(t, file)
			root := (&Reader{}).Document(file, text)
			if root == nil {
				t.Fatal("not a document")
			}
			var visit func(n Node)
			visit = func(n Node) {
				if n.Kind == Scalar {
					checked += checkPlaces(t, n)
				}
				for _, c := range n.Items() {
					visit(c)
				}
			}
			visit(*root)
		})
	}
	if checked < 2000 {
		t.Errorf("%d characters checked: the test looks at nothing", checked)
	}
}

func checkPlaces(t *testing.T, n Node) (checked int) {
	text := n.Text()
	for i, r := range []rune(text.Value) {
		at := text.At(i)
		line := []rune(strings.TrimPrefix(n.src.lines[at.Line-1], byteOrderMark))
		if r == ' ' || r == '\n' {
			continue // folding may have made it
		}
		checked++
		if at.Col > len(line) || line[at.Col-1] != r && line[at.Col-1] != '\\' {
			t.Errorf("%q: character %d (%q) is not at %v", text.Value, i, r, at)
			return checked
		}
	}
	return checked
}

func TestPlacesOfOneScalar(t *testing.T) {
	for in, want := range map[string]string{ // the place of the X in the value
		"a: X":                               "1:4",
		"a: &anchor X":                       "1:12",
		"a: !!str X":                         "1:10",
		"a: &anchor !!str\n  X":              "2:3",
		"a: 'it''s X'":                       "1:11",
		`a: "\x41\u00e9\U0001F600 X"`:        "1:26",
		"a: \"one \\\n   two X\"":            "2:8",
		"a: one\n   two\n\n  X":              "4:3",
		"a: |\n  one\n    X":                 "3:5",
		"a: |2\n    one\n  X":                "3:3",
		"a: >\n  one\n  two\n\n   more\n  X": "6:3",
		"a: >-\n\n  X":                       "3:3",
		"日本: X":                              "1:5",
		"\ufeffa: X":                         "1:4",
		"a: 1\r\nb: |\r\n  one\r\n  X\r\n":   "4:3",
	} {
		root := (&Reader{}).Document("f", []byte(in))
		if root == nil {
			t.Errorf("%q is not a document", in)
			continue
		}
		var value *yaml.Node
		for _, c := range root.Content {
			value = c
		}
		text := Node{value, root.src}.Text()
		i := len([]rune(text.Value[:strings.Index(text.Value, "X")]))
		if got := text.At(i); got != (diag.Place{File: "f", Line: got.Line, Col: got.Col}) || fmt.Sprintf("%d:%d", got.Line, got.Col) != want {
			t.Errorf("%q: X of %q is at %v, want %s", in, text.Value, got, want)
		}
	}
}
