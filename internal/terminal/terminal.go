// Package terminal finds out what a stream can show: how wide it is, and whether it has colours, lines that are drawn
// again, and more characters than ASCII. It writes nothing.
package terminal

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/term"
)

// Terminal describes what a stream can show.
type Terminal struct {
	Live    bool       // it can move its cursor
	Columns func() int // nil if the stream is no terminal
}

// ReportWidth is how many columns a report has that is not for a terminal.
const ReportWidth = 100

// Of describes the terminal that a file is.
func Of(f *os.File) Terminal {
	fd := int(f.Fd())
	if !term.IsTerminal(fd) {
		return Terminal{}
	}
	return Terminal{Live: os.Getenv("TERM") != "dumb" && os.Getenv("CI") == "", Columns: func() int {
		columns, _, err := term.GetSize(fd)
		if err != nil || columns <= 0 {
			return ReportWidth
		}
		return columns
	}}
}

// The width of a report in columns: a narrower one than leastColumns has no room for
// numbers.
const leastColumns, mostColumns = 40, 1000

// Width is the columns of a report: COLUMNS if it is exported (by default a shell does
// not), otherwise the terminal's width, but at most ReportWidth, because long lines are
// hard to read.
func (t Terminal) Width(variable func(string) string) int {
	text := variable("COLUMNS")
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return min(max(n, leastColumns), mostColumns)
	}
	if t.Columns == nil {
		return ReportWidth
	}
	return min(max(t.Columns(), leastColumns), ReportWidth)
}

// WantsColor reports whether to write colours. NO_COLOR decides if it is set and not empty
// (https://no-color.org), then FORCE_COLOR, then whether the stream is a terminal.
func (t Terminal) WantsColor(variable func(string) string) bool {
	if variable("NO_COLOR") != "" {
		return false
	}
	if v := variable("FORCE_COLOR"); v != "" && v != "0" {
		return true
	}
	return t.Live
}

// DrawsASCII reports whether the terminal or the locale has only ASCII characters, so that
// drawings must use them.
func DrawsASCII(variable func(string) string) bool {
	name := variable("TERM")
	return name == "dumb" || name == "linux" || IsASCII(variable)
}

// IsASCII reports whether the locale has only ASCII, as LC_ALL=C, so that all text for
// people is spelt in it. It returns false if no locale is set: most containers have none,
// and their logs are read elsewhere.
func IsASCII(variable func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(variable(name)); locale != "" {
			return !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
		}
	}
	return false
}
