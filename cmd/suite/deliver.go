package main

import (
	"errors"
	"io"
	"os"
	"strings"

	"example.com/suite/internal/saved"
	"example.com/suite/internal/terminal"
	"example.com/suite/report"
	"example.com/suite/report/page"
	"example.com/suite/report/page/text"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

// deliver writes every report and returns those that were written. If one cannot be
// written, deliver explains why, still writes the others, saves the result elsewhere, and
// returns exit status 3.
func (o *outputs) deliver(e env, doc *result.Document) (written []report.Target, failed error) {
	written, failed = o.writeAll(e, doc)
	if failed != nil {
		salvageResult(e, doc, written)
	}
	return written, failed
}

func (o *outputs) writeAll(e env, doc *result.Document) (written []report.Target, failed error) {
	for _, out := range o.parsed {
		if err := o.write(e, doc, out); err != nil {
			failed = e.fail(err)
			continue
		}
		written = append(written, out)
		if out.Format != "json" || out.IsStdout() {
			continue
		}
		if err := saved.WriteProfiles(out.File, o.profiles); err != nil {
			failed = e.fail(err)
		}
	}
	if err := o.reportToCI(e, doc); err != nil {
		failed = e.fail(err)
	}
	return written, failed
}

func (o *outputs) write(e env, doc *result.Document, out report.Target) error {
	return e.writeTarget(out, func(w io.Writer) error {
		return report.Render(w, out.Format, doc, o.tableOptions(e, out))
	})
}

// writePage writes a page, or the same as JSON, to every target. If one fails, it prints the error and
// writes the others.
func (o *outputs) writePage(e env, page []page.Block, json func(io.Writer) error) (failed error) {
	for _, t := range o.parsed {
		render := json
		if t.Format == formatText {
			render = func(w io.Writer) error { return text.Write(w, page, text.Options{}) }
		}
		err := error(nil)
		if t.IsStdout() && t.Format == formatText {
			err = e.printPage(page...)
		} else {
			err = e.writeTarget(t, render)
		}
		if err != nil {
			failed = e.fail(err)
		}
	}
	return failed
}

// writeTarget writes a report to its file, or on standard output.
func (e env) writeTarget(t report.Target, render func(w io.Writer) error) error {
	if t.IsStdout() {
		return render(e.stdout.Report(t.Format))
	}
	return e.writeFile(t.File, render)
}

// writeFile is report.WriteFile for a file that the user names, which may be a pipe.
func (e env) writeFile(file string, render func(io.Writer) error) error {
	return e.signals.AwaitReader(file, func() error { return report.WriteFile(file, render) })
}

// salvageResult runs after a report could not be written. It prints which reports were, and
// if none of them is the whole result, saves it in the temporary or the current folder.
func salvageResult(e env, doc *result.Document, written []report.Target) {
	var places []string
	whole := false
	for _, t := range written {
		places = append(places, t.String())
		whole = whole || t.Format == "json"
	}
	if len(places) > 0 {
		e.say("written all the same: %s", strings.Join(places, ", "))
	}
	if whole {
		return
	}
	for _, dir := range []string{os.TempDir(), "."} {
		if path, err := saveResult(dir, doc); err == nil {
			e.say("the result is in %s; suite report renders it", path)
			return
		}
	}
	e.say("the result could not be written anywhere")
}

// saveResult writes the result to a new file in dir and returns its path.
func saveResult(dir string, doc *result.Document) (path string, err error) {
	f, err := os.CreateTemp(dir, "suite-result-*.json")
	if err != nil {
		return "", err
	}
	err = errors.Join(report.Render(f, "json", doc, table.Options{}), f.Close())
	if err != nil {
		os.Remove(f.Name())
	}
	return f.Name(), err
}

// The flags about layout concern only the table on standard output; a file shows
// everything.
func (o *outputs) tableOptions(e env, out report.Target) table.Options {
	options := e.reportOptions()
	options.View = table.View{All: true}
	if out.IsStdout() {
		options.Color = e.color
		options.View = o.view
	}
	options.ASCII = terminal.DrawsASCII(e.variable)
	options.Spelt = terminal.IsASCII(e.variable)
	options.Timestamps = o.stamps
	options.Site = o.site
	return options
}
