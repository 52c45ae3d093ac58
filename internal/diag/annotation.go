package diag

import (
	"fmt"
	"strings"

	"example.com/suite/internal/display"
)

// Annotation is a message that GitHub Actions shows at a line of a file.
type Annotation struct {
	Level   string // error, warning or notice
	File    string // path in the repository; empty if no file is meant
	Line    int    // from 1; 0 if the whole file is meant
	Col     int    // from 1; 0 if the whole line is meant
	Title   string
	Message []string // its lines
}

// String returns the workflow command of the annotation: one line, with control characters as escapes.
func (a Annotation) String() string {
	var properties []string
	add := func(name, value string) {
		properties = append(properties, name+"="+commandProperty.Replace(display.Visible(value)))
	}
	if a.File != "" {
		add("file", a.File)
		if a.Line > 0 {
			add("line", fmt.Sprint(a.Line))
		}
		if a.Col > 0 {
			add("col", fmt.Sprint(a.Col))
		}
	}
	add("title", a.Title)
	return fmt.Sprintf("::%s %s::%s\n", a.Level, strings.Join(properties, ","),
		commandData.Replace(display.Lines(a.Message...)))
}

// What GitHub's own toolkit escapes in a message, and in a property.
var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
