package scaffold

import (
	"slices"
	"testing"
)

func TestRecipes(t *testing.T) {
	for makefile, want := range map[string]struct{ line, build, command string }{
		"bench: cnt text.txt\n\t@time ./cnt text.txt > /dev/null\n":         {"./cnt text.txt", "build: [make, cnt, text.txt]", "command: [./cnt, text.txt]"},
		"bench:cnt # fast\n\techo now\n\n\t-./cnt -n 5 < text.txt\n":        {"./cnt -n 5 < text.txt", "build: [make, cnt]", "shell: './cnt -n 5 < text.txt'"},
		"bench: $(BIN)\n\t./cnt 'a b'\nall: cnt\n":                          {"./cnt 'a b'", "build: [make]", "shell: './cnt ''a b'''"},
		"bench: cnt | text.txt\n\t./cnt 10\n":                               {"./cnt 10", "build: [make, cnt, text.txt]", `command: [./cnt, "10"]`},
		"bench:\n\t./cnt $(FILE)\n":                                         {},
		"bench := 3\n\t./cnt\n":                                             {},
		"bench:\n\t./count text.txt\n":                                      {},
		"bench:\n\t./cnt \\\n\t  text.txt\n":                                {},
		"bench: tool\n\t./tool\n":                                           {"./tool", "build: [make, tool]", "command: [./tool]"},
		"bench: cnt\nother:\n\t./cnt text.txt\n":                            {},
		"bench-all: cnt\n\t./cnt -a\nbench-one: cnt\n\t./cnt -o text.txt\n": {"./cnt -a", "build: [make, cnt]", `command: [./cnt, "-a"]`},
	} {
		s := Survey{Programs: []string{"cnt"}, Targets: []string{"bench", "bench-all", "bench-one"}, rules: makefile}
		r, ok := s.recipe()
		if ok != (want.line != "") || r.Line != want.line {
			t.Errorf("%q: %+v, want %q", makefile, r, want.line)
			continue
		}
		if !ok {
			continue
		}
		if got := r.build(); len(got) < len(want.build) || got[:len(want.build)] != want.build {
			t.Errorf("%q: %s, want %s", makefile, got, want.build)
		}
		if got := r.command(); got != want.command {
			t.Errorf("%q: %s, want %s", makefile, got, want.command)
		}
	}
}

// What nothing knows is left out, and a target without needs needs nothing.
func TestRecipeNeedsNothing(t *testing.T) {
	if needs, lines := rule("bench:\n\t./cnt\n", "bench"); len(needs) != 0 || !slices.Equal(lines, []string{"./cnt"}) {
		t.Errorf("needs %q, lines %q", needs, lines)
	}
}
