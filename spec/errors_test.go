package spec

import (
	"testing"

	"example.com/suite/result"
)

// trees is a plan whose cases are compared with another tree, as far as they say so.
func trees(kind result.AgainstKind, cases ...Case) *Plan {
	other := &Plan{Suite: "s", Cases: cases}
	p := &Plan{Suite: "s", Other: other, Against: &result.Against{Asked: "main", Kind: kind}}
	for _, c := range cases {
		if c.Description == "compared" {
			c.Counterpart = &result.Counterpart{State: result.CounterpartPaired}
			c.Other = &Other{Plan: other, Name: "main", Case: c}
		}
		p.Cases = append(p.Cases, c)
	}
	return p
}

func caseOf(name string, kind result.Kind, base, compared string) Case {
	return Case{Name: name, Kind: kind, Base: base, Description: compared, Gates: []Gate{{ID: "tolerance"}}, Setup: &Hook{Argv: []string{"make"}},
		Settings: Settings{Sampling: "many"}}
}

// The sentinel is the first function that is compared with another tree, else the
// first command or existing benchmark, else the first case with a base.
func TestTheSentinelIsTheFirstCaseThatIsCompared(t *testing.T) {
	const function, command, yes = result.KindGo, result.KindCommand, "compared"
	once := caseOf("once", function, "", yes)
	once.Settings.Sampling = "once"
	served := caseOf("served", command, "b", "")
	served.Services = []Service{{}}
	for name, c := range map[string]struct {
		cases []Case
		want  string
		base  string // of the suite
	}{
		"a function":               {[]Case{caseOf("c", command, "", yes), caseOf("f", function, "", yes), caseOf("g", function, "", yes)}, "f@sentinel", ""},
		"a command":                {[]Case{caseOf("new", function, "", ""), caseOf("c", command, "", yes), caseOf("d", command, "", yes)}, "c@sentinel", "c"},
		"an existing benchmark":    {[]Case{caseOf("t", result.KindGoTest, "", yes), caseOf("c", command, "", yes)}, "t@sentinel", "t"},
		"a case with a base":       {[]Case{caseOf("b", function, "", ""), caseOf("x", function, "b", "")}, "x@sentinel", "x"},
		"beside one with a base":   {[]Case{caseOf("x", function, "b", ""), caseOf("x@against", function, "", yes)}, "x@against@sentinel", ""},
		"a name that is taken":     {[]Case{caseOf("f", function, "", yes), caseOf("f@sentinel", function, "", "")}, "f@sentinel@sentinel", ""},
		"none that has pairs":      {[]Case{once, served, caseOf("b", command, "", "")}, "", ""},
		"one that has and another": {[]Case{once, caseOf("f", function, "", yes)}, "f@sentinel", ""},
		"none":                     {nil, "", ""},
	} {
		p := trees(result.AgainstRevision, c.cases...)
		if placed := p.PlaceSentinel(); placed != (c.want != "") || placed != (p.Sentinel != nil) {
			t.Errorf("%s: placed %t: %+v", name, placed, p.Sentinel)
			continue
		}
		s := p.Sentinel
		if s == nil {
			continue
		}
		if s.Name != c.want || s.Base != c.base || p.Builds != 1 || s.Gates != nil || s.Setup != nil || s.Counterpart != nil {
			t.Errorf("%s: %d builds of %+v", name, p.Builds, s)
		}
		if apart := s.Other != nil; apart != (c.base == "") || apart && (s.Other.Plan != p || s.Other.Case.Setup != nil || s.Other.Case.Name != p.Cases[indexOf(p, s)].NameInFile()) {
			t.Errorf("%s: %+v", name, s.Other)
		}
	}
}

// Waiting for arrivals says nothing about the machine, and the sentinel has little time.
func TestTheSentinelWaitsForNothing(t *testing.T) {
	c := caseOf("f", result.KindGo, "", "compared")
	c.Settings.Arrivals, c.Settings.Poisson = 100, true
	p := trees(result.AgainstRevision, c)
	p.PlaceSentinel()
	for side, s := range map[string]*Settings{"case": &p.Sentinel.Settings, "base": &p.Sentinel.Other.Case.Settings} {
		if s.Arrivals != 0 || s.Poisson {
			t.Errorf("the %s of the sentinel has %g arrivals", side, s.Arrivals)
		}
	}
	if p.Cases[0].Settings.Arrivals != 100 {
		t.Error("the case has lost its arrivals")
	}
}

func indexOf(p *Plan, s *Case) int {
	for i := range p.Cases {
		if p.Cases[i].Name+result.SentinelSuffix == s.Name || p.Cases[i].Name+result.SentinelSuffix+result.SentinelSuffix == s.Name {
			return i
		}
	}
	return -1
}

// It is there where trees are compared, unless the suite file says otherwise.
func TestWhoHasASentinel(t *testing.T) {
	on, off := true, false
	for _, c := range []struct {
		kind result.AgainstKind
		said *bool
		want bool
	}{
		{result.AgainstRevision, nil, true}, {result.AgainstFolder, nil, true}, {result.AgainstResult, nil, false}, {"", nil, false},
		{result.AgainstRevision, &off, false}, {result.AgainstResult, &on, true}, {"", &on, true}, {"", &off, false},
	} {
		p := trees(c.kind, caseOf("f", result.KindGo, "b", ""), caseOf("b", result.KindGo, "", ""))
		p.Errors.Sentinel = c.said
		if c.kind == "" {
			p.Against = nil
		}
		if p.WantsSentinel() != c.want || p.PlaceSentinel() != c.want {
			t.Errorf("against %q, said %v: %t", c.kind, c.said, !c.want)
		}
	}
}

// The sentinel of a command that reads files of the other tree compares that tree with a copy. Hooks
// make files in one of the two, and a function has its own tree.
func TestTheSentinelReadsFilesOfItsOwn(t *testing.T) {
	split := func(change func(*Case)) *Case {
		c := caseOf("c", result.KindCommand, "", "compared")
		p := trees(result.AgainstRevision, c)
		one := &p.Cases[0]
		one.Other.Case = Case{Name: "c", Kind: result.KindCommand, Argv: []string{"cat", "/old/x"}, Cwd: "/old/b", Env: []string{"A=/old"}}
		one.Other.Files = [][2]string{{"/new/x", "/old/x"}}
		change(one)
		p.PlaceSentinel()
		p.SplitSentinel("/old", "/twin")
		if p.WantsTwin() != (p.Sentinel.Other != nil && p.Sentinel.Other.Files != nil) {
			t.Errorf("wants a twin: %t, and has %+v", p.WantsTwin(), p.Sentinel.Other)
		}
		return p.Sentinel
	}
	s := split(func(*Case) {})
	if s.Name != "c@sentinel" || s.Base != "" || s.Cwd != "/old/b" || s.Argv[1] != "/old/x" || s.Gates != nil || s.Settings.Sampling != "many" {
		t.Errorf("%+v", s)
	}
	if side := &s.Other.Case; side.Cwd != "/twin/b" || side.Argv[1] != "/twin/x" || side.Env[0] != "A=/twin" || s.Other.Files[0] != [2]string{"/old/x", "/twin/x"} {
		t.Errorf("%+v", s.Other)
	}
	for name, change := range map[string]func(*Case){
		"a hook":     func(c *Case) { c.Other.Case.Setup = &Hook{} },
		"no files":   func(c *Case) { c.Other.Files = nil },
		"a function": func(c *Case) { c.Kind = result.KindGo },
	} {
		if s := split(change); s.Other != nil && s.Other.Files != nil {
			t.Errorf("%s: %+v", name, s.Other)
		}
	}
}
