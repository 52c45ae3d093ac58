package report

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// GitLab writes a Code Quality report: a JSON list of gates that did not pass and of
// cases that could not be measured, each at its line of the suite file. Fingerprints
// contain no measured number, so that the merge request shows what is new and what is
// fixed. Options.Path makes paths relative to the repository.
func GitLab(w io.Writer, t *table.Table, o table.Options) error {
	b := bufio.NewWriter(w)
	list := newJSONList(b, "[", "]")
	prints := table.Distinct{}
	for i := range t.Groups {
		for j := range t.Groups[i].Rows {
			for _, q := range qualities(&t.Groups[i], &t.Groups[i].Rows[j]) {
				q.print = prints.Name(q.print)
				list.next()
				b.WriteString(q.text(o))
			}
		}
	}
	return list.end()
}

// quality is one entry.
type quality struct {
	check, description, print, severity, file string
	line                                      int
}

func qualities(g *table.Group, r *table.Row) (all []quality) {
	if f := r.Failure; f != nil {
		return []quality{{"suite-measured",
			r.Label + ": could not be measured: " + f.Title + ": " + display.FirstLine(f.Message),
			fingerprint(g.Name, r.Name, ""), "critical", r.File, r.Line}}
	}
	for i := range r.Gates {
		gate := &r.Gates[i]
		if severity := severityOf(gate); severity != "" {
			text := r.Label + ": " + table.GateName(gate) + ": " + gate.Verdict
			if gate.Reason != "" {
				text += ": " + gate.Reason
			}
			all = append(all, quality{"suite-gate", text, fingerprint(g.Name, r.Name, gate.ID),
				severity, gate.File, gate.Line})
		}
	}
	return all
}

// severityOf returns the severity of a gate, or "" if the report leaves it out.
func severityOf(g *table.Gate) string {
	switch {
	case g.Verdict == string(result.Pass), g.Verdict == string(result.NotJudged):
		return ""
	case g.Fatal && g.Verdict == string(result.Error):
		return "critical"
	case g.Fatal:
		return "major"
	case g.Verdict == string(result.Fail) && g.Term == "":
		return "minor"
	}
	return "info"
}

// fingerprint is the same for the same gate in every run.
func fingerprint(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

func (q quality) text(o table.Options) string {
	const object = `{"description": %s, "check_name": %s, "fingerprint": %s, "severity": %s, ` +
		`"location": {"path": %s, "lines": {"begin": %d}}}`
	return fmt.Sprintf(object,
		display.JSON(display.Shorten(q.description, mostDescription)), display.JSON(q.check), display.JSON(q.print),
		display.JSON(q.severity), display.JSON(o.RepoPath(q.file)), max(1, q.line))
}

// mostDescription is the greatest width of a description, in columns.
const mostDescription = 600
