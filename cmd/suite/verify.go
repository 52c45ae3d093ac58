package main

import (
	"errors"
	"fmt"

	"example.com/suite/gate/verify"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/saved"
	"example.com/suite/internal/signature"
	"example.com/suite/result"
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

// verifyCommand is suite verify.
type verifyCommand struct {
	env env
	key string // public key of minisign, or its file
}

func (cmd *verifyCommand) command() *cobra.Command {
	c := &cobra.Command{
		Use: "verify RESULT.json…", Short: "compute a saved result again", Long: verifyHelp,
		DisableFlagsInUseLine: true,
		Example:               "  suite verify result.json\n  suite verify --key minisign.pub result.json",
		Args:                  files("a result file"),
		ValidArgsFunction:     resultFiles,
		RunE:                  func(_ *cobra.Command, args []string) error { return cmd.run(args) },
	}
	c.Flags().StringVar(&cmd.key, "key", "",
		"require a signature by the minisign key in `FILE`, or by the public key itself")
	complete(c, "key", filesEnding("pub"))
	return c
}

// run checks each file, also after one that differs.
func (cmd *verifyCommand) run(paths []string) error {
	signer, err := signature.ReadKey(cmd.key)
	if err != nil {
		return err
	}
	differs := false
	for _, path := range paths {
		var doc *result.Document
		if signer == nil {
			doc, err = saved.Read(path)
		} else {
			doc, err = signer.Read(path, func(line string) { _ = cmd.env.printLine(line) })
		}
		var refused signature.Refused
		switch {
		case errors.As(err, &refused):
			if err := cmd.env.printLine(path + ": NOT VERIFIED: " + string(refused)); err != nil {
				return err
			}
			differs = true
			continue
		case err != nil:
			return err
		}
		r, err := verify.Document(doc, version())
		if err != nil {
			return diag.Hinted(fmt.Sprintf("%s: %v", path, err),
				"it was changed since suite wrote it, or written by another version")
		}
		if err := cmd.env.printPage(r.Page(path)); err != nil {
			return err
		}
		differs = differs || len(r.Findings) > 0
	}
	if differs {
		return status(exitDiffers)
	}
	return nil
}

// exitDiffers is the status for a document that differs from what its samples imply.
const exitDiffers = 1
