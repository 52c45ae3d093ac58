package reporttest

import (
	"example.com/suite/internal/diag"
	"example.com/suite/result"
)

// Estimated is a difference with its interval.
func Estimated(value, low, high float64) *result.Estimated {
	return &result.Estimated{Value: value, Low: Ptr(low), High: Ptr(high)}
}

// Profiled returns a document with a failed case whose profiles name a cause, one whose
// profiles name none, one without a base, and one without profiles.
func Profiled() *result.Document {
	d := Document("parser")
	d.Suites[0].Errors = &result.Errors{Family: 0.01, Calls: 2, Alpha: 0.005}
	Allocates(Measure(d, "parser/base", 21.55e-6, 0.01), 2, 128)

	c := Measure(d, "parser/fields", 31.2e-6, 0.01)
	Against(c, "parser/base", 1.448, 1.431, 1.467, result.Worse)
	Tolerance(c, result.Fail,
		"time is 44.8% longer than in parser/base (interval +43.1% to +46.7%), and 3% was allowed")
	c.Profiling = named()

	c = Measure(d, "parser/layout", 23.1e-6, 0.01)
	Against(c, "parser/base", 1.072, 1.061, 1.083, result.Worse)
	Tolerance(c, result.Fail, "time is 7.2% longer than in parser/base (interval +6.1% to +8.3%), and 3% was allowed")
	c.Profiling = &result.Profiling{
		Reason:  result.ProfileNoTime,
		Text:    "5 of 8 launches of each side in the 10s that a case may be profiled",
		Seconds: 9.6,
		Method:  result.ProfileMethod,
		Profiles: []result.Profile{{Kind: result.ProfileCPU, Unit: "s", Here: profileSide(5, 611, 23.4e-6),
			Base:   Ptr(profileSide(5, 602, 22.9e-6)),
			Change: Estimated(0.5e-6, -0.9e-6, 1.9e-6), Confidence: 0.95, Compared: 1,
			Functions: []result.ProfileFunction{{Name: "example.org/parser.Parse", File: "parser/parse.go", Line: 12,
				Self:     23.4e-6,
				Total:    23.4e-6,
				BaseSelf: 22.9e-6,
				BaseAll:  22.9e-6,
				Change:   Estimated(0.5e-6, -0.9e-6, 1.9e-6)}},
			Stacks: []result.ProfileStack{{Name: "example.org/parser.Parse", Parent: -1,
				Here: 23.4e-6, Base: 22.9e-6}}}},
	}

	c = Measure(d, "parser/alone", 21.6e-6, 0.01)
	c.Profiling = &result.Profiling{
		Seconds: 3.1,
		Profiles: []result.Profile{{Kind: result.ProfileAlloc, Unit: "B", Here: profileSide(8, 8240, 128),
			Functions: []result.ProfileFunction{{Name: "example.org/parser.Parse", Self: 128, Total: 128,
				Leaf:     "strings.genSplit",
				LeafSelf: 128}},
			Stacks: []result.ProfileStack{{Name: "example.org/parser.Parse", Parent: -1, Here: 128},
				{Name: "strings.genSplit", Parent: 0, Here: 128}}}},
	}

	c = Measure(d, "parser/command", 4.1e-3, 0.01)
	c.Kind = result.KindCommand
	Against(c, "parser/base", 1.2, 1.19, 1.21, result.Worse)
	Tolerance(c, result.Fail, "time is 20% longer than in parser/base (interval +19% to +21%), and 3% was allowed")
	c.Profiling = &result.Profiling{
		Reason: result.ProfileNoTool,
		Text:   "commands are profiled with perf record, and perf is not installed",
		Hint:   "install perf (package linux-tools or linux-perf)",
	}
	for i := range d.Cases {
		d.Cases[i].Place = diag.Place{File: "suites/parser.yaml", Line: 4 + i, Col: 5}
	}
	d.Exit = d.Outcome().Exit
	return d
}

func profileSide(launches int, samples int64, total float64) result.ProfileSide {
	return result.ProfileSide{Launches: launches, Iterations: 96_000, Samples: samples, Total: total, Wall: total}
}

// named has a function that allocates now, and a lock that is held longer.
func named() *result.Profiling {
	const (
		fields = "example.org/parser.fields"
		parse  = "example.org/parser.Parse"
		enter  = "example.org/parser.(*Table).enter"
	)
	here, base := profileSide(8, 1012, 31.4e-6), profileSide(8, 997, 21.8e-6)
	here.Rate, base.Rate = 500, 500
	here.File, base.File = "parser.parser_fields-1c0ffee1.cpu.here.pb.gz",
		"parser.parser_fields-1c0ffee1.cpu.base.pb.gz"
	cpu := result.Profile{
		Kind:       result.ProfileCPU,
		Unit:       "s",
		Here:       here,
		Base:       &base,
		Change:     Estimated(9.6e-6, 8.1e-6, 11.1e-6),
		Confidence: 0.95,
		Compared:   5,
		Functions: []result.ProfileFunction{
			{Name: fields, File: "example.org/parser/fields.go", Line: 31, Self: 14.1e-6,
				Total: 14.1e-6, BaseSelf: 5.2e-6,
				BaseAll: 5.2e-6,
				Change:  Estimated(8.9e-6, 7.7e-6, 10.1e-6),
				Leaf:    "runtime.mallocgc", LeafSelf: 6.1e-6, Caller: parse},
			{Name: parse, File: "example.org/parser/parse.go", Line: 12, Self: 12.3e-6,
				Total: 31.1e-6, BaseSelf: 11.9e-6,
				BaseAll: 21.5e-6,
				Change:  Estimated(0.4e-6, -0.7e-6, 1.5e-6)},
			{Name: enter, File: "example.org/parser/table.go", Line: 8, Self: 4.7e-6, Total: 4.7e-6, BaseSelf: 4.4e-6,
				BaseAll: 4.4e-6,
				Change:  Estimated(0.3e-6, -0.4e-6, 1e-6),
				Caller:  parse},
			{Name: "(runtime)", Self: 0.3e-6, Total: 0.3e-6, BaseSelf: 0.3e-6, BaseAll: 0.3e-6,
				Change: Estimated(0, -0.2e-6, 0.2e-6)},
		},
		Left: 2,
		Stacks: []result.ProfileStack{
			{Name: parse, Parent: -1, Here: 31.1e-6, Base: 21.5e-6}, {Name: "(runtime)", Parent: -1,
				Here: 0.3e-6, Base: 0.3e-6},
			{Name: fields, Parent: 0, Here: 14.1e-6, Base: 5.2e-6}, {Name: enter, Parent: 0,
				Here: 4.7e-6, Base: 5.9e-6},
			{Name: "runtime.mallocgc", Parent: 2, Here: 6.1e-6}, {Name: "strings.Fields", Parent: 2,
				Here: 3.1e-6, Base: 1.2e-6},
		},
	}
	mutex := result.Profile{
		Kind:       result.ProfileMutex,
		Unit:       "s",
		Here:       profileSide(8, 40, 2.4e-6),
		Base:       Ptr(profileSide(8, 11, 0.4e-6)),
		Change:     Estimated(2e-6, 1.2e-6, 2.8e-6),
		Confidence: 0.95,
		Compared:   1,
		Functions: []result.ProfileFunction{{Name: enter, File: "example.org/parser/table.go", Line: 8, Self: 2.4e-6,
			Total:    2.4e-6,
			BaseSelf: 0.4e-6,
			BaseAll:  0.4e-6,
			Change:   Estimated(2e-6, 1.2e-6, 2.8e-6), Leaf: "sync.(*Mutex).Unlock", LeafSelf: 2e-6, Caller: parse}},
		Stacks: []result.ProfileStack{{Name: enter, Parent: -1, Here: 2.4e-6, Base: 0.4e-6}},
	}
	return &result.Profiling{
		Seconds:  6.2,
		Method:   result.ProfileMethod,
		Profiles: []result.Profile{cpu, mutex},
		Causes: []result.ProfileCause{
			{Function: fields, Kind: result.ProfileCPU, Unit: "s", Change: *Estimated(8.9e-6, 7.7e-6, 10.1e-6),
				Share:  *Estimated(0.767, 0.664, 0.871),
				Leaf:   "runtime.mallocgc",
				Caller: parse,
				File:   "example.org/parser/fields.go", Line: 31},
			{Function: enter, Kind: result.ProfileMutex, Unit: "s", Change: *Estimated(2e-6, 1.2e-6, 2.8e-6),
				Share:  *Estimated(0.172, 0.103, 0.241),
				Leaf:   "sync.(*Mutex).Unlock",
				Caller: parse,
				File:   "example.org/parser/table.go", Line: 8},
		},
	}
}
