package result_test

import (
	"bytes"
	"testing"

	"example.com/suite/result"
)

// Pairs that were never taken are written as empty lists, not as null, which the
// schema has no place for.
func TestPairsWithoutRowsAreWritten(t *testing.T) {
	doc := paired(t)
	c := &doc.Cases[0]
	c.Samples, c.Comparisons, c.Metrics = result.Samples{}, nil, nil
	c.Pairs = &result.Pairs{Base: "parse/large"}
	var out bytes.Buffer
	if err := result.Write(&out, doc); err != nil {
		t.Fatal(err)
	}
	if err := schema(t).Validate(parse(t, out.Bytes())); err != nil {
		t.Error(err)
	}
	read(t, out.Bytes())
}
