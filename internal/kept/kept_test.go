package kept

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/suite/internal/saved"
	"example.com/suite/internal/testfile"
	"example.com/suite/result"
	"example.com/suite/runner/profile"
)

// The copy for a second look is made of the JSON that was written, if there is such a file:
// nothing is rendered twice.
func TestTheKeptResultIsACopy(t *testing.T) {
	cache := t.TempDir()
	s := Store{Dir: filepath.Join(cache, "results")}
	file := filepath.Join(t.TempDir(), "result.json")
	testfile.Write(t, file, "what was written")
	doc := &result.Document{Schema: result.Schema}
	for _, c := range []struct {
		reports []string
		copied  bool
	}{
		{[]string{file}, true},
		{[]string{"/dev/null", file}, true},
		{[]string{"/dev/null"}, false},
		{[]string{filepath.Join(cache, "gone.json")}, false},
		{nil, false},
	} {
		s.Keep(doc, []string{"a.yaml"}, c.reports, nil)
		path, err := s.Last([]string{"a.yaml"})
		if err != nil {
			t.Fatal(err)
		}
		text := testfile.Read(t, path)
		if copied := string(text) == "what was written"; copied != c.copied || len(text) == 0 {
			t.Errorf("%v: copied %t: %.60s", c.reports, copied, text)
		}
	}
}

// Profiles count for the size of what is kept, and go with their result.
func TestLargeProfilesAreNotKeptForLong(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	doc := &result.Document{Schema: result.Schema}
	s.Keep(doc, []string{"a.yaml"}, nil, []profile.File{{Name: "a.pb.gz", Data: []byte("small")}})
	first, err := s.Last([]string{"a.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	large := filepath.Join(saved.ProfileFolder(first), "a.pb.gz")
	if err := os.Truncate(large, limit.Bytes); err != nil { // a file of holes
		t.Fatal(err)
	}
	s.Keep(doc, []string{"b.yaml"}, nil, nil)
	if _, err := s.Last([]string{"b.yaml"}); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(large); err == nil {
		t.Error("profiles of 256 MiB are kept")
	}
	if _, err := s.Last([]string{"a.yaml"}); err == nil {
		t.Error("a result is kept without its profiles")
	}
}
