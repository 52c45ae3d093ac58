package scaffold

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Recipe is how a Makefile runs a program that was built in the folder.
type Recipe struct {
	Target  string
	Needs   []string // what has to be made first; nil if the Makefile's variables decide it
	Program string   // slash-separated, relative to the folder
	Line    string   // for a shell, without what is thrown away
}

// recipe finds the first target that looks like a benchmark and starts a program that was
// built here, or that the target has built. Lines with variables of make are left out,
// because only make can read them.
func (s *Survey) recipe() (Recipe, bool) {
	for _, target := range s.Targets {
		needs, lines := rule(s.rules, target)
		for _, line := range lines {
			for _, program := range slices.Concat(s.Programs, needs) {
				if runs(line, program) {
					return Recipe{Target: target, Needs: needs, Program: program, Line: line}, true
				}
			}
		}
	}
	return Recipe{}, false
}

// rule returns what a target of a Makefile needs, and the lines of its recipe, without
// what has no meaning in a measurement: echoing, a clock, and output that is thrown away.
func rule(makefile, target string) (needs, lines []string) {
	head := regexp.MustCompile(`^` + regexp.QuoteMeta(target) + `\s*:([^=].*)?$`)
	inside := false
	for line := range strings.Lines(makefile) {
		line = strings.TrimRight(line, "\r\n")
		if m := head.FindStringSubmatch(line); m != nil {
			inside = true
			words, _, _ := strings.Cut(m[1], "#")
			if !strings.ContainsAny(words, "$%;:") {
				needs = strings.Fields(strings.ReplaceAll(words, "|", " "))
			}
			continue
		}
		text, isRecipe := strings.CutPrefix(line, "\t")
		inside = inside && (isRecipe || strings.TrimSpace(line) == "")
		if !inside || strings.HasSuffix(text, `\`) {
			continue
		}
		text = strings.TrimSpace(strings.TrimLeft(text, "@-+ "))
		text = strings.TrimSpace(strings.TrimPrefix(text, "time "))
		for _, thrown := range []string{">/dev/null", "> /dev/null"} {
			text = strings.TrimSpace(strings.TrimSuffix(text, thrown))
		}
		if text != "" && !strings.ContainsAny(text, "$#") {
			lines = append(lines, text)
		}
	}
	return needs, lines
}

// runs reports whether a line starts a program.
func runs(line, program string) bool {
	first := strings.Fields(line)[0]
	return strings.Contains(first, "/") && path.Clean(first) == path.Clean(program)
}

// command is the key of a benchmark that runs the line.
func (r *Recipe) command() string {
	words := strings.Fields(r.Line)
	if strings.ContainsAny(r.Line, "|&;<>()*?[]{}~'\"`\\!") {
		return "shell: " + yamlText(r.Line)
	}
	for i, word := range words {
		words[i] = yamlWord(word)
	}
	return "command: [" + strings.Join(words, ", ") + "]"
}

// yamlText writes a text as a scalar in quotes.
func yamlText(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// build is the line of the suite file that makes what the recipe needs.
func (r *Recipe) build() string {
	if slices.ContainsFunc(r.Needs, func(word string) bool { return word[0] == '-' }) {
		return builders["make"]
	}
	words := []string{"make"}
	for _, word := range r.Needs {
		words = append(words, yamlWord(word))
	}
	return fmt.Sprintf(buildLine, strings.Join(words, ", "))
}

const recipeCase = `  - name: %s
    %s    # as in make %s
    timeout: 1m
`
