package main

import (
	"example.com/suite/schemas"
	"github.com/spf13/cobra"
)

// schemaCommand is suite schema.
type schemaCommand struct{ env env }

func (cmd *schemaCommand) command() *cobra.Command {
	known := map[string]func() []byte{"suite": schemas.Suite, "result": schemas.Result, "bisect": schemas.Bisect}
	return &cobra.Command{
		Use: "schema suite|result|bisect", Short: "print a JSON Schema", DisableFlagsInUseLine: true,
		Long: "Print the JSON Schema of suite files, for editors, of the result document, or of\nwhat suite " +
			"bisect writes.",
		Example: "  suite schema suite > suite.schema.json\n  suite schema result",
		Args:    oneOf("schema"), ValidArgs: []string{"suite", "result", "bisect"},
		RunE: func(_ *cobra.Command, args []string) error {
			_, err := cmd.env.stdout.Report("json").Write(known[args[0]]())
			return err
		},
	}
}
