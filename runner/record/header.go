package record

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// Header identifies the run of a journal. All of it but Started and Seed has to be the
// same for a run to go on from there: a case must not mix numbers of two programs,
// machines or settings.
type Header struct {
	Started time.Time      `json:"started"`
	Seed    string         `json:"seed"`
	Tool    result.Tool    `json:"tool"`
	Suites  []HeaderSuite  `json:"suites"`
	Machine result.Machine `json:"machine"` // without its load
	Hosts   []string       `json:"hosts"`   // sha256:… of suite itself and of every other host program
}

// HeaderSuite is a suite file, and hashes of all that it came to.
type HeaderSuite struct {
	Name  string       `json:"name"`
	File  string       `json:"file"`  // absolute
	Hash  string       `json:"hash"`  // of the bytes of the file and of all it includes
	Frame string       `json:"frame"` // of what belongs to no case: build, budget, folder
	Cases []HeaderCase `json:"cases"`

	// what the cases are compared with, and its revision, or the hash of its file
	Against string `json:"against,omitempty"`
}

// HeaderCase is a case, and a hash of all that its numbers hang on.
type HeaderCase struct {
	Name string `json:"name"`
	Hash string `json:"hash"`
}

// SuiteOf describes the cases of a plan.
func SuiteOf(plan *spec.Plan) HeaderSuite {
	file, err := filepath.Abs(plan.File)
	if err != nil {
		file = plan.File
	}
	frame := *plan
	frame.File, frame.Cases = "", nil // the plan in another folder is the same plan
	frame.Against, frame.Other = nil, frameOf(plan.Other)
	s := HeaderSuite{Name: plan.Suite, File: file, Hash: plan.Hash, Frame: HashOf(frame), Against: comparedWith(plan)}
	for _, c := range plan.Cases {
		s.Cases = append(s.Cases, HeaderCase{c.Name, hashCase(c)})
	}
	return s
}

// frameOf is the part of another tree that belongs to no case. Its folder does not
// count: a revision may be checked out elsewhere another time.
func frameOf(other *spec.Plan) *spec.Plan {
	if other == nil {
		return nil
	}
	frame := *other
	frame.File, frame.Dir, frame.Cases, frame.Against, frame.Other = "", "", nil, nil, nil
	return &frame
}

// comparedWith names what the cases of a plan are compared with.
func comparedWith(plan *spec.Plan) string {
	if plan.Against == nil {
		return ""
	}
	return strings.TrimSpace(plan.Against.Asked + " " + plan.Against.Revision + plan.Against.Hash)
}

// A case without its folders and its place in a file has the same hash in another
// checkout.
func hashCase(c spec.Case) string {
	if c = placeless(c); c.Other == nil {
		return HashOf(c)
	}
	other := *c.Other
	other.Case = placeless(other.Case)
	c.Other = &other
	return HashOf(c, other.Plan.Dir)
}

func placeless(c spec.Case) spec.Case {
	c.Place, c.Origins, c.Gates = diag.Place{}, nil, slices.Clone(c.Gates)
	for i := range c.Gates {
		c.Gates[i].Expr = lang.Text{Value: c.Gates[i].Expr.Value}
	}
	return c
}

// HashOf is half a SHA-256: 128 bits distinguish plans, and a header of 1000 cases
// stays below 100 KB. The folders in left may be anywhere.
func HashOf(v any, left ...string) string {
	text, err := json.Marshal(v)
	if err != nil { // a plan is what was read from text: it can be written
		panic(err)
	}
	for _, dir := range left {
		name, _ := json.Marshal(dir) // as in the text, in quotes
		text = bytes.ReplaceAll(text, name[1:len(name)-1], []byte("."))
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// Refuses explains why a run that now describes cannot go on from the journal of h,
// empty if it can: of several reasons the first that a person can change.
func (h *Header) Refuses(now *Header) string {
	for _, differs := range []func(*Header) string{h.otherFiles, h.otherTool, h.otherMachine, h.otherPlan} {
		if why := differs(now); why != "" {
			return why
		}
	}
	return ""
}

func (h *Header) files() (files []string) {
	for _, s := range h.Suites {
		files = append(files, s.File)
	}
	return files
}

func (h *Header) otherFiles(now *Header) string {
	mine, theirs := h.files(), now.files()
	switch {
	case slices.Equal(mine, theirs):
	case slices.Equal(slices.Sorted(slices.Values(mine)), slices.Sorted(slices.Values(theirs))):
		return "the suite files come in another order: they were " + strings.Join(mine, ", ")
	default:
		return "the journal belongs to " + strings.Join(mine, ", ")
	}
	for i, s := range h.Suites {
		if s.Hash != now.Suites[i].Hash {
			return fmt.Sprintf("%s, or a file that it includes, has changed since", s.File)
		}
		if wanted := now.Suites[i].Against; s.Against != wanted {
			return fmt.Sprintf("suite %s was compared with %s, and would be with %s", s.Name,
				cmp.Or(s.Against, "nothing"), cmp.Or(wanted, "nothing"))
		}
	}
	return ""
}

func (h *Header) otherTool(now *Header) string {
	switch {
	case h.Tool.Version != now.Tool.Version:
		return fmt.Sprintf("the run was begun by suite %s, and this is %s", h.Tool.Version, now.Tool.Version)
	case h.Tool.Go != now.Tool.Go:
		return fmt.Sprintf("suite was built with %s then, and with %s now", h.Tool.Go, now.Tool.Go)
	case !slices.Equal(h.Hosts, now.Hosts):
		return "the program that runs the Go functions has been built anew"
	}
	return ""
}

// memoryShare is what the memory of a machine may differ by from one start of
// its system to the next, which sets aside what it needs.
const memoryShare = 0.01

func (h *Header) otherMachine(now *Header) string {
	a, b := h.Machine, now.Machine
	if more, less := max(a.Memory, b.Memory), min(a.Memory, b.Memory); float64(more-less) > memoryShare*float64(more) {
		return fmt.Sprintf("the machine differs: it had %d bytes of memory, and now has %d", a.Memory, b.Memory)
	}
	for _, f := range []struct{ what, then, now string }{
		{"system", a.OS + "/" + a.Arch, b.OS + "/" + b.Arch}, {"kernel", a.Kernel, b.Kernel}, {"CPU", a.CPU, b.CPU},
		{"number of CPUs", fmt.Sprint(a.CPUs), fmt.Sprint(b.CPUs)}, {"GOMAXPROCS", fmt.Sprint(a.GOMAXPROCS),
			fmt.Sprint(b.GOMAXPROCS)},
		{"virtual machine", a.Virtual, b.Virtual},
	} {
		if f.then != f.now {
			return fmt.Sprintf("the machine differs: its %s was %s, and is %s", f.what, cmp.Or(f.then, "unknown"),
				cmp.Or(f.now, "unknown"))
		}
	}
	return ""
}

func (h *Header) otherPlan(now *Header) string {
	for i, s := range h.Suites {
		if why := s.otherCases(&now.Suites[i]); why != "" {
			return why
		}
	}
	return ""
}

func (s *HeaderSuite) otherCases(now *HeaderSuite) string {
	then := map[string]string{}
	for _, c := range s.Cases {
		then[c.Name] = c.Hash
	}
	for _, c := range now.Cases {
		switch hash, known := then[c.Name]; {
		case !known:
			return fmt.Sprintf("case %q was not to be measured then: are the filters the same?", c.Name)
		case hash != c.Hash:
			return fmt.Sprintf("case %q would be measured otherwise now: are the flags and the environment the same?",
				c.Name)
		}
		delete(then, c.Name)
	}
	for _, c := range s.Cases {
		if _, left := then[c.Name]; left {
			return fmt.Sprintf("case %q is not to be measured now: are the filters the same?", c.Name)
		}
	}
	switch {
	case s.Name != now.Name || s.Frame != now.Frame:
		return fmt.Sprintf("suite %s differs in its build, budget, timer or folder: is the environment the same?",
			s.Name)
	case !slices.Equal(s.Cases, now.Cases):
		return "the cases come in another order"
	}
	return ""
}

// names is the set of the cases that the run set out to measure.
func (h *Header) names() map[Key]bool {
	names := map[Key]bool{}
	for _, s := range h.Suites {
		for _, c := range s.Cases {
			names[Key{s.Name, c.Name}] = true
		}
	}
	return names
}
