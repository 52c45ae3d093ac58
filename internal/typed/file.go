package typed

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/spec"
)

// Stdout is the name of a file that means standard output.
const Stdout = "-"

// WriteFile writes what was typed to a new suite file, or to stdout if its name is Stdout.
// overrides become defaults of the file. It returns the number of cases in the file.
func (in *Input) WriteFile(file string, stdout io.Writer, overrides spec.Overrides) (cases int, err error) {
	name := filepath.Base(file)
	if file == Stdout {
		name = "FILE"
	}
	o := Options{Settings: settingsOf(overrides), Edit: true,
		Head: []string{"Commands that were typed: suite run --write. Measure them: suite run " + name,
			"All keys and their defaults: suite schema suite, docs/suite-file.md"}}
	folder, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return 0, err
	}
	here, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	if file != Stdout && folder != here {
		o.Folder, err = filepath.Rel(folder, here)
		if err != nil {
			o.Folder = here
		}
		if in.Build != "" {
			return 0, diag.Hinted(fmt.Sprintf("--build runs in the folder of the suite file, and %q is in another one",
				file), "write the file into the current folder")
		}
	}
	text, problems := in.Suite(o)
	if problems != nil {
		return 0, problems.Err()
	}
	if file == Stdout {
		_, err := stdout.Write(text.Bytes())
		return text.Cases, err
	}
	if _, problems := spec.Parse(file, text.Bytes(), nil); problems != nil {
		return 0, text.Explain(file, problems).Err()
	}
	return text.Cases, create(file, text.Bytes())
}

// create writes a file that does not exist yet.
func create(name string, text []byte) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	switch {
	case errors.Is(err, fs.ErrExist):
		return diag.Hinted(fmt.Sprintf("--write %q: there is such a file", name),
			"give another name: no file is replaced")
	case err != nil:
		return diag.Hinted(fmt.Sprintf("--write %q: %v", name, diag.WithoutPath(err)),
			"name a file in a folder that can be written; --write - prints it")
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

// settingOrder is the order of settings in a file that is written. Others follow by name.
var settingOrder = []string{"warmup", "samples.min", "samples.max", "target_time", "max_time", "timeout"}

func settingsOf(overrides spec.Overrides) (all []Setting) {
	var keys []string
	for key := range overrides {
		keys = append(keys, key)
	}
	rank := func(key string) string {
		if i := slices.Index(settingOrder, key); i >= 0 {
			return fmt.Sprint(i)
		}
		return key
	}
	slices.SortFunc(keys, func(a, b string) int { return strings.Compare(rank(a), rank(b)) })
	for _, key := range keys {
		all = append(all, Setting{Key: key, Value: overrides[key]})
	}
	return all
}
