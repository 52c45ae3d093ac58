package table

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/page"
	"example.com/suite/result"
)

// column is a Column with the cells of all cases of a group, in their order.
type column struct {
	page.Column
	cells []page.Cell
}

// GatesHead is the heading of the verdicts.
const GatesHead = "gates"

// headline is the index of the column that shows how fast the cases are: the first
// with neither verdicts nor times of bases.
func headline(columns []page.Column) int {
	for i, c := range columns {
		if c.Head != GatesHead && c.Head != BaseHead {
			return i
		}
	}
	return 0
}

// columnsOf builds the columns of a suite's cases, in the order of the report.
// Columns that are empty or tell no cases apart are left out. floor is the smallest
// peak memory that can be measured, in bytes, 0 if it is unknown.
func columnsOf(s *result.Suite, cases []*result.Case, floor float64) []column {
	all := slices.Concat(
		[]column{{page.Column{Key: "gates", Head: GatesHead, Worth: 110}, marks(cases)}, // read first, left out last
			{page.Column{Key: "base", Head: BaseHead, Worth: 67}, baseTimes(cases)}},
		timeColumns(s.Report, cases),
		[]column{
			{page.Column{Key: "ratio", Head: versusHead(s, cases), Worth: 105}, versusColumn(cases)},
			{page.Column{Key: "ratio", Head: tripwireHead(s), Worth: 94}, tripwireColumn(cases)},
			{page.Column{Key: "throughput", Head: "throughput", Worth: 60}, throughputs(cases)},
		},
		declaredColumns(cases),
		cycleColumns(cases),
		[]column{
			{page.Column{Key: "cpu", Head: "cpu", Worth: 25}, shares(cases)},
			{page.Column{Key: "stolen", Head: "stolen", Worth: 15}, stolen(cases)},
			{page.Column{Key: "allocs", Head: "allocs/op", Worth: 50}, allocations(cases, "allocs")},
			{page.Column{Key: "heap", Head: "heap/op", Worth: 10}, allocations(cases, "heap")},
			{page.Column{Key: "rss", Head: "rss", Worth: 40}, memory(cases, floor)},
		},
		counterColumns(cases),
		[]column{
			{page.Column{Key: "samples", Head: samplesHead(cases), Worth: 20}, samples(cases)},
		})
	var used []column
	for _, c := range all {
		if c.cells != nil {
			used = append(used, c)
		}
	}
	return used
}

// value is a number that a column shows for one case.
type value struct {
	x, half float64
	unit    string // printed after the prefix: /B, lines/s
	ok      bool
	low     *float64    // the lower bound, if x is the upper one
	sign    string      // printed before x if x is a bound: ≥, ≤
	within  *[2]float64 // the interval, if the column shows it
}

// countUnit marks plain counts, whose prefix follows the number without a space. A
// unit of work may follow the mark, if the counts are per unit.
const countUnit = "#"

// numbers prints values on one scale. Cells of the same unit share a prefix if all of
// them are readable in it. Without values the result is nil, and the column is left
// out.
func numbers(values []value, s units.Scale) []page.Cell {
	cells, found := make([]page.Cell, len(values)), false
	forced := sharedSteps(values, s)
	for i, v := range values {
		if !v.ok {
			continue
		}
		found = true
		step, shared := forced[v.unit]
		if !shared || s.Exact(v.x, v.half) && v.x == 0 {
			step = s.Pick(v.x, v.half)
		}
		if v.x == 0 && v.half == 0 && strings.HasPrefix(v.unit, countUnit) {
			step = 0 // an exact zero needs no prefix: 0, not 0.00k
		}
		cells[i] = scaledCell(s, v.sign+s.Print(v.x, v.half, step), v.unit, step)
		cells[i].Key = v.x
		if v.low != nil {
			cells[i].From = s.Print(*v.low, v.half, step)
		}
		if v.within != nil {
			cells[i].Spread = intervalText(s, v, step)
		}
	}
	if !found {
		return nil
	}
	return cells
}

// intervalText is ± and the distance to the farther end as a share of the value, or
// both ends if the interval is lopsided. The ends are in the unit of the number,
// unless the upper one is too large for it.
func intervalText(s units.Scale, v value, step int) string {
	low, high := v.within[0], v.within[1]
	if !Lopsided(v.x, low, high) {
		return "± " + units.Tenths(v.half/math.Abs(v.x))
	}
	if high/s[step].Size >= 10*s[step].Limit {
		return "(" + units.Amount(low, 0, s) + " … " + units.Amount(high, 0, s) + ")"
	}
	return "(" + s.Print(low, v.half, step) + " … " + s.Print(high, v.half, step) + ")"
}

// scaledCell splits number, prefix and unit for alignment: 1.02 ns/B, 12.3M.
func scaledCell(s units.Scale, number, unit string, step int) page.Cell {
	if of, isCount := strings.CutPrefix(unit, countUnit); isCount {
		return page.Cell{Number: number + s[step].Name, Unit: of}
	}
	return page.Cell{Number: number, Unit: strings.TrimSpace(s[step].Name + unit)}
}

// sharedSteps chooses one step for each unit whose numbers are all readable in it.
func sharedSteps(values []value, s units.Scale) map[string]int {
	xs, halves := map[string][]float64{}, map[string][]float64{}
	for _, v := range values {
		if v.ok {
			xs[v.unit], halves[v.unit] = append(xs[v.unit], v.x), append(halves[v.unit], v.half)
		}
	}
	steps := map[string]int{}
	for unit := range xs {
		if i := s.Common(xs[unit], halves[unit]); i >= 0 {
			steps[unit] = i
		}
	}
	return steps
}

// throughputs shows rates of bytes and of units that the suite names. Operations per
// second are left out: they are the time's reciprocal.
func throughputs(cases []*result.Case) []page.Cell {
	bytes, named := make([]value, len(cases)), make([]value, len(cases))
	for i, c := range cases {
		s := MeasuredSummary(c, "throughput")
		switch {
		case s == nil || s.Bound != nil || c.RateUnit() == "op" || c.RateUnit() == "":
		case c.RateUnit() == "byte":
			bytes[i] = value{x: s.Median, half: HalfInterval(s), sign: BoundSign(s), unit: "/s", ok: true}
		default:
			named[i] = value{x: s.Median, half: HalfInterval(s), sign: BoundSign(s), unit: WorkUnit(c) + "/s", ok: true}
		}
	}
	return merge(numbers(bytes, units.Bytes), numbers(named, units.Rate))
}

// merge copies the numbers of b into a. The two fill different rows.
func merge(a, b []page.Cell) []page.Cell {
	if a == nil {
		return b
	}
	for i := range b {
		if b[i].Number != "" {
			a[i] = b[i]
		}
	}
	return a
}

// shares is CPU time over wall time, nil if every case keeps one processor busy,
// within 10%: smaller differences are noise.
func shares(cases []*result.Case) []page.Cell {
	cells, varied := make([]page.Cell, len(cases)), false
	for i, c := range cases {
		cpu, wall := MeasuredSummary(c, "cpu"), MeasuredSummary(c, "wall")
		if cpu == nil || wall == nil || wall.Median <= 0 || BoundSign(cpu)+BoundSign(wall) != "" {
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
func allocations(cases []*result.Case, metric string) []page.Cell {
	values, some := make([]value, len(cases)), false
	unit := map[string]string{"allocs": countUnit}[metric]
	for i, c := range cases {
		if s := MeasuredSummary(c, metric); s != nil {
			values[i] = value{x: s.Median, half: HalfInterval(s), sign: BoundSign(s), unit: unit, ok: true}
			some = some || s.Median != 0
		}
	}
	if !some {
		return nil
	}
	if metric == "heap" {
		return numbers(values, units.Bytes)
	}
	return numbers(values, units.Count)
}

// memory shows peak memory. Every process starts with the floor, so a run that
// reports no more may have used less itself: its cell is an upper bound.
func memory(cases []*result.Case, floor float64) []page.Cell {
	values, bounds := make([]value, len(cases)), make([]page.Cell, len(cases))
	for i, c := range cases {
		switch s := MeasuredSummary(c, "rss"); {
		case s == nil:
		case s.Median <= floor:
			step := units.Bytes.Pick(floor, 0)
			bounds[i] = scaledCell(units.Bytes, "≤ "+units.Bytes.Print(floor, 0, step), "", step)
		default:
			values[i] = value{x: s.Median, half: HalfInterval(s), sign: BoundSign(s), ok: true}
		}
	}
	cells := numbers(values, units.Bytes)
	if !someNumber(bounds) {
		return cells
	}
	return merge(cells, bounds)
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
	cells := make([]page.Cell, len(cases))
	some := false
	plain := samplesHead(cases) == "samples"
	for i, c := range cases {
		n := c.Samples.Count()
		if n == 0 {
			continue
		}
		some = true
		cells[i] = page.Cell{Text: strconv.Itoa(n), Key: float64(n)}
		if c.Samples.Taken > 0 {
			cells[i].Text = short(float64(n)) // only a summary of them is kept: there may be millions
		}
		if !plain {
			cells[i].Text += " × " + short(float64(c.Iterations))
		}
	}
	if !some {
		return nil
	}
	return cells
}

// short prints a count in few characters: 272k.
func short(n float64) string {
	step := units.Count.Pick(n, 0)
	return units.Count.Print(n, 0, step) + units.Count[step].Name
}

// MeasuredSummary is the summary of a metric, nil if the case was not measured or has
// none.
func MeasuredSummary(c *result.Case, metric string) *result.Summary {
	if c.Status != result.Measured {
		return nil
	}
	return c.Summary(metric)
}
