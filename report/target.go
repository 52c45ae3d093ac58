package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/paths"
)

// Target is one report, FORMAT=FILE. The file - is standard output.
type Target struct{ Format, File string }

// ParseTargets returns the reports that --format and the values of --out ask for. If none of them is on standard
// output, the text for people is the first. It returns all problems at once, also files that cannot be written.
// known refuses formats; nil: KnownFormat.
func ParseTargets(format string, out []string, known func(format string) error) (all []Target, problems []error) {
	if format != "" {
		all = []Target{{Format: format, File: "-"}}
	}
	for _, text := range out {
		t, err := ParseTarget(text)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		all = append(all, t)
	}
	if !slices.ContainsFunc(all, Target.IsStdout) {
		// written first: somebody is waiting for it
		all = slices.Insert(all, 0, Target{Format: "text", File: "-"})
	}
	if known == nil {
		known = KnownFormat
	}
	for i, t := range all {
		if err := t.Check(known, all[:i]); err != nil {
			problems = append(problems, err)
		}
	}
	return all, problems
}

// ParseTarget reads a value of --out. It does not check the format and the file.
func ParseTarget(text string) (Target, error) {
	format, file, ok := strings.Cut(text, "=")
	if !ok || file == "" {
		return Target{}, diag.Hinted(fmt.Sprintf("--out %q: want FORMAT=FILE", text), "for example "+exampleOut(text))
	}
	if comma := strings.LastIndex(file, ","); comma >= 0 {
		if next, _, ok := strings.Cut(file[comma+1:], "="); ok && slices.Contains(FormatNames(), next) {
			return Target{}, diag.Hinted(fmt.Sprintf("--out %q: one report for each --out", text),
				fmt.Sprintf("--out %s=%s --out %s", format, file[:comma], file[comma+1:]))
		}
	}
	if slices.Contains(stdoutFiles, file) {
		file = "-"
	}
	return Target{format, file}, nil
}

// stdoutFiles are names of standard output as a file. What is written there has to pass through the
// writer that keeps commands of CI systems out.
var stdoutFiles = []string{"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}

// endings are the formats that people mean by the ending of a file's name.
var endings = map[string]string{
	".json": "json",
	".xml":  "junit",
	".html": "html",
	".md":   "markdown",
	".csv":  "csv",
	".txt":  "text",
}

// exampleOut completes a value of --out that is only a format or only a file.
func exampleOut(text string) string {
	text = strings.TrimSuffix(text, "=")
	ending := filepath.Ext(text)
	switch {
	case slices.Contains(FormatNames(), text):
		return "--out " + text + "=FILE"
	case endings[ending] != "" && text != ending:
		return "--out " + endings[ending] + "=" + text
	}
	return "--out junit=report.xml"
}

// IsStdout reports whether the report is written to standard output.
func (t Target) IsStdout() bool { return t.File == "-" }

// HasStamps reports whether numbers of the format can have timestamps.
func (t Target) HasStamps() bool {
	return slices.ContainsFunc(Formats(), func(f Format) bool { return f.Name == t.Format && f.Stamps })
}

// String names the file as messages do.
func (t Target) String() string {
	if t.IsStdout() {
		return "standard output"
	}
	return t.File
}

// Check fails if known refuses the format, if the target cannot be written, or if it is the
// same file as an earlier one.
func (t Target) Check(known func(format string) error, earlier []Target) error {
	if err := known(t.Format); err != nil {
		return err
	}
	same := func(other Target) bool { return other.place() == t.place() }
	taken := slices.ContainsFunc(earlier, same)
	switch {
	case taken && t.IsStdout():
		return diag.Hinted("two reports cannot share standard output", "give one of them a file: --out FORMAT=FILE")
	case taken:
		return diag.Hinted(fmt.Sprintf("two reports go to %q", t.File), "give each a file of its own")
	case t.IsStdout():
		return nil
	}
	return CheckFile(t.File)
}

// IsFile reports whether the report is written to a file, which may have another name in the
// target.
func (t Target) IsFile(file string) bool {
	return !t.IsStdout() && t.place() == Target{File: file}.place()
}

// place is the real path of the file, so that two names of one file are equal.
func (t Target) place() string {
	if t.IsStdout() {
		return t.File
	}
	return paths.Real(t.File)
}

// KnownFormat fails if Render does not know a format.
func KnownFormat(name string) error {
	if format := endings["."+name]; format != "" && format != name {
		return diag.Hinted(fmt.Sprintf("unknown format %q", name), fmt.Sprintf("did you mean %q?", format))
	}
	return diag.OneOf("format", name, FormatNames())
}
