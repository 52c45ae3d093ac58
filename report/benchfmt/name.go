package benchfmt

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/suite/internal/display"
	"example.com/suite/report/number"
	"example.com/suite/result"
)

// name returns the name of a case as go test would print it: Benchmark, a capital letter, no space,
// and -GOMAXPROCS at the end. Without that suffix readers would cut a name that ends in -10. An
// existing Go benchmark keeps the name that it prints. If two cases would have the same name, they
// are numbered as go test numbers sub-benchmarks: #01.
func (b *benchWriter) name(c *result.Case) string {
	name, procs := benchName(c), "-"+b.procs(c)
	front := keyValue(c.Suite) + "\x00" + keyValue(c.Identity.Package) + "\x00"
	if given, ok := b.given[front+c.Name+"\x00"+name+procs]; ok {
		return given
	}
	key, own := front+name+procs, name
	for n := b.names[key]; b.names[front+own+procs] > 0; n++ { // "#01" may be in the name of another case
		own, b.names[key] = fmt.Sprintf("%s#%02d", name, n), n+1
	}
	b.names[front+own+procs]++
	if b.given != nil {
		b.given[front+c.Name+"\x00"+name+procs] = own + procs
	}
	return own + procs
}

func (b *benchWriter) procs(c *result.Case) string {
	procs := c.Identity.Procs
	if procs == 0 {
		procs = b.doc.Machine.GOMAXPROCS
	}
	return strconv.Itoa(max(1, procs))
}

func benchName(c *result.Case) string {
	name := benchWord(c.Name)
	if c.Identity.Benchmark != "" {
		name = strings.TrimPrefix(benchWord(c.Identity.Benchmark), "Benchmark")
	}
	first, size := utf8.DecodeRuneInString(name)
	if unicode.IsLower(first) {
		first = unicode.ToUpper(first)
	}
	return "Benchmark" + string(first) + name[size:]
}

// benchWord returns a text without spaces and without invisible characters.
func benchWord(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return '_'
		}
		return r
	}, display.Visible(s))
}

// Unit returns the unit of a metric, under the name that benchstat and readers of go test's output
// know if there is one, and the size of the unit in SI base units.
func Unit(c *result.Case, m result.Metric) (unit string, size float64) {
	per := "/" + benchWord(number.WorkUnit(c))
	switch {
	case m.Name == "time":
		return "ns" + per, 1e-9
	case m.Name == "throughput" && c.RateUnit() == "byte":
		return "B/s", 1
	case m.Name == "throughput":
		return benchWord(number.WorkUnit(c)) + "/s", 1
	case m.Name == "heap":
		return "B/op", 1
	case m.Name == "allocs":
		return "allocs/op", 1
	}
	unit = strings.ReplaceAll(m.Name, "_", "-")
	suffix, known := benchSuffixes[m.Unit]
	if !known {
		suffix = "-" + benchWord(m.Unit)
	}
	unit = strings.TrimSuffix(unit, suffix) + suffix
	if m.PerWork {
		unit += per
	}
	if m.Unit == "s" {
		return unit, 1e-9
	}
	return unit, 1
}

// benchSuffixes are the suffixes of units that benchstat knows: it converts nanoseconds to seconds,
// and uses prefixes of 1024 for bytes.
var benchSuffixes = map[string]string{"": "", "s": "-ns", "B": "-bytes", result.Percent: "-ratio"}

// tidied returns the unit to which benchstat converts a unit: sec for ns, B for MB.
func tidied(unit string) string {
	above, _, _ := strings.Cut(unit, "/")
	words := strings.Split(above, "-")
	for i, w := range words {
		switch w {
		case "ns":
			words[i] = "sec"
		case "MB":
			words[i] = "B"
		}
	}
	return strings.Join(words, "-") + strings.TrimPrefix(unit, above)
}
