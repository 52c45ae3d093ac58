package table

import (
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/display"
	"example.com/suite/internal/self"
	"example.com/suite/internal/units"
	"example.com/suite/result"
)

// Failure is why a case could not be measured.
type Failure struct {
	Label   string
	Suite   string
	Cause   string // as in the document: crash, panic, timeout …
	Title   string // panic in run, batch 3, after 1.2 s
	Message string
	Ended   string   // exit status 2, signal killed; empty if neither is known or the message contains it
	Lines   []string // last lines of standard error, or the panic and the top of its stack
	Hint    string
	Place   string
	To      string // where a page has that place
}

// NewFailure describes the failure of a case.
func NewFailure(label string, c *result.Case) Failure {
	f := c.Failure
	out := Failure{
		Label: label, Suite: c.Suite, Cause: string(f.Cause), Title: failureTitle(c),
		Message: strings.TrimPrefix(display.StripANSI(f.Message), string(f.Cause)+": "),
		Ended:   ended(f), Lines: detail(f.Detail), Hint: f.Hint, Place: c.Place.String(),
	}
	if strings.Contains(out.Message, out.Ended) {
		out.Ended = ""
	}
	if f.Batch > 0 {
		out.Title += fmt.Sprintf(", batch %d", f.Batch)
	}
	if f.Elapsed > 0 {
		out.Title += ", after " + units.Format(f.Elapsed, "s")
	}
	return out
}

func ended(f *result.Failure) string {
	switch {
	case f.Signal != "":
		return "signal " + f.Signal
	case f.Exit != nil:
		return fmt.Sprintf("exit status %d", *f.Exit)
	}
	return ""
}

const (
	lastLines = 5 // of standard error: enough for a message and its context
	topFrames = 4 // of a stack, two lines each
)

// detail is the useful part of a failed program's output: the message of a panic and
// the first frames of the measured code, or the last lines of any other output.
func detail(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	lines := display.VisibleLines(text)
	if head, stack, ok := splitStack(lines); ok {
		return append(last(head), frames(stack)...)
	}
	return last(lines)
}

func last(lines []string) []string { return lines[max(0, len(lines)-lastLines):] }

// splitStack cuts at "goroutine 1 [running]:", the first line of a Go stack.
func splitStack(lines []string) (head, stack []string, ok bool) {
	for i, l := range lines {
		if strings.HasPrefix(l, "goroutine ") && strings.HasSuffix(l, ":") {
			return trimBlank(lines[:i]), lines[i+1:], true
		}
	}
	return nil, nil, false
}

func trimBlank(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// frames are the first frames of a stack, each a line for the function and an
// indented one for its place. Frames of the Go runtime above the measured code and of
// the host below it are left out: they do not show the cause.
func frames(stack []string) []string {
	// The frames above panic belong to the code that recovered it.
	if at := slices.IndexFunc(stack, func(l string) bool { return strings.HasPrefix(l, "panic(") }); at >= 0 {
		stack = stack[at:]
	}
	var kept []string
	for i := 0; i+1 < len(stack) && stack[i] != "" && len(kept) < 2*topFrames; i += 2 {
		switch name := stack[i]; {
		case strings.HasPrefix(name, "created by "):
			return kept
		case strings.HasPrefix(name, self.Module+"/runner/host."):
			return kept // the caller of the body
		case strings.HasPrefix(name, "runtime."), strings.HasPrefix(name, "runtime/"),
			strings.HasPrefix(name, "panic("):
		default:
			kept = append(kept, name, place(stack[i+1]))
		}
	}
	return kept
}

// place cuts a frame's place after its line number. What follows is the offset in the
// function and, after SIGQUIT, 60 columns of registers, which would push the file
// name out of the line.
func place(line string) string {
	file, _, _ := strings.Cut(line, " +0x")
	return file
}

// failureTitle is the cause and the phase. A case that vanished has no phase, because
// it never began.
func failureTitle(c *result.Case) string {
	if c.IsVanished() {
		return string(c.Failure.Cause)
	}
	return fmt.Sprintf("%s in %s", c.Failure.Cause, c.Failure.Phase)
}
