package main

import (
	"example.com/suite/gate"
	"example.com/suite/internal/saved"
	"example.com/suite/report/table"
	"example.com/suite/result"
	"github.com/spf13/cobra"
)

const reportHelp = `Render results that suite run wrote with --out json=FILE, in any format. The exit
status is 0 if that worked, whatever the verdicts in them are.

Several results become one report: results of several suites, or of one suite that was
measured in parts. No case may be in two of them; suite compare shows such results side
by side. A file of hyperfine --export-json is read as a suite with the name hyperfine.`

func (e env) reportCommand() *cobra.Command {
	var o outputs
	c := &cobra.Command{
		Use: "report RESULT.json…", Short: "render saved results again", Long: reportHelp,
		Example: "  suite report result.json\n  suite report --out junit=junit.xml result.json\n  suite report --format markdown shard-*.json",
		Args:    files("a result file"),
		RunE:    func(_ *cobra.Command, args []string) error { return e.report(args, &o) },
	}
	o.flags(c)
	return c
}

func (e env) report(paths []string, o *outputs) error {
	if err := o.check(); err != nil {
		return err
	}
	if err := o.spareResults(paths); err != nil {
		return err
	}
	docs, err := saved.ReadAll(paths, "")
	if err != nil {
		return err
	}
	doc, err := result.Join(docs)
	if err != nil {
		return hinted{err.Error(), "suite compare shows results of the same cases side by side"}
	}
	if len(docs) > 1 {
		doc.Orders = gate.Orders(doc.Cases) // the sizes of one function may be in different results
		if err := sealAll(doc, docs); err != nil {
			return err
		}
	}
	if err := o.checkView(table.NamesOf(doc)); err != nil {
		return err
	}
	_, err = e.writeAll(doc, o)
	return err
}

// sealAll seals a joined document if all the documents in it are sealed. Otherwise its
// digest would confirm contents that somebody has changed.
func sealAll(doc *result.Document, from []*result.Document) error {
	for _, d := range from {
		if !d.Sealed() {
			return nil
		}
	}
	return doc.Seal()
}

// spareResults refuses targets that would replace a result that is read.
func (o *outputs) spareResults(paths []string) error { return o.spareFiles("result", paths) }
