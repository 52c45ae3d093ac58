package html

import (
	"reflect"
	"strings"
	"testing"

	"example.com/suite/internal/display"
	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

const hostile = "\x1b[31m\x00\x7f\u009b\u202e\u2066"

// poison appends control characters to every text within v, and counts the texts.
func poison(v reflect.Value) (n int) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			n += poison(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				n += poison(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			n += poison(v.Index(i))
		}
	case reflect.String:
		if v.CanSet() && v.Type().PkgPath() == "" && v.String() != "" { // the values of other types are fixed
			v.SetString(v.String() + hostile)
			n++
		}
	}
	return n
}

// isHarmless fails if a page has a character that controls a terminal or the direction of
// writing.
func isHarmless(t *testing.T, name, page string) {
	t.Helper()
	for i, r := range page {
		if display.IsDangerous(r) && r != '\n' && r != '\t' {
			t.Fatalf("%s: the page has %q: …%q", name, r, page[max(0, i-120):i])
		}
	}
	if shown := display.Visible(hostile); strings.Count(page, shown) < 3 {
		t.Errorf("%s: the page does not show %s", name, shown)
	}
}

// A page has no control characters, whatever text of a result or of a history they were in.
func TestPagesHaveNoControlCharacters(t *testing.T) {
	docs := map[string]*result.Document{"gallery": reporttest.Gallery(), "traced": reporttest.Traced()}
	for _, name := range []string{"profiled", "faults", "compared", "verdicts"} {
		docs[name] = reporttest.Made(name)
	}
	for name, doc := range docs {
		if n := poison(reflect.ValueOf(doc)); n < 20 {
			t.Fatalf("%s: %d texts", name, n)
		}
		var b strings.Builder
		if err := Render(&b, doc, table.Options{}); err != nil {
			t.Fatal(err)
		}
		isHarmless(t, name, b.String())
	}
	s := history(map[string]float64{"a": 1, "b": 0.5})
	for i := range s.Series {
		s.Series[i].Points[1].Subject = "slower"
	}
	poison(reflect.ValueOf(s))
	isHarmless(t, "index", indexOf(t, s))
	isHarmless(t, "case", pageOf(t, s))
}
