package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/filter"
	"example.com/suite/internal/saved"
	"example.com/suite/internal/units"
	"example.com/suite/report/explain"
	"example.com/suite/report/table"
	"example.com/suite/report/text"
	"example.com/suite/result"
	"example.com/suite/runner/process"
	"github.com/spf13/cobra"
)

const explainHelp = `Explain the verdicts of a case in plain words: how it was measured, what its pairs with
a base show (as a drawing, and how the evidence grew), what decided each gate, and
which warnings there are.

Without a result, the last run of all is explained, and with a suite file the last run
of that file: suite keeps the results of the last 20 sets of suite files in the user's
cache, at most 256 MiB.

CASE is the name of a case, the first part of several names (NAME/…), or a pattern in
which * is any text. Without CASE, every case that could not be measured or has a gate
that did not pass is explained or, if there is none, every case.`

func (e env) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use: "explain [RESULT.json|SUITE.yaml] [CASE…]", Short: "explain verdicts in plain words", Long: explainHelp, DisableFlagsInUseLine: true,
		Example:           "  suite explain\n  suite explain hash/sha256\n  suite explain suite.yaml\n  suite explain result.json hash/sha256",
		ValidArgsFunction: e.resultCases,
		RunE:              func(_ *cobra.Command, args []string) error { return e.explainCases(args) },
	}
}

func (e env) explainCases(args []string) error {
	path, _, _, err := e.resultPath(args)
	if err != nil {
		return err
	}
	doc, patterns, err := e.readResult(args)
	if err != nil {
		return err
	}
	cases, err := casesToExplain(doc, patterns)
	if err != nil {
		return err
	}
	var stories []table.Story
	for _, c := range cases {
		story := explain.Case(doc, c)
		if lines := pprofCommands(saved.ProfileFolder(path), c); len(lines) > 0 {
			story.Parts = append(story.Parts, table.Part{Head: "look closer", Lines: lines})
		}
		stories = append(stories, story)
	}
	return text.Stories(e.stdout, stories, e.textOptions())
}

// casesToExplain are in the order of the document. Without patterns they are the
// troubled cases or, if there are none, all of them.
func casesToExplain(doc *result.Document, patterns []string) ([]*result.Case, error) {
	for _, pattern := range patterns {
		if !slices.ContainsFunc(caseNames(doc), func(name string) bool { return filter.Match(pattern, name) }) {
			return nil, noSuchCase(doc, pattern)
		}
	}
	wanted := func(c *result.Case) bool {
		return slices.ContainsFunc(patterns, func(pattern string) bool { return filter.Match(pattern, c.Name) })
	}
	if len(patterns) == 0 {
		wanted = troubled
	}
	cases := picked(doc, wanted)
	if len(cases) == 0 {
		cases = picked(doc, func(*result.Case) bool { return true })
	}
	if len(cases) == 0 {
		return nil, diag.Hinted("the result has no cases", "")
	}
	return cases, nil
}

func picked(doc *result.Document, wanted func(*result.Case) bool) (cases []*result.Case) {
	for i := range doc.Cases {
		if wanted(&doc.Cases[i]) {
			cases = append(cases, &doc.Cases[i])
		}
	}
	return cases
}

// troubled reports whether a case could not be measured or has a gate that did not pass.
func troubled(c *result.Case) bool {
	return c.Status != result.Measured || slices.ContainsFunc(c.Gates, func(g result.Gate) bool { return g.Verdict != result.Pass })
}

func noSuchCase(doc *result.Document, pattern string) error {
	names := caseNames(doc)
	hint := fmt.Sprintf("it has %s, the first is %q", units.Plural(len(names), "case"), append(names, "")[0])
	if near, ok := diag.Nearest(pattern, names); ok {
		hint = fmt.Sprintf("did you mean %q?", near)
	} else if n := filter.Containing(pattern, names); n > 0 {
		hint = fmt.Sprintf("'*%s*' matches %s", pattern, units.Plural(n, "case"))
	}
	return diag.Hinted(fmt.Sprintf("the result has no case %q", pattern), hint)
}

func caseNames(doc *result.Document) (names []string) {
	for i := range doc.Cases {
		names = append(names, doc.Cases[i].Name)
	}
	return names
}

// resultCases completes cases of the result that the first argument means. A first
// argument that begins no case of the last run is completed with files.
func (e env) resultCases(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	path, rest, _, err := e.resultPath(args)
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	doc, err := saved.Read(path)
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	if len(rest) == len(args) { // no result is named yet
		return caseNames(doc), cobra.ShellCompDirectiveDefault
	}
	return caseNames(doc), cobra.ShellCompDirectiveNoFileComp
}

// pprofCommands lists the commands that open the profiles of a case, if the files are there.
func pprofCommands(folder string, c *result.Case) (lines []table.Line) {
	if c.Profiling == nil {
		return nil
	}
	current, _ := os.Getwd() // CommandLine changes into no other folder
	for i := range c.Profiling.Profiles {
		p := &c.Profiling.Profiles[i]
		here := filepath.Join(folder, p.Here.File)
		if p.Here.File == "" || !isFile(here) {
			continue
		}
		words := []string{"go", "tool", "pprof", "-http=:"}
		if p.Base != nil && isFile(filepath.Join(folder, p.Base.File)) {
			words = append(words, "-diff_base", filepath.Join(folder, p.Base.File))
		}
		lines = append(lines, table.Line{Text: process.CommandLine(current, append(words, here)), Item: true})
	}
	return lines
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
