package about_test

import (
	"strings"
	"testing"

	"example.com/suite/internal/golden"
	"example.com/suite/report/page/text"
	"example.com/suite/report/reporttest"
)

// The parts about profiles have golden files.
func TestProfilesAreTold(t *testing.T) {
	doc := reporttest.Profiled()
	for i, name := range map[int]string{1: "profiled", 2: "profiled_unclear", 3: "profiled_alone", 4: "profiled_not"} {
		story := tell(t, doc, &doc.Cases[i], text.Options{Width: 100})
		_, part, found := strings.Cut(story, "which functions cost more\n")
		if !found {
			t.Errorf("%s: no part about profiles", name)
			continue
		}
		part, _, _ = strings.Cut(part, "\nits gates")
		part, _, _ = strings.Cut(part, "\nwhether this machine")
		golden.Check(t, "testdata/"+name+".txt", "which functions cost more\n"+part)
	}
}
