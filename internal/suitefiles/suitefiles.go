// Package suitefiles finds the suite files that arguments mean: files, folders and globs.
// Its errors name similar files, or the suite files that are there. It does not load what
// it finds.
package suitefiles

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/gate/accept"
	"example.com/suite/internal/diag"
	"example.com/suite/internal/paths"
	"example.com/suite/internal/scaffold"
	"example.com/suite/internal/shellword"
	"example.com/suite/internal/units"
	"example.com/suite/spec"
	"github.com/bmatcuk/doublestar/v4"
)

// MostNamed is how many files a message names. It counts the others.
const MostNamed = 5

// Resolve turns arguments into suite files: files as they are, folders to the suite files
// directly in them, globs (with **) to what they match outside of hidden folders.
// Files come in the order of the arguments, sorted within each; a file named twice
// counts once. skipped contains the .yaml files of folders that are no suite files.
func Resolve(args []string) (all, skipped []string, err error) {
	for _, arg := range args {
		found, others, err := resolve(arg)
		if err != nil {
			return nil, nil, err
		}
		all, skipped = append(all, found...), append(skipped, others...)
	}
	return units.Distinct(all), units.Distinct(skipped), nil
}

func resolve(arg string) (found, skipped []string, err error) {
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		return InFolder(arg)
	case err == nil:
		return []string{arg}, nil, nil
	case strings.ContainsAny(arg, "*?[{"):
		found, err = glob(arg)
		return found, nil, err
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, NotFound(arg)
	}
	return nil, nil, err
}

// InFolder parts the .yaml files of a folder into suite files and others.
func InFolder(dir string) (found, skipped []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, entry := range entries {
		file := filepath.Join(dir, entry.Name())
		if !IsName(entry.Name()) || paths.IsFolder(file) {
			continue
		}
		if is, err := spec.IsSuite(file); is || err != nil { // loading the file reports the error
			found = append(found, file)
		} else {
			skipped = append(skipped, file)
		}
	}
	switch {
	case len(found) == 0 && len(skipped) == 0:
		return nil, nil, diag.Hinted(fmt.Sprintf("folder %q has no .yaml file", dir), hintBelow(dir, hintPackage(dir)))
	case len(found) == 0:
		return nil, nil, diag.Hinted(fmt.Sprintf("folder %q has no suite file: %s", dir,
			units.List(skipped, MostNamed)),
			hintBelow(dir, "a suite file has benchmarks: in it, or is called NAME.suite.yaml"))

	}
	return found, skipped, nil
}

// hintPackage is the hint for a folder with Go tests, which go test would take. It is empty for other folders.
func hintPackage(dir string) string {
	if tests, err := filepath.Glob(filepath.Join(dir, "*_test.go")); err != nil || len(tests) == 0 {
		return ""
	}
	return hintPackages(dir)
}

// hintPackages says where packages are named.
func hintPackages(pattern string) string {
	return "a suite file names packages: gotest: " + pattern + "; suite init writes one"
}

// hintBelow names the suite files below a folder. Without any it returns the other hint.
func hintBelow(dir, other string) string {
	below := Below([]string{dir})
	if len(below) == 0 {
		return other
	}
	return fmt.Sprintf("folders below have %s: name them, or %s", units.List(below, MostNamed),
		shellword.Quote(filepath.Join(dir, "**", "*.yaml")))
}

// mostEntries is how many files and folders are looked at below a folder.
const mostEntries = 10_000

// Below lists the suite files in folders below the folders of args, which Resolve leaves out.
// Hidden folders are not searched. In a large tree the list is not complete.
func Below(args []string) (found []string) {
	left := mostEntries
	for _, dir := range args {
		if !paths.IsFolder(dir) {
			continue
		}
		_ = fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
			left--
			switch {
			case left < 0:
				return fs.SkipAll
			case err != nil || d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
				return fs.SkipDir // a folder that cannot be read is not searched
			case d.IsDir() || !d.Type().IsRegular() || !strings.Contains(name, "/") || !IsName(d.Name()):
				return nil
			}
			file := filepath.Join(dir, filepath.FromSlash(name))
			if is, err := spec.IsSuite(file); is && err == nil {
				found = append(found, file)
			}
			return nil
		})
	}
	return units.Distinct(found)
}

// IsName reports whether the name of a file allows a suite file. Hidden files belong to
// other programs, and accept.FileName lists accepted changes in the same folder.
func IsName(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return (ext == ".yaml" || ext == ".yml") && !strings.HasPrefix(name, ".") && name != accept.FileName
}

func glob(pattern string) ([]string, error) {
	found, err := doublestar.FilepathGlob(pattern, doublestar.WithFilesOnly(), doublestar.WithNoHidden())
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", pattern, err)
	}
	// in the same folder, and no suite file
	found = slices.DeleteFunc(found, func(path string) bool { return filepath.Base(path) == accept.FileName })
	if len(found) == 0 {
		return nil, diag.Hinted(fmt.Sprintf("no file matches %q", pattern), "")
	}
	slices.Sort(found)
	return found, nil
}

// NotFound is the error for a suite file that does not exist. The hint names a similar
// file, or else the suite files that are here.
func NotFound(path string) error {
	hint := ""
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	for _, near := range []string{path + scaffold.Ending, stem + scaffold.Ending, path + ".yaml", stem + ".yaml",
		path + ".yml", stem + ".yml"} {
		if info, err := os.Stat(near); hint == "" && err == nil && info.Mode().IsRegular() {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
	}
	hint = cmp.Or(hint, paths.DidYouMean(path))
	switch {
	case filepath.Base(path) == "...":
		hint = hintPackages(path)
	case hint == "" && filepath.Dir(path) == ".":
		hint = HintHere()
	}
	return diag.Hinted(fmt.Sprintf("no file %q", path), hint)
}

// Only returns the suite file of the current folder and of its folder for benchmarks if
// there is exactly one, else "".
func Only() string {
	here, err := scaffold.SuiteFiles(".")
	if err != nil || len(here) != 1 {
		return ""
	}
	return here[0]
}

// HintHere names the suite files of the current folder in a hint, or the command
// that writes a first one.
func HintHere() string {
	here, err := scaffold.SuiteFiles(".")
	switch {
	case err != nil:
		return ""
	case len(here) == 0:
		return "suite init writes a first one"
	case len(here) == 1:
		return "the suite file here is " + here[0]
	}
	return "the suite files here are " + units.List(here, MostNamed)
}
