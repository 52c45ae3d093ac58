package history

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
)

// Export writes runs as JSON lines, each run followed by its cases. Import reads them again.
func Export(w io.Writer, entries []Entry) error {
	for i := range entries {
		if err := entries[i].Run.writeLines(w); err != nil {
			return err
		}
	}
	return nil
}

// IsExport reports whether a text begins as Export writes it.
func IsExport(text []byte) bool { return bytes.HasPrefix(text, []byte(`{"schema":"suite-history/`)) }

// Import reads what Export wrote.
func Import(text []byte) (runs []*Run, err error) {
	if !IsExport(text) {
		return nil, errors.New("not written by suite history export")
	}
	for n, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		if bytes.HasPrefix(line, []byte(`{"schema":`)) {
			run, err := parseRun(line)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n+1, err)
			}
			runs = append(runs, run)
			continue
		}
		var c Case
		if err := json.Unmarshal(line, &c); err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
		if c.Name == "" {
			return nil, fmt.Errorf("line %d: neither a run nor a case: it has no name of a case", n+1)
		}
		last := runs[len(runs)-1]
		last.Cases = append(last.Cases, c)
	}
	return runs, nil
}
