package extract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
)

// Path checks the path of a number in JSON: names and positions with points
// between them, as gjson has them: results.0.ms. The error says what is wrong,
// and what to write instead.
func Path(path string) error {
	if strings.HasPrefix(path, "$") || strings.HasPrefix(path, ".") && !strings.HasPrefix(path, "..") || strings.ContainsAny(path, "[]") && !strings.ContainsAny(path, "#{") {
		return fmt.Errorf("%s is not a path as suite reads them: write %s", quote(path), quote(plainPath(path)))
	}
	return nil
}

// plainPath turns .results[0].ms, as jq writes it, into results.0.ms.
func plainPath(path string) string {
	path = strings.NewReplacer("[", ".", "]", "", `"`, "", "'", "").Replace(strings.TrimPrefix(path, "$"))
	return strings.Trim(path, ".")
}

// byPath finds a number in the JSON that was printed: the whole text, or, where
// that is not JSON as a whole, the last line that is and has the path.
func byPath(path string) (func([]byte) (float64, error), error) {
	if err := Path(path); err != nil {
		return nil, err
	}
	return func(text []byte) (float64, error) {
		if json.Valid(text) { // gjson's own check has no limit of depth: 15 MB of "[" ended the host
			return value(gjson.GetBytes(text, path), path)
		}
		some := false
		for line := range backwards(text) {
			if !mayBeJSON(line) || !json.Valid(line) {
				continue
			}
			some = true
			if found := gjson.GetBytes(line, path); found.Exists() {
				return value(found, path)
			}
		}
		if some {
			return 0, fmt.Errorf("no line of JSON has %s", quote(path))
		}
		return 0, errors.New("neither the whole nor any line of it is JSON")
	}, nil
}

func mayBeJSON(line []byte) bool {
	line = bytes.TrimLeft(line, " \t")
	return len(line) > 0 && (line[0] == '{' || line[0] == '[')
}

// value is a number, or text that holds one.
func value(found gjson.Result, path string) (float64, error) {
	switch {
	case !found.Exists():
		return 0, fmt.Errorf("the JSON has no %s", quote(path))
	case found.Type == gjson.Number:
		return number(found.Raw)
	case found.Type == gjson.String:
		return number(strings.TrimSpace(found.Str))
	}
	return 0, fmt.Errorf("%s in the JSON is %s, not a number", quote(path), quote(found.Raw))
}
