// Package typed turns commands that were typed on a command line into the text of a suite
// file, so that the rest of the program sees an ordinary suite. It remembers which flag each
// line of the text comes from: nobody wrote the text, so problems in it are reported at the
// flag. Package typed runs nothing. It looks for the programs and files that commands name,
// and writes the text to a file if that is wanted.
package typed

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/units"
)

// Input is what was typed: commands, and the flags about them. Each of the hooks, and each
// of Names, has as many items as there are commands, or one item, or none. One hook is for
// all commands.
type Input struct {
	Commands []Command
	Names    []string
	Matrix   []string // NAME=VALUES

	Setup, Prepare, Conclude, Cleanup []string
	Build                             string
	Stdin, Stdout                     string
	ExitCodes                         string // any, or numbers between commas
	Shell                             bool   // commands and hooks are texts for sh

	// Paired compares the cases with the first one.
	Paired bool
	// Env has the values of environment variables that names of cases may contain.
	Env func(string) (string, bool)
}

// Command is one command: the words after a --, or the line of a --command.
type Command struct {
	Words []string // nil: Line
	Line  string
}

// label is how messages name the command.
func (c *Command) label() diag.Place {
	if c.Words == nil {
		return flagPlace("command", c.Line)
	}
	return diag.Place{File: strings.TrimSpace("-- " + diag.Clip(strings.Join(c.Words, " ")))}
}

// A place in a flag has no line.
func flagPlace(flag, value string) diag.Place {
	return diag.Place{File: "--" + flag + " " + diag.Quote(value)}
}

// mostCases is how many cases may be typed. At a second each they take a quarter of an hour.
const mostCases = 1000

// Text is the text of a suite file.
type Text struct {
	lines  []string
	places []diag.Place   // of the flag that each line comes from
	joined map[int]string // by the line of a command after a second --, see Joined
	Cases  int
}

// Bytes is the text as it is in a file.
func (t *Text) Bytes() []byte { return []byte(strings.Join(t.lines, "\n") + "\n") }

// Joined returns the command at a place of the text and the one before it as one command, with
// the -- between them, as a line for --command. It is empty if there is no -- between them.
func (t *Text) Joined(at diag.Place) string { return t.joined[at.Line] }

// addLine appends a line that comes from a flag. Without a flag the place is zero.
func (t *Text) addLine(at diag.Place, format string, args ...any) {
	t.lines = append(t.lines, fmt.Sprintf(format, args...))
	t.places = append(t.places, at)
}

// Explain moves problems from the lines of the text, whose file is called name, to the flags
// that the lines come from.
func (t *Text) Explain(name string, problems diag.Problems) diag.Problems {
	moved := slices.Clone(problems)
	for i := range moved {
		p := &moved[i]
		if p.File == name && p.Line > 0 && p.Line <= len(t.places) {
			p.Place = t.places[p.Line-1]
			if p.Shell {
				p.Hint = "--shell runs the commands with sh; in quotes of its own it is plain text"
			}
		}
	}
	return moved
}

// bench is one command as a benchmark of the suite file.
type bench struct {
	command Command
	at      diag.Place
	name    string            // a template
	params  []string          // names of the parameters that it uses, in the order of Matrix
	hooks   map[string]string // by key
}

// builder makes a Text.
type builder struct {
	*Input
	axes    []axis
	benches []bench
	diag.Collector
}

// hookKeys are the keys of the hooks, in the order in which they run.
var hookKeys = []string{"setup", "prepare", "conclude", "cleanup"}

func (in *Input) hook(key string) []string {
	return map[string][]string{"setup": in.Setup, "prepare": in.Prepare, "conclude": in.Conclude,
		"cleanup": in.Cleanup}[key]
}

// Suite writes the text of a suite file, or finds problems.
func (in *Input) Suite(o Options) (*Text, diag.Problems) {
	b := &builder{Input: in}
	b.readMatrix()
	b.checkCounts()
	if len(b.Found) > 0 {
		return nil, b.Found
	}
	for i := range in.Commands {
		b.bench(i)
	}
	b.unused()
	if len(b.Found) > 0 {
		return nil, b.Found.Sort()
	}
	cases, names := b.cases()
	if len(b.Found) > 0 {
		return nil, b.Found
	}
	t := b.write(o, names)
	t.Cases = cases
	return t, nil
}

func (b *builder) fail(at diag.Place, hint, format string, args ...any) {
	b.Add(diag.Problem{Place: at, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// checkCounts refuses flags that are given more often than there are commands.
func (b *builder) checkCounts() {
	n := len(b.Commands)
	counted := units.Plural(n, "command")
	if len(b.Names) > n {
		b.fail(flagPlace("name", b.Names[n]), "each --name names one command, in their order",
			"there is no command for it: %d names and %s", len(b.Names), counted)
	}
	for _, key := range hookKeys {
		if all := b.hook(key); len(all) > 1 && len(all) != n {
			b.fail(flagPlace(key, all[len(all)-1]), fmt.Sprintf("give --%s once for all commands, or once for each",
				key), "--%s is given %d times for %s", key, len(all), counted)
		}
	}
}

// bench reads command i.
func (b *builder) bench(i int) {
	c := b.Commands[i]
	one := bench{command: c, at: c.label(), hooks: map[string]string{}}
	if !b.isCommand(&c, one.at) {
		return
	}
	texts := map[string]diag.Place{b.Stdin: flagPlace("stdin", b.Stdin), b.Stdout: flagPlace("stdout", b.Stdout)}
	if c.Words == nil {
		one.command.Line = b.braces(c.Line)
		texts[one.command.Line] = one.at
	}
	one.command.Words = slices.Clone(c.Words)
	for j, word := range c.Words {
		one.command.Words[j] = b.braces(word)
		texts[b.braces(word)] = one.at
	}
	one.name = one.command.name()
	if i < len(b.Names) {
		one.name = b.braces(b.Names[i])
		texts[one.name] = flagPlace("name", b.Names[i])
	}
	for _, key := range hookKeys {
		all := b.hook(key)
		if len(all) == 0 {
			continue
		}
		text := all[min(i, len(all)-1)]
		one.hooks[key] = b.braces(text)
		texts[one.hooks[key]] = flagPlace(key, text)
	}
	one.params = b.uses(texts)
	one.name = b.distinct(&one)
	b.benches = append(b.benches, one)
}

// isCommand reports whether there is something to run, and adds a problem if not.
func (b *builder) isCommand(c *Command, at diag.Place) bool {
	text := c.Line
	if len(c.Words) > 0 {
		text = c.Words[0]
	}
	switch {
	case strings.TrimSpace(text) == "":
		b.fail(at, "for example: suite run -- ls -l", "the command is empty")
	case !utf8.ValidString(c.Line) || !allUTF8(c.Words):
		b.fail(at, "put it into a script", "the command is not UTF-8")
	case b.Shell && len(c.Words) > 1:
		b.fail(at, "put it in quotes: --shell -- 'ls -l | wc -l'",
			"with --shell a command is one text, and this one has %d words", len(c.Words))
	default:
		return true
	}
	return false
}

// allUTF8 looks at each word: two halves of a character in two words are not UTF-8.
func allUTF8(words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !utf8.ValidString(word) })
}

// longestName leaves room for the values of parameters: a name may have 200 characters.
const longestName = 100

// A command without a --name is named after itself, on one line.
func (c *Command) name() string {
	name := strings.Join(strings.Fields(strings.Join(append(c.Words, c.Line), " ")), " ")
	if utf8.RuneCountInString(name) <= longestName {
		return name
	}
	return strings.ReplaceAll(string([]rune(name)[:longestName-1]), "${", "$${") + "…"
}

// distinct adds to the name of a benchmark the parameters that it lacks: its cases need
// different names.
func (b *builder) distinct(one *bench) string {
	name := one.name
	t, err := lang.ParseTemplate(lang.Text{Value: name}, b.names())
	if err != nil {
		return name // reported by uses
	}
	for _, param := range one.params {
		if !slices.Contains(t.Uses(), param) {
			name += "/${" + param + "}"
		}
	}
	return name
}
