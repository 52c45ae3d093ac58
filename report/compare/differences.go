package compare

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/suite/internal/units"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// differences describes how the machine, the versions and the files of the later runs
// differ from the first run's, and which runs were interrupted.
func differences(saved []table.Saved) (notes []string) {
	for _, s := range saved[1:] {
		for _, d := range surroundings(saved[0].Doc, s.Doc) {
			notes = append(notes, d.text(saved[0].Name, s.Name))
		}
		notes = append(notes, files(saved[0], s)...)
		if s.Doc.Interrupted != "" {
			notes = append(notes, s.Name+" is of a run that was interrupted")
		}
	}
	if saved[0].Doc.Interrupted != "" {
		notes = append(notes, saved[0].Name+" is of a run that was interrupted")
	}
	return notes
}

// difference is one property that two runs do not share.
type difference struct {
	what, a, b string
	grave      bool // the ratio is about the machine, not the code
}

func (d difference) text(a, b string) string {
	return fmt.Sprintf("%s differs: %s in %s, %s in %s", d.what, cmp.Or(d.a, "unknown"), a, cmp.Or(d.b, "unknown"), b)
}

// surroundings are the differences of machine and version. Whatever is updated every
// few weeks on one machine, such as its kernel, is not grave.
func surroundings(a, b *result.Document) (all []difference) {
	for _, d := range []difference{
		{"the CPU", a.Machine.CPU, b.Machine.CPU, true},
		{"the number of CPUs", fmt.Sprint(a.Machine.CPUs), fmt.Sprint(b.Machine.CPUs), true},
		{"the system", a.Machine.OS + "/" + a.Machine.Arch, b.Machine.OS + "/" + b.Machine.Arch, true},
		{"the kernel", a.Machine.Kernel, b.Machine.Kernel, false},
		{"the memory", units.Format(float64(a.Machine.Memory), "B"),
			units.Format(float64(b.Machine.Memory), "B"), false},
		{"the kind of virtual machine", a.Machine.Virtual, b.Machine.Virtual, true},
		{"GOMAXPROCS", fmt.Sprint(a.Machine.GOMAXPROCS), fmt.Sprint(b.Machine.GOMAXPROCS), true},
		{"the version of Go", a.Tool.Go, b.Tool.Go, false},
		{"the version of suite", a.Tool.Version, b.Tool.Version, false},
	} {
		if d.a != d.b {
			all = append(all, d)
		}
	}
	return all
}

// files names the suites that are missing from b or whose file was changed.
func files(a, b table.Saved) (notes []string) {
	for _, s := range a.Doc.Suites {
		i := slices.IndexFunc(b.Doc.Suites, func(o result.Suite) bool { return o.Name == s.Name })
		switch {
		case i < 0:
			notes = append(notes, fmt.Sprintf("suite %q is not in %s", s.Name, b.Name))
		case b.Doc.Suites[i].Hash != s.Hash:
			notes = append(notes, fmt.Sprintf("the file of suite %q was changed between %s and %s",
				s.Name, a.Name, b.Name))
		}
	}
	return notes
}

// incomparable is why two cases cannot have a ratio, or "" if they can.
func incomparable(a, b *result.Case) string {
	switch {
	case a.Status != result.Measured || b.Status != result.Measured:
		return "was not measured"
	case a.Unit != b.Unit:
		return fmt.Sprintf("has another unit (%s, %s)", a.Unit, b.Unit)
	case a.Clock != b.Clock:
		return fmt.Sprintf("was timed by another clock (%s, %s)", a.Clock, b.Clock)
	}
	return ""
}

// doubts names the documents that lack the case or the metric, and what was changed
// about the case.
func doubts(saved []table.Saved, cases []*result.Case, metric string) (notes []string) {
	first := slices.IndexFunc(cases, func(c *result.Case) bool { return c != nil })
	for i, c := range cases {
		switch {
		case c == nil:
			notes = append(notes, "is not in "+saved[i].Name)
		case c.Status != result.Measured:
			notes = append(notes, "could not be measured in "+saved[i].Name)
		case c.Summary(metric) == nil:
			notes = append(notes, fmt.Sprintf("has no %s in %s", metric, saved[i].Name))
		case c.Summary(metric).Bound != nil:
			notes = append(notes, "is below resolution in "+saved[i].Name)
		case i > first && cases[first].Status == result.Measured:
			notes = append(notes, changed(cases[first], c, saved[first].Name, saved[i].Name)...)
		}
	}
	return notes
}

// changed names the parts of the case's definition that are not the same.
func changed(a, b *result.Case, before, after string) (notes []string) {
	if why := incomparable(a, b); why != "" {
		return []string{why + " in " + after}
	}
	for _, d := range []struct {
		what string
		same bool
	}{
		{"what is run", a.Kind == b.Kind && sameBody(a.Identity, b.Identity)},
		{"the work of an iteration", a.Work == b.Work},
		{"the value of a parameter",
			slices.EqualFunc(a.Params, b.Params, func(x, y result.Param) bool {
				return x.Name == y.Name && x.Text == y.Text
			})},
		{"a setting (gc, thread, parallel)",
			a.Settings.GC == b.Settings.GC && a.Settings.Thread == b.Settings.Thread &&
				a.Settings.Parallel == b.Settings.Parallel},
		{"how iterations are begun and timed (latency, arrivals)",
			a.Settings.Latency == b.Settings.Latency && a.Settings.Arrivals == b.Settings.Arrivals &&
				a.Settings.Poisson == b.Settings.Poisson},
	} {
		if !d.same {
			notes = append(notes, fmt.Sprintf("%s was changed between %s and %s", d.what, before, after))
		}
	}
	return notes
}

// sameBody reports whether two cases run the same function or command. The source that
// it was built from may differ: that is what people compare.
func sameBody(a, b result.Identity) bool {
	return a.Function == b.Function && slices.Equal(a.Argv, b.Argv) && a.Shell == b.Shell && a.Package == b.Package &&
		a.Benchmark == b.Benchmark
}
