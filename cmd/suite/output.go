package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/report"
	"github.com/spf13/cobra"
)

// outputs are where reports go.
type outputs struct {
	format string
	out    []string
	parsed []target
}

// target is one report: FORMAT=FILE, where - is standard output.
type target struct{ format, file string }

func (o *outputs) flags(c *cobra.Command) {
	list := strings.Join(formatNames(), ", ")
	c.Flags().StringVar(&o.format, "format", "", "`FORMAT` of the report on standard output, text unless given: "+list)
	c.Flags().StringArrayVarP(&o.out, "out", "o", nil, "write a further report to a file, `FORMAT=FILE`; - is standard output instead of the table; repeatable")
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formatNames(), cobra.ShellCompDirectiveNoFileComp)) // fails only for an unknown flag
}

func formatNames() (names []string) {
	for _, f := range report.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// check parses the targets and finds out before anything is measured whether
// they can be written.
func (o *outputs) check() error {
	if o.format != "" {
		o.parsed = []target{{o.format, "-"}}
	}
	for _, text := range o.out {
		format, file, ok := strings.Cut(text, "=")
		if !ok || file == "" {
			return hinted{fmt.Sprintf("--out %q: want FORMAT=FILE", text), "for example --out junit=report.xml"}
		}
		o.parsed = append(o.parsed, target{format, file})
	}
	if !slices.ContainsFunc(o.parsed, target.isStdout) {
		o.parsed = slices.Insert(o.parsed, 0, target{"text", "-"}) // what people read comes first
	}
	for i, t := range o.parsed {
		if err := t.check(o.parsed[:i]); err != nil {
			return err
		}
	}
	return nil
}

func (t target) isStdout() bool { return t.file == "-" }

// check refuses a target that cannot be written, or would replace an earlier one.
func (t target) check(earlier []target) error {
	if err := knownFormat(t.format); err != nil {
		return err
	}
	same := func(other target) bool { return filepath.Clean(other.file) == filepath.Clean(t.file) }
	switch taken := slices.ContainsFunc(earlier, same); {
	case taken && t.isStdout():
		return hinted{"two reports cannot share standard output", "give one of them a file: --out FORMAT=FILE"}
	case taken:
		return hinted{fmt.Sprintf("two reports go to %q", t.file), "give each a file of its own"}
	case t.isStdout():
		return nil
	}
	return writable(t.file)
}

func knownFormat(name string) error {
	if names := formatNames(); !slices.Contains(names, name) {
		return unknown("format", name, names)
	}
	return nil
}

// writable tries what WriteFile will do: make a file in the folder.
func writable(file string) error {
	dir := filepath.Dir(file)
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return hinted{fmt.Sprintf("cannot write %q: it is a folder", file), "name a file in it"}
	} else if err == nil && !info.Mode().IsRegular() {
		return nil // a device or a pipe
	}
	if _, err := os.Stat(dir); err != nil {
		return hinted{fmt.Sprintf("cannot write %q: folder %q does not exist", file, dir), "mkdir -p " + dir}
	}
	probe, err := os.CreateTemp(dir, ".suite-*")
	if err != nil {
		return hinted{fmt.Sprintf("cannot write %q: %v", file, err), "is the folder read-only or the disk full?"}
	}
	probe.Close()
	return os.Remove(probe.Name())
}
