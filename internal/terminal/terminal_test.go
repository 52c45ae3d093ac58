package terminal

import "testing"

// variables returns a function that looks up "NAME=value" pairs.
func variables(pairs map[string]string) func(string) string {
	return func(name string) string { return pairs[name] }
}

func TestWidthOfAReport(t *testing.T) {
	t.Parallel()
	wide := func(columns int) Terminal { return Terminal{Columns: func() int { return columns }} }
	for _, c := range []struct {
		columns string
		on      Terminal
		want    int
	}{
		{"", Terminal{}, 100}, {"", wide(72), 72}, {"", wide(300), 100}, {"", wide(20), 40},
		{"300", Terminal{}, 300}, {"60", wide(72), 60}, {"5000", wide(72), 1000}, {"1", wide(72), 40},
		{"0", wide(72), 72}, {"-5", wide(72), 72}, {"many", Terminal{}, 100},
	} {
		if got := c.on.Width(variables(map[string]string{"COLUMNS": c.columns})); got != c.want {
			t.Errorf("COLUMNS=%q, terminal %t: %d columns, want %d", c.columns, c.on.Columns != nil, got, c.want)
		}
	}
}

func TestColour(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		no, force  string
		live, want bool
	}{
		{"", "", true, true}, {"", "", false, false}, {"", "1", false, true}, {"", "0", false, false},
		{"1", "", true, false}, {"1", "1", true, false}, {"0", "1", true, false},
	} {
		got := Terminal{Live: c.live}.WantsColor(variables(map[string]string{"NO_COLOR": c.no, "FORCE_COLOR": c.force}))
		if got != c.want {
			t.Errorf("NO_COLOR=%q FORCE_COLOR=%q, live %t: %t", c.no, c.force, c.live, got)
		}
	}
}

// The first variable that is set decides about the locale. A terminal may lack characters that the locale has.
func TestASCII(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pairs        map[string]string
		ascii, draws bool
	}{
		{nil, false, false},
		{map[string]string{"LC_ALL": "C"}, true, true},
		{map[string]string{"LC_ALL": "de_DE.UTF-8", "LANG": "C"}, false, false},
		{map[string]string{"LC_CTYPE": "en_US.utf8", "LANG": "C"}, false, false},
		{map[string]string{"LC_CTYPE": "POSIX", "LANG": "C.UTF-8"}, true, true},
		{map[string]string{"LANG": "en_US.ISO-8859-1"}, true, true},
		{map[string]string{"LANG": "C.UTF-8", "TERM": "linux"}, false, true},
		{map[string]string{"TERM": "dumb"}, false, true},
		{map[string]string{"TERM": "xterm"}, false, false},
	} {
		if ascii, draws := IsASCII(variables(c.pairs)), DrawsASCII(variables(c.pairs)); ascii != c.ascii || draws != c.draws {
			t.Errorf("%v: %t and %t, want %t and %t", c.pairs, ascii, draws, c.ascii, c.draws)
		}
	}
}
