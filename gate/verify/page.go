package verify

import (
	"fmt"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/report/page"
)

// mostFindings is the number of findings that are written. One changed sample causes about
// ten.
const mostFindings = 40

// Page is what was found in the document of a file: the findings, what was taken as it is, and a last
// line with the verdict and how much was checked.
func (r *Report) Page(path string) page.Block {
	var lines page.Paragraph
	for _, f := range r.Findings[:min(len(r.Findings), mostFindings)] {
		lines = append(lines, page.Text(f.String()))
	}
	if more := len(r.Findings) - mostFindings; more > 0 {
		lines.Say("and %s", units.Plural(more, "more difference"))
	}
	for _, what := range r.Taken {
		lines.Say("%s: taken as it is: %s", path, what)
	}
	return append(lines, page.Say("%s: %s", path, r.verdict()))
}

// String describes a finding in one line.
func (f Finding) String() string {
	where := f.What
	if f.Case != "" {
		where = fmt.Sprintf("case %q: %s", f.Case, f.What)
	}
	return fmt.Sprintf("%s: the document has %s; recomputed: %s", where, f.Stored, f.Recomputed)
}

// verdict states whether the document differs, and how much was checked.
func (r *Report) verdict() string {
	counted := []string{units.Plural(r.Gates, "verdict")}
	for _, k := range []struct {
		n    int
		what string
	}{{r.Comparisons, "comparison"}, {r.Coins, "coin"}, {r.Metrics, "metric"}} {
		if k.n > 0 {
			counted = append(counted, units.Plural(k.n, k.what))
		}
	}
	what := strings.Join(counted, ", ")
	if n := len(r.Findings); n > 0 {
		return fmt.Sprintf("DIFFERS: %s of %s", units.Plural(n, "difference"), what)
	}
	return "VERIFIED: " + what
}
