package prepare

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/spec"
)

// apart finds cases that contain an absolute path of this tree, such as ${env.PWD}/tool. Both
// sides would use the same file, so a change of that file would not be measured. If the other
// tree has the file too, apart marks the case as not comparable. If it does not (the program
// may be installed in this tree), or if the path is part of a longer text, the path may be
// intended, and the user gets a note.
func (e *otherTree) apart(plan *spec.Plan) {
	shared := map[string][]string{} // names of cases, by the part that contains the path
	for i := range plan.Cases {
		c := &plan.Cases[i]
		if c.Other == nil {
			continue
		}
		if at := slices.IndexFunc(mentions(&c.Other.Case), e.has); at >= 0 {
			file := mentions(&c.Other.Case)[at]
			c.Other, c.Counterpart.State = nil, result.CounterpartUnable
			c.Counterpart.Reason = fmt.Sprintf("its %s names %s, which is in this tree, for both sides; a path "+
				"relative to the suite file is in the tree of each side", file.what, file.text)
			continue
		}
		for _, what := range e.shared(&c.Other.Case) {
			shared[what] = append(shared[what], c.Name)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(shared)) {
		e.noteShared(plan, what, shared[what])
	}
}

// mention is a text of a case with the key that contains it, such as stdin.
type mention struct{ what, text string }

// mentions lists the texts of a case that may be paths as a whole.
func mentions(c *spec.Case) []mention {
	all := []mention{{"cwd", c.Cwd}, {"stdin", c.Stdin}}
	for _, word := range c.Argv {
		all = append(all, mention{"command", word})
	}
	return all
}

// has reports whether a text is the path of a file of this tree that the other tree has too.
func (e *otherTree) has(m mention) bool {
	if !filepath.IsAbs(m.text) || e.ofOther(m.text) {
		return false
	}
	there, err := e.tree.Path(m.text)
	if err != nil {
		return false
	}
	_, err = os.Stat(there)
	return err == nil
}

// ofOther reports whether a path is in the other tree, which may itself be inside this one.
func (e *otherTree) ofOther(path string) bool {
	rel, err := filepath.Rel(e.tree.Root, path)
	return err == nil && filepath.IsLocal(rel)
}

// shared lists the keys of a case whose texts contain a path of this tree.
func (e *otherTree) shared(c *spec.Case) (whats []string) {
	all := append(mentions(c), mention{"shell text", c.Shell}, mention{"stdout", c.Stdout})
	for _, entry := range c.Env {
		name, value, _ := strings.Cut(entry, "=")
		all = append(all, mention{"env " + name, value})
	}
	for _, hook := range []struct {
		what string
		*spec.Hook
	}{{"setup", c.Setup}, {"prepare", c.Prepare}, {"conclude", c.Conclude}, {"cleanup", c.Cleanup}} {
		if hook.Hook != nil {
			all = append(all, mention{hook.what, strings.Join(hook.Argv, " ")})
		}
	}
	for _, m := range all {
		if e.names(m.text) && !slices.Contains(whats, m.what) {
			whats = append(whats, m.what)
		}
	}
	return whats
}

// names reports whether a text contains a path of this tree.
func (e *otherTree) names(text string) bool {
	if e.tree.Root == e.tree.Own {
		return false
	}
	for rest := strings.ReplaceAll(text, e.tree.Root, ""); ; {
		_, after, found := strings.Cut(rest, e.tree.Own)
		if !found {
			return false
		}
		if after == "" || strings.ContainsAny(after[:1], `/\:;,"' `) {
			return true
		}
		rest = after
	}
}

// noteShared prints and records that both sides of cases use a path of this tree.
func (e *otherTree) noteShared(plan *spec.Plan, what string, cases []string) {
	const shown = 3
	text := units.List(cases, shown)
	note := fmt.Sprintf("both sides use a path of this tree: %s of %s", what, text)
	plan.Against.Notes = append(plan.Against.Notes, note)
	e.Hosts.Say("--against %s: %s", plan.Against.Asked, note)
}
