package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/manual"
	"example.com/suite/internal/suitefiles"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The error names the command nearest to the first argument.
func noSuchCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range c.Root().Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" { // cobra does not count it
			names = append(names, sub.Name())
		}
	}
	if suitefiles.IsName(filepath.Base(args[0])) {
		return diag.Hinted(fmt.Sprintf("unknown command %q", args[0]), "suite run "+args[0])
	}
	if command := manual.OtherCommand(args[0]); command != "" {
		return diag.Hinted(fmt.Sprintf("unknown command %q", args[0]), command)
	}
	return diag.Unknown("command", args[0], names)
}

// flagError replaces errors of pflag: an unknown flag returns the nearest one as a hint,
// and a bad value an error without the names of Go functions.
func flagError(c *cobra.Command, err error) error {
	var missing *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &missing) && missing.GetSpecifiedShortnames() == "":
		return unknownFlag(c, missing.GetSpecifiedName())
	case errors.As(err, &missing):
		err = fmt.Errorf("unknown flag -%s", missing.GetSpecifiedName())
		if hint := manual.HabitHint(c, missing.GetSpecifiedName()); hint != "" {
			return diag.Hinted(err.Error(), hint)
		}
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		err = fmt.Errorf("flag --%s: %q is not a %s",
			f.Name, invalid.GetValue(), cmp.Or(valueWords[f.Value.Type()], f.Value.Type()))
		if f.Value.Type() == "bool" {
			return diag.Hinted(fmt.Sprintf("flag --%s takes no value, got %q", f.Name, invalid.GetValue()),
				"--"+f.Name+", or leave it out")
		}
	}
	return diag.Hinted(err.Error(), c.CommandPath()+" --help lists the flags")
}

func unknownFlag(c *cobra.Command, name string) error {
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	hint := c.CommandPath() + " --help lists the flags"
	if run, _, _ := c.Root().Find([]string{"run"}); c.Name() == "fleet" && run.Flags().Lookup(name) != nil {
		hint = fmt.Sprintf("flags of suite run follow --: suite fleet slurm suite.yaml -n 4 -- --%s …", name)
	} else if habit := manual.HabitHint(c, name); habit != "" {
		hint = habit
	} else if near, ok := diag.Nearest(name, names); ok {
		hint = fmt.Sprintf("did you mean --%s?", near)
	}
	return diag.Hinted(fmt.Sprintf("unknown flag --%s", name), hint)
}

// files accepts one argument or more. what names them in the error for none.
func files(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return diag.Hinted(fmt.Sprintf("%s needs %s", c.CommandPath(), what),
				"for example: "+strings.TrimSpace(strings.SplitN(c.Example, "\n", 2)[0]))
		}
		return nil
	}
}

// nothing accepts no arguments.
func nothing(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return diag.Hinted(fmt.Sprintf("%s takes no argument, got %q", c.CommandPath(), args[0]),
			c.CommandPath()+" --help")
	}
	return nil
}

// oneOf accepts one of the command's ValidArgs.
func oneOf(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != 1 {
			return diag.Hinted(fmt.Sprintf("%s needs one of %s", c.CommandPath(), strings.Join(c.ValidArgs, ", ")),
				c.CommandPath()+" "+c.ValidArgs[0])
		}
		return diag.OneOf(what, args[0], c.ValidArgs)
	}
}

// valueWords are the types of flags in words.
var valueWords = map[string]string{"int": "whole number", "float64": "number", "bool": "choice between true and false"}
