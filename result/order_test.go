package result_test

import (
	"bytes"
	"strings"
	"testing"

	"example.com/suite/result"
)

// What is said of growth is written, fits the schema and is read back; classes that do
// not exist are refused.
func TestOrdersAreWrittenAndRead(t *testing.T) {
	var doc *result.Document
	for _, data := range recorded(t) {
		d, err := result.Read(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Suites) > 0 {
			doc = d
			break
		}
	}
	suite := doc.Suites[0].Name
	doc.Orders = []result.Order{
		{Suite: suite, Family: "sort", Param: "size", Metric: "time", Unit: "op", Cases: 5, From: 1, To: 100, Plausible: []string{"n", "n log n"}, Best: "n", Error: 0.01, Exponent: 1.1},
		{Suite: suite, Family: "", Param: "size", Metric: "time", Cases: 4, From: 1, To: 7, Reason: "the largest size is less than 8 times the smallest"},
	}
	var b bytes.Buffer
	if err := result.Write(&b, doc); err != nil {
		t.Fatal(err)
	}
	if err := schema(t).Validate(parse(t, b.Bytes())); err != nil {
		t.Error(err)
	}
	again, err := result.Read(&b)
	if err != nil || len(again.Orders) != 2 || again.Orders[0].Text() != "unclear: O(n) or O(n log n) (off by 1%, n^1.10, 5 sizes)" {
		t.Errorf("%+v, %v", again, err)
	}
	for want, o := range map[string]result.Order{
		`unknown class "n^3"`: {Suite: suite, Plausible: []string{"n^3"}}, "wants classes or a reason": {Suite: suite}, `unknown suite "?"`: {Suite: "?", Reason: "x"},
	} {
		doc.Orders = []result.Order{o}
		if err := doc.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// The name of a family is that of its cases without the size.
func TestVariant(t *testing.T) {
	for name, want := range map[string]string{"sha256/64": "sha256", "size=64/sha256": "sha256", "a/64/b": "a/b", "a64b": "a64b", "64": "", "64/64 y": "64 y", "x size: 64": "x"} {
		if got := result.Variant(&result.Case{Name: name}, &result.Param{Name: "size", Text: "64"}); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
