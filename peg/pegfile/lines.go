package pegfile

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A line for a hit that ends no arc has one of these in place of the time.
const (
	lineStart     = "-" // the hit begins an arc
	lineUnmatched = "?" // the hit should have ended an arc, but none had begun
)

// headerMark begins the comment with the clock, residue and cost of a file of lines:
// # suite-pegs/1 clock=monotonic residue=2100000 cost=0.
const headerMark = "# suite-pegs/"

// lines sums the lines of a file into a document.
type lines struct {
	seen   bool
	header Document
	points map[string]*Hits
	order  []string
	leaves map[string]uint64 // arcs that begin at a point
	arcs   map[arcKey]*lineArc
}

// lineArc is an arc with its bins, which are sorted at the end.
type lineArc struct {
	Arc
	mean float64
	bins map[float64]Bin
}

func newLines() *lines {
	return &lines{header: Document{Clock: "lines"}, points: map[string]*Hits{}, leaves: map[string]uint64{},
		arcs: map[arcKey]*lineArc{}}
}

// line reads one line. A line without its newline is an error, because the last digits of
// its time may be missing.
func (s *source) line() *Problem {
	begin := s.done
	row, _, whole := bytes.Cut(s.text[begin:], []byte("\n"))
	s.lines.seen = true
	s.done = min(begin+len(row)+1, len(s.text))
	text := strings.TrimSuffix(string(row), "\r")
	if strings.HasPrefix(text, "#") {
		return s.comment(text, begin)
	}
	if !whole {
		return s.problem(begin, fmt.Sprintf("the line %q has no end: it is truncated", clip(text)), "")
	}
	if message := s.lines.countLine(strings.Split(text, "\t")); message != "" {
		return s.problem(begin, message, "from<TAB>to<TAB>nanoseconds, docs/pegs.md")
	}
	return nil
}

// comment reads a header, and ignores other comments.
func (s *source) comment(text string, begin int) *Problem {
	if !strings.HasPrefix(text, headerMark) {
		return nil
	}
	words := strings.Fields(text[2:])
	if words[0] != Protocol {
		return s.problem(begin, fmt.Sprintf("lines of the version %q", clip(words[0])),
			fmt.Sprintf("this suite reads %q", Protocol))
	}
	for _, word := range words[1:] {
		if !s.lines.fact(word) {
			return s.problem(begin, fmt.Sprintf("%q in the header", clip(word)),
				"clock=NAME, residue=NANOSECONDS and cost=NANOSECONDS are allowed")
		}
	}
	return nil
}

// fact reads one word of a header, and reports whether it is valid. Of several residues
// or costs the greatest counts.
func (l *lines) fact(word string) bool {
	key, value, _ := strings.Cut(word, "=")
	ns, err := strconv.ParseFloat(value, 64)
	switch {
	case key == "clock" && CheckName(value) == nil:
		l.header.Clock = value
	case key == "residue" && err == nil && isTime(ns):
		l.header.Residue = max(l.header.Residue, ns)
	case key == "cost" && err == nil && isTime(ns):
		l.header.Cost = max(l.header.Cost, ns)
	default:
		return false
	}
	return true
}

// countLine counts one line, split into cells. It returns what is wrong with them, or "".
func (l *lines) countLine(cells []string) string {
	if len(cells) < 3 || len(cells) > 5 {
		return fmt.Sprintf("%q is not from, to and nanoseconds, separated by tabs, and optionally the lane "+
			"and the kind", clip(strings.Join(cells, "\t")))
	}
	key := arcKey{from: cells[0], to: cells[1]}
	if len(cells) > 3 {
		key.lane = cells[3]
	}
	if len(cells) > 4 {
		key.kind = Kind(cells[4])
	}
	if cells[2] == lineStart || cells[2] == lineUnmatched {
		return l.bare(key, cells[2] == lineUnmatched)
	}
	ns, err := strconv.ParseFloat(cells[2], 64)
	if err != nil || math.IsNaN(ns) || math.Abs(ns) > mostTime {
		return fmt.Sprintf("%q is no time in nanoseconds", clip(cells[2]))
	}
	return l.arc(key, ns)
}

// bare counts a hit that ends no arc. The begin of a span is not counted, because its end
// will be, but it puts the span's point into the order before the points inside the span.
func (l *lines) bare(key arcKey, unmatched bool) string {
	if key.from != "" {
		return fmt.Sprintf("a hit without a time has no from, and this one has %q", clip(key.from))
	}
	if err := CheckName(key.to); err != nil {
		return err.Error()
	}
	p := l.point(key.to)
	if unmatched {
		p.Unmatched++
	} else if key.kind == KindSpan {
		return ""
	}
	p.Count++
	return ""
}

func (l *lines) arc(key arcKey, ns float64) string {
	a := l.arcs[key]
	if a == nil {
		a = &lineArc{Arc: Arc{From: key.from, To: key.to, Kind: key.kind, Lane: key.lane, Count: 1},
			bins: map[float64]Bin{}}
		if err := a.check(); err != nil {
			return err.Error()
		}
		a.Count, a.Min = 0, math.Inf(1)
		l.arcs[key] = a
	}
	if key.from != "" {
		l.point(key.from)
		l.leaves[key.from]++
	}
	l.point(key.to).Count++
	a.take(ns)
	return ""
}

// point returns a point, which keeps its place in the order of the lines.
func (l *lines) point(name string) *Hits {
	if l.points[name] == nil {
		l.points[name] = &Hits{Name: name}
		l.order = append(l.order, name)
	}
	return l.points[name]
}

// take adds one time by Welford's method. A time below zero, from a clock that was set
// back, counts as zero.
func (a *lineArc) take(ns float64) {
	if ns < 0 {
		ns = 0
		a.Zero++
	}
	a.Count++
	a.Sum += ns
	before := a.mean
	a.mean += (ns - before) / float64(a.Count)
	a.Squares += (ns - before) * (ns - a.mean)
	a.Min, a.Max = min(a.Min, ns), max(a.Max, ns)
	low, high := BinOf(ns)
	a.bins[low] = Bin{low, high, a.bins[low].Count + 1}
}

// document returns the sum. End is true: every line is whole, and no process keeps lines
// for later. A point that ended no arc counts one hit for each arc that begins there.
func (l *lines) document() *Document {
	doc := l.header
	doc.Protocol, doc.End = Protocol, true
	for _, name := range l.order {
		p := *l.points[name]
		if p.Count == 0 {
			p.Count = l.leaves[name]
		}
		doc.Points = append(doc.Points, p)
	}
	for _, a := range l.arcs {
		for _, b := range a.bins {
			a.Histogram = append(a.Histogram, b)
		}
		slices.SortFunc(a.Histogram, func(a, b Bin) int { return int(math.Copysign(1, a.Low-b.Low)) })
		doc.Arcs = append(doc.Arcs, a.Arc)
	}
	return &doc
}
