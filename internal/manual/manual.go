// Package manual writes the manual pages of commands, in the macros of man(7). They are
// made of the same texts as --help, so that they cannot differ from it. It also knows what
// people type who know other tools. It reads commands and flags of cobra, and runs none.
package manual

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Name is the name of a command's page: suite, suite-run.
func Name(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// Page is the page of a command. version is suite's.
func Page(c *cobra.Command, version string) string {
	m := &man{}
	m.line(".TH", strings.ToUpper(Name(c)), "1", "", "suite "+version, "suite")
	m.section("NAME")
	m.text(Name(c) + " - " + c.Short)
	m.section("SYNOPSIS")
	m.line(".B", c.CommandPath())
	m.text(strings.TrimSpace(strings.TrimPrefix(c.UseLine(), c.CommandPath())))
	m.section("DESCRIPTION")
	m.paragraphs(c.Long)
	if !c.HasParent() {
		m.section("COMMANDS")
		for _, sub := range c.Commands() {
			m.item(bold(sub.Name()), sub.Short)
		}
	}
	c.InitDefaultHelpFlag()
	m.section("OPTIONS")
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			m.option(f)
		}
	})
	if c.Example != "" {
		m.section("EXAMPLES")
		m.verbatim(c.Example)
	}
	m.section("SEE ALSO")
	m.seeAlso(c)
	return m.b.String()
}

// man is a page that is being written.
type man struct{ b strings.Builder }

// line writes a macro with its arguments in quotes.
func (m *man) line(macro string, args ...string) {
	m.b.WriteString(macro)
	for _, arg := range args {
		m.b.WriteString(` "` + strings.ReplaceAll(roff(arg), `"`, `\(dq`) + `"`)
	}
	m.b.WriteString("\n")
}

func (m *man) section(name string) { m.line(".SH", name) }

// text writes lines of running text.
func (m *man) text(text string) {
	for line := range strings.Lines(text) {
		m.b.WriteString(harmlessLine(roff(strings.TrimRight(line, "\n"))) + "\n")
	}
}

// paragraphs writes a help text. Blocks of indented lines stay as they are.
func (m *man) paragraphs(text string) {
	for i, block := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			m.b.WriteString(".PP\n")
		}
		if strings.HasPrefix(block, "  ") {
			m.verbatim(block)
			continue
		}
		m.text(block)
	}
}

// verbatim writes lines that are neither filled nor adjusted.
func (m *man) verbatim(text string) {
	m.b.WriteString(".nf\n")
	m.text(text)
	m.b.WriteString(".fi\n")
}

// item writes a paragraph with a heading that is formatted already.
func (m *man) item(heading, text string) {
	m.b.WriteString(".TP\n" + heading + "\n")
	m.text(text)
}

func (m *man) option(f *pflag.Flag) {
	value, usage := pflag.UnquoteUsage(f)
	heading := bold("--" + f.Name)
	if f.Shorthand != "" {
		heading = bold("-"+f.Shorthand) + ", " + heading
	}
	switch {
	case value != "" && f.NoOptDefVal != "":
		heading += "[=\\fI" + roff(value) + "\\fR]"
	case value != "":
		heading += " \\fI" + roff(value) + "\\fR"
	}
	isZero := f.DefValue == "" || f.DefValue == "false" || f.DefValue == "[]" || f.DefValue == "0s"
	if !isZero {
		usage += fmt.Sprintf(" (default %s)", f.DefValue)
	}
	m.item(heading, usage)
}

// seeAlso names the pages of the other commands.
func (m *man) seeAlso(c *cobra.Command) {
	var names []string
	if c.HasParent() {
		names = append(names, bold(Name(c.Root()))+"(1)")
	}
	for _, other := range c.Root().Commands() {
		if other != c {
			names = append(names, bold(Name(other))+"(1)")
		}
	}
	m.b.WriteString(strings.Join(names, ",\n") + "\n")
}

func bold(text string) string { return `\fB` + roff(text) + `\fR` }

// roff escapes what has a meaning inside a line.
func roff(text string) string { return roffEscapes.Replace(text) }

var roffEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)

// harmlessLine keeps a line of text from being a macro.
func harmlessLine(line string) string {
	if strings.HasPrefix(line, ".") {
		return `\&` + line
	}
	return line
}
