package hyperfine

import (
	"io"

	"example.com/suite/internal/jsondoc"
	"example.com/suite/result"
)

// Write writes the commands of a document. It leaves out functions, because they have
// none of the user time, system time and exit status that readers expect, and runs that
// are not in the headline. A run that the timeout killed has the time until then, and a
// null exit status.
func Write(w io.Writer, doc *result.Document) error {
	file := File{Results: []Result{}}
	for i := range doc.Cases {
		if c := &doc.Cases[i]; isCommand(c) {
			file.Results = append(file.Results, entry(doc.Label(c), c))
		}
	}
	return jsondoc.Write(w, file)
}

func isCommand(c *result.Case) bool {
	return c.Status == result.Measured && (c.Kind == result.KindCommand || c.Kind == result.KindShell) &&
		c.Summary("wall") != nil
}

// entry uses a command's wall time, whatever clock the suite chose: hyperfine has no
// other.
func entry(label string, c *result.Case) Result {
	s, rows := c.Summary("wall"), c.Samples.HeadlineRows("wall")
	r := Result{
		Command: label,
		Mean:    s.Mean,
		Median:  s.Median,
		Min:     s.Min,
		Max:     s.Max,
		User:    mean(c, "user"),
		System:  mean(c, "system"),
	}
	if s.N > 1 {
		r.StdDev = &s.StdDev
	}
	if c.Samples.Taken == 0 { // else rows are summaries of runs
		r.Times, r.Memory = column(c, "wall", rows), column(c, "rss", rows)
		r.ExitCodes = exitCodes(c, rows)
	}
	if len(c.Params) > 0 {
		r.Parameters = map[string]string{}
	}
	for _, p := range c.Params {
		r.Parameters[p.Name] = p.Text
	}
	return r
}

// mean is nil if a case does not have the metric: unknown is not zero.
func mean(c *result.Case, metric string) *float64 {
	if s := c.Summary(metric); s != nil {
		return &s.Mean
	}
	return nil
}

// column is nil if any of the rows has no number.
func column(c *result.Case, metric string, rows []int) (xs []float64) {
	col := c.Samples.Columns[metric]
	if col == nil {
		return nil
	}
	for _, row := range rows {
		if col[row] != col[row] {
			return nil
		}
		xs = append(xs, col[row])
	}
	return xs
}

func exitCodes(c *result.Case, rows []int) (codes []*int) {
	col := c.Samples.Columns["exit_code"]
	if col == nil {
		return nil
	}
	for _, row := range rows {
		if col[row] != col[row] { // ended by a signal or the timeout
			codes = append(codes, nil)
			continue
		}
		code := int(col[row])
		codes = append(codes, &code)
	}
	return codes
}
