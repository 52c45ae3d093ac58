package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
)

// caseWriter writes cases as compact JSON. It writes the rows of samples itself, because they
// are most of a document and encoding/json would scan each column once more.
type caseWriter struct {
	frame bytes.Buffer  // a case without its rows
	json  *json.Encoder // into frame
	out   []byte
	names map[string][]byte // of columns, quoted
}

func newCaseWriter() *caseWriter {
	w := &caseWriter{names: map[string][]byte{}}
	w.json = json.NewEncoder(&w.frame)
	w.json.SetEscapeHTML(false)
	return w
}

// noRows is how encoding/json writes samples without rows. No string of a case contains it,
// because there the quotes have backslashes.
const noRows = `"launch":[],"block":[],"at":[],"columns":{}`

// write encodes a case as compact JSON; only columns contain null. The text is valid
// until the next call.
func (w *caseWriter) write(c *Case) ([]byte, error) {
	if slices.ContainsFunc(c.Samples.Columns[always], absent) {
		return nil, fmt.Errorf("column %q has a gap", always)
	}
	frame := *c
	frame.Samples = c.Samples.frame()
	all := []*Samples{&c.Samples}
	if c.Pairs != nil {
		pairs := *c.Pairs
		pairs.First = present(pairs.First)
		pairs.Samples = c.Pairs.Samples.frame()
		frame.Pairs = &pairs
		all = append(all, &c.Pairs.Samples)
	}
	w.frame.Reset()
	if err := w.json.Encode(&frame); err != nil {
		return nil, err
	}
	rest := bytes.TrimSuffix(w.frame.Bytes(), []byte("\n"))
	w.out = w.out[:0]
	for _, s := range all {
		before, after, found := bytes.Cut(rest, []byte(noRows))
		if !found {
			panic("result: samples without rows are written in another way")
		}
		w.out = append(w.out, before...)
		var err error
		w.out, err = w.appendRows(w.out, s)
		if err != nil {
			return nil, err
		}
		rest = after
	}
	w.out = append(w.out, rest...)
	return w.out, nil
}

// frame is the samples without rows, as in noRows.
func (s Samples) frame() Samples {
	s.Launch = []int{}
	s.Block = []int{}
	s.At = []float64{}
	s.Columns = map[string]Column{}
	s.Disturbed = present(s.Disturbed)
	return s
}

// appendRows appends the rows in the form of noRows.
func (w *caseWriter) appendRows(out []byte, s *Samples) ([]byte, error) {
	out = append(out, `"launch":`...)
	out = appendInts(out, s.Launch)
	out = append(out, `,"block":`...)
	out = appendInts(out, s.Block)
	if slices.ContainsFunc(s.At, absent) {
		return nil, unsupported(math.NaN())
	}
	out = append(out, `,"at":`...)
	out, err := Column(s.At).append(out)
	if err != nil {
		return nil, err
	}
	out = append(out, `,"columns":{`...)
	for i, name := range slices.Sorted(maps.Keys(s.Columns)) {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, w.quoted(name)...)
		out = append(out, ':')
		out, err = s.Columns[name].append(out)
		if err != nil {
			return nil, err
		}
	}
	return append(out, '}'), nil
}

// quoted is the name of a column as a JSON string. Names are cached, because most
// cases have the same columns.
func (w *caseWriter) quoted(name string) []byte {
	if text, ok := w.names[name]; ok {
		return text
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	_ = e.Encode(name) // no string is refused
	w.names[name] = bytes.TrimSuffix(text.Bytes(), []byte("\n"))
	return w.names[name]
}

func appendInts(out []byte, xs []int) []byte {
	out = append(out, '[')
	for i, x := range xs {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendInt(out, int64(x), 10)
	}
	return append(out, ']')
}
