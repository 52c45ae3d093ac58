package extract

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"
)

// Benchmark is one line of the Go benchmark format.
type Benchmark struct {
	Full string // the name as printed, without "Benchmark": Sum/size=1KiB-4
	Name string // without the number of processors: Sum/size=1KiB
	// Procs is the number after the last "-" of the name, or 1. With GOMAXPROCS=1 nothing
	// is printed, so a name that itself ends in such a number is misread; Full has the name
	// as it was.
	Procs      int
	Iterations int
	Values     []Value // in the order of the line
}

// Value is one number of a line, as it was printed and in base units.
type Value struct {
	Value float64
	Unit  string // ns/op, MB/s, B/op
	Base  float64
	// BaseUnit is Unit with ns and MB replaced: sec/op, B/s.
	BaseUnit string
}

// value finds a number by its unit, in either spelling: ns/op or sec/op.
func (b *Benchmark) value(unit string) (Value, bool) {
	for _, v := range b.Values {
		if v.Unit == unit || v.BaseUnit == unit {
			return v, true
		}
	}
	return Value{}, false
}

// BaseUnit finds the base unit of a unit in the Go benchmark format, and the factor to
// it: sec/op and 1e-9 for ns/op.
func BaseUnit(unit string) (base string, factor float64) {
	factor, base = benchunit.Tidy(1, unit)
	return base, factor
}

// longestLine is the longest line that benchfmt reads, in bytes. Longer lines are not
// results.
const longestLine = bufio.MaxScanTokenSize - 1

// Benchmarks reads the lines of the Go benchmark format, in order, and skips all other
// lines. The error is the one from reading r.
func Benchmarks(r io.Reader) ([]Benchmark, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return benchmarks(text), nil
}

func benchmarks(text []byte) (found []Benchmark) {
	var lines bytes.Buffer // without lines at which benchfmt would stop
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte("Benchmark")) && len(line) < longestLine {
			lines.Write(line)
		}
	}
	reader := benchfmt.NewReader(&lines, "output")
	for reader.Scan() {
		if r, ok := reader.Result().(*benchfmt.Result); ok { // other lines only look like results
			found = append(found, newBenchmark(r))
		}
	}
	return found
}

func newBenchmark(r *benchfmt.Result) Benchmark {
	b := Benchmark{Full: string(r.Name.Full()), Procs: 1, Iterations: r.Iters}
	b.Name = b.Full
	if i := strings.LastIndexByte(b.Full, '-'); i > 0 {
		if n, err := strconv.Atoi(b.Full[i+1:]); err == nil && n > 0 {
			b.Name, b.Procs = b.Full[:i], n
		}
	}
	for _, v := range r.Values {
		printed := Value{v.Value, v.Unit, v.Value, v.Unit}
		if v.OrigUnit != "" {
			printed.Value, printed.Unit = v.OrigValue, v.OrigUnit
		}
		printed.BaseUnit, _ = BaseUnit(printed.Unit) // benchfmt keeps the unit of a zero
		b.Values = append(b.Values, printed)
	}
	return b
}
