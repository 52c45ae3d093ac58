// Package column makes the columns of a table of cases: a cell for each case, in their order, and the
// heading. A column that tells no cases apart is left out.
package column

import (
	"math"
	"slices"
	"strconv"

	"example.com/suite/internal/units"
	"example.com/suite/report/number"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// GatesHead is the heading of the verdicts.
const GatesHead = "gates"

// Headline is the index of the column that shows how fast the cases are: the first
// with neither verdicts nor times of bases.
func Headline(columns []page.Column) int {
	for i, c := range columns {
		if c.Head != GatesHead && c.Head != BaseHead {
			return i
		}
	}
	return 0
}

// ColumnsOf builds the columns of a suite's cases, in the order of the report.
// Columns that are empty or tell no cases apart are left out. floor is the smallest
// peak memory that can be measured, in bytes, 0 if it is unknown.
func ColumnsOf(s *result.Suite, cases []*result.Case, floor float64) []number.Column {
	all := slices.Concat(
		// read first, left out last
		[]number.Column{{Column: page.Column{Key: "gates", Head: GatesHead, Worth: 110}, Cells: marks(cases)},
			{Column: page.Column{Key: "base", Head: BaseHead, Worth: 67}, Cells: baseTimes(cases)}},
		timeColumns(s.Report, cases),
		[]number.Column{
			{Column: page.Column{Key: "ratio", Head: versusHead(s, cases), Worth: 105}, Cells: versusColumn(cases)},
			{Column: page.Column{Key: "ratio", Head: tripwireHead(s), Worth: 94}, Cells: tripwireColumn(cases)},
			{Column: page.Column{Key: "throughput", Head: "throughput", Worth: 60}, Cells: throughputs(cases)},
		},
		declaredColumns(cases),
		cycleColumns(cases),
		[]number.Column{
			{Column: page.Column{Key: "cpu", Head: "cpu", Worth: 25}, Cells: shares(cases)},
			{Column: page.Column{Key: "stolen", Head: "stolen", Worth: 15}, Cells: stolen(cases)},
			{Column: page.Column{Key: "allocs", Head: "allocs/op", Worth: 50},
				Cells: allocations(cases, "allocs", number.CountUnit, units.Count)},
			{Column: page.Column{Key: "heap", Head: "heap/op", Worth: 10},
				Cells: allocations(cases, "heap", "", units.Bytes)},
			{Column: page.Column{Key: "rss", Head: "rss", Worth: 40}, Cells: memory(cases, floor)},
		},
		counterColumns(cases),
		[]number.Column{
			{Column: page.Column{Key: "samples", Head: samplesHead(cases), Worth: 20}, Cells: samples(cases)},
		})
	var used []number.Column
	for _, c := range all {
		if c.Cells != nil {
			used = append(used, c)
		}
	}
	return used
}

// throughputs shows rates of bytes and of units that the suite names. Operations per
// second are left out: they are the time's reciprocal.
func throughputs(cases []*result.Case) []page.Cell {
	cells := number.NewCells(len(cases))
	for i, c := range cases {
		s := number.MeasuredSummary(c, "throughput")
		switch {
		case s == nil || s.Bound != nil || c.RateUnit() == "op" || c.RateUnit() == "":
		case c.RateUnit() == "byte":
			cells.Put(i, number.Median(s, "/s"), units.Bytes)
		default:
			cells.Put(i, number.Median(s, number.WorkUnit(c)+"/s"), units.Rate)
		}
	}
	return cells.All()
}

// shares is CPU time over wall time, nil if every case keeps one processor busy,
// within 10%: smaller differences are noise.
func shares(cases []*result.Case) []page.Cell {
	cells, varied := make([]page.Cell, len(cases)), false
	for i, c := range cases {
		cpu, wall := number.MeasuredSummary(c, "cpu"), number.MeasuredSummary(c, "wall")
		if cpu == nil || wall == nil || wall.Median <= 0 || number.BoundSign(cpu)+number.BoundSign(wall) != "" {
			continue
		}
		share := max(0, cpu.Median/wall.Median)
		varied = varied || math.Abs(share-1) > 0.1
		cells[i] = page.Cell{Number: units.Whole(share), Key: share}
	}
	if !varied {
		return nil
	}
	return cells
}

// stolen is the share of time that cases waited for a CPU, nil if none waited for 1%
// of its time.
func stolen(cases []*result.Case) []page.Cell {
	cells, some := make([]page.Cell, len(cases)), false
	for i, c := range cases {
		if c.Stolen != nil && c.Status == result.Measured {
			cells[i] = page.Cell{Number: units.Tenths(*c.Stolen), Key: *c.Stolen}
			some = some || *c.Stolen >= 0.01
		}
	}
	if !some {
		return nil
	}
	return cells
}

// allocations shows allocs or heap, nil if all are 0.
func allocations(cases []*result.Case, metric, unit string, scale units.Scale) []page.Cell {
	cells, some := number.NewCells(len(cases)), false
	for i, c := range cases {
		if s := number.MeasuredSummary(c, metric); s != nil {
			cells.Put(i, number.Median(s, unit), scale)
			some = some || s.Median != 0
		}
	}
	if !some {
		return nil
	}
	return cells.All()
}

// memory shows peak memory. Every process starts with the floor, so a run that
// reports no more may have used less itself: its cell is an upper bound.
func memory(cases []*result.Case, floor float64) []page.Cell {
	cells := number.NewCells(len(cases))
	for i, c := range cases {
		switch s := number.MeasuredSummary(c, "rss"); {
		case s == nil:
		case s.Median <= floor:
			step := units.Bytes.Pick(floor, 0)
			cells.Set(i, number.ScaledCell(units.Bytes, "≤ "+units.Bytes.Print(floor, 0, step), "", step))
		default:
			cells.Put(i, number.Median(s, ""), units.Bytes)
		}
	}
	return cells.All()
}

// samplesHead leaves n out if every sample is one iteration.
func samplesHead(cases []*result.Case) string {
	for _, c := range cases {
		if c.Samples.Count() > 0 && c.Iterations != 1 {
			return "samples × n"
		}
	}
	return "samples"
}

// samples is the number of samples and the iterations in each: 30 × 272k.
func samples(cases []*result.Case) []page.Cell {
	cells := number.NewCells(len(cases))
	plain := samplesHead(cases) == "samples"
	for i, c := range cases {
		n := c.Samples.Count()
		if n == 0 {
			continue
		}
		text := strconv.Itoa(n)
		if c.Samples.Taken > 0 {
			text = number.ShortCount(float64(n)) // only a summary of them is kept: there may be millions
		}
		if !plain {
			text += " × " + number.ShortCount(float64(c.Iterations))
		}
		cells.Set(i, page.Cell{Text: text, Key: float64(n)})
	}
	return cells.All()
}
