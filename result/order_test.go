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

// A variant is the name of a case without the size. One case alone shows no more than its
// name does.
func TestVariantOfOneCase(t *testing.T) {
	for name, want := range map[string]string{"sha256/64": "sha256", "size=64/sha256": "sha256", "a/64/b": "a/b", "a64b": "a64b", "64": "", "64/64 y": "64 y", "x size: 64": "x", "x64/64 y": "x64/y"} {
		c := result.Case{Name: name, Params: []result.Param{{Name: "size", Text: "64"}}}
		if got := result.Variants([]*result.Case{&c}, "size"); got[0] != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// Cases that differ only in the size have one variant, and it keeps all other parameters,
// also if one of them has the text of the size.
func TestVariantsKeepTheOtherParameters(t *testing.T) {
	for template, want := range map[string]string{
		"xs$k batch $b":     "xs batch 1|xs batch 5|xs batch 15",
		"$b/xs$k":           "1/xs|5/xs|15/xs",
		"k=$k b=$b":         "b=1|b=5|b=15",
		"b=$b/k=$k":         "b=1|b=5|b=15",
		"x$k-${b}5":         "x-15|x-55|x-155",
		"$b 5 $k 5":         "1 5 5|5 5 5|15 5 5",
		"$k":                "||",
		"one name for them": "one name for them|one name for them|one name for them",
	} {
		var cases []*result.Case
		for _, k := range []string{"1", "5", "51"} {
			for _, b := range []string{"1", "5", "15"} {
				name := strings.NewReplacer("$k", k, "$b", b, "${b}", b).Replace(template)
				cases = append(cases, &result.Case{Name: name, Params: []result.Param{{Name: "k", Text: k}, {Name: "b", Text: b}}})
			}
		}
		want := strings.Split(want, "|")
		for i, got := range result.Variants(cases, "k") {
			if got != want[i%3] {
				t.Errorf("%s: %q, want %q", cases[i].Name, got, want[i%3])
			}
		}
	}
	alone := []*result.Case{{Name: "sum 5"}}
	if got := result.Variants(alone, "k"); got[0] != "sum 5" {
		t.Errorf("without the parameter: %q", got)
	}
}
