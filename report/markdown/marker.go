package markdown

import (
	"strings"

	"example.com/suite/internal/lazy"
	"example.com/suite/report/table"
)

// mostMarker bounds the names in a marker, in bytes.
const mostMarker = 200

// unmarked matches what a marker does not contain of a name. Two hyphens in a row or an angle
// bracket could end the comment.
var unmarked = lazy.Regexp(`[^A-Za-z0-9._/]+`)

// marker returns the last line of a report: a comment that nobody sees, with the names of the
// suites. By this line a job finds the comment that it wrote for an earlier version of a change,
// and replaces it. Reports of other suites have another marker.
func marker(t *table.Table) string {
	var names []string
	for i := range t.Groups {
		name := unmarked().ReplaceAllString(t.Groups[i].Package, "-")
		names = append(names, strings.Trim(name, "-"))
	}
	text := strings.Join(names, ", ")
	if len(text) > mostMarker {
		text = text[:mostMarker]
	}
	return "\n<!-- suite report: " + strings.TrimRight(text, "- ,") + " -->\n"
}
