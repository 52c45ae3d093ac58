package ci

import "io"

// Output is standard output. It has no other writers than these, so that no line of what is
// printed is a command of a CI system.
type Output struct {
	w       io.Writer
	present bool // a CI system seems to read it
}

// NewOutput finds out from the environment whether a CI system reads w.
func NewOutput(w io.Writer, variable func(string) string) Output { return Output{w, Present(variable)} }

// Text is for text that people read.
func (o Output) Text() io.Writer { return Guard(o.w) }

// Report is for a report of this format, or of another kind of file. JSON keeps its values. Other
// files for programs are changed only if a CI system seems to read them; github consists of
// commands.
func (o Output) Report(format string) io.Writer {
	switch format {
	case "text":
		return o.Text()
	case "github":
		return o.w
	case "json", "jsonl", "sarif", "gitlab", "bmf", "hyperfine", "customSmallerIsBetter", "customBiggerIsBetter":
		return GuardJSON(o.w)
	}
	switch {
	case !o.present:
		return o.w
	case format == "openmetrics" || format == "prometheus":
		return GuardLabels(o.w)
	}
	return GuardFile(o.w)
}
