package selfcheck

import (
	"math"
	"slices"

	"example.com/suite/internal/defaults"
	"example.com/suite/result"
	"example.com/suite/stats"
)

// summarise counts what was compared.
func (r *Report) summarise() {
	r.Schema = Schema
	r.Alarms = []Alarms{}
	r.Suites = []Suites{}
	r.Power = []Power{}
	r.Floors = []Floor{}
	for _, kind := range []string{Functions, Commands} {
		if aa := r.pick(func(c *Comparison) bool { return c.isAA() && c.Kind == kind }); len(aa) > 0 {
			r.Alarms = append(r.Alarms, alarms(kind, 0, aa), alarms(kind, 0.03, aa))
			if s := suites(kind, aa); s.Suites > 0 {
				r.Suites = append(r.Suites, s)
			}
		}
	}
	for _, more := range injected {
		size := float64(more) / steps
		if found := r.pick(func(c *Comparison) bool { return c.Injected == size }); len(found) > 0 {
			r.Power = append(r.Power, power(size, found))
		}
	}
	for _, work := range []string{"arithmetic", "memory", "command"} {
		if aa := r.pick(func(c *Comparison) bool { return c.isAA() && c.Work == work }); len(aa) > 0 {
			r.Floors = append(r.Floors, floor(aa))
		}
	}
	r.judge()
}

func (r *Report) pick(wanted func(*Comparison) bool) (all []Comparison) {
	for i := range r.Comparisons {
		if wanted(&r.Comparisons[i]) {
			all = append(all, r.Comparisons[i])
		}
	}
	return all
}

func alarms(kind string, tolerance float64, aa []Comparison) Alarms {
	counts, ordered := map[result.Change]int{}, 0
	for i := range aa {
		verdict := aa[i].Change
		if tolerance > 0 {
			verdict = aa[i].Tolerant
		}
		counts[verdict]++
		if aa[i].BaseFirst == result.Worse || aa[i].BaseFirst == result.Better {
			ordered++
		}
	}
	a := Alarms{
		Kind:        kind,
		Tolerance:   tolerance,
		Alpha:       single,
		Comparisons: len(aa),
		Worse:       rate(counts[result.Worse], len(aa)),
		Better:      rate(counts[result.Better], len(aa)),
		Same:        counts[result.Same],
		Unclear:     counts[result.Unclear],
	}
	if tolerance == 0 {
		o := rate(ordered, len(aa))
		a.Ordered = &o
	}
	return a
}

// suites counts rounds all of whose gates were judged.
func suites(kind string, aa []Comparison) Suites {
	judged := map[string]int{}
	red := map[string]bool{}
	n := 0
	hits := 0
	for i := range aa {
		judged[aa[i].Round]++
		red[aa[i].Round] = red[aa[i].Round] || aa[i].Shared == result.Worse
	}
	for round, all := range judged {
		if all == gates {
			n++
			if red[round] {
				hits++
			}
		}
	}
	return Suites{Kind: kind, Gates: gates, Family: defaults.Family, Suites: n, Red: rate(hits, n)}
}

func power(size float64, all []Comparison) Power {
	p := Power{Injected: size, Alpha: defaults.Family / gates, Comparisons: len(all)}
	var pairs, seconds, ratios []float64
	found := 0
	for i := range all {
		switch all[i].Shared {
		case result.Worse:
			found++
		case result.Better:
			p.Better++
		}
		pairs = append(pairs, float64(all[i].Pairs))
		seconds = append(seconds, all[i].Seconds)
		ratios = append(ratios, all[i].Ratio)
	}
	p.Found = rate(found, len(all))
	p.Ratio = stats.Median(ratios)
	p.Pairs = spread(pairs)
	p.Seconds = spread(seconds)
	return p
}

func floor(aa []Comparison) Floor {
	var pairs, seconds, widths, tell []float64
	for i := range aa {
		pairs, seconds = append(pairs, float64(aa[i].Pairs)), append(seconds, aa[i].Seconds)
		widths, tell = append(widths, aa[i].halfWidth()), append(tell, aa[i].smallestShown())
	}
	return Floor{
		Kind:        aa[0].Kind,
		Work:        aa[0].Work,
		Comparisons: len(aa),
		Pairs:       within(pairs, 0.5),
		Seconds:     within(seconds, 0.5),
		HalfWidth:   bounded(within(widths, 0.5)),
		Smallest:    bounded(within(tell, 0.95)),
	}
}

func spread(xs []float64) Spread { return Spread{within(xs, 0.5), within(xs, 0.9)} }

// within is the least of xs that a share of them does not exceed.
func within(xs []float64, share float64) float64 {
	s := slices.Sorted(slices.Values(xs))
	return s[max(0, int(math.Ceil(share*float64(len(s))-1e-9))-1)]
}

func bounded(x float64) *float64 {
	if math.IsInf(x, 0) {
		return nil
	}
	return &x
}
