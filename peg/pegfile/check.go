package pegfile

import (
	"fmt"
	"math"
	"unicode/utf8"
)

const (
	// mostTime of one arc: 31 years, in nanoseconds.
	mostTime = 1e18
	// mostName is the length of a name, in bytes.
	mostName = 1024
	// slack of sums and squares, which are rounded.
	slack = 1e-3
)

// Check returns what in a document cannot be true, nil if it is consistent. It finds the
// mistakes of documents that are written by hand: other units, a sum in place of a mean,
// bins that do not add up.
func (d *Document) Check() error {
	if !isTime(d.Residue) || !isTime(d.Cost) || !isTime(d.Overlap) {
		return fmt.Errorf("residue %g, cost %g and overlap %g have to be nanoseconds from 0 to 1e18",
			d.Residue, d.Cost, d.Overlap)
	}
	for _, p := range d.Points {
		if err := p.check(); err != nil {
			return fmt.Errorf("point %q: %w", p.Name, err)
		}
	}
	for _, a := range d.Arcs {
		if err := a.check(); err != nil {
			return fmt.Errorf("arc %q → %q: %w", a.From, a.To, err)
		}
	}
	return nil
}

func (p Hits) check() error {
	switch {
	case p.Count > mostCount || p.Unmatched > p.Count:
		return fmt.Errorf("count %d, unmatched %d: want unmatched ≤ count ≤ 2^53", p.Count, p.Unmatched)
	case p.Line < 0:
		return fmt.Errorf("line %d", p.Line)
	}
	return CheckName(p.Name)
}

// CheckName returns why a name cannot be shown in a report or written in the line form, nil
// if it can.
func CheckName(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("a name is empty")
	case len(name) > mostName:
		return fmt.Errorf("a name is %d bytes long, %d are allowed", len(name), mostName)
	case !utf8.ValidString(name):
		return fmt.Errorf("a name is not UTF-8")
	}
	return nil
}

func (a Arc) check() error {
	for _, name := range []string{a.From, a.To, a.Lane} {
		if err := CheckName(name); name != "" && err != nil {
			return err
		}
	}
	switch {
	case a.Kind != KindNext && a.Kind != KindDirected && a.Kind != KindSpan:
		return fmt.Errorf("kind %q: want none, directed or span", a.Kind)
	case a.To == "":
		return fmt.Errorf(`"to" is empty`)
	case a.From == "" && a.Kind != KindSpan:
		return fmt.Errorf(`"from" is empty, which only a span may have`)
	case a.Count == 0 || a.Count > mostCount || a.Zero > a.Count:
		return fmt.Errorf("count %d, zero %d: want zero ≤ count, and a count from 1 to 2^53", a.Count, a.Zero)
	}
	if err := a.checkTimes(); err != nil {
		return err
	}
	return a.checkHistogram()
}

// checkTimes holds the four numbers against each other: of n times between min and max
// the squares lie between (max−min)²/2 and n·(max−min)²/4.
func (a Arc) checkTimes() error {
	n, width := float64(a.Count), a.Max-a.Min
	if !isTime(a.Min) || !isTime(a.Max) || a.Min > a.Max {
		return fmt.Errorf("min %g, max %g: want nanoseconds, 0 ≤ min ≤ max ≤ 1e18", a.Min, a.Max)
	}
	if !isTime(a.Residue) || !isTime(a.Overlap) {
		return fmt.Errorf("residue %g and overlap %g have to be nanoseconds from 0 to 1e18", a.Residue, a.Overlap)
	}
	if !(a.Sum >= n*a.Min*(1-slack) && a.Sum <= n*a.Max*(1+slack)) {
		return fmt.Errorf("sum %g: %d times from %g to %g make %g to %g", a.Sum, a.Count, a.Min,
			a.Max, n*a.Min, n*a.Max)
	}
	least, most := width*width/2, n*width*width/4
	if room := slack*(most+a.Max*a.Max) + math.SmallestNonzeroFloat64; !(a.Squares >= 0 && a.Squares >= least-room &&
		a.Squares <= most+room) {
		return fmt.Errorf("squares %g: the squared deviations of %d times from %g to %g add up to %g to %g", a.Squares,
			a.Count, a.Min, a.Max, least, most)
	}
	return nil
}

func (a Arc) checkHistogram() error {
	sum, before := uint64(0), math.Inf(-1)
	for _, b := range a.Histogram {
		if !isTime(b.Low) || !(b.High > b.Low && b.High <= 2*mostTime) || b.Low < before {
			return fmt.Errorf("histogram: the bin from %g to %g is empty, or not above the one before", b.Low, b.High)
		}
		if b.Count > mostCount {
			return fmt.Errorf("histogram: count %d", b.Count)
		}
		sum, before = plus(sum, b.Count), b.High
	}
	if len(a.Histogram) > 0 && sum != a.Count {
		return fmt.Errorf("histogram: its counts add up to %d, the arc has %d", sum, a.Count)
	}
	return nil
}

// isTime reports whether a number is nanoseconds: neither negative nor endless.
func isTime(ns float64) bool { return ns >= 0 && ns <= mostTime }
