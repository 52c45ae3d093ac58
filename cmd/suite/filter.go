package main

import (
	"example.com/suite/internal/filter"
	"example.com/suite/spec"
	"github.com/spf13/cobra"
)

// filterFlags adds the flags that choose cases.
func filterFlags(c *cobra.Command, e env, f *filter.Filter) {
	c.Flags().StringArrayVar(&f.Only, "only", nil,
		"only the case `NAME`, the cases below it (NAME/…), or the cases that match it (* matches any "+
			"text); repeatable")
	c.Flags().StringArrayVar(&f.Skip, "skip", nil,
		"skip the case `NAME`, the cases below it or the cases that match it; repeatable")
	c.Flags().StringArrayVar(&f.Tags, "tag", nil, "only cases with this `TAG`; if repeated, with any of the tags")
	names := completer{e}.fromCases(func(c *spec.Case) []string { return []string{c.Name} })
	tags := completer{e}.fromCases(func(c *spec.Case) []string { return c.Tags })
	complete(c, "only", names)
	complete(c, "skip", names)
	complete(c, "tag", tags)
}
