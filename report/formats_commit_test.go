package report

import (
	"bytes"
	"strings"
	"testing"

	"example.com/suite/report/reporttest"
	"example.com/suite/report/table"
	"example.com/suite/result"
)

func TestReportsForPeopleNameTheCommit(t *testing.T) {
	doc := reporttest.Document("a")
	doc.Suites[0].Commit = &result.Commit{Hash: strings.Repeat("1a", 20), Dirty: true}
	for _, format := range []string{"text", "markdown", "html", "junit", "benchfmt"} {
		var b bytes.Buffer
		if err := Render(&b, format, doc, table.Options{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), "1a1a1a1a1a with changes") {
			t.Errorf("%s does not name the commit", format)
		}
	}
}
