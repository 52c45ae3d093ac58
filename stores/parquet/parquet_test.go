package parquet

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/suite/internal/flat"
	"example.com/suite/internal/flat/flattest"
	"example.com/suite/stores/push"
	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
)

// What is written is read back, and a second push writes nothing.
func TestWrittenRowsAreRead(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "deep", "runs")
	store, err := Open(t.Context(), "parquet:"+folder)
	if err != nil {
		t.Fatal(err)
	}
	runs := flattest.Runs(t)
	for _, want := range []string{"pushed 3 runs to " + folder, "pushed 0 runs to " + folder + "; 3 already there"} {
		if done, err := push.Runs(t.Context(), store, runs); done != want || err != nil {
			t.Errorf("%q, %v", done, err)
		}
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) != 3 {
		t.Fatal(files, err)
	}
	for i, file := range files {
		rows, err := parquet.ReadFile[flat.Row](file)
		if err != nil {
			t.Fatal(err)
		}
		for j := range rows {
			rows[j].Started = rows[j].Started.UTC()
		}
		if diff := cmp.Diff(flat.Rows(runs[i]), rows); diff != "" {
			t.Error(diff)
		}
	}
}

func TestFolders(t *testing.T) {
	occupied := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(occupied, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for to, want := range map[string]string{
		"parquet:": "parquet: needs a folder", "parquet://host/runs": "parquet://host/runs names a host", "parquet:" + occupied: "not a directory",
	} {
		if _, err := Open(t.Context(), to); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", to, err)
		}
	}
	folder := t.TempDir()
	if store, err := Open(t.Context(), "parquet://"+filepath.ToSlash(folder)); err != nil || store.String() != folder {
		t.Error(store, err)
	}
}
