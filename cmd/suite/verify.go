package main

import (
	"fmt"
	"strings"

	"example.com/suite/gate/verify"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/display"
	"example.com/suite/internal/units"
	"github.com/spf13/cobra"
)

const verifyHelp = `Compute everything in a result again, from the result alone. Every coin that decided
which side goes first in a pair is drawn again from the seed, and summaries, comparisons
and verdicts are computed from the raw samples. The digest of the document is checked,
and its cases and gates are compared with the plan in it. Nothing is measured.

Everything that differs is listed, and everything that nothing in the document confirms.
The exit status is 1 if anything differs, 0 if everything follows from the samples,
whatever the verdicts are, and 2 if a file is no result.

Whoever edits a document can also compute its digest again. With --key each result needs
a signature by the owner of that public key, made by the program minisign in the file
RESULT.json.minisig: minisign -S -m RESULT.json makes one.`

func (e env) verifyCommand() *cobra.Command {
	var key string
	c := &cobra.Command{
		Use: "verify RESULT.json…", Short: "compute a saved result again", Long: verifyHelp, DisableFlagsInUseLine: true,
		Example: "  suite verify result.json\n  suite verify --key minisign.pub result.json", Args: files("a result file"), ValidArgsFunction: resultFiles,
		RunE: func(_ *cobra.Command, args []string) error { return e.verify(args, key) },
	}
	c.Flags().StringVar(&key, "key", "", "require a signature by the minisign key in `FILE`, or by the public key itself")
	complete(c, "key", filesEnding("pub"))
	return c
}

// verify checks each file, also after one that differs.
func (e env) verify(paths []string, key string) error {
	signer, err := readKey(key)
	if err != nil {
		return err
	}
	differs := false
	for _, path := range paths {
		doc, problem, err := e.readSigned(path, signer)
		switch {
		case err != nil:
			return err
		case problem != "":
			fmt.Fprintln(e.stdout, display.Visible(path+": NOT VERIFIED: "+problem))
			differs = true
			continue
		}
		r, err := verify.Document(doc, version())
		if err != nil {
			return diag.Hinted(fmt.Sprintf("%s: %v", path, err), "it was changed since suite wrote it, or written by another version")
		}
		e.printFindings(path, r)
		differs = differs || len(r.Findings) > 0
	}
	if differs {
		return status(exitDiffers)
	}
	return nil
}

// mostFindings is the number of findings that are printed. One changed sample causes about
// ten.
const mostFindings = 40

// exitDiffers is the status for a document that differs from what its samples imply.
const exitDiffers = 1

func (e env) printFindings(path string, r *verify.Report) {
	for _, f := range r.Findings[:min(len(r.Findings), mostFindings)] {
		fmt.Fprintln(e.words(), display.Visible(found(f)))
	}
	if more := len(r.Findings) - mostFindings; more > 0 {
		fmt.Fprintf(e.stdout, "and %s\n", units.Plural(more, "more difference"))
	}
	for _, what := range r.Taken {
		fmt.Fprintln(e.words(), display.Visible(path+": taken as it is: "+what))
	}
	fmt.Fprintln(e.words(), display.Visible(path+": "+concluded(r)))
}

func found(f verify.Finding) string {
	where := f.What
	if f.Case != "" {
		where = fmt.Sprintf("case %q: %s", f.Case, f.What)
	}
	return fmt.Sprintf("%s: the document has %s; recomputed: %s", where, f.Stored, f.Recomputed)
}

// concluded is the last line about a file: the verdict, and how much was checked.
func concluded(r *verify.Report) string {
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
