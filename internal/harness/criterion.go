package harness

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/suite/stats"
)

// criterion is the harness of Rust. It is told a time, in seconds, and divides it into ten samples with iterations of
// its own choice, after a warm-up as long. Versions before 0.4 take whole seconds only.
//
// It writes a folder for each benchmark below CRITERION_HOME. What it finds there from a run before, it compares with:
// each sample has a new folder.
type criterion struct{ whole bool }

// cargo starts benchmark programs with --bench; without it they only try themselves.
func (criterion) List() Request { return Request{Args: []string{"--bench", "--list"}} }

// Names takes the lines that end as the versions write them: ": bench" before 0.5, ": benchmark" since.
func (c criterion) Names(out Output) (names []string, err error) {
	for line := range strings.Lines(string(out.Text)) {
		line = strings.TrimRight(line, "\r\n")
		if name, ok := strings.CutSuffix(line, ": benchmark"); ok {
			names = append(names, name)
		} else if name, ok := strings.CutSuffix(line, ": bench"); ok && !c.whole {
			return nil, fmt.Errorf("it lists %s as criterion before 0.5 does: harness: criterion-0.3", quote(name))
		} else if ok {
			names = append(names, name)
		}
	}
	return names, nil
}

// The fewest samples that it takes are 10. 1001 resamples are the fewest without a warning: its own statistics are not
// used.
func (c criterion) Run(name string, a Amount) Request {
	seconds := strconv.FormatFloat(a.Seconds, 'f', -1, 64)
	if c.whole {
		seconds = strconv.FormatFloat(max(math.Ceil(a.Seconds), 1), 'f', -1, 64)
	}
	return Request{Results: "CRITERION_HOME=", Args: []string{
		"--bench", "--noplot", "--sample-size", "10", "--nresamples", "1001",
		"--warm-up-time", seconds, "--measurement-time", seconds,
		"^" + regexp.QuoteMeta(name) + "$",
	}}
}

// criterionSample is its sample.json: iterations and ns of each of its samples.
type criterionSample struct {
	Iterations []float64 `json:"iters"`
	Times      []float64 `json:"times"`
}

// Time is the median of its samples' times of an iteration: an interruption of one of them moves it little.
func (criterion) Time(out Output, name string, _ Amount) (float64, error) {
	found, err := criterionResults(out.Results, name)
	switch {
	case err != nil:
		return 0, err
	case len(found) == 0:
		return 0, fmt.Errorf("it wrote no result of %s below CRITERION_HOME", quote(name))
	case len(found) > 1:
		return 0, fmt.Errorf("several benchmarks have the name %s, and it cannot tell them apart", quote(name))
	}
	s := found[0]
	if len(s.Times) == 0 || len(s.Times) != len(s.Iterations) {
		return 0, fmt.Errorf("its result of %s has %d times of %d samples", quote(name),
			len(s.Times), len(s.Iterations))
	}
	each := make([]float64, len(s.Times))
	for i := range each {
		each[i], err = perIteration(name, s.Times[i]/1e9, s.Iterations[i])
		if err != nil {
			return 0, err
		}
	}
	return stats.Median(each), nil
}

// criterionResults reads the samples of all benchmarks of a name. The name is in benchmark.json, in the same folder:
// names of folders are cut and lack characters.
func criterionResults(home, name string) (found []criterionSample, err error) {
	err = filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "benchmark.json" || filepath.Base(filepath.Dir(path)) != "new" {
			return err
		}
		var id struct {
			Name string `json:"full_id"`
		}
		if err := readJSON(path, &id); err != nil || id.Name != name {
			return err
		}
		var s criterionSample
		if err := readJSON(filepath.Join(filepath.Dir(path), "sample.json"), &s); err != nil {
			return err
		}
		found = append(found, s)
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return found, err
}

// readJSON reads a result file. The error has the file's name without the folder that only this run has.
func readJSON(path string, to any) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		return fmt.Errorf("its result file %s cannot be read: %w", filepath.Base(path), err)
	}
	return nil
}

// Locate makes of `cargo bench --bench parse -- more` what builds the program and prints JSON.
func (criterion) Locate(argv []string) []string {
	cargo, _ := beforeDashes(argv)
	tool := strings.TrimSuffix(filepath.Base(argv[0]), ".exe")
	if tool != "cargo" || !slices.Contains(cargo, "bench") {
		return nil
	}
	return slices.Concat(cargo, []string{"--no-run", "--message-format=json-render-diagnostics"})
}

func beforeDashes(argv []string) (before, after []string) {
	if i := slices.Index(argv, "--"); i >= 0 {
		return argv[:i:i], argv[i+1:]
	}
	return argv, nil
}

// Program takes the program of the one target of kind bench. cargo starts it in the folder of its package.
func (criterion) Program(argv []string, out []byte) (program []string, dir string, err error) {
	var names []string
	for line := range bytes.Lines(out) {
		var m struct {
			Reason     string `json:"reason"`
			Manifest   string `json:"manifest_path"`
			Executable string `json:"executable"`
			Target     struct {
				Kind []string `json:"kind"`
				Name string   `json:"name"`
			} `json:"target"`
		}
		if json.Unmarshal(line, &m) != nil || m.Reason != "compiler-artifact" || m.Executable == "" ||
			!slices.Contains(m.Target.Kind, "bench") {
			continue
		}
		names = append(names, m.Target.Name)
		program, dir = []string{m.Executable}, filepath.Dir(m.Manifest)
	}
	switch len(names) {
	case 0:
		return nil, "", errors.New("cargo builds no program with benchmarks: is there a [[bench]] with harness = " +
			"false in Cargo.toml?")
	case 1:
		_, more := beforeDashes(argv)
		return append(program, more...), dir, nil
	}
	return nil, "", fmt.Errorf("cargo builds several programs with benchmarks, %s: name one with --bench",
		strings.Join(names, ", "))
}
