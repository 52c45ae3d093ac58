// Command validate checks a JSON file against a schema of suite. Scripts of tests run it as a
// program of its own, because the package that validates takes 6 ms to initialise, and every
// suite and host that a script starts would wait for that.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"example.com/suite/schemas"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var known = map[string]func() []byte{"suite": schemas.Suite, "result": schemas.Result, "bisect": schemas.Bisect}

func main() {
	if len(os.Args) != 3 || known[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: validate suite|result|bisect FILE")
		os.Exit(2)
	}
	if err := validate(known[os.Args[1]](), os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// validate returns nil if the file contains a document that the schema allows.
func validate(schema []byte, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	rules, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	c := jsonschema.NewCompiler()
	err = errors.Join(err, c.AddResource("schema.json", rules))
	if err != nil {
		return err
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		return err
	}
	return compiled.Validate(document)
}
