package profile

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"example.com/suite/internal/profiles"
	"example.com/suite/result"
	"example.com/suite/stats"
)

// compare fills in what the profiles show, and returns them as files. With fewer than the
// launches that an interval needs, there are no causes.
func (t *taking) compare(out *result.Profiling) (files []File) {
	if t.again == nil {
		return nil
	}
	modules := profiles.ReadModules(t.program[0], t.program[1])
	if t.Case.Kind == result.KindCommand || t.Case.Kind == result.KindShell {
		modules = modules.OfCommands()
	}
	var collector [2][]profiles.Weights
	if alloc := t.launched[0][result.ProfileAlloc]; len(alloc) > 0 {
		collector = [2][]profiles.Weights{profiles.Allocators(alloc, modules),
			profiles.Allocators(t.launched[1][result.ProfileAlloc], modules)}
	}
	for _, kind := range t.options.Kinds {
		here, base := t.launched[0][kind], t.launched[1][kind]
		if len(here) == 0 || t.again.HasBase() && len(base) == 0 {
			continue
		}
		in := profiles.Input{Kind: kind, Here: here, Base: base, Modules: modules,
			HasMutex: len(t.launched[0][result.ProfileMutex]) > 0}
		if kind == result.ProfileCPU {
			in.Rate = t.rate()
			in.Collector = collector
			in.Ratio = t.ratio()
		}
		p := profiles.Compare(in)
		for side, launches := range [][]profiles.Launch{here, base} {
			if len(launches) == 0 {
				continue
			}
			file := File{Name: fileName(t.Result, kind, side == 1)}
			var err error
			file.Data, err = profiles.Merge(launches)
			if err != nil {
				out.Text = err.Error()
				continue
			}
			files = append(files, file)
			if side == 0 {
				p.Here.File = file.Name
			} else {
				p.Base.File = file.Name
			}
		}
		out.Profiles = append(out.Profiles, p)
	}
	if !t.again.HasBase() {
		return files
	}
	out.Method = result.ProfileMethod
	out.Causes = profiles.Causes(out.Profiles, t.Bytes)
	if len(out.Causes) == 0 && !t.Bytes {
		out.Causes = profiles.Causes(out.Profiles, true)
	}
	return files
}

// rate of the CPU profile that was asked for, Hz.
func (t *taking) rate() int {
	switch t.Case.Kind {
	case result.KindGo:
		return usualRate
	case result.KindGoTest:
		return goTestRate
	}
	return perfRate
}

// fileName is made of the suite's and the case's name, without what a file system refuses.
func fileName(c *result.Case, kind result.ProfileKind, base bool) string {
	side := "here"
	if base {
		side = "base"
	}
	return fmt.Sprintf("%s.%s.%s.pb.gz", harmless(c.Suite+"."+c.Name), kind, side)
}

// longestName of a file, bytes.
const longestName = 120

func harmless(name string) string {
	var out strings.Builder
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '_', r == '=':
			out.WriteRune(r)
		default:
			out.WriteByte('_')
		}
	}
	text := strings.TrimLeft(out.String(), ".")
	if len(text) > longestName || text != name {
		text = text[:min(len(text), longestName)] + "-" + short(name) // two names may look alike now
	}
	return text
}

// ratio of the CPU time of the case to its base's, from the pairs of a function; nil if too
// few are known. Blocks of pairs are independent: each has launches or setups of its own. The
// CPU time of a process that is started for each sample contains its start.
func (t *taking) ratio() *profiles.Ratio {
	if t.Case.Kind != result.KindGo || t.Result.Pairs == nil {
		return nil
	}
	own, base := t.Result.Samples.Columns["cpu"], t.Result.Pairs.Samples.Columns["cpu"]
	byBlock := map[int][]float64{}
	for i := range min(len(own), len(base), len(t.Result.Samples.Block)) {
		if own[i] > 0 && base[i] > 0 { // false for gaps too
			block := t.Result.Samples.Block[i]
			byBlock[block] = append(byBlock[block], math.Log(own[i]/base[i]))
		}
	}
	var logs []float64
	for _, block := range slices.Sorted(maps.Keys(byBlock)) {
		logs = append(logs, stats.Median(byBlock[block]))
	}
	if len(logs) < leastBlocks {
		return nil
	}
	return &profiles.Ratio{Value: math.Exp(stats.Mean(logs)), Error: stats.StdDev(logs) / math.Sqrt(float64(len(logs))),
		Freedom: float64(len(logs) - 1)}
}

// leastBlocks of pairs are needed to know how far the ratio may be off.
const leastBlocks = 5
