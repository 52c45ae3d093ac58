package bisect

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"example.com/suite/internal/atomicfile"
)

// State is what is kept of a search until it is over, in a file.
type State struct {
	Schema   string   `json:"schema"`
	Identity Identity `json:"asked"`
	Events   []Event  `json:"events"`
}

// Identity is what a search is about. Answers of another search are of no use for it.
type Identity struct {
	File       string  `json:"file"` // whole path of the suite file
	Hash       string  `json:"hash"` // of its text
	Case       string  `json:"case"`
	Good       string  `json:"good"` // full hash
	Bad        string  `json:"bad"`  // full hash
	Tolerance  float64 `json:"tolerance"`
	Confidence float64 `json:"confidence"`
	Settings   string  `json:"settings,omitempty"` // of the command line
	Host       string  `json:"host"`               // hash of the timing code
}

const stateSchema = "suite-bisect-state/1"

// loadState returns the events of an earlier part of a search, nil if there are none, if they
// belong to another search, or if the file is damaged.
func loadState(path string, identity Identity) []Event {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var s State
	if json.Unmarshal(text, &s) != nil || s.Schema != stateSchema || s.Identity != identity {
		return nil
	}
	return s.Events
}

// saveState replaces the file in one step, so that a crash leaves the earlier one.
func saveState(path string, identity Identity, events []Event) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "\t")
	if err := encoder.Encode(State{Schema: stateSchema, Identity: identity, Events: events}); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return atomicfile.Write(path, text.Bytes(), 0o600)
}

// removeState forgets a search.
func removeState(path string) error {
	err := os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
