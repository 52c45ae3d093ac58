package typed

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/lazy"
	"gopkg.in/yaml.v3"
)

// Options are about the text itself.
type Options struct {
	// Head is a comment at the top, line by line.
	Head []string
	// Settings are written as defaults, in this order.
	Settings []Setting
	// Folder is the path from the folder of the file to the folder in which the commands
	// were typed, empty if they are the same.
	Folder string
	// Edit adds comments about what to add, for those who go on with the file.
	Edit bool
}

// Setting is a setting of all cases: samples.min, 20.
type Setting struct{ Key, Value string }

// write writes the suite file. names are the names of the first case of each command.
func (b *builder) write(o Options, names []string) *Text {
	t := &Text{joined: map[int]string{}}
	for _, line := range o.Head {
		t.addLine(diag.Place{}, "%s", strings.TrimSpace("# "+line))
	}
	if b.Build != "" {
		t.addLine(flagPlace("build", b.Build), "build: %s", b.hookText(b.Build))
	}
	b.defaults(t, o)
	t.addLine(diag.Place{}, "benchmarks:")
	for i := range b.benches {
		b.benchmark(t, i, names)
	}
	if o.Edit {
		b.advise(t, names)
	}
	return t
}

// comments explain settings to those who edit the file.
var comments = map[string]string{
	"warmup": "before the first sample, thrown away", "target_time": "measured time of a case",
	"max_time": "ends a case always", "precision": "ends a case when it is known so well",
	"timeout": "of one run",
}

// defaults writes what all benchmarks share.
func (b *builder) defaults(t *Text, o Options) {
	at := diag.Place{}
	before := len(t.lines)
	t.addLine(at, "defaults:")
	bounds := map[string]string{}
	for _, s := range o.Settings {
		if group, key, ok := strings.Cut(s.Key, "."); ok {
			bounds[s.Key] = s.Value
			if group != "samples" {
				t.addLine(at, "  %s: {%s: %s}", group, key, item(s.Value))
			}
			continue
		}
		comment := comments[s.Key]
		if comment != "" {
			comment = "  # " + comment
		}
		t.addLine(at, "  %s: %s%s", s.Key, block(s.Value), comment)
	}
	b.samples(t, bounds)
	if o.Folder != "" {
		t.addLine(at, "  cwd: %s  # the commands were typed there", block(filepath.ToSlash(o.Folder)))
	}
	for _, file := range []struct{ key, name string }{{"stdin", b.Stdin}, {"stdout", b.Stdout}} {
		if file.name == "" {
			continue
		}
		name := b.braces(file.name)
		if o.Folder != "" && !filepath.IsAbs(name) {
			name = filepath.Join(o.Folder, name)
		}
		t.addLine(flagPlace(file.key, file.name), "  %s: %s", file.key, block(filepath.ToSlash(name)))
	}
	if b.ExitCodes != "" {
		t.addLine(flagPlace("exit-codes", b.ExitCodes), "  exit_codes: %s", statuses(b.ExitCodes))
	}
	if len(t.lines) == before+1 { // nothing is shared
		t.lines = t.lines[:before]
		t.places = t.places[:before]
	}
}

// samples writes the bounds of the number of samples, as one number if they are equal.
func (b *builder) samples(t *Text, bounds map[string]string) {
	least, most := bounds["samples.min"], bounds["samples.max"]
	if least != "" && least == most && bounds["samples.keep"] == "" {
		t.addLine(diag.Place{}, "  samples: %s  # of a command: runs", block(least))
		return
	}
	var parts []string
	for _, key := range []string{"min", "max", "keep"} {
		if value := bounds["samples."+key]; value != "" {
			parts = append(parts, key+": "+item(value))
		}
	}
	if len(parts) > 0 {
		t.addLine(diag.Place{}, "  samples: {%s}", strings.Join(parts, ", "))
	}
}

func statuses(text string) string {
	if text == "any" {
		return text
	}
	var all []string
	for _, status := range strings.Split(text, ",") {
		all = append(all, item(strings.TrimSpace(status)))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// benchmark writes benchmark i.
func (b *builder) benchmark(t *Text, i int, names []string) {
	one := &b.benches[i]
	nameAt := one.at
	if i < len(b.Names) {
		nameAt = flagPlace("name", b.Names[i])
	}
	t.addLine(nameAt, "  - name: %s", textOf(one.name))
	t.joined[len(t.lines)] = b.joined(i)
	switch {
	case b.Shell:
		t.addLine(one.at, "    shell: %s", textOf(strings.Join(append(one.command.Words, one.command.Line), "")))
	case one.command.Words == nil:
		t.addLine(one.at, "    command: %s", textOf(one.command.Line))
	default:
		t.addLine(one.at, "    command: %s", argv(one.command.Words))
	}
	axes := b.axesOf(one)
	if len(axes) > 0 {
		t.addLine(axes[0].at, "    matrix:")
	}
	for _, a := range axes {
		t.addLine(a.at, "      %s: %s", a.name, a.text())
	}
	for _, key := range hookKeys {
		if text := one.hooks[key]; text != "" {
			all := b.hook(key)
			t.addLine(flagPlace(key, all[min(i, len(all)-1)]), "    %s: %s", key, b.hookText(text))
		}
	}
	if base := b.base(i, names); base != "" {
		t.addLine(one.at, "    base: %s", textOf(base))
	}
}

// joined is the line of command i and the one before it as they were typed, if both are words.
func (b *builder) joined(i int) string {
	if i == 0 || b.Shell || b.Commands[i-1].Words == nil || b.Commands[i].Words == nil {
		return ""
	}
	var words []string
	for _, word := range slices.Concat(b.Commands[i-1].Words, []string{"--"}, b.Commands[i].Words) {
		words = append(words, shellWord(word))
	}
	return shellWord(strings.Join(words, " "))
}

// shellWord quotes a word for a shell, if it needs quotes.
func shellWord(word string) string {
	if plainWord().MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// advise adds how the last benchmark gets a gate.
func (b *builder) advise(t *Text, names []string) {
	gate := "expect: time.median < 1s  # a gate: the run fails if this is not so"
	if b.base(len(b.benches)-1, names) != "" {
		gate = "tolerance: 3%  # a gate: the run fails if this is shown to take more than 3% longer than its base"
	}
	t.addLine(diag.Place{}, "    # %s", gate)
}

// base is the name of the case that the cases of benchmark i are compared with: the
// first command with the same parameters, or its first case. A single command is
// compared with its own first case.
func (b *builder) base(i int, names []string) string {
	first := &b.benches[0]
	switch {
	case !b.Paired || len(names) == 0 || len(b.benches) > 1 && i == 0 || len(b.benches) == 1 && len(first.params) == 0:
		return ""
	case i > 0 && contains(b.benches[i].params, first.params):
		return first.name
	}
	return strings.ReplaceAll(names[0], "${", "$${")
}

// contains reports whether all has every word of some.
func contains(all, some []string) bool {
	return !slices.ContainsFunc(some, func(word string) bool { return !slices.Contains(all, word) })
}

// text writes the values of a parameter as a list, or as the series that was typed.
func (a *axis) text() string {
	if a.series != "" {
		return flow(a.series)
	}
	var all []string
	for _, text := range a.values {
		all = append(all, item(text))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

func (b *builder) hookText(text string) string {
	if b.Shell {
		return "[sh, -c, " + flow(text) + "]"
	}
	return textOf(text)
}

// plainWord matches words that mean the same in a line and in a list.
var plainWord = lazy.Regexp(`^([A-Za-z0-9_./:=@%+,-]|\$\{[A-Za-z0-9_]+\})+$`)

// argv writes a command as a line if none of its words needs quotes in it, otherwise as
// a list.
func argv(words []string) string {
	line := strings.Join(words, " ")
	simple := true
	for i, word := range words {
		simple = simple && plainWord().MatchString(word) && (i > 0 || !strings.Contains(word, "="))
	}
	if simple {
		return textOf(line)
	}
	var all []string
	for _, word := range words {
		all = append(all, flow(word))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// textOf writes a scalar that is text, also if it looks like a number.
func textOf(s string) string {
	if isPlain(s, "k: "+s) {
		return s
	}
	return quoted(s)
}

func flow(s string) string {
	if isPlain(s, "k: ["+s+"]") {
		return s
	}
	return quoted(s)
}

// In a list a number stays a number.
func item(s string) string {
	if _, err := lang.ParseNumber(s); err == nil {
		return s
	}
	return flow(s)
}

// As the value of a setting a number stays a number.
func block(s string) string {
	if _, err := lang.ParseNumber(s); err == nil {
		return s
	}
	return textOf(s)
}

// isPlain reports whether a YAML document with s in it, without quotes, has the text s.
func isPlain(s, document string) bool {
	var root yaml.Node
	if !isPrintable(s) || yaml.Unmarshal([]byte(document), &root) != nil || len(root.Content) != 1 ||
		len(root.Content[0].Content) != 2 {
		return false
	}
	n := root.Content[0].Content[1]
	if n.Kind == yaml.SequenceNode && len(n.Content) == 1 {
		n = n.Content[0]
	}
	return n.Kind == yaml.ScalarNode && n.Value == s && n.ShortTag() == "!!str" && n.Style == 0 &&
		n.HeadComment+n.LineComment+n.FootComment+root.HeadComment+root.FootComment == "" &&
		!oldBoolean().MatchString(s)
}

// oldBoolean matches the words that YAML 1.1 reads as true or false: editors still do.
var oldBoolean = lazy.Regexp(`(?i)^(y|n|yes|no|on|off)$`)

// quoted puts a scalar in quotes. Characters that do not print become escapes, which
// YAML and Go write alike.
func quoted(s string) string {
	if isPrintable(s) {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	return strconv.QuoteToASCII(s)
}

func isPrintable(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}
