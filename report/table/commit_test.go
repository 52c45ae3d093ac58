package table

import (
	"strings"
	"testing"

	"example.com/suite/result"
	"github.com/google/go-cmp/cmp"
)

func TestCommitsAreSaidOnceAndOfWhichSuitesTheyAre(t *testing.T) {
	one, two := &result.Commit{Hash: strings.Repeat("1a", 20)}, &result.Commit{Hash: strings.Repeat("2b", 20), Dirty: true}
	for _, c := range []struct {
		suites []*result.Commit
		want   []string
	}{
		{[]*result.Commit{nil}, nil},
		{[]*result.Commit{one, one}, []string{"commit 1a1a1a1a1a"}},
		{[]*result.Commit{two}, []string{"commit 2b2b2b2b2b with changes"}},
		{[]*result.Commit{one, two, one}, []string{"commit 1a1a1a1a1a (a, c)", "commit 2b2b2b2b2b with changes (b)"}},
		{[]*result.Commit{one, nil}, []string{"commit 1a1a1a1a1a (a)"}},
	} {
		doc := &result.Document{}
		for i, commit := range c.suites {
			doc.Suites = append(doc.Suites, result.Suite{Name: string(rune('a' + i)), Commit: commit})
		}
		if diff := cmp.Diff(c.want, Commits(doc)); diff != "" {
			t.Error(diff)
		}
	}
}
