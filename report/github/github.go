// Package github writes a table as annotations for GitHub Actions.
package github

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// Render writes workflow commands, which GitHub Actions shows as annotations at the lines
// of the suite file, errors first. Actions shows ten of each level per step, so the tenth
// summarizes all that are left. Options.Path makes paths relative to the repository.
func Render(w io.Writer, t *table.Table, o table.Options) error {
	var out strings.Builder
	for _, level := range []string{"error", "warning", "notice"} {
		for _, a := range aggregated(annotations(t, level)) {
			out.WriteString(a.command(o))
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// mostAnnotations is the number of annotations per level that a step shows.
const mostAnnotations = 10

// annotation is one remark on a line of a file; file is empty for the whole run.
type annotation struct {
	level, file, title, message string
	line                        int
}

// annotations returns the annotations of one level: an error makes the run fail, a
// warning did not pass but does not, a notice is accepted. Skipped gates have none.
func annotations(t *table.Table, level string) (all []annotation) {
	for i := range t.Groups {
		for _, change := range t.Groups[i].Relaxed {
			all = append(all, annotation{"warning", t.Groups[i].File, "gates", change, 1})
		}
		for j := range t.Groups[i].Rows {
			all = append(all, rowAnnotations(&t.Groups[i].Rows[j])...)
		}
	}
	if !slices.ContainsFunc(all, isError) && t.Outcome.Exit != 0 {
		all = append(all, annotation{"error", "", "suite", t.Outcome.String(), 0})
	} else {
		all = append(all, annotation{summaryLevel(t.Outcome), "", "suite", t.Outcome.String(), 0})
	}
	return slices.DeleteFunc(all, func(a annotation) bool { return a.level != level })
}

// summaryLevel returns the level of the answer: nothing that is undecided looks like a run
// in which all is well.
func summaryLevel(o result.Outcome) string {
	if o.Undecided != "" {
		return "warning"
	}
	return "notice"
}

func isError(a annotation) bool { return a.level == "error" }

func rowAnnotations(r *table.Row) (all []annotation) {
	if f := r.Failure; f != nil {
		text := strings.Join(table.NotEmpty(append([]string{f.Title + ": " + f.Message, f.Ended}, f.Lines...)), "\n")
		return []annotation{{"error", r.File, r.Label + ": could not be measured", text, r.Line}}
	}
	for _, remark := range r.Remarks {
		all = append(all, annotation{"notice", r.File, r.Label + ": moved, no verdict", remark, r.Line})
	}
	for i := range r.Gates {
		g := &r.Gates[i]
		if level := annotationLevel(g); level != "" {
			all = append(all, annotation{level, g.File, r.Label + ": " + g.ID, table.GateText(r, g), g.Line})
		}
	}
	return all
}

func annotationLevel(g *table.Gate) string {
	switch {
	case g.Fatal:
		return "error"
	case g.Verdict == string(result.Pass), g.Verdict == string(result.NotJudged):
		return ""
	case g.Term != "":
		return "notice"
	}
	return "warning"
}

// aggregated replaces the tenth annotation and all after it by one that lists them.
func aggregated(all []annotation) []annotation {
	if len(all) <= mostAnnotations {
		return all
	}
	shown := slices.Clone(all[:mostAnnotations])
	rest := all[mostAnnotations-1:]
	var titles []string
	for _, a := range rest[:min(len(rest), mostTitles)] {
		titles = append(titles, a.title)
	}
	if n := len(rest) - len(titles); n > 0 {
		titles = append(titles, fmt.Sprintf("and %d more", n))
	}
	last := &shown[mostAnnotations-1]
	last.title, last.message = fmt.Sprintf("%d more", len(rest)), strings.Join(titles, "\n")
	return shown
}

// mostTitles bounds the list in an annotation that replaces others.
const mostTitles = 50

// mostMessage is the length of a message in bytes; GitHub refuses more than 64 KiB.
const mostMessage = 4000

// command writes the annotation as a line.
func (a annotation) command(o table.Options) string {
	command := diag.Annotation{Level: a.level, Title: a.title, Message: strings.Split(harmless(a.message), "\n")}
	if a.file != "" {
		command.File, command.Line = o.RepoPath(a.file), a.line
	}
	return command.String()
}

// harmless keeps the lines of a message and makes each of them visible.
func harmless(s string) string {
	text := strings.Join(display.VisibleLines(s), "\n")
	if len(text) > mostMessage {
		text = strings.ToValidUTF8(text[:mostMessage], "") + "…"
	}
	return text
}
