// Command validate checks JSON files against the schemas of suite. It reads questions, each a
// JSON array of a schema (suite, result or bisect) and a file, and answers each with a line:
// null if the file is valid, else a JSON string that explains why not. Tests run it as a program
// of its own, because the package that validates takes 6 ms to initialise, and every suite
// and host that a script starts would wait for that.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"example.com/suite/schemas"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var known = map[string]func() []byte{"suite": schemas.Suite, "result": schemas.Result, "bisect": schemas.Bisect}

func main() {
	if err := answer(json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)); err != nil {
		fmt.Fprintln(os.Stderr, "validate:", err)
		os.Exit(2)
	}
}

// answer answers questions until there are no more.
func answer(in *json.Decoder, out *json.Encoder) error {
	compiled := map[string]*jsonschema.Schema{}
	for {
		var question [2]string
		if err := in.Decode(&question); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		name, file := question[0], question[1]
		if compiled[name] == nil {
			schema, err := compile(name)
			if err != nil {
				return err
			}
			compiled[name] = schema
		}
		var problem any
		if err := validate(compiled[name], file); err != nil {
			problem = err.Error()
		}
		if err := out.Encode(problem); err != nil {
			return err
		}
	}
}

func compile(name string) (*jsonschema.Schema, error) {
	text := known[name]
	if text == nil {
		return nil, fmt.Errorf("unknown schema %q: suite, result or bisect", name)
	}
	rules, err := jsonschema.UnmarshalJSON(bytes.NewReader(text()))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", rules); err != nil {
		return nil, err
	}
	return c.Compile("schema.json")
}

// validate returns nil if the file contains a document that the schema allows.
func validate(schema *jsonschema.Schema, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return schema.Validate(document)
}
