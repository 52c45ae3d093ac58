package table

import (
	"slices"

	"example.com/suite/internal/shellword"
	"example.com/suite/result"
)

// Repeat is the command that runs a suite again, for people who want to see the answer on a
// machine of their own. The zero value is no command: the result was made by another
// program, or of several parts.
type Repeat struct {
	Against string   // what --against named
	Accept  bool     // --accept-gates
	Only    []string // the cases that need attention
	Files   []string
}

// mostRepeated is the number of cases that the command names. If more need attention it
// runs all.
const mostRepeated = 3

func repeatOf(doc *result.Document) Repeat {
	var r Repeat
	if doc.Tool.Name != "suite" {
		return r
	}
	for i := range doc.Suites {
		s := &doc.Suites[i]
		against := ""
		if s.Against != nil {
			against = s.Against.Asked
		}
		if s.File == "" || s.File == result.CommandLine || i > 0 && against != r.Against {
			return Repeat{}
		}
		r.Against = against
		r.Accept = r.Accept ||
			s.Against != nil && slices.ContainsFunc(s.Against.Gates, func(g result.GateChange) bool {
				return g.Accepted
			})
		if !slices.Contains(r.Files, s.File) {
			r.Files = append(r.Files, s.File)
		}
	}
	for i := range doc.Cases {
		c := &doc.Cases[i]
		if !c.IsVanished() && attention(c) >= leastAttention && !slices.Contains(r.Only, c.Name) {
			r.Only = append(r.Only, c.Name)
		}
	}
	if len(r.Only) > mostRepeated {
		r.Only = nil
	}
	return r
}

// Command returns the command line for a shell, with the paths that files have in their
// repository. It is empty if there is none.
func (r Repeat) Command(o Options) string {
	if len(r.Files) == 0 {
		return ""
	}
	words := []string{"suite", "run"}
	if r.Against != "" {
		words = append(words, "--against", r.Against)
	}
	if r.Accept {
		words = append(words, "--accept-gates")
	}
	for _, name := range r.Only {
		words = append(words, "--only", name)
	}
	for _, file := range r.Files {
		words = append(words, o.RepoPath(file))
	}
	return shellword.Join(words)
}
