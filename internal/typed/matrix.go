package typed

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lang"
	"example.com/suite/internal/lazy"
)

// axis is one parameter.
type axis struct {
	name   string
	values []string // nil: series
	series string   // 1..5, as it was typed
	at     diag.Place
}

var parameterName = lazy.Regexp(`^[A-Za-z_][A-Za-z0-9_]*$`)

// readMatrix reads the flags --matrix.
func (b *builder) readMatrix() {
	for _, text := range b.Matrix {
		at := flagPlace("matrix", text)
		name, values, ok := strings.Cut(text, "=")
		name = strings.TrimSpace(name)
		again := slices.IndexFunc(b.axes, func(a axis) bool { return a.name == name })
		switch {
		case !ok:
			b.fail(at, "--matrix n=1..5, n=1..1000*10 or n=a,b,c", "want NAME=VALUES")
		case !parameterName().MatchString(name):
			b.fail(at, "write letters, digits and _, a letter first",
				"%s is not a name for a parameter", diag.Quote(name))
		case again >= 0:
			b.fail(at, "give all of its values at once, as in n=1,2,4", "parameter %s is given twice, here and as %s",
				diag.Quote(name), b.axes[again].at.File)
		case strings.TrimSpace(values) == "":
			b.fail(at, "--matrix n=1..5, n=1..1000*10 or n=a,b,c", "parameter %s has no values", diag.Quote(name))
		default:
			b.axis(name, values, at)
		}
	}
}

func (b *builder) axis(name, text string, at diag.Place) {
	a := axis{name: name, at: at}
	switch {
	case lang.IsHalfSeries(text) && !strings.Contains(text, ","):
		b.fail(at, "for example n=1..5, n=0..1+0.25 or n=1..1000*10; a suite file takes such a text in a list",
			"%s is an incomplete series: it needs a number on each side of ..", diag.Quote(text))
	case lang.IsSeries(text) && !strings.Contains(text, ","):
		a.series = text
		values, err := lang.Series(text, mostCases)
		if err != nil {
			b.fail(at, "for example n=1..5, n=0..1+0.25 or n=1..1000*10", "%v", err)
		}
		a.values = values
	default:
		a.values = splitList(text)
	}
	for i, value := range a.values {
		if slices.Contains(a.values[:i], value) {
			b.fail(at, "leave one of them out", "parameter %s has the value %s twice",
				diag.Quote(name), diag.Quote(value))
		}
		if len(a.values) > 1 && a.series == "" && lang.IsSeries(value) {
			b.fail(at, "give all values one by one, or the series alone; a suite file takes such a text in a list",
				"the series %s is one of several values", diag.Quote(value))
		}
		if strings.Contains(value, "${") {
			b.fail(at, "use ${…} in the command", "${…} is not expanded in the values of parameters")
		}
	}
	b.axes = append(b.axes, a)
}

// splitList splits at commas. \, is a comma in a value.
func splitList(text string) (values []string) {
	const comma = "\x00"
	for _, value := range strings.Split(strings.ReplaceAll(text, `\,`, comma), ",") {
		values = append(values, strings.ReplaceAll(value, comma, ","))
	}
	return values
}

func (b *builder) names() lang.Names {
	var all []string
	for _, a := range b.axes {
		all = append(all, a.name)
	}
	return lang.Names{Params: all, Shell: b.Shell}
}

// braces replaces {n} by ${n} if n is a parameter: a shell leaves {n} alone, and replaces ${n}
// unless it is in single quotes.
func (b *builder) braces(text string) string {
	for _, a := range b.axes {
		word := "{" + a.name + "}"
		var out strings.Builder
		rest := text
		for {
			before, after, found := strings.Cut(rest, word)
			out.WriteString(before)
			if !found {
				break
			}
			if !strings.HasSuffix(before, "$") {
				out.WriteString("$")
			}
			out.WriteString(word)
			rest = after
		}
		text = out.String()
	}
	return text
}

// uses lists the parameters in texts, in the order of the flags --matrix. It adds the
// problems of texts that are no templates.
func (b *builder) uses(texts map[string]diag.Place) (used []string) {
	found := map[string]bool{}
	for text, at := range texts {
		t, err := lang.ParseTemplate(lang.Text{Value: text, Place: at}, b.names())
		if err != nil {
			b.noTemplate(err)
			continue
		}
		for _, name := range t.Uses() {
			found[name] = true
		}
	}
	for _, a := range b.axes {
		if found[a.name] {
			used = append(used, a.name)
		}
	}
	return used
}

// noTemplate adds the problem of a text that is no template.
func (b *builder) noTemplate(err error) {
	var unknown *lang.Error
	if errors.As(err, &unknown) && unknown.Fault.Kind == lang.UnknownName && unknown.Fault.Listed {
		p := unknown.Problem
		p.Hint = fmt.Sprintf("--matrix %s=1..5 declares it; a literal ${ is written $${", unknown.Fault.Name)
		b.Add(p)
		return
	}
	b.Check(err)
}

// unused refuses parameters that no command uses: a shell has replaced them, or a name is
// misspelt.
func (b *builder) unused() {
	if len(b.Found) > 0 {
		return
	}
	for _, a := range b.axes {
		if !slices.ContainsFunc(b.benches, func(one bench) bool { return slices.Contains(one.params, a.name) }) {
			b.fail(a.at,
				fmt.Sprintf("write {%s}, or ${%s} in single quotes: elsewhere a shell replaces it by its own variable",
					a.name, a.name),
				"no command uses parameter %s", diag.Quote(a.name))
		}
	}
}

// cases counts the cases that the commands have together, and names the first one of
// each command. Two cases of one name are a problem, and so are more than mostCases.
func (b *builder) cases() (total int, first []string) {
	for i := range b.benches {
		n := 1
		for _, a := range b.axesOf(&b.benches[i]) {
			n = min(n*len(a.values), 1<<40)
		}
		total += n
	}
	if total > mostCases {
		b.fail(b.lastAxis(), "fewer values; or a suite file, of which --only runs a part",
			"%d cases are more than %d: at a second or more each they would take %d minutes",
			total, mostCases, total/60)
		return total, nil
	}
	known := map[string]int{}
	for i := range b.benches {
		one := &b.benches[i]
		for j, name := range b.expand(one) {
			if other, twice := known[name]; twice {
				b.twice(one, &b.benches[other], name)
				break
			}
			known[name] = i
			if j == 0 {
				first = append(first, name)
			}
		}
	}
	return total, first
}

func (b *builder) twice(one, other *bench, name string) {
	hint := "give each command a name: --name old --name new"
	if one == other {
		hint = "use every parameter in the name"
	}
	b.fail(one.at, hint, "case %s comes twice", diag.Quote(name))
}

func (b *builder) lastAxis() diag.Place {
	if len(b.axes) == 0 {
		return diag.Place{File: "--command"}
	}
	return b.axes[len(b.axes)-1].at
}

func (b *builder) axesOf(one *bench) (all []axis) {
	for _, a := range b.axes {
		if slices.Contains(one.params, a.name) {
			all = append(all, a)
		}
	}
	return all
}

// expand names the cases of a benchmark, in their order. A name that cannot be expanded
// is left out: its problem is found again when the text is read.
func (b *builder) expand(one *bench) (names []string) {
	t, err := lang.ParseTemplate(lang.Text{Value: one.name}, b.names())
	if err != nil {
		return nil
	}
	axes := b.axesOf(one)
	at := make([]int, len(axes))
	for {
		params := map[string]lang.Value{}
		for i, a := range axes {
			params[a.name] = value(a.values[at[i]])
		}
		if text, err := t.Expand(lang.Scope{Params: params, Env: b.Env}); err == nil {
			names = append(names, text.Value)
		}
		i := len(axes) - 1
		for ; i >= 0; i-- {
			at[i]++
			if at[i] < len(axes[i].values) {
				break
			}
			at[i] = 0
		}
		if i < 0 {
			return names
		}
	}
}

// value reads a value as a suite file does.
func value(text string) lang.Value {
	tag := "!!str"
	if _, err := lang.ParseNumber(text); err == nil {
		tag = "!!float"
	}
	return lang.ParameterValue(text, tag)
}
